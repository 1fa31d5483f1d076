// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import CLibPQ

extension PostgresConnection {
    /// Runs a statement that no transaction takes, such as `CREATE INDEX CONCURRENTLY`. It waits for transactions of
    /// others as long as it has to.
    func runAlone(_ statement: SQL) throws {
        tally.countStatement()
        // Behind PgBouncer the next statement may run on another connection; there no time-outs of ours are set.
        if prepares { try runSimply("SET lock_timeout = 0") }
        defer { if prepares { _ = try? runSimply("RESET lock_timeout") } }
        try runSimply(statement.rendered(for: .postgres).text)
    }

    /// Takes the lock of whoever works on the whole database, in a transaction that stays open, if nobody has it.
    ///
    /// By the simple protocol nothing is left of the question: a portal would keep its snapshot, and whoever makes an
    /// index beside others waits for those who might still see the table without it.
    func takeLock() throws -> Bool {
        try runSimply("BEGIN ISOLATION LEVEL READ COMMITTED")
        if try runSimply("SELECT pg_try_advisory_xact_lock(7239612541)").firstInt() == 1 { return true }
        try runSimply("ROLLBACK")
        return false
    }

    func giveLock() {
        _ = try? runSimply("ROLLBACK")
    }

    /// By the simple protocol, which the pipeline mode does not know, so that the connection leaves it for the time.
    @discardableResult
    private func runSimply(_ text: String) throws -> [Row] {
        tally.countTrip()
        deadline = .now + .seconds(patience.answerSeconds)
        guard PQexitPipelineMode(connection) == 1 else { throw lost() }
        defer { PQenterPipelineMode(connection) }
        guard PQsendQuery(connection, text) == 1 else { throw lost() }
        try flush()
        var fault: (any Error)?
        var rows: [Row] = []
        while let result = try nextResult() {
            defer { PQclear(result) }
            switch PQresultStatus(result) {
            case PGRES_COMMAND_OK: break
            case PGRES_TUPLES_OK: rows = try Row.all(of: result)
            default: fault = fault ?? PostgresFault.error(of: result)
            }
        }
        guard isOpen else { throw lost() }
        if let fault { throw fault }
        return rows
    }
}
