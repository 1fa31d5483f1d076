// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCore
import HomingPasswords
import HomingProjects
import HomingStore
import HomingWire

/// An account in the form that clients and back ends read (Identity Toolkit v1).
enum AccountRecord {
    /// Base64 of `REDACTED`, which stands for every password.
    static let redacted: JSON = "UkVEQUNURUQ="

    /// - Parameter schemes: how the project's imported hashes were made, by their ids, where the hash of the password
    ///   is told, as an export writes it; nil where it is not.
    static func json(_ account: Account, in project: Project, telling schemes: [String: PasswordScheme]? = nil) -> JSON
    {
        let hash = schemes == nil ? nil : account.exportedHash
        let beginning: [(String, JSON?)] = [
            ("localId", .string(account.id.text)), ("email", account.email.map { .string($0.text) }),
        ]
        let state: [(String, JSON?)] = [
            ("passwordHash", hash.map { .string($0.hash) } ?? account.passwordHash.map { _ in redacted }),
            ("salt", hash.map { .string($0.salt) }),
            ("version", hash == nil ? nil : version(account, schemes ?? [:])),
            ("emailVerified", account.email.map { _ in .bool(account.isEmailVerified) }),
            ("passwordUpdatedAt", account.passwordUpdatedAt.map { .int($0.milliseconds) }),
            ("providerUserInfo", providers(account)),
            ("validSince", .string(String(account.validSince))),
            ("disabled", .bool(account.isDisabled)),
            ("lastLoginAt", account.lastLoginAt.map { .string(String($0.milliseconds)) }),
            ("createdAt", .string(String(account.createdAt.milliseconds))),
        ]
        let end: [(String, JSON?)] = [
            ("emailLinkSignin", account.usesEmailLink ? true : nil),
            ("customAuth", account.usesCustomTokens ? true : nil),
            ("initialEmail", account.initialEmail.map { .string($0) }),
            ("lastRefreshAt", account.lastRefreshAt.map { .string($0.timestamp) }),
            ("tenantId", project.tenant.map { .string($0.id.text) }),
        ]
        return .object(
            beginning + texts(account, permitting: false) + state + texts(account, permitting: true) + end)
    }

    private static func texts(_ account: Account, permitting mayPermit: Bool) -> [(String, JSON?)] {
        AccountText.all.filter { $0.mayPermit == mayPermit }.map { text in
            (text.member, account[keyPath: text.place].map { .string($0) })
        }
    }

    /// 0 for Firebase's own scrypt; a hash of any other kind has none, and `firebase auth:export` leaves it out.
    private static func version(_ account: Account, _ schemes: [String: PasswordScheme]) -> JSON? {
        let scheme = ImportedHash(account.passwordHash).flatMap { schemes[$0.scheme] }
        guard case .firebaseScrypt? = scheme else { return nil }
        return 0
    }

    /// In production's order: the entry of `password`, which stands for passwords and mailed links alike, those of
    /// other providers, that of `phone`.
    static func providers(_ account: Account) -> JSON? {
        var entries: [JSON] = []
        if account.hasEmailProvider, let email = account.email?.text {
            entries.append(
                .object([
                    ("providerId", "password"), ("displayName", account.displayName.map { .string($0) }),
                    ("photoUrl", account.photoURL.map { .string($0) }), ("federatedId", .string(email)),
                    ("email", .string(email)), ("rawId", .string(email)),
                ]))
        }
        entries += account.identities.map(\.json)
        if let phone = account.phoneNumber {
            entries.append(["providerId": "phone", "phoneNumber": .string(phone), "rawId": .string(phone)])
        }
        return entries.isEmpty ? nil : .array(entries)
    }
}
