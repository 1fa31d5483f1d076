// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// The database of the server. Two verbs: `read` sees one consistent state, `write` is one durable transaction.
///
/// The closures are synchronous, have no effect outside the database and may run again on an engine that asks for a
/// repeat. A write that throws leaves no trace; a write that returns is answered only after its commit is on disk.
package struct Database: Sendable {
    private let driver: any Driver

    package init(driver: any Driver) {
        self.driver = driver
        times = driver.times
    }

    /// How long verbs took since the driver was opened.
    package let times: DatabaseTimes

    package var dialect: Dialect { driver.dialect }

    /// The work of the driver since it was opened, for tests and metrics.
    package var counts: DatabaseCounts { driver.counts }

    package func read<Answer: Sendable>(
        _ body: @escaping @Sendable (borrowing Connection) throws -> Answer
    ) async throws -> Answer {
        let start = ContinuousClock.now
        defer { times.reads.observe(start.duration(to: .now)) }
        return try await Spans.part("database read") { try await driver.read(body) }
    }

    @discardableResult
    package func write<Answer: Sendable>(
        _ body: @escaping @Sendable (borrowing Connection) throws -> Answer
    ) async throws -> Answer {
        let start = ContinuousClock.now
        defer { times.writes.observe(start.duration(to: .now)) }
        return try await Spans.part("database write") { try await driver.write(body) }
    }

    /// A write on the caller's own thread, which waits: for work that reads one database and writes another. It runs
    /// once.
    @discardableResult
    package func writeHere<Answer>(_ body: (borrowing Connection) throws -> Answer) throws -> Answer {
        try driver.writeHere(body)
    }

    /// Work on the whole database that one process at a time may do, such as a migration. Others wait until it is done;
    /// a database that belongs to one process has no others.
    ///
    /// - Parameter whenWaiting: hears once that somebody else is at work.
    package func exclusively<Answer>(
        whenWaiting: () -> Void = {}, _ work: () async throws -> Answer
    ) async throws -> Answer {
        try await driver.exclusively(whenWaiting: whenWaiting, work)
    }

    /// Runs a statement that no transaction takes, for engines that have such.
    package func runAlone(_ statement: SQL) async throws {
        try await driver.runAlone(statement)
    }

    /// Writes a consistent copy of everything to a new file of the same engine.
    ///
    /// - Parameter progress: now and then hears the number of bytes that are written, and about how many there are.
    package func copy(
        to path: String, progress: @escaping @Sendable (_ done: Int64, _ total: Int64) -> Void = { _, _ in }
    ) async throws {
        try await driver.copy(to: path, progress: progress)
    }

    /// Waits for the writes under way, then closes the file.
    package func close() async {
        await driver.close()
    }

    /// Closes the database behind a piece of work, however that ends.
    package func closing<Answer>(after work: (Database) async throws -> Answer) async throws -> Answer {
        do {
            let answer = try await work(self)
            await close()
            return answer
        } catch {
            await close()
            throw error
        }
    }
}

/// One engine behind ``Database``. SQLite is here; a driver for PostgreSQL can stand beside it.
package protocol Driver: Sendable {
    var dialect: Dialect { get }
    var counts: DatabaseCounts { get }
    var times: DatabaseTimes { get }
    func read<Answer: Sendable>(
        _ body: @escaping @Sendable (borrowing Connection) throws -> Answer
    ) async throws -> Answer
    func write<Answer: Sendable>(
        _ body: @escaping @Sendable (borrowing Connection) throws -> Answer
    ) async throws -> Answer
    func writeHere<Answer>(_ body: (borrowing Connection) throws -> Answer) throws -> Answer
    func exclusively<Answer>(whenWaiting: () -> Void, _ work: () async throws -> Answer) async throws -> Answer
    func runAlone(_ statement: SQL) async throws
    func copy(to path: String, progress: @escaping @Sendable (_ done: Int64, _ total: Int64) -> Void) async throws
    func close() async
}

/// The work of a driver since it was opened.
package struct DatabaseCounts: Sendable, Equatable {
    /// Statements of verbs, without the engine's own `BEGIN`, `SAVEPOINT` and `COMMIT`.
    package var statements = 0
    /// Verbs that asked to write.
    package var writes = 0
    /// Commits; each carries one or more writes and costs one `fdatasync` on SQLite.
    package var commits = 0
    /// Round trips to a server; 0 for SQLite, which has none.
    package var trips = 0
    /// Writes that found no room on the disk of a server; SQLite's are faults like others.
    package var writesWithoutRoom = 0
    /// Pages in SQLite's write-ahead log, which checkpoints fold into the database file; 0 on other engines.
    package var logPages = 0

    package init() {}
}

/// A row would exist twice, by a unique index or a primary key. The verb that wrote the row is undone.
package struct UniqueViolation: Error, Equatable, CustomStringConvertible {
    /// The columns of the index, each with its table: `accounts.project`, `accounts.email`.
    package let columns: [String]

    package init(columns: [String]) {
        self.columns = columns
    }

    package var description: String { "there would be two rows with the same \(columns.joined(separator: ", "))" }
}

/// The database does not answer now. A caller may try again in a moment.
package enum DatabaseUnavailable: Error, Equatable, CustomStringConvertible {
    /// More verbs wait than the database gets done, or one has waited too long.
    case busy
    /// No server that takes writes can be reached; nothing was written.
    case away(String)
    /// The connection ended during the commit: what was written may be there or not.
    case commitUnknown
    /// Somebody else's transaction has held a row or a table for too long.
    case locked
    /// A statement took longer than anybody waits for.
    case slow
    /// There is no room for what was to be written.
    case full

    package var description: String {
        switch self {
        case .busy: "too many requests wait for the database"
        case .away(let reason): "the database is away: \(reason)"
        case .commitUnknown:
            "the connection to the database ended during a commit; whether the commit took place is unknown"
        case .locked:
            "another transaction has held what this one needs for more than 5 seconds: a migration, a dump, or one that "
                + "somebody has left open; look for it in pg_stat_activity, and try again when it has ended"
        case .slow:
            "the database took more than 10 seconds for a statement, or somebody cancelled it; look in pg_stat_activity at "
                + "what else it does, and try again"
        case .full: "the database's disk is full: make room on its machine, and try again; nothing was written"
        }
    }
}

/// The database could not store or find something: a full disk, an I/O error, a locked or foreign file.
package struct DatabaseFault: Error, CustomStringConvertible {
    package let description: String
    /// Whether another process owns the database, and may be about to end.
    package let isInUse: Bool

    package init(_ description: String, isInUse: Bool = false) {
        self.description = description
        self.isInUse = isInUse
    }
}
