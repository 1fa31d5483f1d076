// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingDatabase

extension Refusal {
    /// - Parameter database: the reason where the database is the one that does not keep up, for operators; it is the
    ///   cause.
    package static func overloaded(retryAfterSeconds seconds: Int, database: DatabaseUnavailable? = nil) -> Refusal {
        Refusal(
            .overloaded, "The server is busy. Try again in a moment.", status: .unavailable, retryAfter: seconds,
            cause: database)
    }

    /// The database does not answer now.
    package static func databaseUnavailable(_ reason: DatabaseUnavailable) -> Refusal {
        .overloaded(retryAfterSeconds: 1, database: reason)
    }

    /// This node lacks the master key in use: another one will do it, or this one when it has got the file.
    package static let keyMissing = Refusal.overloaded(retryAfterSeconds: 2)
    /// A `nextPageToken` that this server has not given for the list.
    package static let invalidPageSelection = Refusal(
        "INVALID_PAGE_SELECTION", "nextPageToken is not one that this list has given.")
}

extension Refusal.Code {
    package static let overloaded: Self = "UNAVAILABLE"
}
