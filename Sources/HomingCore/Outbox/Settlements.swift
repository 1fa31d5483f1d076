// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingDatabase
package import HomingStore
import Synchronization

/// Keeps what became of mails, one transaction at a time. The first outcome after a silence is written at once; those
/// that come while it is written, and for a moment after, share the next transaction. A crowd of mails so costs the
/// database few transactions, also where several nodes have a part of the crowd each.
package final class Settlements: Sendable {
    private struct Entry: Sendable {
        let statement: SQL
        let isKept: CheckedContinuation<Bool, any Error>
    }

    private struct State {
        var waiting: [Entry] = []
        var isWriting = false
    }

    /// The most outcomes of one transaction.
    private static let most = 128
    /// With as many outcomes, times ``BatchSize/times``, a transaction is worth its cost.
    package static let enough = 16
    /// With as many outcomes in the last transaction there is a crowd, for which a node that is not alone waits longer.
    private static let crowd = 4
    private static let pause = Duration.milliseconds(3)

    private let store: Store
    private let batch: BatchSize
    private let state = Mutex(State())

    package init(store: Store, batch: BatchSize) {
        self.store = store
        self.batch = batch
    }

    /// Runs a statement that changes one mail's row.
    ///
    /// - Returns: whether the statement answered a row, once its transaction is durable.
    package func keep(_ statement: SQL) async throws -> Bool {
        try await withCheckedThrowingContinuation { continuation in
            let isFirst = state.withLock { state in
                state.waiting.append(Entry(statement: statement, isKept: continuation))
                defer { state.isWriting = true }
                return !state.isWriting
            }
            // A mail that is given up must not give up the others, so this is no part of the caller's task.
            if isFirst { Task { await writeAll() } }
        }
    }

    private func writeAll() async {
        while let entries = next() {
            do {
                try await write(entries)
            } catch let error as Refusal where error.databaseReason != nil {
                for entry in entries { entry.isKept.resume(throwing: error) }
            } catch {
                // One outcome that the database does not take must not hold back the others.
                for entry in entries { await writeAlone(entry) }
            }
            await gather(after: entries.count)
        }
    }

    /// Nobody waits for an outcome but the next mail, so a moment is no loss; a transaction for each two mails is.
    private func gather(after count: Int) async {
        let times = count < Self.crowd ? 1 : batch.times
        guard state.withLock({ $0.waiting.count }) < Self.enough * times else { return }
        try? await Task.sleep(for: Self.pause * times)
    }

    private func next() -> [Entry]? {
        state.withLock { state in
            state.isWriting = !state.waiting.isEmpty
            guard state.isWriting else { return nil }
            let entries = Array(state.waiting.prefix(Self.most))
            state.waiting.removeFirst(entries.count)
            return entries
        }
    }

    private func writeAlone(_ entry: Entry) async {
        do {
            try await write([entry])
        } catch {
            entry.isKept.resume(throwing: error)
        }
    }

    private func write(_ entries: [Entry]) async throws {
        let statements = entries.map(\.statement)
        let answers = try await store.write { tx in try tx.run(statements).map { !$0.isEmpty } }
        for (entry, answer) in zip(entries, answers) { entry.isKept.resume(returning: answer) }
    }
}
