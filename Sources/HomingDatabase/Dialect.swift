// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// The differences between the engines' spellings of SQL. No other file asks which engine runs.
package enum Dialect: Sendable {
    case sqlite
    case postgres

    /// The parameter of the `number`-th bound value, counted from 1. SQLite would read `$1` as a name, not a position.
    func parameter(_ number: Int) -> String {
        switch self {
        case .sqlite: "?"
        case .postgres: "$\(number)"
        }
    }

    /// Whether one process owns the data, so that nobody else can hold anything in the database.
    package var hasOneProcess: Bool { self == .sqlite }

    /// The engine's own clock in milliseconds since 1970, for `SELECT`; nil where it is this machine's.
    package var clock: SQL? {
        self == .postgres ? "CAST(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000 AS BIGINT)" : nil
    }

    /// Hold other migrators off until the end of the transaction, and let it see what they have done.
    var migrationLock: [SQL] {
        switch self {
        case .sqlite: []
        case .postgres:
            ["SET TRANSACTION ISOLATION LEVEL READ COMMITTED", "SELECT pg_advisory_xact_lock(7239612541)"]
        }
    }

    /// Answers a row when there is a table of this name.
    package func lookup(ofTable name: String) -> SQL {
        switch self {
        case .sqlite: "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = \(name)"
        case .postgres:
            "SELECT 1 FROM pg_tables WHERE schemaname = ANY (current_schemas(false)) AND tablename = \(name)"
        }
    }

    /// SQLite has one writer, who needs no lock on a row.
    func clause(of lock: SQL.RowLock) -> String {
        switch (self, lock) {
        case (.sqlite, _): ""
        case (.postgres, .forUpdate): "FOR UPDATE"
        case (.postgres, .forUpdateSkippingLocked): "FOR UPDATE SKIP LOCKED"
        }
    }

    func name(of type: SQL.ColumnType) -> String {
        switch (self, type) {
        case (.sqlite, .bytes): "BLOB"
        case (.postgres, .bytes): "BYTEA"
        }
    }
}
