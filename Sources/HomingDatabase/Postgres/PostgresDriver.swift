// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation

/// PostgreSQL behind ``Database``: a pool of connections, each with a thread of its own that runs one verb at a time.
///
/// Verbs run READ COMMITTED. One that the engine refuses for a conflict (SQLSTATE 40001 or 40P01) runs again, a few times.
/// A connection that is lost is made anew by the next verb; a verb that lost it before its commit fails, and nothing of
/// the verb was kept. `@unchecked Sendable`: `waiting`, whose closures are not Sendable, `isStopped`, `threads` and `first`
/// are touched under `lock` only.
package final class PostgresDriver: Driver, @unchecked Sendable {
    package let dialect = Dialect.postgres

    /// Verbs that wait; a caller behind them is told to come back later.
    private static let longestQueue = 4096
    /// How often a verb is run, the first time included.
    private static let mostRuns = 6

    private struct Job {
        let run: (PostgresConnection) throws -> Void
        let fail: (any Error) -> Void
    }

    private let url: String
    private let tally = Tally()
    private let lock = NSCondition()
    private var waiting: [Job] = []
    private var isStopped = false
    private var threads = 0
    private var first: PostgresConnection?

    /// Opens the pool, and one connection at once.
    ///
    /// - Parameter url: as libpq reads it (PostgreSQL's documentation, section 34.1.1.2), several hosts included.
    /// - Throws: ``DatabaseFault`` with libpq's reason when no server that takes writes can be reached.
    package init(url: String, connections: Int = 8) throws {
        self.url = url
        do {
            first = try PostgresConnection(url: url, tally: tally)
        } catch let lost as ConnectionLost {
            throw DatabaseFault("PostgreSQL cannot be reached: \(lost.message)")
        }
        threads = connections
        for _ in 0..<connections {
            let thread = Thread { [self] in serve() }
            thread.name = "homing-postgres"
            thread.start()
        }
    }

    package var counts: DatabaseCounts { tally.counts }

    package func read<Answer: Sendable>(
        _ body: @escaping @Sendable (borrowing Connection) throws -> Answer
    ) async throws -> Answer {
        try await perform("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", body, onCommit: {})
    }

    package func write<Answer: Sendable>(
        _ body: @escaping @Sendable (borrowing Connection) throws -> Answer
    ) async throws -> Answer {
        tally.countWrite()
        return try await perform("BEGIN", body, onCommit: { [tally] in tally.countCommit() })
    }

    package func copy(
        to path: String, progress: @escaping @Sendable (_ done: Int64, _ total: Int64) -> Void
    ) async throws {
        throw DatabaseFault("a PostgreSQL database is copied with pg_dump or pg_basebackup")
    }

    package func close() async {
        stop()
    }

    private func stop() {
        lock.lock()
        isStopped = true
        lock.broadcast()
        while threads > 0 { lock.wait() }
        lock.unlock()
    }

    // MARK: A verb

    private func perform<Answer: Sendable>(
        _ begin: SQL, _ body: @escaping @Sendable (borrowing Connection) throws -> Answer,
        onCommit: @escaping @Sendable () -> Void
    ) async throws -> Answer {
        try await withCheckedThrowingContinuation { continuation in
            enqueue(
                Job(
                    run: { [self] connection in
                        let answer = try repeating { try Self.transaction(begin, on: connection, body) }
                        onCommit()
                        continuation.resume(returning: answer)
                    },
                    fail: { continuation.resume(throwing: $0) }))
        }
    }

    private static func transaction<Answer>(
        _ begin: SQL, on connection: PostgresConnection, _ body: (borrowing Connection) throws -> Answer
    ) throws -> Answer {
        connection.begin(begin)
        do {
            let answer = try body(Connection(session: connection))
            try connection.commit()
            return answer
        } catch {
            if !(error is CommitUnknown) { connection.rollBack() }
            throw error
        }
    }

    /// Runs a transaction again that the engine refuses for a conflict: after a moment that differs, so that the two do not
    /// meet again.
    private func repeating<Answer>(_ transaction: () throws -> Answer) throws -> Answer {
        for run in 1..<Self.mostRuns {
            do {
                return try transaction()
            } catch let fault as PostgresFault where fault.wantsRepeat {
                Thread.sleep(forTimeInterval: Double.random(in: 0.001...0.01) * Double(run * run))
            }
        }
        return try transaction()
    }

    private func enqueue(_ job: Job) {
        lock.lock()
        let refusal: (any Error)? =
            isStopped
            ? DatabaseFault("the database is closed") : waiting.count < Self.longestQueue ? nil : DatabaseBusy()
        if refusal == nil { waiting.append(job) }
        lock.unlock()
        if let refusal { return job.fail(refusal) }
        lock.signal()
    }

    // MARK: A thread

    private func serve() {
        var connection = takeFirst()
        while let job = take() {
            do {
                if connection?.isOpen != true { connection = try PostgresConnection(url: url, tally: tally) }
                guard let connection else { continue }
                try job.run(connection)
            } catch let lost as ConnectionLost {
                connection = nil
                job.fail(DatabaseFault("the connection to PostgreSQL is lost: \(lost.message)"))
            } catch {
                job.fail(error)
            }
        }
        connection = nil
        lock.lock()
        threads -= 1
        lock.broadcast()
        lock.unlock()
    }

    /// The connection that was opened at the start, for the thread that asks first.
    private func takeFirst() -> PostgresConnection? {
        lock.lock()
        defer { lock.unlock() }
        defer { first = nil }
        return first
    }

    /// The next verb; nil at the end, once all that waited were run.
    private func take() -> Job? {
        lock.lock()
        defer { lock.unlock() }
        while waiting.isEmpty {
            guard !isStopped else { return nil }
            lock.wait()
        }
        return waiting.removeFirst()
    }
}
