// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
package import HomingLinkRules
package import HomingProjects
package import HomingStore
internal import HomingWire
import Synchronization

/// What webhooks are told: kept in memory for a moment, then in a table of their own, from where they are sent. A click
/// waits for neither, and a receiver that hangs delays its own events only.
package final class LinkEvents: Sendable {
    /// One event, as a receiver reads it. It has no address, no header and no query of whoever clicked.
    package struct Event: Sendable {
        package let kind: LinkCounts.Event
        package let at: Moment
        package let link: String
        let visitor: VisitorClass?
        let origin: LinkCounts.Origin?

        var record: JSON {
            let isClick = kind == .click
            let referrer = origin.flatMap { $0.referrer.isEmpty ? nil : $0.referrer }
            let campaign = origin.flatMap { $0.campaign.isEmpty ? nil : $0.campaign }
            return .object([
                ("type", .string(isClick ? "link.clicked" : "link.opened")), ("time", .string(at.timestamp)),
                ("link", .string(link)), ("event", isClick ? nil : .string(kind.wireName)),
                ("platform", visitor.map { .string($0.platform.rawValue) }),
                ("browser", visitor.map { .string($0.browser.name) }),
                ("referrer", referrer.map { .string($0) }), ("campaign", campaign.map { .string($0) }),
            ])
        }
    }

    /// Some events, with all that one request needs. The same for each try.
    package struct Batch: Sendable {
        package let webhook: LinkWebhook
        package let id: String
        package let count: Int64
        package let body: String
        /// How often the receiver has failed in a row.
        package let failures: Int64
    }

    package enum Outcome: String, Sendable, CaseIterable {
        case sent
        /// Tried without success; they are tried again.
        case failed
        case dropped
    }

    /// Events in a request, and requests that wait for one project: whoever has more loses the oldest.
    static let eventsPerBatch = 100
    static let mostBatches = 1_000
    private static let mostInMemory = 10_000
    private static let lease: Int64 = 60
    package static let lifetime: Int64 = 86_400
    /// Seconds until the next try, by how often it failed before.
    private static let pauses: [Int64] = [5, 30, 120, 600, 1_800, 3_600]

    private let store: Store
    private let waiting = Mutex<[Scope: [Event]]>([:])
    private let counted = Mutex<[Outcome: Int64]>([:])
    private let droppedInMemory = Mutex<[Scope: Int64]>([:])

    package init(store: Store) {
        self.store = store
    }

    /// By outcome, since this process began.
    package var counts: [Outcome: Int64] { counted.withLock { $0 } }

    private func count(_ outcome: Outcome, _ number: Int64) {
        counted.withLock { $0[outcome, default: 0] += number }
    }

    // MARK: Taking

    /// Tells the webhook of a project that a person has clicked; nothing happens where it has none.
    package func clicked(
        _ suffix: LinkSuffix, on domain: LinkDomain, of project: Project, by visitor: VisitorClass,
        from origin: LinkCounts.Origin?
    ) {
        guard project.linkWebhook != nil, !visitor.isMachine else { return }
        add(
            Event(
                kind: .click, at: store.system.now(), link: "\(domain.baseURL)/\(suffix)", visitor: visitor,
                origin: origin), of: project)
    }

    /// The same of an app that a link has opened.
    package func opened(
        _ kind: LinkCounts.Event, _ suffix: LinkSuffix, on domain: LinkDomain, of project: Project
    ) {
        guard project.linkWebhook != nil else { return }
        add(
            Event(
                kind: kind, at: store.system.now(), link: "\(domain.baseURL)/\(suffix)", visitor: nil, origin: nil),
            of: project)
    }

    private func add(_ event: Event, of project: Project) {
        let hasRoom = waiting.withLock { waiting in
            guard waiting[project.scope, default: []].count < Self.mostInMemory else { return false }
            waiting[project.scope, default: []].append(event)
            return true
        }
        guard !hasRoom else { return }
        droppedInMemory.withLock { $0[project.scope, default: 0] += 1 }
    }

    /// Writes what was taken.
    ///
    /// - Returns: how many events of which project were dropped, because too many wait.
    package func flush() async throws -> [Scope: Int64] {
        let taken = waiting.withLock { waiting in
            defer { waiting = [:] }
            return waiting
        }
        var dropped = droppedInMemory.withLock { dropped in
            defer { dropped = [:] }
            return dropped
        }
        var fault: (any Error)?
        for (project, events) in taken.sorted(by: { $0.key < $1.key }) {
            do {
                dropped[project, default: 0] += try await write(events, of: project)
            } catch {
                fault = error
                // Events that may be there are not written again.
                guard (error as? Refusal)?.isCommitUnknown != true else { continue }
                waiting.withLock { waiting in
                    let later = waiting[project] ?? []
                    waiting[project] = Array((events + later).suffix(Self.mostInMemory))
                }
            }
        }
        dropped = dropped.filter { $0.value > 0 }
        count(.dropped, dropped.values.reduce(0, +))
        if let fault { throw fault }
        return dropped
    }

    private func write(_ events: [Event], of project: Scope) async throws -> Int64 {
        let now = store.system.now()
        let batches = stride(from: 0, to: events.count, by: Self.eventsPerBatch).enumerated().map { number, start in
            let part = events[start..<min(start + Self.eventsPerBatch, events.count)]
            let body: JSON = [
                "type": "link.events", "timestamp": .string(now.timestamp),
                "data": ["project": .string(project.text), "events": .array(part.map(\.record))],
            ]
            return (
                id: Self.id(now, number, store.system), count: Int64(part.count),
                body: String(decoding: body.write(pretty: false), as: UTF8.self)
            )
        }
        return try await store.write { tx in
            for batch in batches {
                tx.later(
                    """
                    INSERT INTO link_events (project, id, created_at, attempts, n, body)
                    SELECT project, \(batch.id), \(now), 0, \(batch.count), \(batch.body)
                    FROM link_webhooks WHERE project = \(project)
                    """)
            }
            let gone = try tx.run(
                """
                DELETE FROM link_events WHERE project = \(project) AND id IN (
                    SELECT id FROM link_events WHERE project = \(project) ORDER BY id DESC
                    LIMIT \(Self.mostBatches) OFFSET \(Self.mostBatches))
                RETURNING n
                """)
            return try Self.note(dropped: gone, of: project, tx)
        }
    }

    /// In the order of time.
    private static func id(_ now: Moment, _ number: Int, _ system: System) -> String {
        let digits = String(now.milliseconds * 1_000 + Int64(number))
        return "evt_" + String(repeating: "0", count: max(0, 18 - digits.utf8.count)) + digits
            + system.randomName(length: 8)
    }

    private static func note(
        dropped rows: [Row], of project: Scope, _ tx: borrowing Transaction
    ) throws -> Int64 {
        let dropped = try rows.reduce(Int64(0)) { sum, row in
            var row = row
            return sum + (try row.int())
        }
        guard dropped > 0 else { return 0 }
        tx.later("UPDATE link_webhooks SET dropped = dropped + \(dropped) WHERE project = \(project)")
        return dropped
    }

    // MARK: Sending

    /// The projects for whose webhooks something waits that may be sent now, those that have failed least first.
    package func due() async throws -> [(project: Scope, isFailing: Bool)] {
        try await store.read { tx in
            try tx.run(
                """
                SELECT w.project, w.failures FROM link_webhooks w
                WHERE w.next_at <= \(tx.now) AND w.claimed_until <= \(tx.now)
                    AND (SELECT 1 FROM link_events e WHERE e.project = w.project LIMIT 1) = 1
                ORDER BY w.failures, w.next_at
                """
            ).map { row in
                var row = row
                return (project: try row.id(), isFailing: try row.int() > 0)
            }
        }
    }

    /// Takes a webhook's turn, and the events that were tried least and are the oldest of those; nil where another
    /// server has taken it, or nothing waits.
    package func claim(_ project: Scope) async throws -> Batch? {
        try await store.write { tx in
            let until = tx.now.adding(seconds: Self.lease)
            guard
                var turn = try tx.run(
                    """
                    UPDATE link_webhooks SET claimed_until = \(until)
                    WHERE project = \(project) AND next_at <= \(tx.now) AND claimed_until <= \(tx.now)
                    RETURNING project, url, sealed, version, changed_at, failures
                    """
                ).first
            else { return nil }
            let webhook = try LinkWebhook(&turn)
            let failures = try turn.int()
            guard
                var row = try tx.run(
                    """
                    SELECT id, n, body FROM link_events WHERE project = \(project) ORDER BY attempts, id LIMIT 1
                    """
                ).first
            else {
                try tx.run("UPDATE link_webhooks SET claimed_until = 0 WHERE project = \(project)")
                return nil
            }
            return Batch(
                webhook: webhook, id: try row.text(), count: try row.int(), body: try row.text(), failures: failures)
        }
    }

    /// Writes what became of a batch.
    ///
    /// - Parameter problem: why it was not taken; nil when it was.
    package func settle(_ batch: Batch, problem: String?) async throws {
        let (project, version) = (batch.webhook.project, batch.webhook.version)
        let pause = Self.pauses[min(Int(batch.failures), Self.pauses.count - 1)]
        try await store.write { tx in
            guard let problem else {
                tx.later("DELETE FROM link_events WHERE project = \(project) AND id = \(batch.id)")
                tx.later(
                    """
                    UPDATE link_webhooks SET failures = 0, failing_since = NULL, problem = NULL, sent_at = \(tx.now),
                        claimed_until = 0
                    WHERE project = \(project) AND version = \(version)
                    """)
                return
            }
            tx.later(
                "UPDATE link_events SET attempts = attempts + 1 WHERE project = \(project) AND id = \(batch.id)")
            tx.later(
                """
                UPDATE link_webhooks SET failures = failures + 1, problem = \(problem), claimed_until = 0,
                    failing_since = COALESCE(failing_since, \(tx.now)), next_at = \(tx.now.adding(seconds: pause))
                WHERE project = \(project) AND version = \(version)
                """)
        }
        count(problem == nil ? .sent : .failed, batch.count)
    }

    /// Ends a turn in which a batch was not sent to the end, because this server stops.
    package func giveBack(_ batch: Batch) async throws {
        let (project, version) = (batch.webhook.project, batch.webhook.version)
        try await store.write { tx in
            tx.later("UPDATE link_webhooks SET claimed_until = 0 WHERE project = \(project) AND version = \(version)")
        }
    }

    /// Drops what nobody has taken for a day.
    ///
    /// - Returns: how many events of which project.
    package func dropOld() async throws -> [Scope: Int64] {
        let dropped = try await store.write { tx in
            let rows = try tx.run(
                """
                DELETE FROM link_events WHERE (project, id) IN (
                    SELECT project, id FROM link_events
                    WHERE created_at <= \(tx.now.adding(seconds: -Self.lifetime)) LIMIT \(Self.mostBatches))
                RETURNING project, n
                """)
            var dropped: [Scope: Int64] = [:]
            for var row in rows { dropped[try row.id(), default: 0] += try row.int() }
            for (project, count) in dropped.sorted(by: { $0.key < $1.key }) {
                tx.later("UPDATE link_webhooks SET dropped = dropped + \(count) WHERE project = \(project)")
            }
            return dropped
        }
        count(.dropped, dropped.values.reduce(0, +))
        return dropped
    }

    /// How a project's webhook fares; nil where it has none.
    package func state(of project: Scope) async throws -> LinkWebhookState? {
        try await store.read { tx in
            let answers = try tx.run([
                """
                SELECT sent_at, failing_since, problem, next_at, dropped FROM link_webhooks WHERE project = \(project)
                """,
                "SELECT COALESCE(SUM(n), 0) FROM link_events WHERE project = \(project)",
            ])
            guard var row = answers[0].first else { return nil }
            return LinkWebhookState(
                waiting: try answers[1].firstInt() ?? 0, sentAt: try row.optionalMoment(),
                failingSince: try row.optionalMoment(), problem: try row.optionalText(), nextAt: try row.moment(),
                dropped: try row.int())
        }
    }
}
