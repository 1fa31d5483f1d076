// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import CYardsticks

/// The statements of one verb in a C loop, so many verbs to a transaction: what SQLite and the disk allow.
enum StatementLoop {
    private struct Report: Encodable {
        let verbs: UInt64
        let transactions: UInt64
        let statements: UInt32
        let synchronous: Int32
        let seconds: Double
        let rate: Double
    }

    static func measure(_ options: Options) throws {
        let database = try options.text("database")
        let statements = try options.text("statements")
        var result = yardstick_loop_result()
        var fault = yardstick_fault()
        let failed = try database.withCString { database in
            try statements.withCString { statements in
                var loop = try yardstick_loop(
                    database: database, statements: statements, rows: options.number("rows", default: 10_000),
                    verbs: options.number("verbs", default: 0), batch: options.number("batch"),
                    seconds: options.number("seconds", default: 3))
                return yardstick_sqlite_loop(&loop, &result, &fault)
            }
        }
        guard failed == 0 else { throw Fault(sentence(of: fault.text)) }
        try report(
            Report(
                verbs: result.verbs, transactions: result.transactions, statements: result.statements,
                synchronous: result.synchronous, seconds: result.seconds,
                rate: Double(result.verbs) / result.seconds))
    }
}
