// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// Copies all rows from one database into an empty one of whatever engine, in bounded memory, and compares the two.
///
/// It reads one consistent state, and writes one transaction: all of it is there at the end, or nothing.
package struct TableCopy: Sendable {
    private let tables: [String]
    private let others: [String]

    /// All tables that a database has.
    package var known: Set<String> { Set(tables + others + [Migrator.table]) }

    /// - Parameters:
    ///   - tables: those that are copied.
    ///   - others: those that stay as they are: their rows are about one database. The migrator's own table is one
    ///     more.
    package init(_ tables: [String], butNot others: [String]) {
        self.tables = tables
        self.others = others
    }

    /// Where a copy is.
    package struct Step: Sendable {
        package let table: String
        package let done: Int64
        package let total: Int64
        package let isComparing: Bool
    }

    /// - Returns: the number of rows.
    /// - Throws: ``DatabaseFault`` with the reason; then nothing was written.
    package func run(
        from source: Database, into target: Database, progress: @escaping @Sendable (Step) -> Void
    ) async throws -> Int64 {
        try await check(source, "the database to copy")
        try await refuseStrangers(in: target)
        return try await source.read { [self] from in
            try target.writeHere { to in
                if let lock = target.dialect.lock(ofTables: tables) { try to.run(lock) }
                try refuseRows(in: to)
                return try copy(from: from, source.dialect, to: to, target.dialect, progress)
            }
        }
    }

    /// Refuses a database that is not empty.
    package func refuseRows(in connection: borrowing Connection) throws {
        for table in tables + others {
            let row = try connection.run(SQL(stringLiteral: "SELECT 1 FROM \(table) LIMIT 1"))
            guard row.isEmpty else {
                throw DatabaseFault(
                    "the new database has rows in its table \(table), and nothing was written: give an empty one, "
                        + "without homing migrate or a server on it before")
            }
        }
    }

    /// Refuses a new database that has tables of somebody else.
    package func refuseStrangers(in target: Database) async throws {
        try await check(target, "the new database")
    }

    /// A table that this program does not know would be lost, or belongs to somebody else.
    private func check(_ database: Database, _ which: String) async throws {
        let found = try await database.read { try $0.run(database.dialect.tables) }
        for var row in found {
            let table = try row.text()
            guard known.contains(table) else {
                throw DatabaseFault("\(which) has a table \(table) that this homing does not know; nothing was written")
            }
        }
    }

    private func copy(
        from: borrowing Connection, _ dialect: Dialect, to: borrowing Connection, _ newDialect: Dialect,
        _ progress: (Step) -> Void
    ) throws -> Int64 {
        var counts: [Int64] = []
        for table in tables {
            counts.append(try from.run(SQL(stringLiteral: "SELECT COUNT(*) FROM \(table)")).firstInt() ?? 0)
        }
        let total = counts.reduce(0, +)
        var written: [TableDigest] = []
        var done: Int64 = 0
        for (table, count) in zip(tables, counts) {
            let shape = try TableShape(reading: table, from: from, dialect)
            var digest = TableDigest()
            progress(Step(table: table, done: done, total: total, isComparing: false))
            try shape.read(from: from, dialect) { rows in
                try to.load(rows, into: shape)
                digest.add(rows)
                done += Int64(rows.count)
                progress(Step(table: table, done: done, total: total, isComparing: false))
            }
            guard digest.rows == count else {
                throw DatabaseFault(
                    "table \(table) has \(count) rows, and \(digest.rows) in the order of its key: nothing was written. "
                        + "Its index may be damaged: REINDEX it")
            }
            written.append(digest)
            if let analysis = newDialect.analysis(ofTable: table) { try to.run(analysis) }
        }
        done = 0
        for (table, expected) in zip(tables, written) {
            let shape = try TableShape(reading: table, from: to, newDialect)
            var digest = TableDigest()
            try shape.read(from: to, newDialect) { rows in
                digest.add(rows)
                done += Int64(rows.count)
                progress(Step(table: table, done: done, total: total, isComparing: true))
            }
            guard digest == expected else {
                throw DatabaseFault(
                    "table \(table) differs behind the copy (\(expected.rows) rows, \(digest.rows) in the new database); "
                        + "nothing was written")
            }
        }
        return total
    }
}
