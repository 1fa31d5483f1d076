// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// A table as the database describes it.
struct TableShape: Sendable {
    enum Kind: Sendable {
        case integer, text, bytes
    }

    struct Column: Sendable {
        let name: String
        let kind: Kind
    }

    let name: String
    let columns: [Column]
    /// The columns of the primary key, in its order, as places in ``columns``.
    let key: [Int]

    /// - Throws: ``DatabaseFault`` when there is no such table, or none that can be copied.
    init(reading name: String, from connection: borrowing Connection, _ dialect: Dialect) throws {
        var columns: [Column] = []
        var places: [Int64: Int] = [:]
        for var row in try connection.run(dialect.columns(ofTable: name)) {
            let (column, type, place) = (try row.text(), try row.text(), try row.int())
            if place > 0 { places[place] = columns.count }
            let kind: Kind? =
                switch type {
                case "BIGINT": .integer
                case "TEXT": .text
                case dialect.name(of: .bytes): .bytes
                default: nil
                }
            guard let kind else { throw DatabaseFault("column \(column) of table \(name) has the type \(type)") }
            columns.append(Column(name: column, kind: kind))
        }
        guard !places.isEmpty else { throw DatabaseFault("the table \(name) has no primary key, or is not there") }
        self.name = name
        self.columns = columns
        key = places.sorted { $0.key < $1.key }.map(\.value)
    }

    func insertion(of row: [Value]) -> SQL {
        var statement = SQL(
            stringLiteral: "INSERT INTO \(name) (\(columns.map(\.name).joined(separator: ", "))) VALUES (")
        statement.append(Self.list(of: row))
        statement.append(")")
        return statement
    }

    // MARK: Reading all of it

    /// Rows that are in memory at once.
    private static let batch = 500

    /// Goes through all rows in the order of the primary key, some hundred at a time.
    ///
    /// - Throws: ``DatabaseFault`` that names the row when a value cannot be kept by every engine.
    func read(from connection: borrowing Connection, _ dialect: Dialect, _ body: ([[Value]]) throws -> Void) throws {
        var last: [Value]?
        while true {
            let rows = try connection.run(query(behind: last, dialect)).map { try checked($0.values) }
            guard let end = rows.last else { return }
            try body(rows)
            guard rows.count == Self.batch else { return }
            last = key.map { end[$0] }
        }
    }

    private func query(behind last: [Value]?, _ dialect: Dialect) -> SQL {
        let list = columns.map { $0.kind == .text ? dialect.exact(text: $0.name) : $0.name }.joined(separator: ", ")
        let order = key.map { columns[$0].name }.joined(separator: ", ")
        var query = SQL(stringLiteral: "SELECT \(list) FROM \(name)")
        if let last {
            query.append(SQL(stringLiteral: " WHERE (\(order)) > ("))
            query.append(Self.list(of: last))
            query.append(")")
        }
        query.append(SQL(stringLiteral: " ORDER BY \(order) LIMIT \(Self.batch)"))
        return query
    }

    private static func list(of values: [Value]) -> SQL {
        var list: SQL = ""
        for (place, value) in values.enumerated() {
            if place > 0 { list.append(", ") }
            list.append("\(value)")
        }
        return list
    }

    private func checked(_ row: [Value]) throws -> [Value] {
        var row = row
        for (place, column) in columns.enumerated() {
            switch (column.kind, row[place]) {
            case (_, .null), (.integer, .int), (.bytes, .bytes): break
            case (.text, .text(let text)):
                guard !text.utf8.contains(0) else { throw fault("a text with U+0000 in it", column, of: row) }
            case (.text, .bytes(let bytes)):
                guard let text = String(validating: bytes, as: UTF8.self) else {
                    throw fault("a text that is no UTF-8", column, of: row)
                }
                guard !bytes.contains(0) else { throw fault("a text with U+0000 in it", column, of: row) }
                row[place] = .text(text)
            case (.integer, _): throw fault("no integer", column, of: row)
            case (.bytes, _): throw fault("no bytes", column, of: row)
            case (.text, _): throw fault("no text", column, of: row)
            }
        }
        return row
    }

    private func fault(_ what: String, _ column: Column, of row: [Value]) -> DatabaseFault {
        let key = key.map { place in
            switch row[place] {
            case .null: "null"
            case .int(let number): String(number)
            // With escapes for all that a terminal might obey.
            case .text(let text): text.debugDescription
            case .bytes(let bytes):
                String(validating: bytes, as: UTF8.self).flatMap {
                    columns[place].kind == .text ? $0.debugDescription : nil
                }
                    ?? "x'\(Hexadecimal.encode(bytes))'"
            }
        }
        return DatabaseFault(
            "table \(name), key (\(key.joined(separator: ", "))): \(column.name) has \(what): change or remove that row"
        )
    }
}
