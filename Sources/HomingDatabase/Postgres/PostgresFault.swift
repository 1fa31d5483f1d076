// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import CLibPQ

/// An error that PostgreSQL reports for a statement.
package struct PostgresFault: Error, CustomStringConvertible {
    /// Five characters (PostgreSQL's appendix A), such as `40001`.
    package let state: String
    package let message: String

    package var description: String { "PostgreSQL: \(message) (\(state))" }

    /// Whether the same transaction may succeed when it is run again: a serialisation failure or a deadlock.
    var wantsRepeat: Bool { state == "40001" || state == "40P01" }

    /// Whether the server gave the statement up for its time, or for that of a lock.
    var tookTooLong: Bool { state == "57014" || state == "55P03" }

    /// Whether the server is about to end the connection, or takes no writes because another one is the primary now.
    var endsConnection: Bool {
        state == "25006" || state.hasPrefix("08") || (state.hasPrefix("57P"))
    }
}

/// The connection to the server is gone, or does not answer. Nothing was committed.
struct ConnectionLost: Error {
    let message: String

    /// The reason why no connection can be made, and a remedy, for an operator.
    var sentence: String {
        let remedy =
            if message.contains("read-only") || message.contains("hot standby") {
                "a standby takes no writes: name the primary in HOMING_DATABASE_URL, or all hosts with commas between them"
            } else if message.contains("authentication") || message.contains("no password supplied") {
                "look at the user and the password in HOMING_DATABASE_URL, and at the server's pg_hba.conf"
            } else if message.contains("too many") || message.contains("remaining connection slots") {
                "raise max_connections there, or lower connections= in HOMING_DATABASE_URL"
            } else if message.contains("does not exist") {
                "createdb makes a database; look at its name and the user in HOMING_DATABASE_URL"
            } else {
                "look at the hosts in HOMING_DATABASE_URL, and whether PostgreSQL runs there"
            }
        return "PostgreSQL cannot be used: \(message); \(remedy)"
    }
}

extension PostgresFault {
    /// The error that a result reports: a ``UniqueViolation``, or the fault as it is.
    static func error(of result: OpaquePointer) -> any Error {
        func field(_ code: Int32) -> String? { PQresultErrorField(result, code).map { String(cString: $0) } }
        let state = field(HOMING_PG_SQLSTATE) ?? "XX000"
        if state == "23505", let table = field(HOMING_PG_TABLE), let detail = field(HOMING_PG_DETAIL) {
            // "Key (project, email)=(shop, ann@example.com) already exists.", in whatever language.
            let head = detail.components(before: ")=(")
            let names = head.split(separator: "(").last.map { $0.split(separator: ", ") } ?? []
            return UniqueViolation(columns: names.map { "\(table).\($0)" })
        }
        return PostgresFault(state: state, message: field(HOMING_PG_MESSAGE) ?? "no reason was given")
    }
}

extension String {
    /// The text in front of a mark; all of it where there is none.
    fileprivate func components(before mark: String) -> Substring {
        var rest = self[...]
        while !rest.isEmpty, !rest.hasPrefix(mark) { rest = rest.dropFirst() }
        return self[..<rest.startIndex]
    }
}
