// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
internal import HomingWire

/// What is known of a user without a question to the server.
struct UserProfile: Sendable, Equatable {
    let uid: String
    let email: String?
    let isEmailVerified: Bool
    let displayName: String?
    let photoURL: String?
    /// Whether a password or a mailed link signs this user in.
    let hasEmailProvider: Bool
    let hasProvider: Bool
    /// Whether a back end's custom token has signed this user in.
    let usesCustomTokens: Bool
    let metadata: UserMetadata
    let tenantID: String?

    /// Neither an address nor a provider nor a back end.
    var isAnonymous: Bool { email == nil && !hasProvider && !usesCustomTokens }

    /// An entry of a lookup's `users`, which is also what a session store keeps; nil without an id.
    init?(_ record: JSON.Object) {
        guard let uid = record["localId"]?.stringValue, !uid.isEmpty else { return nil }
        self.uid = uid
        email = record["email"]?.stringValue
        isEmailVerified = record["emailVerified"]?.boolValue ?? false
        displayName = record["displayName"]?.stringValue
        photoURL = record["photoUrl"]?.stringValue
        let providers = record["providerUserInfo"]?.arrayValue ?? []
        hasProvider = !providers.isEmpty
        usesCustomTokens = record["customAuth"]?.boolValue ?? false
        hasEmailProvider = providers.contains { $0.objectValue?["providerId"]?.stringValue == EmailAuthProvider.id }
        metadata = UserMetadata(
            creationDate: Self.date(record["createdAt"]), lastSignInDate: Self.date(record["lastLoginAt"]))
        tenantID = record["tenantId"]?.stringValue
    }

    /// What the ID token of a fresh sign-in says; enough until the next lookup.
    init?(token: String) {
        guard let result = AuthTokenResult(token) else { return nil }
        let claims = result.payload
        guard let uid = claims["user_id"] ?? claims["sub"] else { return nil }
        var record = JSON.Object([("localId", uid)])
        record["email"] = claims["email"]
        record["emailVerified"] = claims["email_verified"]
        record["displayName"] = claims["name"]
        record["photoUrl"] = claims["picture"]
        record["tenantId"] = claims["firebase"]?.objectValue?["tenant"]
        if result.signInProvider.utf8.elementsEqual("custom".utf8) { record["customAuth"] = true }
        if claims["email"] != nil {
            record["providerUserInfo"] = .array([.object(JSON.Object([("providerId", .string(EmailAuthProvider.id))]))])
        }
        self.init(record)
    }

    /// The record that ``init(_:)`` reads.
    var record: JSON.Object {
        var record = JSON.Object([("localId", .string(uid)), ("emailVerified", .bool(isEmailVerified))])
        record["email"] = email.map { .string($0) }
        record["displayName"] = displayName.map { .string($0) }
        record["photoUrl"] = photoURL.map { .string($0) }
        record["tenantId"] = tenantID.map { .string($0) }
        if usesCustomTokens { record["customAuth"] = true }
        record["createdAt"] = Self.milliseconds(metadata.creationDate)
        record["lastLoginAt"] = Self.milliseconds(metadata.lastSignInDate)
        if hasProvider {
            let provider = JSON.Object(hasEmailProvider ? [("providerId", .string(EmailAuthProvider.id))] : [])
            record["providerUserInfo"] = .array([.object(provider)])
        }
        return record
    }

    /// Times travel as milliseconds since 1970, in a string.
    private static func date(_ value: JSON?) -> Date? {
        guard let milliseconds = value?.stringValue.flatMap(Int64.init) else { return nil }
        return Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }

    private static func milliseconds(_ date: Date?) -> JSON? {
        date.map { .string(String(Int64(exactly: ($0.timeIntervalSince1970 * 1000).rounded()) ?? 0)) }
    }
}
