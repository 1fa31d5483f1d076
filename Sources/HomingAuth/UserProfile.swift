// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingWire

/// What is known of a user without a question to the server.
struct UserProfile: Sendable, Equatable {
    let uid: String
    var email: String?
    var isEmailVerified = false
    /// Neither an address nor a provider.
    var isAnonymous = false
    /// Whether a password or a mailed link signs this user in.
    var hasEmailProvider = false

    /// An entry of a lookup's `users`; nil without an id.
    init?(_ record: JSON.Object) {
        guard let uid = record["localId"]?.stringValue, !uid.isEmpty else { return nil }
        self.uid = uid
        email = record["email"]?.stringValue
        isEmailVerified = record["emailVerified"]?.boolValue ?? false
        let providers = record["providerUserInfo"]?.arrayValue ?? []
        hasEmailProvider = providers.contains { $0.objectValue?["providerId"]?.stringValue == EmailAuthProvider.id }
        isAnonymous = email == nil && providers.isEmpty
    }

    init(uid: String, email: String?, isEmailVerified: Bool, isAnonymous: Bool, hasEmailProvider: Bool) {
        self.uid = uid
        self.email = email
        self.isEmailVerified = isEmailVerified
        self.isAnonymous = isAnonymous
        self.hasEmailProvider = hasEmailProvider
    }
}
