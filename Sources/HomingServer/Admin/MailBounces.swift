// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingStore
import HomingWire

/// `POST /mail/bounces`, for relays that report bounces by HTTP: `homing mail bounce` with JSON.
enum MailBounces {
    /// Takes `envelopeFrom`, the envelope sender of the mail that came back, or its `token` alone; `status`, such as
    /// 5.1.1; and the server's words as `diagnostic`.
    static func take(_ context: AdminContext) async throws -> JSON {
        guard let sender = try context.fields.text("envelopeFrom") ?? context.fields.text("token") else {
            throw Refusal.invalidArgument("envelopeFrom is missing: the envelope sender of the email that came back")
        }
        guard let status = try context.fields.text("status").flatMap({ Bounce.Status(parsing: $0) }) else {
            throw Refusal.invalidArgument("status is an enhanced status code (RFC 3463) such as 5.1.1")
        }
        let diagnostic = try context.fields.text("diagnostic") ?? ""
        guard let mail = try BounceAddress.mail(in: sender, ring: context.homing.keys.ring) else {
            return answer(nil, .nothing)
        }
        // A key that is not for all projects reports on mails of its own.
        if let key = context.backEnd.key, let project = try await context.homing.suppressions.project(of: mail) {
            try key.check(project.project)
        }
        // What a relay reports as temporary it tries again.
        let actions: [Int: Bounce.Action] = [2: .delivered, 4: .delayed, 5: .failed]
        let bounce = Bounce(action: actions[status.category], status: status, diagnostic: diagnostic)
        let outcome = try await context.homing.suppressions.take(
            [bounce], about: mail, by: context.backEnd.author)
        return answer(mail, outcome?.verdict ?? .nothing)
    }

    private static func answer(_ mail: String?, _ verdict: Bounce.Verdict) -> JSON {
        ["verdict": .string("\(verdict)"), "mail": mail.map { .string($0) } ?? .null]
    }
}
