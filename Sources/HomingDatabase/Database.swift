// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// Where everything is kept. Two verbs: `read` sees one consistent state, `write` is one durable transaction.
///
/// The closures are synchronous, have no effect outside the database and may run again on an engine that asks for a
/// repeat. A write that throws leaves no trace; one that returns is answered only after its commit is on disk.
package struct Database: Sendable {
    private let driver: any Driver

    package init(driver: any Driver) {
        self.driver = driver
    }

    package var dialect: Dialect { driver.dialect }

    /// What the driver has run since it was opened, for tests and metrics.
    package var counts: DatabaseCounts { driver.counts }

    package func read<Answer: Sendable>(
        _ body: @escaping @Sendable (borrowing Connection) throws -> Answer
    ) async throws -> Answer {
        try await driver.read(body)
    }

    @discardableResult
    package func write<Answer: Sendable>(
        _ body: @escaping @Sendable (borrowing Connection) throws -> Answer
    ) async throws -> Answer {
        try await driver.write(body)
    }

    /// Writes a consistent copy of everything to a new file.
    ///
    /// - Parameter progress: hears now and then how many bytes of about how many are written.
    package func copy(
        to path: String, progress: @escaping @Sendable (_ done: Int64, _ total: Int64) -> Void = { _, _ in }
    ) async throws {
        try await driver.copy(to: path, progress: progress)
    }

    /// Waits for the writes under way, then closes the file.
    package func close() async {
        await driver.close()
    }
}

/// One engine behind ``Database``. SQLite is here; PostgreSQL has its place beside it.
package protocol Driver: Sendable {
    var dialect: Dialect { get }
    var counts: DatabaseCounts { get }
    func read<Answer: Sendable>(
        _ body: @escaping @Sendable (borrowing Connection) throws -> Answer
    ) async throws -> Answer
    func write<Answer: Sendable>(
        _ body: @escaping @Sendable (borrowing Connection) throws -> Answer
    ) async throws -> Answer
    func copy(to path: String, progress: @escaping @Sendable (_ done: Int64, _ total: Int64) -> Void) async throws
    func close() async
}

/// What a driver has done since it was opened.
package struct DatabaseCounts: Sendable, Equatable {
    /// Statements of verbs; the engine's own `BEGIN`, `SAVEPOINT` and `COMMIT` are not among them.
    package var statements = 0
    /// Verbs that asked to write.
    package var writes = 0
    /// Commits; each carries one or more writes and costs one `fdatasync` on SQLite.
    package var commits = 0
    /// Pages in SQLite's write-ahead log, which checkpoints fold into the database file; 0 on other engines.
    package var logPages = 0

    package init() {}
}

/// A row would have been there twice, by a unique index or a primary key. The verb that wrote it is undone.
package struct UniqueViolation: Error, Equatable {
    /// Of the index, each with its table: `accounts.project`, `accounts.email`.
    package let columns: [String]

    package init(columns: [String]) {
        self.columns = columns
    }
}

/// The store could not keep or find something: a full disk, an I/O error, a locked or foreign file.
package struct DatabaseFault: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
