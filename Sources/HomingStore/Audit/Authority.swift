// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// On whose authority something changes.
///
/// A change by ``person(_:)``, ``command`` or ``backEnd(key:)`` is an operator's and is kept in the audit log. What an
/// app's own user changes about itself, what an app makes, and what the server does by itself, is not: that log is
/// about operators.
package enum Authority: Sendable, Equatable {
    /// Somebody on the server, with a command.
    case command
    /// A person in the console, by the address.
    case person(String)
    /// A back end, by the id of its admin key or service account; nil for `owner`.
    case backEnd(key: String?)
    /// An app's own user, by the account's id, who changes that account.
    case user(AccountID)
    /// An app, by the key of its project, which everybody who has the app can read.
    case app
    /// The server by itself: what time, a mail that came back, or a sign-in brings about.
    case server

    /// The authority as the log keeps it: `command`, an address, or `key ID`.
    package var text: String {
        switch self {
        case .command: "command"
        case .person(let address): address
        case .backEnd(let key): key.map { "key \($0)" } ?? "owner"
        case .user(let id): "user \(id)"
        case .app: "app"
        case .server: "server"
        }
    }

    /// Whether its changes are kept in the audit log.
    package var isOperator: Bool {
        switch self {
        case .command, .person, .backEnd: true
        case .user, .app, .server: false
        }
    }
}
