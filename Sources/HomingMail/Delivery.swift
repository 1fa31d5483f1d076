// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore
package import HomingProjects
package import HomingStore
package import Logging
import ServiceLifecycle

/// Takes mails from the outbox, outside any request, and delivers them: those of each transport in a ``Lane`` of their
/// own.
///
/// Each mail is sent at least once, never exactly once: a crash between the relay's last reply and our own commit sends
/// a second copy, with the same Message-ID, date and code.
package struct Delivery: Service {
    /// The destination of mails.
    package enum Way: Sendable {
        case relay(any MailTransport)
        /// Mails are kept in the database and shown on the admin listener, those of all projects; the closure hears of
        /// each one.
        case mailbox(whenKept: @Sendable (Kept) -> Void = { _ in })
        /// There is none: with `mail.url: none` only mails leave whose project has a transport of its own.
        case nowhere
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

    /// Makes what hands over the mails of a project or tenant that has a transport of its own.
    ///
    /// - Throws: why there is none, in words that hold no secret.
    package typealias OwnTransports = @Sendable (OwnMailTransport) throws -> any MailTransport

    private let shared: Lane.Shared
    /// The lane of the server's own transport; nil where it has none.
    private let server: Lane?
    /// Those of projects and tenants, by their owners.
    private let ownLanes = Live<[Scope: Lane]>([:])
    private let ownTransports: OwnTransports?
    package let origin: Live<MailOrigin>
    /// The time for which a mail that is under way may delay a stop.
    private static let grace = Duration.seconds(6)
    /// The pause before a transport is made again that could not be made: its key may be in the key file by then.
    private static let pauseOfClosed = Duration.seconds(10)

    private static let cannotBeDecrypted =
        "its secret cannot be decrypted: this node's key file lacks its key, or it is for another place"

    private var homing: Homing { shared.homing }

    /// - Parameter ownTransports: nil where all mails leave by the server's way.
    package init(
        homing: Homing, way: Way, sender: SenderAddress, bounces: BounceAddress? = nil, logger: Logger,
        isTraced: Bool = false, ownTransports: OwnTransports? = nil
    ) {
        var ownTransports = ownTransports
        if case .mailbox = way { ownTransports = nil }
        self.ownTransports = ownTransports
        origin = Live(MailOrigin(sender: sender, bounces: bounces))
        shared = Lane.Shared(
            homing: homing, origin: origin, logger: logger, isTraced: isTraced, hasOwnLanes: ownTransports != nil)
        server = if case .nowhere = way { nil } else { Lane(way, shared) }
    }

    private var lanes: [Lane] { (server.map { [$0] } ?? []) + ownLanes.value.values }

    package func run() async throws {
        let descriptions = Live<[@Sendable () -> MailState]>([])
        homing.outbox.describesMail { descriptions.value.map { $0() } }
        try await homing.outbox.freeLeases()
        let stop = StopSign()
        await withGracefulShutdownHandler {
            await withTaskGroup(of: Bool.self) { group in
                group.addTask {
                    await ringWhenDue(orUntil: stop)
                    return false
                }
                group.addTask {
                    await runLanes(until: stop, describedBy: descriptions)
                    return true
                }
                // Either everything is sent, or a relay that hangs has used up its time and is given up.
                for await isDone in group where isDone || stop.isUp { group.cancelAll() }
            }
        } onGracefulShutdown: {
            stop.raise()
            for lane in lanes { lane.bell.ring() }
            homing.outbox.bell.ring()
        }
    }

    /// Runs a lane for each transport that is in force, until the sign is raised and each has finished what it has under
    /// way.
    private func runLanes(
        until stop: StopSign, describedBy descriptions: Live<[@Sendable () -> MailState]>
    ) async {
        await withDiscardingTaskGroup { group in
            if let server { group.addTask { await server.run(until: stop) } }
            descriptions.set(lanes.map(\.description))
            var (edition, reach) = (-1, false)
            var triedAt = ContinuousClock.now
            while !stop.isUp, !Task.isCancelled {
                let triesClosed =
                    triedAt + Self.pauseOfClosed < .now && ownLanes.value.values.contains(where: \.isClosed)
                let newest = (homing.projects.edition, homing.serverMail.value.reachesPrivateAddresses)
                if (edition, reach) != newest || triesClosed {
                    let fresh = renewLanes(triesClosed: triesClosed, all: reach != newest.1)
                    for lane in fresh { group.addTask { await lane.run(until: stop) } }
                    descriptions.set(lanes.map(\.description))
                    (edition, reach) = newest
                    if triesClosed { triedAt = .now }
                }
                await ringLanes()
                await homing.outbox.bell.wait()
            }
            for lane in lanes { lane.bell.ring() }
        }
        ownLanes.set([:])
    }

    /// Ends the lanes whose transport is another one by now, and answers those that are new.
    ///
    /// - Parameters:
    ///   - triesClosed: whether those are made again of which no transport could be made.
    ///   - all: whether all are made again: another network may be closed to them.
    private func renewLanes(triesClosed: Bool, all: Bool) -> [Lane] {
        guard let ownTransports else { return [] }
        let wanted = homing.projects.ownTransports()
        var lanes: [Scope: Lane] = [:]
        var fresh: [Lane] = []
        for own in wanted {
            let old = ownLanes.value[own.owner].flatMap { $0.own?.version == own.version && !all ? $0 : nil }
            if let old, !old.isClosed || !triesClosed {
                lanes[own.owner] = old
                continue
            }
            do {
                fresh.append(Lane(.relay(try ownTransports(own)), shared, of: own, fallback: server))
            } catch {
                let lane = old ?? Lane(.nowhere, shared, of: own, fallback: server)
                lanes[own.owner] = lane
                guard old == nil else { continue }
                lane.close(reason: (error as? MailURLFault)?.sentence ?? Self.cannotBeDecrypted)
                fresh.append(lane)
            }
        }
        for lane in fresh { if let own = lane.own { lanes[own.owner] = lane } }
        for (owner, lane) in ownLanes.value where lanes[owner] !== lane { lane.end() }
        ownLanes.set(lanes)
        return fresh
    }

    /// Wakes the lanes whose mails are due. Where all mails leave by one way, that is the one lane there is; else one
    /// read tells which.
    private func ringLanes() async {
        let lanes = lanes
        if homing.outbox.takeRetryRequest() {
            for lane in lanes { lane.health.open() }
        }
        guard !ownLanes.value.isEmpty, let waiting = try? await homing.outbox.waitingScopes() else {
            for lane in lanes { lane.bell.ring() }
            return
        }
        var dues: [Scope?: Moment] = [:]
        for (scope, due) in waiting {
            let owner = homing.projects.ownTransport(of: scope)?.owner
            dues[owner] = min(dues[owner] ?? due, due)
        }
        let now = homing.outbox.now()
        for lane in lanes {
            guard let due = dues[lane.own?.owner] else { continue }
            if due <= now { lane.bell.ring() } else { lane.nextDue.set(due) }
        }
    }

    /// Rings when retries and other nodes' mails are due, which ring no bell of their own, and when a project has
    /// another transport.
    ///
    /// Once the sign is raised, waits for everything under way, and returns.
    private func ringWhenDue(orUntil stop: StopSign) async {
        var quietSeconds = 0
        var edition = homing.projects.edition
        while !Task.isCancelled {
            if stop.isUp {
                try? await Task.sleep(for: Self.grace)
                return
            }
            try? await Task.sleep(for: .seconds(1))
            quietSeconds += 1
            let now = homing.outbox.now()
            for lane in lanes where lane.nextDue.hasCome(at: now) { lane.bell.ring() }
            let newest = homing.projects.edition
            let isAnother = edition != newest && (homing.projects.hasOwnTransports || !ownLanes.value.isEmpty)
            edition = newest
            guard isAnother || quietSeconds >= longestSilence else { continue }
            quietSeconds = 0
            homing.outbox.bell.ring()
        }
    }

    /// Seconds without a ring. Commands on a database that several nodes share ring no bell in any of them.
    private var longestSilence: Int { homing.nodes.areSeveralPossible ? 3 : 30 }
}
