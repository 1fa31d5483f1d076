// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// Where the two engines spell things differently. The only parameter that asks which engine it is.
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

    func name(of type: SQL.ColumnType) -> String {
        switch (self, type) {
        case (.sqlite, .bytes): "BLOB"
        case (.postgres, .bytes): "BYTEA"
        }
    }
}
