// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
import Synchronization

/// Limits per caller's address and per project, counted in memory and settled with the database in blocks.
///
/// A process reserves a tenth of a limit at a time, so that a restart or a second node never gives more than the limit
/// and costs at most a tenth of it.
package final class BlockLimits: Sendable {
    private struct Block {
        var left = 0
        var endsAt = Moment(milliseconds: 0)
        /// Whether the database reported a full window: nobody asks again before its end.
        var isFull = false
        /// The limit that it was reserved of: a project may change its own within a window.
        var limit = 0
        /// Whether one caller asks the database; the others wait for its answer instead of reserving as well.
        var isReserving = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private enum Step {
        case granted
        case refused
        case reserve
        case wait
    }

    private static let refusal = Refusal.tooManyAttempts("Too many requests from here. Try again later.")

    private let store: Store
    private let blocks = Mutex<[String: Block]>([:])

    package init(store: Store) {
        self.store = store
    }

    /// Counts one event of a limit, or refuses it.
    ///
    /// - Parameters:
    ///   - limit: the number of events in the window; 0 is no limit.
    ///   - windowSeconds: the length of the window.
    package func take(
        _ subject: String, project: ProjectID, limit: Int, windowSeconds: Int64 = 3600
    ) async throws {
        guard limit > 0 else { return }
        let key = "\(project) \(subject)"
        while true {
            switch step(key, limit, windowSeconds, at: store.system.now()) {
            case .granted: return
            case .refused: throw Self.refusal
            case .wait: await wait(for: key)
            case .reserve:
                let counter = Counter(subject: "block \(subject)", windowSeconds: windowSeconds)
                try await reserve(key, counter, in: project, limit: limit)
            }
        }
    }

    private func step(_ key: String, _ limit: Int, _ windowSeconds: Int64, at now: Moment) -> Step {
        blocks.withLock { blocks in
            sweep(&blocks, now: now)
            var block = blocks[key] ?? Block()
            defer { blocks[key] = block }
            if block.isReserving { return .wait }
            // An end so far away comes from a clock that has been put right since.
            if now >= block.endsAt || block.endsAt > now.adding(seconds: 2 * windowSeconds) {
                block.left = 0
                block.isFull = false
            }
            // What is left of a block of another limit stays counted, and is not given out.
            if block.limit != limit {
                block.left = 0
                block.isFull = false
            }
            if block.left > 0 {
                block.left -= 1
                return .granted
            }
            guard !block.isFull else { return .refused }
            block.isReserving = true
            return .reserve
        }
    }

    /// Takes back an event that was counted before it was known to be innocent.
    package func giveBack(_ subject: String, project: ProjectID) {
        blocks.withLock { $0["\(project) \(subject)"]?.left += 1 }
    }

    private func wait(for key: String) async {
        await withCheckedContinuation { continuation in
            let isOver = blocks.withLock { blocks in
                guard blocks[key]?.isReserving == true else { return true }
                blocks[key]?.waiting.append(continuation)
                return false
            }
            if isOver { continuation.resume() }
        }
    }

    /// Reserves the next block of the window in the database, and wakes every caller that waits.
    private func reserve(_ key: String, _ counter: Counter, in project: ProjectID, limit: Int) async throws {
        var block = Block(limit: limit)
        defer {
            let settled = block
            let waiting = blocks.withLock { blocks in
                let waiting = blocks[key]?.waiting ?? []
                blocks[key] = settled
                return waiting
            }
            for continuation in waiting { continuation.resume() }
        }
        let size = max(1, limit / 10)
        let (total, startedAt) = try await store.write { tx in
            let total = try tx.run(counter.increment(in: project.scope, at: tx.now, by: size)).firstInt() ?? 0
            let startedAt = try tx.run(
                "SELECT started_at FROM limits WHERE project = \(project) AND subject = \(counter.subject)"
            ).firstInt()
            return (Int(total), Moment(milliseconds: startedAt ?? tx.now.milliseconds))
        }
        block.endsAt = startedAt.adding(seconds: counter.windowSeconds)
        block.left = max(0, min(size, limit - (total - size)))
        block.isFull = block.left == 0
    }

    private func sweep(_ blocks: inout [String: Block], now: Moment) {
        guard blocks.count > 10_000 else { return }
        blocks = blocks.filter { now < $0.value.endsAt || $0.value.isReserving }
    }
}
