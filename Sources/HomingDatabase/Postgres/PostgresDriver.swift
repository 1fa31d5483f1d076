// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation

/// PostgreSQL behind ``Database``: a pool of connections, each with a thread of its own that runs one verb at a time.
///
/// Verbs run READ COMMITTED. One that the engine refuses for a conflict (SQLSTATE 40001 or 40P01) runs again, a few
/// times; so does one whose connection was lost before its commit, on a new connection. A commit whose answer does not
/// come is unknown, and never repeated here. While no server can be reached verbs wait a few seconds, and then fail.
/// `@unchecked Sendable`: `waiting`, whose closures are not Sendable, and the other variables are touched under `lock`
/// only.
package final class PostgresDriver: Driver, @unchecked Sendable {
    package let dialect = Dialect.postgres

    /// What a pool is for.
    package enum Purpose: Sendable {
        case verbs
        /// Migrations and copies, whose statements take their time.
        case maintenance
    }

    /// Verbs that wait; a caller behind them is told to come back later.
    private static let longestQueue = 4096
    /// How long a verb waits for its turn.
    private static let longestWait = Duration.seconds(5)
    /// How long a commit without an answer is asked after: longer than it takes a standby to become the primary.
    private static let longestDoubt = Duration.seconds(20)
    /// How often a verb is run, the first time included.
    private static let mostRuns = 10

    private struct Job {
        let run: (PostgresConnection) throws -> Void
        let fail: (any Error) -> Void
        let since = ContinuousClock.now
        var deadline = ContinuousClock.now + PostgresDriver.longestWait
        var lostConnections = 0
    }

    private let url: PostgresURL
    private let patience: PostgresConnection.Patience
    private let tally = Tally()
    private let lock = NSCondition()
    private let stopping = DispatchSemaphore(value: 0)
    private var waiting: [Job] = []
    private var isStopped = false
    private var threads = 0
    private var handles: [pthread_t] = []
    private var first: PostgresConnection?
    /// The reason why the last try to connect failed; nil when it did not.
    private var away: String?

    /// Opens the pool, and one connection at once.
    ///
    /// - Throws: ``DatabaseFault`` with the reason and a remedy when no server that takes writes can be reached.
    package init(_ url: PostgresURL, for purpose: Purpose = .verbs) throws {
        self.url = url
        patience = purpose == .verbs ? .ofVerbs : .ofMaintenance
        do {
            first = try PostgresConnection(url, patience, tally: tally)
        } catch let lost as ConnectionLost {
            throw DatabaseFault(lost.sentence)
        }
        threads = url.connections + 1
        for number in 0..<threads {
            handles.append(try PostgresThread.start { [self] in number == 0 ? watch() : serve() })
        }
    }

    package var counts: DatabaseCounts { tally.counts }
    package var times: DatabaseTimes { tally.times }

    package func read<Answer: Sendable>(
        _ body: @escaping @Sendable (borrowing Connection) throws -> Answer
    ) async throws -> Answer {
        try await perform(isReading: true, body, onCommit: {})
    }

    package func write<Answer: Sendable>(
        _ body: @escaping @Sendable (borrowing Connection) throws -> Answer
    ) async throws -> Answer {
        tally.countWrite()
        return try await perform(isReading: false, body, onCommit: { [tally] in tally.countCommit() })
    }

    package func writeHere<Answer>(_ body: (borrowing Connection) throws -> Answer) throws -> Answer {
        tally.countWrite()
        do {
            let connection = try PostgresConnection(url, patience, tally: tally)
            let answer = try Self.transaction(isReading: false, on: connection, body)
            tally.countCommit()
            return answer
        } catch let lost as ConnectionLost {
            throw DatabaseUnavailable.away(lost.message)
        } catch let fault as PostgresFault {
            throw Self.refusal(of: fault, tally)
        }
    }

    /// What a caller may try again, by what it is to hear; any other fault as it is.
    private static func refusal(of fault: PostgresFault, _ tally: Tally) -> any Error {
        guard let unavailable = fault.unavailable else { return fault }
        if case .full = unavailable { tally.countWriteWithoutRoom() }
        return unavailable
    }

    package func runAlone(_ statement: SQL) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            enqueue(
                Job(
                    run: { [tally] connection in
                        do {
                            try connection.runAlone(statement)
                            continuation.resume()
                        } catch let lost as ConnectionLost {
                            // How far it came nobody knows: it is not run again by itself.
                            continuation.resume(throwing: DatabaseUnavailable.away(lost.message))
                        } catch let fault as PostgresFault {
                            continuation.resume(
                                throwing: fault.wantsRepeat ? fault : Self.refusal(of: fault, tally))
                        } catch {
                            continuation.resume(throwing: error)
                        }
                    },
                    fail: { continuation.resume(throwing: $0) }))
        }
    }

    /// Holds a lock of its own in an open transaction meanwhile, which reads and writes nothing.
    package func exclusively<Answer>(
        whenWaiting: () -> Void, _ work: () async throws -> Answer
    ) async throws -> Answer {
        do {
            let connection = try PostgresConnection(url, patience, tally: tally)
            var isWaiting = false
            while try !connection.takeLock() {
                if !isWaiting { whenWaiting() }
                isWaiting = true
                try await Task.sleep(for: .milliseconds(500))
            }
            defer { connection.giveLock() }
            return try await work()
        } catch let lost as ConnectionLost {
            throw DatabaseUnavailable.away(lost.message)
        }
    }

    package func copy(
        to path: String, progress: @escaping @Sendable (_ done: Int64, _ total: Int64) -> Void
    ) async throws {
        throw DatabaseFault("PostgreSQL writes no file of its own: Schema.copy copies its rows into another database")
    }

    package func close() async {
        stop()
    }

    private func stop() {
        lock.lock()
        isStopped = true
        lock.broadcast()
        stopping.signal()
        while threads > 0 { lock.wait() }
        let ended = handles
        handles = []
        lock.unlock()
        for handle in ended { PostgresThread.join(handle) }
    }

    // MARK: A verb

    private func perform<Answer: Sendable>(
        isReading: Bool, _ body: @escaping @Sendable (borrowing Connection) throws -> Answer,
        onCommit: @escaping @Sendable () -> Void
    ) async throws -> Answer {
        try await withCheckedThrowingContinuation { continuation in
            enqueue(
                Job(
                    run: { [self] connection in
                        var answer: Answer?
                        do {
                            let done = try repeating {
                                try Self.transaction(isReading: isReading, on: connection) {
                                    let done = try body($0)
                                    answer = done
                                    return done
                                }
                            }
                            onCommit()
                            continuation.resume(returning: done)
                        } catch DatabaseUnavailable.commitUnknown {
                            guard let answer, let witness = connection.witness else {
                                throw DatabaseUnavailable.commitUnknown
                            }
                            ask(witness) { isCommitted in
                                guard isCommitted else {
                                    return continuation.resume(throwing: DatabaseUnavailable.commitUnknown)
                                }
                                onCommit()
                                continuation.resume(returning: answer)
                            }
                        }
                    },
                    fail: { continuation.resume(throwing: $0) }))
        }
    }

    /// Asks another connection whether a transaction was committed whose own connection has ended: for two seconds, as
    /// the commit may still be on its way.
    private func ask(_ witness: SQL, _ answer: @escaping (Bool) -> Void) {
        var job = Job(
            run: { connection in
                for _ in 0..<20 {
                    let rows = try Self.transaction(isReading: true, on: connection) { try $0.run(witness) }
                    guard rows.isEmpty else { return answer(true) }
                    Thread.sleep(forTimeInterval: 0.1)
                }
                answer(false)
            },
            fail: { _ in answer(false) })
        job.deadline = .now + Self.longestDoubt
        enqueue(job)
    }

    private static func transaction<Answer>(
        isReading: Bool, on connection: PostgresConnection, _ body: (borrowing Connection) throws -> Answer
    ) throws -> Answer {
        connection.begin(isReading ? "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" : "BEGIN", isReading: isReading)
        do {
            let answer = try body(Connection(session: connection))
            try connection.commit()
            return answer
        } catch {
            connection.rollBack()
            throw error
        }
    }

    /// Runs a transaction again that the engine refuses for a conflict: after a moment that differs, so that the two do
    /// not meet again.
    private func repeating<Answer>(_ transaction: () throws -> Answer) throws -> Answer {
        for run in 1...Self.mostRuns {
            do {
                return try transaction()
            } catch let fault as PostgresFault where fault.wantsRepeat && run < Self.mostRuns {
                Thread.sleep(forTimeInterval: Double.random(in: 0.001...0.01) * Double(run * run))
            } catch let fault as PostgresFault {
                throw Self.refusal(of: fault, tally)
            }
        }
        throw DatabaseUnavailable.busy
    }

    private func enqueue(_ job: Job) {
        lock.lock()
        let refusal: (any Error)? =
            isStopped
            ? DatabaseFault("the database is closed")
            : waiting.count < Self.longestQueue ? nil : DatabaseUnavailable.busy
        if refusal == nil { waiting.append(job) }
        lock.unlock()
        if let refusal { return job.fail(refusal) }
        lock.signal()
    }

    // MARK: A thread

    private func serve() {
        var connection = takeFirst()
        var failures = 0
        while awaitJob() {
            do {
                if connection?.isAlive != true {
                    connection = nil
                    // The verb may be for a thread that has a connection.
                    lock.signal()
                    connection = try PostgresConnection(url, patience, tally: tally)
                    note(away: nil)
                    failures = 0
                }
            } catch {
                note(away: (error as? ConnectionLost)?.message ?? "\(error)")
                failures += 1
                backOff(after: failures)
                continue
            }
            guard let usable = connection, let job = take() else { continue }
            tally.times.waits.observe(job.since.duration(to: .now))
            run(job, on: usable)
            // What it holds at the server ends with it.
            if !usable.isOpen { connection = nil }
        }
        connection = nil
        leave()
    }

    private func run(_ job: Job, on connection: PostgresConnection) {
        do {
            try job.run(connection)
        } catch let lost as ConnectionLost {
            // Nothing was committed: the verb runs again on another connection, unless it is at fault itself.
            var job = job
            job.lostConnections += 1
            // A caller has waited long enough for a server that did not answer.
            guard job.lostConnections < 3, .now < job.deadline else {
                return job.fail(DatabaseUnavailable.away(lost.message))
            }
            lock.lock()
            waiting.insert(job, at: 0)
            lock.unlock()
            lock.signal()
        } catch {
            job.fail(error)
        }
    }

    /// Waits until there is a verb to run; false at the end.
    private func awaitJob() -> Bool {
        lock.lock()
        defer { lock.unlock() }
        while waiting.isEmpty {
            guard !isStopped else { return false }
            lock.wait()
        }
        return true
    }

    /// The next verb, unless another thread was faster.
    private func take() -> Job? {
        lock.lock()
        defer { lock.unlock() }
        return waiting.isEmpty ? nil : waiting.removeFirst()
    }

    /// The connection that was opened at the start, for the thread that asks first.
    private func takeFirst() -> PostgresConnection? {
        lock.lock()
        defer { lock.unlock() }
        defer { first = nil }
        return first
    }

    private func note(away reason: String?) {
        lock.lock()
        away = reason
        lock.unlock()
    }

    private func leave() {
        lock.lock()
        threads -= 1
        lock.broadcast()
        lock.unlock()
        stopping.signal()
    }

    /// Longer after each failure up to two seconds, and never as long as the others: servers that come back are not met
    /// by all nodes at once.
    private func backOff(after failures: Int) {
        let longest = min(2, 0.05 * Double(1 << min(failures, 6)))
        Thread.sleep(forTimeInterval: Double.random(in: longest / 2...longest))
    }

    /// Ends verbs that have waited too long; at the end, while no server can be reached, all of them.
    private func watch() {
        while true {
            lock.lock()
            let now = ContinuousClock.now
            // The last one to leave: a verb whose connection is lost at the end is put back.
            let isOver = isStopped && threads == 1
            let isHopeless = isStopped && away != nil
            let late = waiting.filter { isHopeless || $0.deadline <= now }
            waiting.removeAll { isHopeless || $0.deadline <= now }
            let reason = away
            lock.unlock()
            for job in late { job.fail(reason.map { DatabaseUnavailable.away($0) } ?? .busy) }
            if isOver { return leave() }
            _ = stopping.wait(timeout: .now() + .milliseconds(250))
        }
    }
}
