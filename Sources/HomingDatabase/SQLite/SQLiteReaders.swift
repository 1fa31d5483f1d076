// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import GRDB

/// The threads that read, beside the writer. Each thread runs waiting reads together in one transaction, because
/// beginning a transaction and switching between threads cost several times what a small read costs.
///
/// A read sees a state at least as new as at its request. `@unchecked Sendable`: `waiting`, whose closures are not
/// Sendable, `isStopped` and `threads` are touched under `lock` only.
final class SQLiteReaders: @unchecked Sendable {
    /// Runs a read and answers the closure that tells its caller the result or the error.
    typealias Job = (borrowing Connection) -> (() -> Void)

    /// The greatest number of reads that one thread takes at once, so that the threads share a crowd.
    private static let largestBatch = 32

    private struct Waiting {
        let job: Job
        let fail: (any Error) -> Void
    }

    private let tally: Tally
    private let queues: [DatabaseQueue]
    private let lock = NSCondition()
    private var waiting: [Waiting] = []
    private var isStopped = false
    private var threads = 0

    init(path: String, count: Int, configuration: Configuration, tally: Tally) throws {
        var configuration = configuration
        configuration.readonly = true
        self.tally = tally
        queues = try (0..<count).map { _ in try DatabaseQueue(path: path, configuration: configuration) }
        threads = count
        for queue in queues {
            let thread = Thread { [self] in serve(queue) }
            thread.name = "homing-reader"
            thread.start()
        }
    }

    func enqueue(_ job: @escaping Job, fail: @escaping (any Error) -> Void) {
        lock.lock()
        if isStopped {
            lock.unlock()
            return fail(DatabaseFault("the database is closed"))
        }
        waiting.append(Waiting(job: job, fail: fail))
        lock.unlock()
        // Outside the lock, or the thread that wakes would wait for it.
        lock.signal()
    }

    /// Answers waiting callers, then ends the threads and closes their connections.
    func stop() {
        lock.lock()
        isStopped = true
        lock.broadcast()
        while threads > 0 { lock.wait() }
        lock.unlock()
        for queue in queues { try? queue.close() }
    }

    private func serve(_ queue: DatabaseQueue) {
        let prepared = PreparedStatements()
        while let batch = take() {
            queue.inDatabase { database in
                run(batch, SQLiteSession(database: database, tally: tally, prepared: prepared))
            }
        }
        queue.inDatabase { _ in prepared.removeAll() }
        lock.lock()
        threads -= 1
        lock.broadcast()
        lock.unlock()
    }

    /// The next reads; nil when the readers are stopped.
    private func take() -> [Waiting]? {
        lock.lock()
        defer { lock.unlock() }
        while waiting.isEmpty {
            guard !isStopped else { return nil }
            lock.wait()
        }
        let batch = Array(waiting.prefix(Self.largestBatch))
        waiting.removeFirst(batch.count)
        return batch
    }

    private func run(_ batch: [Waiting], _ session: SQLiteSession) {
        do {
            try session.step("BEGIN")
        } catch {
            for read in batch { read.fail(error) }
            return
        }
        let answers = batch.map { $0.job(Connection(session: session)) }
        // A read changes nothing, so its transaction can lose nothing, however it ends.
        if (try? session.step("COMMIT")) == nil { _ = try? session.step("ROLLBACK") }
        // All at once: a caller that is told earlier takes the processor from the next reads.
        for answer in answers { answer() }
    }
}
