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
