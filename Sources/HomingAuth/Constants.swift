// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// ``EmailAuthProvider/id``, as code that was written for FirebaseAuth's constants calls it.
public let EmailAuthProviderID = EmailAuthProvider.id
/// The name of signing in with a mailed link, `emailLink`.
public let EmailLinkAuthSignInMethod = "emailLink"
/// The name of signing in with a password, `password`.
public let EmailPasswordAuthSignInMethod = "password"

/// Google's id among providers.
public let GoogleAuthProviderID = GoogleAuthProvider.id
/// Facebook's id among providers.
public let FacebookAuthProviderID = FacebookAuthProvider.id
/// X's id among providers.
public let TwitterAuthProviderID = TwitterAuthProvider.id
/// GitHub's id among providers.
public let GitHubAuthProviderID = GitHubAuthProvider.id
/// The id of phone numbers among providers.
public let PhoneAuthProviderID = PhoneAuthProvider.id
/// The id of Game Center among providers.
public let GameCenterAuthProviderID = "gc.apple.com"

/// The id of a provider, for code that compares ids.
public struct AuthProviderID: Sendable, Equatable {
    /// The id, such as `password`.
    public let rawValue: String

    /// Passwords and mailed links.
    public static let email = AuthProviderID(rawValue: EmailAuthProvider.id)
    /// Apple.
    public static let apple = AuthProviderID(rawValue: "apple.com")
    /// Facebook.
    public static let facebook = AuthProviderID(rawValue: FacebookAuthProvider.id)
    /// Game Center.
    public static let gameCenter = AuthProviderID(rawValue: GameCenterAuthProviderID)
    /// GitHub.
    public static let gitHub = AuthProviderID(rawValue: GitHubAuthProvider.id)
    /// Google.
    public static let google = AuthProviderID(rawValue: GoogleAuthProvider.id)
    /// Phone numbers.
    public static let phone = AuthProviderID(rawValue: PhoneAuthProvider.id)
    /// X.
    public static let twitter = AuthProviderID(rawValue: TwitterAuthProvider.id)
}
