// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingStore
import Tracing

/// From a claimed mail to what becomes of it.
extension Lane {
    private var writer: LetterWriter {
        let relay: String? = if case .relay(let transport) = way { transport.relayHost } else { nil }
        return LetterWriter(
            projects: homing.projects, keys: homing.keys, publicURL: homing.publicURL, consoleURL: homing.consoleURL,
            sender: origin.sender, relay: relay)
    }

    /// Renders a mail and hands it over. What is learned of the transport is this lane's, whoever claimed the mail.
    func settlement(of mail: OutboxMail) async -> Outbox.Settlement {
        let now = homing.system.now()
        let writer = writer
        guard mail.isCodeLive, now < mail.expiresAt else { return .expired(.codeDied) }
        let draft: LetterWriter.Draft
        do throws(LetterWriter.Obstacle) {
            draft = try await self.draft(of: mail, by: writer)
        } catch {
            return Self.settlement(for: error)
        }
        if let reason = mail.suppression { return .suppressed(reason: reason) }
        switch way {
        case .mailbox(let whenKept):
            return await keep(mail, writer.write(draft), link: draft.facts.link, whenKept)
        case .nowhere:
            return .postponed(reply: "not begun: there is no transport", seconds: 10)
        case .relay(let transport):
            guard let recipient = mail.recipient else {
                _ = signed(writer.write(draft), of: draft.project, by: transport).bytes()
                return .dropped
            }
            let envelope = MailEnvelope(
                sender: origin.bounces?.sender(of: mail.id, ring: homing.keys.ring) ?? writer.sender.address,
                recipient: recipient.text,
                facts: MailEnvelope.Facts(id: mail.id, kind: mail.kind, expiresAt: mail.expiresAt),
                letter: self.signed(writer.write(draft), of: draft.project, by: transport))
            let start = ContinuousClock.now
            let outcome =
                shared.isTraced
                ? await withSpan(transport is WebMailTransport ? "https" : "smtp", ofKind: .client) { _ in
                    await transport.deliver(envelope)
                }
                : await transport.deliver(envelope)
            let duration = start.duration(to: .now)
            pace.took(duration)
            homing.outbox.relayTook(duration)
            return settlement(for: outcome)
        }
    }

    /// A message with the keys of its sender's domain, where it arrives as we write it.
    private func signed(_ message: MailMessage, of project: Project, by transport: any MailTransport) -> MailMessage {
        guard transport.keepsOurBytes else { return message }
        var message = message
        let domain = message.from.address.split(separator: "@").last ?? ""
        message.signingKeys = shared.dkimKeys.keys(for: domain, of: project, ring: homing.keys.ring, logger: logger)
        return message
    }

    /// A mail's message. A project or tenant that this node does not know may have been made on another one a moment
    /// ago: the database is asked, and what it says is taken over.
    private func draft(
        of mail: OutboxMail, by writer: LetterWriter
    ) async throws(LetterWriter.Obstacle) -> LetterWriter.Draft {
        do throws(LetterWriter.Obstacle) {
            return try writer.draft(mail)
        } catch {
            guard case .projectUnknown = error else { throw error }
        }
        // A database that does not answer has not said that the project is gone.
        guard (try? await homing.projects.isGone(mail.project)) != true else { throw .projectGone }
        try? await homing.projects.lookAgain()
        let draft = try writer.draft(mail)
        // What was taken for the server's, or for the project's, may be another lane's: it goes back.
        guard !shared.hasOwnLanes || takes(mail.project) else { throw .anotherLane }
        return draft
    }

    /// Only a code that has died and a project that is gone end a mail. What this node lacks another one may have, or
    /// this one in a moment: the mail is due again, and no attempt is counted.
    private static func settlement(for obstacle: LetterWriter.Obstacle) -> Outbox.Settlement {
        switch obstacle {
        case .codeDied: .expired(.codeDied)
        case .projectGone: .expired(.projectGone)
        case .projectUnknown: .postponed(reply: "not begun: this node does not know the project yet", seconds: 1)
        case .anotherLane: .postponed(reply: "not begun: it goes through another transport", seconds: 1)
        case .consoleUnknown: .postponed(reply: "not begun: this node has no console", seconds: 10)
        case .keyUnknown(let version):
            .postponed(reply: "not begun: key version \(version) is not in this node's key file", seconds: 5)
        }
    }

    private func settlement(for outcome: DeliveryOutcome) -> Outbox.Settlement {
        let now = homing.system.now()
        switch outcome {
        case .accepted(let reply):
            health.succeeded()
            return .sent(reply: reply)
        case .temporary(let reply) where Task.isCancelled:
            return .postponed(reply: reply, seconds: 0)
        case .temporary(let reply):
            health.succeeded()
            return .retry(reply: reply)
        case .permanent(let reply):
            health.succeeded()
            return .failed(reply: reply)
        case .relayUnavailable(let reply, _) where Task.isCancelled:
            // This server stops: the mail is due again at once, for the next server.
            return .postponed(reply: reply, seconds: 0)
        case .relayUnavailable(let reply, let mayHaveIt):
            let pause = health.failed(at: now, reply: reply, logger: logger)
            return mayHaveIt ? .retry(reply: reply) : postponed(reply, pause, at: now)
        case .relayAsksToWait(let reply, let seconds):
            let wait = health.asked(toWait: seconds, at: now, reply: reply, logger: logger)
            return postponed(reply, Task.isCancelled ? 0 : wait, at: now)
        case .relayRefusesUs(let reply, let mayHaveIt):
            let pause = health.refused(at: now, reply: reply, logger: logger)
            return mayHaveIt ? .retry(reply: reply) : postponed(reply, pause, at: now)
        }
    }

    /// A mail that the server's transport takes meanwhile waits for no pause.
    private func postponed(_ reply: String, _ seconds: Int64, at now: Moment) -> Outbox.Settlement {
        .postponed(reply: reply, seconds: isStoodIn(at: now) ? 0 : seconds)
    }

    private func keep(
        _ mail: OutboxMail, _ letter: MailMessage, link: String?, _ whenKept: @Sendable (Delivery.Kept) -> Void
    ) async -> Outbox.Settlement {
        guard let address = mail.recipient?.text ?? mail.facts.voidAddress else { return .dropped }
        let isVoid = mail.recipient == nil
        // Whoever may read the mailbox is not thereby an operator.
        let opensConsole = mail.kind == .operatorSignIn
        let message = DevelopmentMailbox.Message(
            id: mail.id, project: mail.project, recipient: address, kind: mail.kind.rawValue,
            language: letter.language, subject: letter.subject,
            plain: isVoid || opensConsole ? "" : letter.text, html: isVoid || opensConsole ? "" : letter.html,
            note: isVoid
                ? "Nothing would have been mailed: no account of this project has this address, or it may not sign in."
                : opensConsole
                    ? "The link for an operator is not shown here: homing operator link \(address) prints one." : nil,
            createdAt: mail.createdAt)
        do {
            try await homing.mailbox.keep(message)
            health.succeeded()
            whenKept(
                Delivery.Kept(
                    recipient: address, subject: message.subject, link: isVoid ? nil : link, note: message.note))
            return isVoid ? .dropped : .sent(reply: "kept in the mailbox")
        } catch {
            return .retry(reply: "the mailbox could not be written")
        }
    }
}
