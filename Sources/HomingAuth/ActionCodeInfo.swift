// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// What the server tells about an action code without using it up.
public struct ActionCodeInfo: Sendable, Equatable {
    /// What the code does.
    public let operation: ActionCodeOperation
    /// The address that the code is about, for a change of address the new one.
    ///
    /// Empty for a sign-in link: whoever found the link would learn what it takes to use it.
    public let email: String
    /// The address before, when the code changes an address or takes a change back.
    public let previousEmail: String?

    init(operation: ActionCodeOperation, email: String?, newEmail: String?) {
        self.operation = operation
        self.email = newEmail ?? email ?? ""
        previousEmail = newEmail == nil ? nil : email
    }
}
