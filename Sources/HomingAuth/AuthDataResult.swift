// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// Who signed in.
public struct AuthDataResult: Sendable {
    /// The user.
    public let user: User
    /// What the sign-in told besides.
    public let additionalUserInfo: AdditionalUserInfo?
}

/// What a sign-in told besides the user.
public struct AdditionalUserInfo: Sendable {
    /// The provider's id, `password`; `anonymous` for nobody in particular, `custom` for whom a back end has signed in.
    public let providerID: String
    /// Whether the sign-in made the account.
    public let isNewUser: Bool
}
