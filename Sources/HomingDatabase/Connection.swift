// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// The database inside one transaction. It cannot be copied, so it cannot leave the closure that it was lent to.
package struct Connection: ~Copyable {
    let session: any Session

    /// The same connection for another type that is lent instead and cannot leave the closure either.
    package func lent() -> Connection {
        Connection(session: session)
    }

    /// Runs statements in order, in one round trip where the engine has one, and answers the rows of each.
    @discardableResult
    package func run(_ statements: [SQL]) throws -> [[Row]] {
        try session.run(statements)
    }

    /// Runs the last statements of a transaction, whose rows nobody needs: an engine behind a network sends them
    /// together with the commit, so that what is wrong with them may be thrown there.
    package func finish(_ statements: [SQL]) throws {
        try session.finish(statements)
    }

    /// Names a query that answers a row once this transaction is committed, such as one for a row that only this
    /// transaction writes. When the connection ends during the commit, an engine behind a network asks it.
    package func witness(_ query: SQL) {
        session.witness(query)
    }

    /// Adds many rows to a table, by the engine's fastest way.
    func load(_ rows: [[Value]], into table: TableShape) throws {
        try session.load(rows, into: table)
    }

    /// Runs one statement and answers its rows.
    @discardableResult
    package func run(_ statement: SQL) throws -> [Row] {
        try session.run(statement)
    }
}

/// The part of a driver through which a ``Connection`` runs its statements.
protocol Session {
    func run(_ statement: SQL) throws -> [Row]
    func run(_ statements: [SQL]) throws -> [[Row]]
    func finish(_ statements: [SQL]) throws
    func witness(_ query: SQL)
    func load(_ rows: [[Value]], into table: TableShape) throws
}
