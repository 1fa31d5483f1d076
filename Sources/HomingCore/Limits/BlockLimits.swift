// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingDatabase
import Synchronization

/// Limits per caller's address and per project: counted in memory, settled with the database in blocks.
///
/// A process reserves a tenth of a limit at a time, so that a restart or a second node never gives more than the limit
/// and costs at most a tenth of it.
package final class BlockLimits: Sendable {
    private struct Block {
        var left: Int
        var endsAt: Moment
        /// Set when the database said that the window is full: nobody asks again before its end.
        var isFull = false
    }

    private let database: Database
    private let surroundings: Surroundings
    private let blocks = Mutex<[String: Block]>([:])

    package init(database: Database, surroundings: Surroundings) {
        self.database = database
        self.surroundings = surroundings
    }

    /// Counts one event of an hour's limit, or refuses it.
    ///
    /// - Parameter limit: events an hour; 0 is no limit.
    package func take(_ subject: String, project: String, limit: Int) async throws {
        guard limit > 0 else { return }
        let key = "\(project) \(subject)"
        let now = surroundings.now()
        let isGranted = try blocks.withLock { blocks -> Bool in
            guard var block = blocks[key], now < block.endsAt else { return false }
            if block.left > 0 {
                block.left -= 1
                blocks[key] = block
                return true
            }
            guard !block.isFull else { throw Self.refusal }
            return false
        }
        if isGranted { return }
        try await reserve(key: key, subject: subject, project: project, limit: limit, now: now)
    }

    private static let refusal = Refusal.tooManyAttempts("Too many requests from here. Try again later.")

    private func reserve(key: String, subject: String, project: String, limit: Int, now: Moment) async throws {
        let size = max(1, limit / 10)
        let counter = Counter(project: project, subject: "block \(subject)", windowSeconds: 3600)
        let (total, endsAt) = try await database.write { connection in
            let total = try connection.run(counter.increment(at: now, by: size)).first?.int(0) ?? 0
            let row = try connection.run(
                """
                SELECT started_at FROM limits WHERE project = \(project) AND subject = \(counter.subject)
                """
            ).first
            return (Int(total), Moment(milliseconds: try row?.int(0) ?? now.milliseconds).adding(seconds: 3600))
        }
        let granted = min(size, limit - (total - size))
        try blocks.withLock { blocks in
            sweep(&blocks, now: now)
            guard granted > 0 else {
                blocks[key] = Block(left: 0, endsAt: endsAt, isFull: true)
                throw Self.refusal
            }
            let left = blocks[key].map { $0.endsAt == endsAt ? $0.left : 0 } ?? 0
            blocks[key] = Block(left: left + granted - 1, endsAt: endsAt)
        }
    }

    private func sweep(_ blocks: inout [String: Block], now: Moment) {
        guard blocks.count > 10_000 else { return }
        blocks = blocks.filter { now < $0.value.endsAt }
    }
}
