// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
package import HomingProjects
import HomingStore

/// What the hosted page that waits for a request shows and does, by the request's id alone.
extension ActionCodes {
    /// Reads a bound request, for whoever holds its id.
    ///
    /// - Throws: ``Refusal/invalidRequestID``; ``Refusal/codeExpired`` where nothing is known of it any more.
    package func waiting(requestID: String, in project: Project) async throws -> WaitingRequest {
        let (sealed, kind) = try request(withID: requestID, in: project)
        let request = try await store.read(in: project) { tx in try tx.codes.waiting(sealed.id, kind) }
        guard let request else { throw Refusal.codeExpired }
        return request
    }

    /// Mails the code of a request once more, as far as the limits of the address allow. A void one costs the same
    /// statements.
    ///
    /// - Throws: ``Refusal/tooManyAttempts(_:remedy:)``; ``Refusal/codeInvalid(_:)`` or ``Refusal/codeExpired`` where
    ///   there is nothing to wait for any more.
    package func resend(requestID: String, in project: Project) async throws {
        let (sealed, kind) = try request(withID: requestID, in: project)
        guard kind != .signIn || project.settings.allowsEmailLink else { throw Refusal.emailLinksAreOff }
        try store.checkMail(of: project)
        let id = OutboxMail.newID(store.system)
        try await store.write(in: project) { tx in
            guard let request = try tx.codes.waiting(sealed.id, kind), let digest = request.digest else {
                throw Refusal.codeExpired
            }
            switch request.state {
            case .pending: break
            case .approved, .done: throw Refusal.codeInvalid(.used)
            case .declined: throw Refusal.codeInvalid(.declined)
            case .expired: throw Refusal.codeExpired
            }
            let mail = tx.codes.mail(of: sealed.id)
            // A link that a back end was given is the back end's to mail.
            guard var carrier = try tx.run(mail).first, try carrier.optionalText() != nil else {
                throw Refusal.codeInvalid(.malformed)
            }
            let limit = MailLimit(kind, to: digest, tx.work.store.limits)
            let lookUp = tx.accounts.selection(of: request.address ?? EmailAddress(stored: ""))
            let (counts, answers) = try tx.counters.incrementMails(limit.counters, beside: [lookUp])
            guard limit.allows(counts) else {
                throw Refusal.mailedAMomentAgo(retryAfterSeconds: limit.secondsToWait(counts))
            }
            let account = try answers.first?.first.map { try Account($0) }
            tx.owe(
                OutboxMail.Draft(
                    id: id, kind: MailKind(kind), recipient: request.address.map { request.newAddress ?? $0 },
                    code: sealed, expiresAt: request.expiresAt,
                    facts: OutboxMail.Facts(
                        language: MailLanguage(request.language, of: account, in: project),
                        displayName: account?.mailableName,
                        newAddress: request.newAddress?.text)),
                inPlaceOf: mail)
            // The earlier one, where it still waits, would only be the same mail twice.
            tx.later(
                """
                UPDATE outbox SET state = \(constant: Outbox.State.expired), ended_at = \(tx.now)
                WHERE project = \(project.scope) AND id = (\(sql: mail)) AND ended_at IS NULL AND lease IS NULL
                    AND kind = \(MailKind(kind).rawValue)
                """)
            tx.codes.setMail(id, of: sealed.id)
        }
    }
}
