// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import CLibSQLite
import Foundation
import GRDB

/// SQLite in WAL mode: one owning process, one writer, readers beside it.
package struct SQLiteDriver: Driver {
    package let dialect = Dialect.sqlite
    private let pool: DatabasePool
    private let writer: SQLiteWriter
    private let readers: SQLiteReaders
    private let tally: Tally
    private let lock: FileLock

    /// Opens the file, which only one process may do at a time.
    ///
    /// - Throws: ``DatabaseFault`` when another process has the file, or the engine would not keep commits durable.
    package init(path: String) throws {
        lock = try FileLock(path)
        tally = Tally()
        homing_sqlite_count_no_memory()
        var configuration = Configuration()
        // Our own readers do the reads; the pool holds the writer's connection, and WAL.
        configuration.maximumReaderCount = 1
        configuration.busyMode = .timeout(5)
        configuration.label = "homing"
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA mmap_size = 0")
            try database.execute(sql: "PRAGMA temp_store = MEMORY")
        }
        pool = try DatabasePool(path: path, configuration: configuration)
        // The pool sets NORMAL while it opens, behind `prepareDatabase`: FULL comes after, and is read back.
        let synchronous = try pool.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA synchronous = FULL")
            try database.execute(sql: "PRAGMA journal_size_limit = 67108864")
            // In KiB: the writer touches the same upper pages of a dozen indexes for every verb.
            try database.execute(sql: "PRAGMA cache_size = -8192")
            return try Int.fetchOne(database, sql: "PRAGMA synchronous")
        }
        guard synchronous == 2 else {
            throw DatabaseFault("\(path): SQLite does not keep synchronous=FULL; commits would not be durable")
        }
        writer = SQLiteWriter(pool: pool, tally: tally)
        readers = try SQLiteReaders(path: path, count: 2, configuration: configuration, tally: tally)
    }

    package var counts: DatabaseCounts { tally.counts }
    package var times: DatabaseTimes { tally.times }

    package func read<Answer: Sendable>(
        _ body: @escaping @Sendable (borrowing Connection) throws -> Answer
    ) async throws -> Answer {
        try await withCheckedThrowingContinuation { continuation in
            readers.enqueue { connection in
                do {
                    let answer = try body(connection)
                    return { continuation.resume(returning: answer) }
                } catch {
                    return { continuation.resume(throwing: error) }
                }
            } fail: {
                continuation.resume(throwing: $0)
            }
        }
    }

    package func write<Answer: Sendable>(
        _ body: @escaping @Sendable (borrowing Connection) throws -> Answer
    ) async throws -> Answer {
        try await withCheckedThrowingContinuation { continuation in
            writer.enqueue(
                SQLiteWriter.Job(
                    body: { connection in
                        let answer = try body(connection)
                        return { continuation.resume(returning: answer) }
                    },
                    fail: { continuation.resume(throwing: $0) }))
        }
    }

    package func writeHere<Answer>(_ body: (borrowing Connection) throws -> Answer) throws -> Answer {
        tally.countWrite()
        let prepared = PreparedStatements()
        return try pool.writeWithoutTransaction { database in
            defer { prepared.removeAll() }
            let session = SQLiteSession(database: database, tally: tally, prepared: prepared)
            try session.step("BEGIN IMMEDIATE")
            do {
                let answer = try body(Connection(session: session))
                try session.step("COMMIT")
                tally.countCommit()
                return answer
            } catch {
                if database.isInsideTransaction { try? database.execute(sql: "ROLLBACK") }
                throw error
            }
        }
    }

    package func runAlone(_ statement: SQL) async throws {
        try await write { _ = try $0.run(statement) }
    }

    package func exclusively<Answer>(
        whenWaiting: () -> Void, _ work: () async throws -> Answer
    ) async throws -> Answer {
        try await work()
    }

    package func copy(
        to path: String, progress: @escaping @Sendable (_ done: Int64, _ total: Int64) -> Void
    ) async throws {
        try await writer.runAlone { database in
            let copying = try Copying(of: database, to: path, progress)
            copying.begin()
            defer { withExtendedLifetime(copying) { sqlite3_progress_handler(database.sqliteConnection, 0, nil, nil) } }
            sqlite3_progress_handler(
                database.sqliteConnection, Copying.stepsBetweenLooks,
                { copying in
                    guard let copying else { return 0 }
                    Unmanaged<Copying>.fromOpaque(copying).takeUnretainedValue().look()
                    return 0
                }, Unmanaged.passUnretained(copying).toOpaque())
            try database.execute(sql: "VACUUM INTO ?", arguments: [path])
        }
    }

    /// A copy in progress. `VACUUM INTO` reports nothing; the new file's length tells enough.
    private final class Copying {
        /// In steps of SQLite's virtual machine: some thousand rows.
        static let stepsBetweenLooks: CInt = 50_000

        private let path: String
        private let total: Int64
        private let progress: (Int64, Int64) -> Void

        init(of database: GRDB.Database, to path: String, _ progress: @escaping (Int64, Int64) -> Void) throws {
            self.path = path
            self.progress = progress
            total =
                try Int64.fetchOne(
                    database,
                    sql: """
                        SELECT (page_count - freelist_count) * page_size
                        FROM pragma_page_count, pragma_freelist_count, pragma_page_size
                        """) ?? 0
        }

        func begin() {
            progress(0, total)
        }

        func look() {
            let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int64
            if let size { progress(size, total) }
        }
    }

    package func close() async {
        await writer.stop()
        readers.stop()
        // GRDB closes its writer first, so that nobody would fold the log in at the end.
        try? await pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        try? pool.close()
        lock.release()
    }
}
