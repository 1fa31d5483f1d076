// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import GRDB

/// A connection's prepared statements, looked up by the pieces of their text.
///
/// The pieces between the values are literals, the same strings each time: comparing them costs next to nothing, while
/// rendering the whole text and hashing it costs as much as SQLite's own part of a small statement.
///
/// The statements belong to one connection and its thread, and must be removed before that connection closes.
final class PreparedStatements {
    private struct Entry {
        let pieces: [SQL.Fragment]
        let statement: Statement
    }

    /// More than the program has; a statement whose text differs each time must not fill the memory.
    private static let most = 512

    private var entries: [Int: [Entry]] = [:]
    private var count = 0

    func statement(for sql: SQL, on database: GRDB.Database) throws -> OpaquePointer {
        let key = Self.key(of: sql)
        if let found = entries[key]?.first(where: { Self.isSameText($0.pieces, sql.fragments) }) {
            return found.statement.sqliteStatement
        }
        let statement = try database.cachedStatement(sql: sql.rendered(for: .sqlite).text)
        if count >= Self.most { removeAll() }
        let pieces = sql.fragments.map { piece in
            if case .value = piece { SQL.Fragment.value(.null) } else { piece }
        }
        entries[key, default: []].append(Entry(pieces: pieces, statement: statement))
        count += 1
        return statement.sqliteStatement
    }

    func removeAll() {
        entries = [:]
        count = 0
    }

    /// The key is made of the pieces' lengths alone, which are known without reading the text.
    private static func key(of sql: SQL) -> Int {
        sql.fragments.reduce(0) { key, piece in
            if case .text(let text) = piece { key &* 31 &+ text.utf8.count } else { key &* 31 &- 1 }
        }
    }

    private static func isSameText(_ left: [SQL.Fragment], _ right: [SQL.Fragment]) -> Bool {
        guard left.count == right.count else { return false }
        for index in left.indices {
            switch (left[index], right[index]) {
            case (.text(let left), .text(let right)):
                guard left.utf8.count == right.utf8.count, left == right else { return false }
            case (.type(let left), .type(let right)):
                guard left == right else { return false }
            case (.value, .value), (.lock, .lock): break
            default: return false
            }
        }
        return true
    }
}
