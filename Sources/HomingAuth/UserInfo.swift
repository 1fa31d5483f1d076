// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

public import Foundation

/// A user as one way of signing in knows them: an entry of ``User/providerData``.
public struct UserInfo: Sendable, Equatable {
    /// The provider's id, `password` for passwords and mailed links alike.
    public let providerID: String
    /// The user's id at the provider: the address.
    public let uid: String
    /// The address.
    public let email: String?
    /// The name to show.
    public let displayName: String?
    /// A picture of the user.
    public let photoURL: URL?
}
