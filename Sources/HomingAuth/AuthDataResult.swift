// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// Who signed in.
public struct AuthDataResult: Sendable {
    /// The user.
    public let user: User
    /// What the sign-in told besides.
    public let additionalUserInfo: AdditionalUserInfo?

    /// Always nil: there are no tokens of another provider.
    public var credential: AuthCredential? { nil }
}

/// What a sign-in told besides the user.
public struct AdditionalUserInfo: Sendable {
    /// The provider's id, `password`; `anonymous` for nobody in particular, `custom` for whom a back end has signed in.
    public let providerID: String
    /// Whether the sign-in made the account.
    public let isNewUser: Bool

    /// Always nil: no other provider has a profile.
    public var profile: [String: Any]? { nil }
    /// Always nil: no other provider has a name for the user.
    public var username: String? { nil }
}
