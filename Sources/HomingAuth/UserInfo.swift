// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

public import Foundation

/// A user as one way of signing in knows them: an entry of ``User/providerData``, and the ``User``.
public protocol UserInfo: Sendable {
    /// The provider's id, `password` for passwords and mailed links alike.
    var providerID: String { get }
    /// The user's id at the provider: the address.
    var uid: String { get }
    /// The address.
    var email: String? { get }
    /// The name to show.
    var displayName: String? { get }
    /// A picture of the user.
    var photoURL: URL? { get }
    /// Always nil: Homing keeps no phone numbers.
    var phoneNumber: String? { get }
}

extension UserInfo {
    /// Always nil: Homing keeps no phone numbers.
    public var phoneNumber: String? { nil }
}

/// A user as the email provider knows them.
struct EmailUserInfo: UserInfo {
    let providerID = EmailAuthProvider.id
    let email: String?
    let displayName: String?
    let photoURL: URL?

    var uid: String { email ?? "" }
}

extension User: UserInfo {}
