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
}

/// The connection ended while a commit was under way: what was written may be there or not.
package struct CommitUnknown: Error, CustomStringConvertible {
    package let description = "the connection to the database ended during a commit; whether it took place is unknown"
}

/// More verbs wait than the database gets done. A caller may come back in a moment.
package struct DatabaseBusy: Error, CustomStringConvertible {
    package let description = "too many requests wait for the database"
}

/// The connection to the server is gone. Nothing was committed.
struct ConnectionLost: Error {
    let message: String
}
