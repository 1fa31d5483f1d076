// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// A statement of a schema step that makes an index. It keeps everybody from writing into its table for as long as it
/// takes, so that engines with several writers make the index beside the work (``Migrator``).
struct IndexStatement: Sendable {
    let name: String
    let table: String
    private let text: String

    /// Nil for any other statement.
    init?(_ statement: SQL) {
        text = statement.rendered(for: .postgres).text
        var words = text.split(whereSeparator: { $0.isWhitespace || $0 == "(" })[...]
        guard words.popFirst() == "CREATE" else { return nil }
        if words.first == "UNIQUE" { words.removeFirst() }
        guard words.popFirst() == "INDEX", let name = words.popFirst(), words.popFirst() == "ON",
            let table = words.popFirst()
        else { return nil }
        (self.name, self.table) = (String(name), String(table))
    }

    /// The same index, made outside a transaction and beside everybody's work.
    var beside: SQL {
        let parts = text.split(separator: "INDEX ", maxSplits: 1)
        return SQL(stringLiteral: parts.joined(separator: "INDEX CONCURRENTLY "))
    }

    var removal: SQL { SQL(stringLiteral: "DROP INDEX CONCURRENTLY IF EXISTS \(name)") }
}
