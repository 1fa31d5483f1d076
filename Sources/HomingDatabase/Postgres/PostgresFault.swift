// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

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
}
