// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore
package import HomingProjects
package import HomingStore
package import Logging

/// A test mail through a way that need not be in force: it leaves at once, past the outbox, and nobody tries it again.
package struct MailTrial: Sendable {
    package let homing: Homing
    package let project: Project
    package let relay: MailRelay
    /// `Name <a@b.example>`; nil for the server's.
    package let sender: String?
    package let logger: Logger

    /// What the other side said.
    package struct Result: Sendable, Equatable {
        package let isTaken: Bool
        /// `the relay`, or a provider's name.
        package let transport: String
        /// Printable ASCII.
        package let reply: String
        /// What to do, where these words are known.
        package let advice: String?
    }

    /// How long the other side has.
    private static let patience = Duration.seconds(10)

    package init(homing: Homing, project: Project, relay: MailRelay, sender: String?, logger: Logger) {
        self.homing = homing
        self.project = project
        self.relay = relay
        self.sender = sender
        self.logger = logger
    }

    /// Whom the mail is from.
    private var origin: SenderAddress {
        [sender, homing.serverMail.value.sender].compactMap { $0.flatMap(SenderAddress.init(parsing:)) }.first
            ?? SenderAddress(address: "noreply@localhost")
    }

    private var transport: (any MailTransport)? {
        relay.transport(
            heloName: MailRelay.heloName(of: homing.publicURL), now: homing.system.now, timeout: Self.patience,
            logger: logger)
    }

    /// The domain of the sender, if the way leaves mails as they are and there is no key to sign them with: then it is
    /// for the other side to sign them.
    package static func unsignedDomain(of sender: String?, in project: Project, by relay: MailRelay) -> String? {
        let keepsOurBytes = if case .provider(_, let provider) = relay { provider.keepsOurBytes } else { true }
        guard keepsOurBytes,
            let domain = sender.flatMap(SenderAddress.init(parsing:))?.address.split(separator: "@").last,
            project.signingKeys(for: domain).isEmpty
        else { return nil }
        return String(domain)
    }

    /// The letter as delivery would sign it.
    private func signed(_ letter: MailMessage, by transport: any MailTransport) -> MailMessage {
        guard transport.keepsOurBytes else { return letter }
        var letter = letter
        let domain = letter.from.address.split(separator: "@").last ?? ""
        letter.signingKeys = OpenedDKIMKeys().keys(for: domain, of: project, ring: homing.keys.ring, logger: logger)
        return letter
    }

    /// Mails to an address, and keeps in the audit log who wanted it.
    ///
    /// - Throws: ``Refusal`` where the mail cannot be written here.
    package func send(to address: EmailAddress, by authority: Authority) async throws -> Result {
        guard let transport else { throw Refusal.mailIsOff }
        try await homing.outbox.noteTest(to: address, in: project, by: authority)
        let mail = OutboxMail(test: address, in: project, system: homing.system)
        let writer = LetterWriter(
            projects: homing.projects, keys: homing.keys, publicURL: homing.publicURL, consoleURL: homing.consoleURL,
            sender: origin, relay: transport.relayHost)
        let letter = signed(writer.write(try writer.draft(mail)), by: transport)
        let outcome = await transport.deliver(
            MailEnvelope(
                sender: origin.address, recipient: address.text,
                facts: MailEnvelope.Facts(id: mail.id, kind: mail.kind, expiresAt: mail.expiresAt), letter: letter))
        await transport.shutdown(grace: .seconds(2))
        return Result(
            isTaken: outcome.isTaken, transport: transport.relayName, reply: outcome.words,
            advice: outcome.isTaken ? nil : transport.advice(on: outcome.words))
    }
}

extension DeliveryOutcome {
    fileprivate var isTaken: Bool { if case .accepted = self { true } else { false } }

    fileprivate var words: String {
        switch self {
        case .accepted(let reply), .temporary(let reply), .permanent(let reply), .relayUnavailable(let reply, _),
            .relayAsksToWait(let reply, _), .relayRefusesUs(let reply, _):
            reply
        }
    }
}
