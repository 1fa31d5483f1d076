// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

public import Foundation

/// When an account was made and last used, as of the last ``User/reload()``.
public struct UserMetadata: Sendable, Equatable {
    /// When the account was made.
    public let creationDate: Date?
    /// When somebody last signed in with it.
    public let lastSignInDate: Date?
}
