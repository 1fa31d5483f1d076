// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import CLibSQLite
import GRDB

/// One GRDB connection inside a transaction, for a ``Connection``.
///
/// GRDB holds the connection and its prepared statements; this type binds and steps the statement itself, because a
/// verb is a handful of small statements and GRDB's rows and arguments cost more than SQLite does.
struct SQLiteSession: Session {
    let database: GRDB.Database
    let tally: Tally
    let prepared: PreparedStatements

    func run(_ statements: [SQL]) throws -> [[Row]] {
        try statements.map(run)
    }

    func finish(_ statements: [SQL]) throws {
        for statement in statements { _ = try run(statement) }
    }

    /// A commit of this process's own file is never in doubt.
    func witness(_ query: SQL) {}

    func load(_ rows: [[Value]], into table: TableShape) throws {
        for row in rows { _ = try run(table.insertion(of: row)) }
    }

    func run(_ sql: SQL) throws -> [Row] {
        tally.countStatement()
        return try step(sql)
    }

    /// Runs a statement that belongs to no verb, such as `SAVEPOINT`, without counting it.
    @discardableResult
    func step(_ sql: SQL) throws -> [Row] {
        let statement = try prepared.statement(for: sql, on: database)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        var parameter: Int32 = 0
        for case .value(let value) in sql.fragments {
            parameter += 1
            try bind(value, to: statement, at: parameter)
        }
        let columns = sqlite3_column_count(statement)
        var rows: [Row] = []
        while true {
            let code = sqlite3_step(statement)
            guard code == SQLITE_ROW else {
                guard code == SQLITE_DONE else { throw fault(code) }
                return rows
            }
            rows.append(Row(values: try (0..<columns).map { try Self.value(statement, $0) }))
        }
    }

    private func bind(_ value: Value, to statement: OpaquePointer, at parameter: Int32) throws {
        var code = SQLITE_OK
        switch value {
        case .null: code = sqlite3_bind_null(statement, parameter)
        case .int(let number): code = sqlite3_bind_int64(statement, parameter, number)
        case .text(var text):
            code = try text.withUTF8 { bytes in
                // PostgreSQL stores no text with a NUL, and neither do we.
                guard !bytes.contains(0) else { throw DatabaseFault("a text with a NUL in it cannot be kept") }
                return homing_sqlite_bind_text(statement, parameter, bytes.baseAddress, bytes.count)
            }
        case .bytes(let bytes):
            code = bytes.withUnsafeBufferPointer {
                homing_sqlite_bind_blob(statement, parameter, $0.baseAddress, $0.count)
            }
        }
        guard code == SQLITE_OK else { throw fault(code) }
    }

    private static func value(_ statement: OpaquePointer, _ column: Int32) throws -> Value {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: .int(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: .int(try integer(sqlite3_column_double(statement, column)))
        case SQLITE_TEXT:
            .text(String(decoding: bytes(sqlite3_column_text(statement, column), statement, column), as: UTF8.self))
        case SQLITE_BLOB: .bytes(Array(bytes(sqlite3_column_blob(statement, column), statement, column)))
        default: .null
        }
    }

    /// A mean without its fraction. SQLite makes a float of a sum that is too great for an integer.
    private static func integer(_ number: Double) throws -> Int64 {
        guard let integer = Int64(exactly: number.rounded(.towardZero)) else {
            throw DatabaseFault("\(number) is too great for an integer")
        }
        return integer
    }

    private static func bytes(
        _ start: UnsafeRawPointer?, _ statement: OpaquePointer, _ column: Int32
    ) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
    }

    private func fault(_ code: Int32) -> any Error {
        let message = database.sqliteConnection.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) }
        let result = ResultCode(rawValue: code)
        if result == .SQLITE_CONSTRAINT_UNIQUE || result == .SQLITE_CONSTRAINT_PRIMARYKEY,
            // "UNIQUE constraint failed: accounts.project, accounts.email"
            let columns = message?.split(separator: ": ").last
        {
            return UniqueViolation(columns: columns.split(separator: ", ").map(String.init))
        }
        return DatabaseError(resultCode: result, message: message)
    }
}
