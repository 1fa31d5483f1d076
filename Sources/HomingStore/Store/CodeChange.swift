// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// A change of action codes that somebody may wait for.
package struct CodeChange: Sendable, Hashable {
    /// Whose code, or codes, have another state now.
    package enum Whose: Sendable, Hashable {
        /// The code with this id.
        case id([UInt8])
        /// Those that were asked for the address with this digest: a newer request has taken their place.
        case digest(String)
        /// Those of an account.
        case account(AccountID)
    }

    package let project: Scope
    package let kind: ActionCodeKind
    package let whose: Whose

    package init(_ kind: ActionCodeKind, of whose: Whose, in project: Scope) {
        self.project = project
        self.kind = kind
        self.whose = whose
    }
}
