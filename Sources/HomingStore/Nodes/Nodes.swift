// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingDatabase
import Synchronization

/// The servers on one database. Each tells the others that it is alive, and compares its clock with the database's.
///
/// Only an engine behind a network has several: a SQLite file belongs to one process.
package final class Nodes: Sendable {
    /// A server as it last told of itself.
    package struct Node: Sendable {
        package let id: String
        /// Host and port, as its operator knows it.
        package let name: String
        package let version: String
        package let startedAt: Moment
        package let seenAt: Moment
        /// Milliseconds by which its clock is ahead of the database's.
        package let clock: Int64
        /// Milliseconds that a write took it.
        package let lag: Int64
        /// Mails that it has claimed and not settled.
        package let mails: Int
        /// ``KeyRing/fingerprints`` of its key file; nil where its program tells of none.
        package let keys: [String]?
    }

    /// Seconds between two signs of life.
    package static let beatSeconds: Int64 = 10
    /// Seconds without a sign of life until a node counts as gone.
    private static let silenceSeconds: Int64 = 30
    /// Seconds until a node that is gone is forgotten.
    private static let memorySeconds: Int64 = 3600
    /// The greatest difference between a node's clock and the database's, in milliseconds. Codes and sessions are made
    /// by one node's clock and judged by another's.
    package static let greatestSkew: Int64 = 30_000

    private let database: Database
    private let system: System
    private let id: String
    private let startedAt: Moment
    private let lag = Atomic<Int64>(0)
    private let clock: SharedClock?

    /// - Parameter clock: hears how far this machine's is ahead.
    package init(database: Database, system: System, clock: SharedClock? = nil) {
        self.database = database
        self.system = system
        self.clock = clock
        id = system.randomName(length: 12)
        startedAt = system.now()
    }

    /// Whether there can be several nodes on this database.
    package var areSeveralPossible: Bool { !database.dialect.hasOneProcess }

    /// Milliseconds by which this machine's clock is ahead of the database's.
    package func clockSkew() async throws -> Int64 {
        guard let clock = database.dialect.clock else { return 0 }
        let before = system.now()
        let theirs = try await database.read { try $0.run("SELECT \(sql: clock)").firstInt() } ?? 0
        let after = system.now()
        // Their clock was read somewhere in between.
        if theirs < before.milliseconds { return before.milliseconds - theirs }
        return min(0, after.milliseconds - theirs)
    }

    /// Refuses to start on a machine whose clock is wrong.
    package func checkClock() async throws {
        let skew = try await clockSkew()
        clock?.set(millisecondsAhead: skew)
        guard abs(skew) > Self.greatestSkew else { return }
        throw DatabaseFault(
            "this machine's clock is \(abs(skew) / 1000) seconds \(skew > 0 ? "ahead of" : "behind") the database's: "
                + "codes would live too long or too short; set it right (timedatectl set-ntp true) and start again")
    }

    /// Tells that this node is alive, and answers by how many milliseconds its clock is ahead of the database's.
    ///
    /// - Parameter keys: ``KeyRing/fingerprints``.
    package func beat(name: String, version: String, mails: Int, keys: [String]) async throws -> Int64 {
        let skew = try await clockSkew()
        clock?.set(millisecondsAhead: skew)
        let start = ContinuousClock.now
        // Times of all nodes are compared with each other, so they are the database's.
        let now = Moment(milliseconds: system.now().milliseconds - skew)
        let lag = lag.load(ordering: .relaxed)
        try await database.write { [id, startedAt] connection in
            try connection.run(
                """
                INSERT INTO nodes (id, name, version, started_at, seen_at, clock, lag, mails, keys)
                VALUES (\(id), \(name), \(version), \(startedAt), \(now), \(skew), \(lag), \(mails),
                    \(keys.joined(separator: " ")))
                ON CONFLICT (id) DO UPDATE SET
                    seen_at = excluded.seen_at, clock = excluded.clock, lag = excluded.lag, mails = excluded.mails,
                    keys = excluded.keys
                """)
            try connection.run("DELETE FROM nodes WHERE seen_at < \(now.adding(seconds: -Self.memorySeconds))")
        }
        let took = start.duration(to: .now).components
        self.lag.store(took.seconds * 1000 + took.attoseconds / 1_000_000_000_000_000, ordering: .relaxed)
        return skew
    }

    /// Takes this node off the list.
    package func leave() async throws {
        try await database.write { [id] connection in
            try connection.run("DELETE FROM nodes WHERE id = \(id)")
        }
    }

    /// All nodes of the last hour, by name, and whether each is alive.
    package func list() async throws -> [(node: Node, isAlive: Bool, secondsAgo: Int64)] {
        let now = Moment(milliseconds: system.now().milliseconds - (try await clockSkew()))
        return try await database.read { connection in
            try connection.run(
                """
                SELECT id, name, version, started_at, seen_at, clock, lag, mails, keys FROM nodes
                ORDER BY name, started_at
                """
            ).map { row in
                var row = row
                let node = Node(
                    id: try row.text(), name: try row.text(), version: try row.text(), startedAt: try row.moment(),
                    seenAt: try row.moment(), clock: try row.int(), lag: try row.int(), mails: Int(try row.int()),
                    keys: try row.optionalText()?.split(separator: " ").map(String.init))
                let secondsAgo = max(0, (now.milliseconds - node.seenAt.milliseconds) / 1000)
                return (node, secondsAgo <= Self.silenceSeconds, secondsAgo)
            }
        }
    }

    /// How many nodes live, by their last signs of life.
    package func livingCount() async throws -> Int {
        guard areSeveralPossible else { return 1 }
        let limit = clock.map { $0.now() } ?? system.now()
        return try await database.read { connection in
            Int(
                try connection.run(
                    "SELECT COUNT(*) FROM nodes WHERE seen_at >= \(limit.adding(seconds: -Self.silenceSeconds))"
                ).firstInt() ?? 1)
        }
    }

    /// The nodes that live and have not told that their key file has a key (``KeyRing/fingerprint(_:)``).
    package func lacking(_ key: String) async throws -> [Node] {
        try await list().filter { $0.isAlive && $0.node.keys?.contains(key) != true }.map(\.node)
    }

    /// Whether work that one node does for all, such as a sweep, is this node's turn: true for one node in each window.
    package func isTurn(for work: String, everySeconds: Int64) async throws -> Bool {
        guard areSeveralPossible else { return true }
        let counter = Counter(subject: "turn \(work)", windowSeconds: everySeconds)
        let now = system.now()
        let count = try await database.write { connection in
            try connection.run(counter.increment(in: "", at: now)).firstInt()
        }
        return count == 1
    }
}
