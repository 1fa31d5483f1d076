// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import CLibPQ

/// An error that PostgreSQL reports for a statement.
package struct PostgresFault: Error, CustomStringConvertible {
    /// Five characters (PostgreSQL's appendix A), such as `40001`.
    package let state: String
    package let message: String

    package init(state: String, message: String) {
        self.state = state
        self.message = message
    }

    package var description: String {
        // insufficient_privilege
        let remedy =
            state == "42501"
            ? "; let the user of HOMING_DATABASE_URL own the database (createdb -O USER), or GRANT it CREATE on the schema"
            : ""
        return "PostgreSQL: \(message) (\(state))\(remedy)"
    }

    /// Whether the same transaction may succeed when it is run again: a serialisation failure or a deadlock.
    var wantsRepeat: Bool { state == "40001" || state == "40P01" }

    /// Whether something has that name already, as an index has that another run has just made.
    var isOfTakenName: Bool { state == "42P07" }

    /// What a caller hears of a fault that may be gone in a moment; nil for others.
    package var unavailable: DatabaseUnavailable? {
        switch state {
        case "40001", "40P01": .busy
        case "55P03": .locked
        case "57014": .slow
        case "53100": .full
        default: nil
        }
    }

    /// Whether the server is about to end the connection, or takes no writes because another one is the primary now.
    var endsConnection: Bool {
        state == "25006" || state.hasPrefix("08") || (state.hasPrefix("57P"))
    }
}

/// The connection to the server is gone, or does not answer. Nothing was committed.
package struct ConnectionLost: Error {
    let message: String

    /// - Parameter message: libpq's, which of several hosts has the reasons of all.
    package init(message: String) {
        self.message = message
    }

    /// The reason why no connection can be made, and a remedy, for an operator.
    package var sentence: String {
        let remedy = Self.remedies.first { $0.marks.contains { message.contains($0) } }?.remedy
        return "PostgreSQL cannot be used: \(message); "
            + (remedy ?? "look at the hosts in HOMING_DATABASE_URL, and whether PostgreSQL runs there")
    }

    /// Whether a server answered, and has no connection to give.
    var isForLackOfConnections: Bool { Self.noConnectionsLeft.contains { message.contains($0) } }

    private static let noConnectionsLeft = ["too many", "remaining connection slots", "no more connections allowed"]
    private static let wrongPassword = ["password authentication failed", "no password supplied"]
    private static let lookAtPassword =
        "look at the user and the password in HOMING_DATABASE_URL, and at the server's pg_hba.conf"

    /// By words of libpq's and the server's messages. What a working server says goes before what a standby beside it
    /// says, and what is precise before what is part of many messages.
    private static let remedies: [(marks: [String], remedy: String)] = [
        // Where TLS alone is let in, libpq's second try, without it, has a message of its own behind this one.
        (wrongPassword, lookAtPassword),
        (
            ["unsupported startup parameter"],
            "PgBouncer answers there: add prepared=off to HOMING_DATABASE_URL, or name PostgreSQL itself"
        ),
        (
            noConnectionsLeft,
            "raise max_connections there, or lower connections= in HOMING_DATABASE_URL"
        ),
        (
            ["no pg_hba.conf entry"],
            "look at sslmode in HOMING_DATABASE_URL; or add a line for this user, database and address to the server's "
                + "pg_hba.conf, and reload it"
        ),
        (
            ["does not match host name"],
            "name the server in HOMING_DATABASE_URL as its certificate does (hostaddr= may say where it is)"
        ),
        (
            ["certificate", "SSL", "sslmode"],
            "look at sslmode and sslrootcert in HOMING_DATABASE_URL, and at the server's certificate"
        ),
        (["authentication"], lookAtPassword),
        (
            ["read-only", "hot standby"],
            "a standby takes no writes: name the primary in HOMING_DATABASE_URL, or all hosts with commas between them; where "
                + "all are named, look whether the primary runs"
        ),
        (
            ["does not exist"],
            "createdb makes a database; look at its name and the user in HOMING_DATABASE_URL"
        ),
    ]
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
