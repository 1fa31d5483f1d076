// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import GRDB

/// One GRDB connection inside a transaction, as a ``Connection`` sees it.
struct SQLiteSession: Session {
    let database: GRDB.Database
    let tally: Tally

    func run(_ statements: [SQL]) throws -> [[Row]] {
        try statements.map(run)
    }

    func run(_ sql: SQL) throws -> [Row] {
        tally.countStatement()
        let (text, values) = sql.rendered(for: .sqlite)
        // GRDB hands texts over as C strings: one with a NUL would be kept cut short.
        for case .text(let value) in values where value.utf8.contains(0) {
            throw DatabaseFault("a text with a NUL in it cannot be kept")
        }
        let statement = try database.cachedStatement(sql: text)
        statement.setUncheckedArguments(StatementArguments(values.map(\.databaseValue)))
        guard statement.columnCount > 0 else {
            try statement.execute()
            return []
        }
        let columns = 0..<statement.columnCount
        let cursor = try GRDB.Row.fetchCursor(statement)
        var rows: [Row] = []
        while let row = try cursor.next() {
            rows.append(Row(values: columns.map { Value(row[$0] as DatabaseValue) }))
        }
        return rows
    }
}

extension Value {
    var databaseValue: DatabaseValue {
        switch self {
        case .null: .null
        case .int(let value): value.databaseValue
        case .text(let value): value.databaseValue
        case .bytes(let value): Data(value).databaseValue
        }
    }

    init(_ value: DatabaseValue) {
        self =
            switch value.storage {
            case .null: .null
            case .int64(let value): .int(value)
            case .double(let value): .int(Int64(value))
            case .string(let value): .text(value)
            case .blob(let value): .bytes(Array(value))
            }
    }
}
