// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
package import HomingWire

/// The five kinds of action code that Homing makes. The raw value is what the database keeps.
package enum ActionCodeKind: Int64, Sendable, CaseIterable, Bindable {
    case passwordReset = 1
    case verifyEmail = 2
    case signIn = 3
    case verifyAndChangeEmail = 4
    case recoverEmail = 5

    /// Those that somebody asks for, in the order of ``allCases``.
    package static let requested = allCases.filter { $0 != .recoverEmail }

    /// The name on the wire and in settings.
    package var name: String { requestType.name }

    package var requestType: ActionRequestType {
        switch self {
        case .passwordReset: .passwordReset
        case .verifyEmail: .verifyEmail
        case .signIn: .emailSignIn
        case .verifyAndChangeEmail: .verifyAndChangeEmail
        case .recoverEmail: .recoverEmail
        }
    }

    /// What the link does, in words.
    package var title: String {
        switch self {
        case .passwordReset: "Password reset"
        case .verifyEmail: "Email verification"
        case .signIn: "Sign-in link"
        case .verifyAndChangeEmail: "Email change confirmation"
        case .recoverEmail: "Email changed notice"
        }
    }

    /// The `mode` in links.
    package var mode: ActionMode {
        switch self {
        case .passwordReset: .resetPassword
        case .verifyEmail: .verifyEmail
        case .signIn: .signIn
        case .verifyAndChangeEmail: .verifyAndChangeEmail
        case .recoverEmail: .recoverEmail
        }
    }

    /// Seconds from the mail to the end of the link, unless the project says otherwise.
    package var standardLifetime: Int {
        switch self {
        case .passwordReset, .signIn: 3600
        case .verifyEmail, .verifyAndChangeEmail: 259_200
        case .recoverEmail: 2_592_000
        }
    }
}
