// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingShortLinks
import HomingStore
import Logging
import Synchronization
import Tracing

/// The mails that leave through one transport: claim, render, send, strike out. Pauses, pace and room are a lane's own,
/// so that a transport that is away or takes its time holds up no other's mails.
final class Lane: Sendable {
    /// What all lanes have in common.
    struct Shared: Sendable {
        let homing: Homing
        /// Whom mails come from unless a lane's transport says another sender.
        let origin: Live<MailOrigin>
        let logger: Logger
        /// Whether each mail is a span of a trace.
        let isTraced: Bool
        /// Whether projects' own transports are used.
        let hasOwnLanes: Bool
        let dkimKeys = OpenedDKIMKeys()
    }

    let shared: Shared
    let way: Delivery.Way
    /// Nil for the server's lane.
    let own: OwnMailTransport?
    /// The server's lane, where its transport takes the mails while this one's is away.
    private let fallback: Lane?
    let logger: Logger

    /// Rings when mails of this lane are due.
    let bell = Bell()
    let nextDue = DueTime()
    let health: RelayHealth
    let pace = Pace()
    private let atRelay = AtRelay()
    private let turns = Outbox.Turns()
    private let isOutboxAway = Live(false)
    private let hasEnded = StopSign()
    /// Whether a mail is under way that shows whether a transport which was away is back.
    private let isTrying = Atomic(false)

    /// The pause before a claim while requests crowd the database. It ends whatever they do, so that mails go on.
    private static let courtesy = Duration.milliseconds(5)

    /// The greatest wait of a claimed mail for its turn: the rest of its lease must outlast the relay's dialogue.
    private static let longestWaitSeconds: Int64 = 10

    /// The mails at once of a lane that has no transport, and leaves them to the server's.
    private static let concurrencyOfClosed = 8

    var homing: Homing { shared.homing }

    /// - Parameters:
    ///   - own: nil for the server's.
    ///   - server: the server's lane, which takes over where `own` says so.
    init(_ way: Delivery.Way, _ shared: Shared, of own: OwnMailTransport? = nil, fallback server: Lane? = nil) {
        self.way = way
        self.shared = shared
        self.own = own
        fallback = own?.fallsBack == true ? server : nil
        var logger = shared.logger
        if let own {
            logger[metadataKey: "owner"] = "\(own.owner)"
            health = RelayHealth(
                of: { "the transport of \(own.owner)" }, remedy: "check homing mail transport show \(own.owner)",
                fallsBack: fallback != nil)
        } else {
            health = RelayHealth {
                if case .relay(let transport) = way { transport.relayName } else { "the mailbox" }
            }
        }
        self.logger = logger
    }

    /// Whom mails of this lane come from. What bounces comes to the server in any case.
    var origin: MailOrigin {
        let servers = shared.origin.value
        return MailOrigin(sender: Self.sender(of: own) ?? servers.sender, bounces: servers.bounces)
    }

    private static func sender(of own: OwnMailTransport?) -> SenderAddress? {
        own?.sender.flatMap { SenderAddress(parsing: $0) }
    }

    /// Whether mail works, for operators. It holds none of what the lane leans on.
    var description: @Sendable () -> MailState {
        let (way, own, origin, health, now) = (way, own, shared.origin, health, homing.system.now)
        let fallsBack = fallback != nil
        return {
            var away = health.away(at: now())
            var (name, host) = (own.map { "the transport of \($0.owner)" } ?? "the mailbox", nil as String?)
            if case .relay(let transport) = way {
                (name, host) = (transport.relayName, transport.relayHost)
                if let reason = away?.reason { away?.advice = transport.advice(on: reason) }
            }
            return MailState(
                owner: own?.owner, fallsBack: fallsBack, transport: name, host: host,
                sender: (Self.sender(of: own) ?? origin.value.sender).description, hasAnswered: health.hasAnswered,
                away: away)
        }
    }

    /// Whether what is set makes no transport.
    var isClosed: Bool { if case .nowhere = way { true } else { false } }

    /// Says, once, why what is set makes no transport.
    func close(reason: String) { health.close(at: homing.system.now(), reason: reason, logger: logger) }

    /// Has the lane finish what it has under way, and end.
    func end() {
        hasEnded.raise()
        bell.ring()
    }

    /// Delivers until the sign is raised or the lane is ended, then finishes everything under way. A transport of a
    /// project is closed behind it.
    func run(until stop: StopSign) async {
        await deliver(until: stop)
        guard own != nil, case .relay(let transport) = way else { return }
        await transport.shutdown(grace: Task.isCancelled ? .zero : .seconds(10))
    }

    // MARK: Room

    private var concurrency: Int {
        switch way {
        case .relay(let transport): transport.concurrency
        case .mailbox: 4
        case .nowhere: Self.concurrencyOfClosed
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

    // MARK: The loop

    private func mustStop(_ stop: StopSign) -> Bool { stop.isUp || hasEnded.isUp || Task.isCancelled }

    private func deliver(until stop: StopSign) async {
        await withTaskGroup(of: Void.self) { group in
            var underWay = 0
            await bell.wait()
            while !mustStop(stop) {
                await waitForRoom(in: &group, &underWay)
                if homing.outbox.isCrowded() { try? await Task.sleep(for: Self.courtesy) }
                let claimedAt = homing.system.now()
                let mails = await claim(limit: mostInClaim)
                for mail in mails {
                    await waitForRoom(in: &group, &underWay)
                    underWay += 1
                    let now = homing.system.now()
                    if let reason = reasonNotToBegin(claimedAt: claimedAt, at: now, stop) {
                        group.addTask { await self.settle(mail, .postponed(reply: reason, seconds: 0)) }
                    } else if let taker = taker(at: now) {
                        atRelay.add()
                        group.addTask { await self.deliver(mail, by: taker) }
                    } else {
                        let seconds = health.secondsToWait(at: now) ?? fallback?.health.secondsToWait(at: now) ?? 10
                        group.addTask {
                            await self.settle(mail, .postponed(reply: "not begun: asked to wait", seconds: seconds))
                        }
                    }
                }
                if mails.isEmpty { await bell.wait() }
            }
            await group.waitForAll()
        }
    }

    /// The reason why a claimed mail is returned instead of sent; nil when it may go.
    private func reasonNotToBegin(claimedAt: Moment, at now: Moment, _ stop: StopSign) -> String? {
        if hasEnded.isUp { return "not begun: another transport was set" }
        if mustStop(stop) { return "not begun: the server stops" }
        if now > claimedAt.adding(seconds: Self.longestWaitSeconds) {
            return "not begun: the emails before it took too long"
        }
        // A relay that has begun to refuse, or to be silent, during the claim is not asked for the rest of it.
        let isPaused = fallback == nil && !health.isOpen(at: now) && health.secondsToWait(at: now) == nil
        return isPaused ? "not begun: the transport is paused" : nil
    }

    /// The lane whose transport takes the next mail; nil where the mail has to wait. While this one's is away the
    /// server's takes over; when the pause is over one mail at a time tries whether it is back.
    private func taker(at now: Moment) -> Lane? {
        var isTrial = false
        if let fallback, health.away(at: now) != nil {
            isTrial = health.isOpen(at: now) && beginsTrial()
            guard isTrial else { return fallback.health.isOpen(at: now) ? fallback : nil }
        }
        guard health.secondsToWait(at: now) != nil else { return self }
        if isTrial { isTrying.store(false, ordering: .relaxed) }
        return nil
    }

    private func beginsTrial() -> Bool {
        isTrying.compareExchange(expected: false, desired: true, ordering: .relaxed).exchanged
    }

    /// Whether the server's transport takes this lane's mails now.
    func isStoodIn(at now: Moment) -> Bool {
        guard let fallback, !health.isOpen(at: now), health.away(at: now) != nil else { return false }
        return fallback.health.isOpen(at: now)
    }

    // MARK: Claims

    private func claim(limit: Int) async -> [OutboxMail] {
        let now = homing.system.now()
        // A node that lacks the master key in use leaves the mails to the others.
        guard homing.keys.ring.gap == nil, health.isOpen(at: now) || isStoodIn(at: now) else {
            nextDue.set(homing.outbox.now())
            return []
        }
        do {
            let mails = try await dueMails(limit: limit)
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

    /// Claims mails of this lane; without any, notes when the next one is due.
    private func dueMails(limit: Int) async throws -> [OutboxMail] {
        var (scopes, due): ([Scope]?, Moment?) = (nil, nil)
        // Where all mails leave by one way, one statement finds whose turn it is, and claims.
        if own != nil || shared.hasOwnLanes && homing.projects.hasOwnTransports {
            let waiting = try await homing.outbox.waitingScopes().filter { takes($0.scope) }
            let now = homing.outbox.now()
            scopes = waiting.filter { $0.due <= now }.map(\.scope)
            due = waiting.map(\.due).min()
        }
        let mails =
            scopes?.isEmpty == true
            ? []
            : try await homing.outbox.claim(limit: limit, of: scopes, in: turns) { [logger] id, reason in
                logger.error(
                    "an email could not be read; it waits for a homing that can read it",
                    metadata: ["mail": "\(id)", "error": "\(reason)"])
            }
        guard mails.isEmpty else { return mails }
        if scopes == nil { due = try? await homing.outbox.nextDue() }
        if let due { nextDue.set(due) }
        return []
    }

    /// Whether mails of a project or tenant leave through this lane. A lane whose transport has been changed takes no
    /// more.
    func takes(_ scope: Scope) -> Bool {
        let own = homing.projects.ownTransport(of: scope)
        return own?.owner == self.own?.owner && own?.version == self.own?.version
    }

    // MARK: One mail

    /// Delivers one mail, from the row to the relay's answer. Whatever happens, the row records it.
    private func deliver(_ mail: OutboxMail, by taker: Lane) async {
        guard shared.isTraced else { return await settle(mail, await outcome(of: mail, by: taker)) }
        // A trace of its own: the request that owed the mail was answered long ago.
        await withSpan("deliver", context: .topLevel, ofKind: .producer) { span in
            let settlement = await outcome(of: mail, by: taker)
            span.attributes["mail"] = mail.id
            span.attributes["outcome"] = settlement.name
            await settle(mail, settlement)
        }
    }

    private func outcome(of mail: OutboxMail, by taker: Lane) async -> Outbox.Settlement {
        defer {
            atRelay.remove()
            if taker === self { isTrying.store(false, ordering: .relaxed) }
        }
        return await taker.settlement(of: mail)
    }

    private func settle(_ mail: OutboxMail, _ settlement: Outbox.Settlement) async {
        do {
            try await homing.outbox.settle(mail, settlement)
        } catch {
            logger.error(
                "an email's outcome could not be kept; it is tried again after its lease",
                metadata: ["mail": "\(mail.id)", "error": "\(Self.cause(of: error))"])
        }
        log(mail, settlement)
    }

    /// What an operator is to look at: of a database that does not answer, why.
    private static func cause(of error: any Error) -> any Error { (error as? Refusal)?.databaseReason ?? error }
}
