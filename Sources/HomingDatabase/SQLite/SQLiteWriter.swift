// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import GRDB

/// The one thread that writes. It commits waiting writes together: many verbs, each in its savepoint, one fsync.
///
/// A verb that throws is undone by its savepoint and never touches its neighbours. No verb is answered before the
/// commit is durable, not even a refused one: the refusal may rest on a neighbour's write. Where the engine itself ends
/// the transaction (disk full, I/O error), every verb of the batch is answered with the fault.
///
/// `@unchecked Sendable`: `waiting`, whose closures are not Sendable, and `isStopped` are touched under `lock` only,
/// `prepared` on the writer's thread only; the rest is constant.
final class SQLiteWriter: @unchecked Sendable {
    /// A waiting verb. `body` runs it and answers a closure that tells its caller; `fail` tells the caller a fault.
    struct Job {
        let body: (borrowing Connection) throws -> (() -> Void)
        let fail: (any Error) -> Void
    }

    /// The greatest size of a batch, so that its first verb does not wait for all of a crowd.
    private static let largestBatch = 512

    private enum Work {
        case jobs([Job])
        /// Work that cannot run inside a transaction, such as `VACUUM INTO`.
        case alone((GRDB.Database) throws -> Void, done: (Result<Void, any Error>) -> Void)
        case stop(done: () -> Void)
    }

    private let pool: DatabasePool
    private let tally: Tally
    private let lock = NSLock()
    private var waiting: [Work] = []
    private var isStopped = false
    private let arrival = DispatchSemaphore(value: 0)
    private let prepared = PreparedStatements()
    private let log: WriteAheadLog

    init(pool: DatabasePool, tally: Tally) {
        self.pool = pool
        self.tally = tally
        log = WriteAheadLog(tally: tally)
        pool.writeWithoutTransaction { log.listen(to: $0) }
        let thread = Thread { [self] in serve() }
        thread.name = "homing-writer"
        thread.start()
    }

    func enqueue(_ job: Job) {
        tally.countWrite()
        add { waiting in
            if case .jobs(var jobs)? = waiting.last, jobs.count < Self.largestBatch {
                // Removing the array first keeps the append from copying it.
                waiting.removeLast()
                jobs.append(job)
                waiting.append(.jobs(jobs))
            } else {
                waiting.append(.jobs([job]))
            }
        }
    }

    func runAlone(_ body: @escaping @Sendable (GRDB.Database) throws -> Void) async throws {
        try await withCheckedThrowingContinuation { continuation in
            add { $0.append(.alone(body) { continuation.resume(with: $0) }) }
        }
    }

    func stop() async {
        await withCheckedContinuation { continuation in
            add { $0.append(.stop { continuation.resume() }) }
        }
    }

    private func add(_ change: (inout [Work]) -> Void) {
        var refused: [Work] = []
        let wasIdle = lock.withLock {
            guard !isStopped else {
                change(&refused)
                return false
            }
            let wasEmpty = waiting.isEmpty
            change(&waiting)
            return wasEmpty
        }
        refuse(refused)
        if wasIdle { arrival.signal() }
    }

    /// Refuses work after the end, so that nobody waits for an answer that cannot come.
    private func refuse(_ work: [Work]) {
        let fault = DatabaseFault("the database is closed")
        for piece in work {
            switch piece {
            case .jobs(let jobs): for job in jobs { job.fail(fault) }
            case .alone(_, let done): done(.failure(fault))
            case .stop(let done): done()
            }
        }
    }

    private func serve() {
        while true {
            arrival.wait()
            let work = lock.withLock {
                let taken = waiting
                waiting = []
                return taken
            }
            for (index, piece) in work.enumerated() {
                switch piece {
                case .jobs(let jobs):
                    pool.writeWithoutTransaction { database in
                        commit(jobs, on: database)
                        let isIdle = index + 1 == work.count && lock.withLock { waiting.isEmpty }
                        log.fold(on: database, isIdle: isIdle)
                    }
                case .alone(let body, let done):
                    done(Result { try pool.writeWithoutTransaction(body) })
                case .stop(let done):
                    pool.writeWithoutTransaction { _ in prepared.removeAll() }
                    let late = lock.withLock {
                        isStopped = true
                        defer { waiting = [] }
                        return waiting
                    }
                    done()
                    refuse(Array(work[(index + 1)...]) + late)
                    return
                }
            }
        }
    }

    /// Runs a batch in one transaction, then answers every caller in it.
    private func commit(_ jobs: [Job], on database: GRDB.Database) {
        let session = SQLiteSession(database: database, tally: tally, prepared: prepared)
        var answers: [() -> Void] = []
        answers.reserveCapacity(jobs.count)
        do {
            try session.step("BEGIN IMMEDIATE")
            for job in jobs {
                answers.append(try attempt(job, on: database, session: session))
            }
            try session.step("COMMIT")
            tally.countCommit()
        } catch {
            if database.isInsideTransaction { try? database.execute(sql: "ROLLBACK") }
            let fault = DatabaseFault("the write was not kept: \(error)")
            for job in jobs { job.fail(fault) }
            return
        }
        for answer in answers { answer() }
    }

    /// Runs one verb in its savepoint. Throws only when the transaction itself is lost.
    private func attempt(_ job: Job, on database: GRDB.Database, session: SQLiteSession) throws -> () -> Void {
        try session.step("SAVEPOINT verb")
        do {
            let answer = try job.body(Connection(session: session))
            try session.step("RELEASE verb")
            return answer
        } catch {
            guard database.isInsideTransaction else { throw error }
            if let fault = error as? DatabaseError, fault.endsTheBatch { throw error }
            try session.step("ROLLBACK TO verb")
            try session.step("RELEASE verb")
            return { job.fail(error) }
        }
    }
}

extension DatabaseError {
    /// Errors of the disk or of memory, after which the transaction cannot be trusted.
    fileprivate var endsTheBatch: Bool {
        [.SQLITE_FULL, .SQLITE_IOERR, .SQLITE_NOMEM, .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_READONLY]
            .contains(resultCode)
    }
}
