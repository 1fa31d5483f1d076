// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase

/// One sign-in: it lives until it is ended, and its refresh token gets ID tokens of an hour each.
package struct Session: Sendable, Equatable {
    package let id: [UInt8]
    package let account: String
    /// `password` (also for mailed links) or `anonymous`.
    package let provider: String
    package let authTime: Moment
}

/// What a client gets for a sign-in.
package struct Tokens: Sendable {
    package let idToken: String
    package let refreshToken: String
    /// Seconds that the ID token lives.
    package let expiresIn = 3600
}

/// A session whose ID token has been believed, with its account.
package struct SignedIn: Sendable {
    package let project: Project
    package let account: Account
    package let session: Session

    /// The account as it is inside a transaction, when the session still lives: another verb may have ended it since the
    /// token was believed.
    func confirmed(_ connection: borrowing Connection) throws -> Account {
        guard let current = try AccountRows.find(account.id, in: project.id, connection) else {
            throw Refusal.userNotFound
        }
        let living = try connection.run(
            """
            SELECT 1 FROM sessions WHERE project = \(project.id) AND id = \(session.id) AND ended_at IS NULL
            """)
        guard !living.isEmpty else { throw Refusal.tokenExpired }
        guard !current.isDisabled else { throw Refusal.userDisabled }
        return current
    }

    /// Whether the sign-in is of the last five minutes, as changes of password, address and deletion want.
    package func isRecent(at now: Moment) -> Bool {
        now.milliseconds - session.authTime.milliseconds <= 300_000
    }
}
