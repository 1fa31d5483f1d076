// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingProjects
package import HomingStore

/// One sign-in: it lives until it is ended, and its refresh token gets ID tokens of an hour each.
package struct Session: Sendable, Equatable {
    package let id: [UInt8]
    package let account: AccountID
    /// `password` (also for mailed links), `anonymous` or `custom`.
    package let provider: String
    package let authTime: Moment
    /// JSON text of the claims of the custom token that began it.
    package var claims: String?
    /// The key version of its refresh token; nil in a session that was read, whose token nobody makes again.
    var keyVersion: UInt8?
}

/// The tokens that a client gets for a sign-in.
package struct Tokens: Sendable {
    package let idToken: String
    package let refreshToken: String
    /// Seconds that the ID token lives.
    package let expiresIn = 3600
}

/// A session whose ID token was verified, with its account.
package struct SignedIn: Sendable {
    package let project: Project
    package let account: Account
    package let session: Session

    /// Whether the sign-in is of the last five minutes, as a change of password or address and a deletion need.
    package func isRecent(at now: Moment) -> Bool {
        now.milliseconds - session.authTime.milliseconds <= 300_000
    }
}
