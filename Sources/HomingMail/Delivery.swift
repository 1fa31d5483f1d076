// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore
package import HomingStore
package import Logging
import ServiceLifecycle
import Tracing

/// Takes mails from the outbox, outside any request, and delivers them to the relay: claim, render, send, strike out.
///
/// Each mail is sent at least once, never exactly once: a crash between the relay's last reply and our own commit sends
/// a second copy, with the same Message-ID, date and code.
package struct Delivery: Service {
    /// The destination of mails.
    package enum Way: Sendable {
        case relay(any MailTransport)
        /// Mails are kept in the database and shown on the admin listener; the closure hears of each one.
        case mailbox(whenKept: @Sendable (Kept) -> Void = { _ in })
    }

    /// A mail that was kept, for a developer who watches.
    package struct Kept: Sendable {
        package let recipient: String
        package let subject: String
        /// The target of the mail's button; nil when the mail has none.
        package let link: String?
        /// The reason why nothing would have been mailed.
        package let note: String?
    }

    private let homing: Homing
    private let way: Way
    private let logger: Logger
    /// Whether each mail is a span of a trace.
    private let isTraced: Bool
    package let origin: Live<MailOrigin>
    /// The time for which a mail that is under way may delay a stop.
    private static let grace = Duration.seconds(6)

    /// The pause before a claim while requests crowd the database. It ends whatever they do, so that mails go on.
    private static let courtesy = Duration.milliseconds(5)

    /// The greatest wait of a claimed mail for its turn: the rest of its lease must outlast the relay's dialogue.
    private static let longestWaitSeconds: Int64 = 10

    private let isOutboxAway = Live(false)
    private let relayHealth: RelayHealth
    private let nextDue = DueTime()
    private let pace = Pace()
    private let atRelay = AtRelay()
    private let dkimKeys = OpenedDKIMKeys()

    package init(
        homing: Homing, way: Way, sender: SenderAddress, bounces: BounceAddress? = nil, logger: Logger,
        isTraced: Bool = false
    ) {
        self.homing = homing
        self.way = way
        self.logger = logger
        self.isTraced = isTraced
        relayHealth = RelayHealth {
            if case .relay(let transport) = way { transport.relayName } else { "the mailbox" }
        }
        origin = Live(MailOrigin(sender: sender, bounces: bounces))
    }

    private func writer(_ origin: MailOrigin) -> LetterWriter {
        let relay: String? = if case .relay(let transport) = way { transport.relayHost } else { nil }
        return LetterWriter(
            projects: homing.projects, keys: homing.keys, publicURL: homing.publicURL, consoleURL: homing.consoleURL,
            sender: origin.sender, relay: relay)
    }

    /// Whether mail works, for operators. It holds none of what it is handed to.
    private var description: @Sendable () -> MailState {
        let (way, origin, relayHealth, now) = (way, origin, relayHealth, homing.system.now)
        return {
            var away = relayHealth.away(at: now())
            var (name, host): (String, String?) = ("the mailbox", nil)
            if case .relay(let transport) = way {
                (name, host) = (transport.relayName, transport.relayHost)
                if let reason = away?.reason { away?.advice = transport.advice(on: reason) }
            }
            return MailState(
                transport: name, host: host, sender: origin.value.sender.description,
                hasAnswered: relayHealth.hasAnswered, away: away)
        }
    }

    package func run() async throws {
        homing.outbox.describesMail(description)
        try await homing.outbox.freeLeases()
        let stop = StopSign()
        await withGracefulShutdownHandler {
            await withTaskGroup(of: Bool.self) { group in
                group.addTask {
                    await ringWhenDue(orUntil: stop)
                    return false
                }
                group.addTask {
                    await deliver(until: stop)
                    return true
                }
                // Either everything is sent, or a relay that hangs has used up its time and is given up.
                for await isDone in group where isDone || stop.isUp { group.cancelAll() }
            }
        } onGracefulShutdown: {
            stop.raise()
            homing.outbox.bell.ring()
        }
    }

    private var concurrency: Int {
        switch way {
        case .relay(let transport): transport.concurrency
        case .mailbox: 4
        }
    }

    /// As many mails again wait, rendered, at the transport: a connection that finishes a mail has the next one at
    /// hand.
    private var mostAtRelay: Int { pace.isQuick ? concurrency * 2 : concurrency }

    /// Those whose outcome is recorded are counted, too: a database that is slow holds delivery back.
    private var mostUnderWay: Int { concurrency * 2 + Settlements.enough * homing.outbox.batch.times }

    /// A claim holds twice what can be sent at once, so that the relay never waits for the database. More only where
    /// the relay takes it in a moment: what one node has claimed no other can send.
    private var mostInClaim: Int { concurrency * 2 * (pace.isInstant ? homing.outbox.batch.times : 1) }

    private func waitForRoom(in group: inout TaskGroup<Void>, _ underWay: inout Int) async {
        while underWay >= mostUnderWay {
            await group.next()
            underWay -= 1
        }
        await atRelay.waitForRoom(below: mostAtRelay, for: pace.isQuick ? max(1, concurrency / 2) : 1)
    }

    /// Claims and sends until the sign is raised, then finishes everything under way.
    private func deliver(until stop: StopSign) async {
        await withTaskGroup(of: Void.self) { group in
            var underWay = 0
            while !stop.isUp, !Task.isCancelled {
                await waitForRoom(in: &group, &underWay)
                if homing.outbox.isCrowded() { try? await Task.sleep(for: Self.courtesy) }
                let claimedAt = homing.system.now()
                let mails = await claim(limit: mostInClaim)
                for mail in mails {
                    await waitForRoom(in: &group, &underWay)
                    underWay += 1
                    if let reason = reasonNotToBegin(claimedAt: claimedAt, stop) {
                        group.addTask { await settle(mail, .postponed(reply: reason, seconds: 0)) }
                    } else if let seconds = relayHealth.secondsToWait(at: homing.system.now()) {
                        group.addTask {
                            await settle(mail, .postponed(reply: "not begun: asked to wait", seconds: seconds))
                        }
                    } else {
                        atRelay.add()
                        group.addTask { await deliver(mail) }
                    }
                }
                guard mails.isEmpty else { continue }
                if let due = try? await homing.outbox.nextDue() { nextDue.set(due) }
                await homing.outbox.bell.wait()
            }
            await group.waitForAll()
        }
    }

    /// The reason why a claimed mail is returned instead of sent; nil when it may go.
    private func reasonNotToBegin(claimedAt: Moment, _ stop: StopSign) -> String? {
        if stop.isUp || Task.isCancelled { return "not begun: the server stops" }
        let isLate = homing.system.now() > claimedAt.adding(seconds: Self.longestWaitSeconds)
        return isLate ? "not begun: the mails before it took too long" : nil
    }

    /// Rings when retries and other nodes' mails are due, which ring no bell of their own.
    ///
    /// Once the sign is raised, waits for everything under way, and returns.
    private func ringWhenDue(orUntil stop: StopSign) async {
        var quietSeconds = 0
        while !Task.isCancelled {
            if stop.isUp {
                try? await Task.sleep(for: Self.grace)
                return
            }
            try? await Task.sleep(for: .seconds(1))
            quietSeconds += 1
            guard nextDue.hasCome(at: homing.outbox.now()) || quietSeconds >= longestSilence else { continue }
            quietSeconds = 0
            homing.outbox.bell.ring()
        }
    }

    /// Seconds without a ring. Commands on a database that several nodes share ring no bell in any of them.
    private var longestSilence: Int { homing.nodes.areSeveralPossible ? 3 : 30 }

    private func claim(limit: Int) async -> [OutboxMail] {
        if homing.outbox.takeRetryRequest() { relayHealth.open() }
        // A node that lacks the master key in use leaves the mails to the others.
        guard homing.keys.ring.gap == nil, relayHealth.isOpen(at: homing.system.now()) else { return [] }
        do {
            let mails = try await homing.outbox.claim(limit: limit) { id, reason in
                logger.error(
                    "a mail could not be read; it waits for a homing that can read it",
                    metadata: ["mail": "\(id)", "error": "\(reason)"])
            }
            if isOutboxAway.value { logger.notice("the outbox can be read again") }
            isOutboxAway.set(false)
            return mails
        } catch {
            // Once for as long as that lasts.
            if !isOutboxAway.value {
                logger.error(
                    "the outbox could not be read; delivery tries again every second",
                    metadata: ["error": "\(Self.cause(of: error))"])
            }
            isOutboxAway.set(true)
            nextDue.set(homing.outbox.now())
            return []
        }
    }

    /// Delivers one mail, from the row to the relay's answer. Whatever happens, the row records it.
    private func deliver(_ mail: OutboxMail) async {
        guard isTraced else { return await settle(mail, await outcome(of: mail)) }
        // A trace of its own: the request that owed the mail was answered long ago.
        await withSpan("deliver", context: .topLevel, ofKind: .producer) { span in
            let settlement = await outcome(of: mail)
            span.attributes["mail"] = mail.id
            span.attributes["outcome"] = settlement.name
            await settle(mail, settlement)
        }
    }

    private func outcome(of mail: OutboxMail) async -> Outbox.Settlement {
        defer { atRelay.remove() }
        return await settlement(of: mail)
    }

    private func settle(_ mail: OutboxMail, _ settlement: Outbox.Settlement) async {
        do {
            try await homing.outbox.settle(mail, settlement)
        } catch {
            logger.error(
                "a mail's outcome could not be kept; it is tried again after its lease",
                metadata: ["mail": "\(mail.id)", "error": "\(Self.cause(of: error))"])
        }
        log(mail, settlement)
    }

    /// What an operator is to look at: of a database that does not answer, why.
    private static func cause(of error: any Error) -> any Error { (error as? Refusal)?.databaseReason ?? error }

    private func settlement(of mail: OutboxMail) async -> Outbox.Settlement {
        let now = homing.system.now()
        let origin = origin.value
        let writer = writer(origin)
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
        case .relay(let transport):
            guard let recipient = mail.recipient else {
                _ = signed(writer.write(draft), of: draft.project, by: transport).bytes()
                return .dropped
            }
            let envelope = MailEnvelope(
                sender: origin.bounces?.sender(of: mail.id, ring: homing.keys.ring) ?? writer.sender.address,
                recipient: recipient.text,
                facts: MailEnvelope.Facts(id: mail.id, kind: mail.kind, expiresAt: mail.expiresAt),
                letter: signed(writer.write(draft), of: draft.project, by: transport))
            let start = ContinuousClock.now
            let outcome =
                isTraced
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
        message.signingKeys = dkimKeys.keys(for: domain, of: project, ring: homing.keys.ring)
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
        return try writer.draft(mail)
    }

    /// Only a code that has died and a project that is gone end a mail. What this node lacks another one may have, or
    /// this one in a moment: the mail is due again, and no attempt is counted.
    private static func settlement(for obstacle: LetterWriter.Obstacle) -> Outbox.Settlement {
        switch obstacle {
        case .codeDied: .expired(.codeDied)
        case .projectGone: .expired(.projectGone)
        case .projectUnknown: .postponed(reply: "not begun: this node does not know the project yet", seconds: 1)
        case .consoleUnknown: .postponed(reply: "not begun: this node has no console", seconds: 10)
        case .keyUnknown(let version):
            .postponed(reply: "not begun: key version \(version) is not in this node's key file", seconds: 5)
        }
    }

    private func settlement(for outcome: DeliveryOutcome) -> Outbox.Settlement {
        let now = homing.system.now()
        switch outcome {
        case .accepted(let reply):
            relayHealth.succeeded()
            return .sent(reply: reply)
        case .temporary(let reply) where Task.isCancelled:
            return .postponed(reply: reply, seconds: 0)
        case .temporary(let reply):
            relayHealth.succeeded()
            return .retry(reply: reply)
        case .permanent(let reply):
            relayHealth.succeeded()
            return .failed(reply: reply)
        case .relayUnavailable(let reply, _) where Task.isCancelled:
            // This server stops: the mail is due again at once, for the next server.
            return .postponed(reply: reply, seconds: 0)
        case .relayUnavailable(let reply, let mayHaveIt):
            let pause = relayHealth.failed(at: now, reply: reply, logger: logger)
            return mayHaveIt ? .retry(reply: reply) : .postponed(reply: reply, seconds: pause)
        case .relayAsksToWait(let reply, let seconds):
            let wait = relayHealth.asked(toWait: seconds, at: now, reply: reply, logger: logger)
            return .postponed(reply: reply, seconds: Task.isCancelled ? 0 : wait)
        case .relayRefusesUs(let reply, let mayHaveIt):
            let pause = relayHealth.refused(at: now, reply: reply, logger: logger)
            return mayHaveIt ? .retry(reply: reply) : .postponed(reply: reply, seconds: pause)
        }
    }

    private func keep(
        _ mail: OutboxMail, _ letter: MailMessage, link: String?, _ whenKept: @Sendable (Kept) -> Void
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
            relayHealth.succeeded()
            whenKept(
                Kept(
                    recipient: address, subject: message.subject, link: isVoid ? nil : link, note: message.note))
            return isVoid ? .dropped : .sent(reply: "kept in the mailbox")
        } catch {
            return .retry(reply: "the mailbox could not be written")
        }
    }

    private func log(_ mail: OutboxMail, _ settlement: Outbox.Settlement) {
        // Made only for what is logged: most mails are sent, and that is no news.
        var metadata: Logger.Metadata {
            ["mail": "\(mail.id)", "project": "\(mail.project)", "kind": "\(mail.kind.rawValue)"]
        }
        if case .sent = settlement, let project = homing.projects.projectOrTenant(mail.project) {
            for app in mail.settings.unregisteredApps(in: project) {
                logger.notice(
                    "a mailed link names an app that is not registered: homing app add",
                    metadata: metadata.merging(["app": "\(app)"]) { $1 })
            }
            for member in mail.settings.leftOut {
                logger.notice(
                    "a request had a value that cannot be used; its link was mailed without",
                    metadata: metadata.merging(["member": "\(member)"]) { $1 })
            }
            if mail.settings.lacksLinkDomain {
                logger.notice(
                    "a mailed link leads to the app by way of a page: homing link-domain add", metadata: metadata)
            }
        }
        switch settlement {
        case .sent, .dropped: logger.debug("mail handed over", metadata: metadata)
        case .expired(.codeDied): logger.info("mail not sent: its link had died", metadata: metadata)
        case .expired(.projectGone): logger.info("mail not sent: its project is gone", metadata: metadata)
        case .failed(let reply):
            logger.warning(
                "mail refused for good by the relay", metadata: metadata.merging(["reply": "\(reply)"]) { $1 })
        case .suppressed(let reason):
            logger.notice(
                "mail not sent: mails to its address came back",
                metadata: metadata.merging(["reason": "\(reason)"]) { $1 })
        case .retry(let reply), .postponed(let reply, _):
            logger.info("mail not sent yet", metadata: metadata.merging(["reply": "\(reply)"]) { $1 })
        }
    }
}
