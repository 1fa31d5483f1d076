// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// An account with everything that the emulator shows of it: nothing is hidden.
struct Account {
    let id: String
    /// The tenant that the account lives in.
    var tenant: String?
    var email: String?
    /// Nil where nobody has said, as for anonymous accounts.
    var isEmailVerified: Bool?
    var displayName: String?
    var photoURL: String?
    var phoneNumber: String?
    var isDisabled: Bool?
    var passwordHash: String?
    var salt: String?
    /// Moments are in milliseconds, but for `validSince`.
    var passwordUpdatedAt: Int64?
    var validSince: Int64?
    var createdAt: Int64?
    var lastLoginAt: Int64?
    var lastRefreshAt: String?
    var customAttributes: String?
    var hasCustomAuth = false
    var usesEmailLink = false
    var initialEmail: String?
    var secondFactors: [JSON]?
    /// Nil until the account had a provider.
    private(set) var providers: [JSON.Object]?

    init(id: String) { self.id = id }

    // MARK: Passwords

    /// The emulator's form of a hash, which hides nothing, as Firebase's emulator and its export files have it.
    static func hash(of password: String, salt: String) -> String { "fakeHash:salt=\(salt):password=\(password)" }

    mutating func setPassword(_ password: String, salt: String, at now: Int64) {
        self.salt = salt
        passwordHash = Self.hash(of: password, salt: salt)
        passwordUpdatedAt = now
    }

    func hasPassword(_ password: String) -> Bool {
        guard let passwordHash, let salt else { return false }
        return passwordHash.utf8.elementsEqual(Self.hash(of: password, salt: salt).utf8)
    }

    // MARK: Providers

    /// Puts an entry in the place of the one of the same provider, or behind all others.
    mutating func link(_ entry: JSON.Object) {
        var entries = providers ?? []
        if let index = entries.firstIndex(where: { $0["providerId"] == entry["providerId"] }) {
            entries[index] = entry
        } else {
            entries.append(entry)
        }
        providers = entries
    }

    mutating func unlink(_ provider: String) {
        providers?.removeAll { $0["providerId"]?.stringValue == provider }
    }

    /// The providers but for those that follow from address and phone number.
    var federated: [(provider: String, id: String)] {
        (providers ?? []).compactMap { entry in
            guard let provider = entry["providerId"]?.stringValue, let id = entry["rawId"]?.stringValue,
                provider != "password", provider != "phone"
            else { return nil }
            return (provider, id)
        }
    }

    mutating func unlinkAll() { providers = providers.map { _ in [] } }

    /// Brings the entries that follow from address and phone number up to date.
    mutating func settleProviders() {
        if let email, passwordHash != nil || usesEmailLink {
            var entry = JSON.Object([
                ("providerId", "password"), ("email", .string(email)), ("federatedId", .string(email)),
                ("rawId", .string(email)),
            ])
            entry["displayName"] = displayName.map { .string($0) }
            entry["photoUrl"] = photoURL.map { .string($0) }
            link(entry)
        } else {
            unlink("password")
        }
        if let phoneNumber {
            link([("providerId", "phone"), ("phoneNumber", .string(phoneNumber)), ("rawId", .string(phoneNumber))])
        } else {
            unlink("phone")
        }
    }

    private mutating func link(_ members: [(String, JSON)]) { link(JSON.Object(members)) }

    // MARK: Showing

    var providersJSON: JSON? { providers.map { .array($0.map { .object($0) }) } }

    var json: JSON {
        .object([
            ("localId", .string(id)), ("createdAt", createdAt.map { .string(String($0)) }),
            ("lastLoginAt", lastLoginAt.map { .string(String($0)) }),
            ("lastRefreshAt", lastRefreshAt.map { .string($0) }), ("email", email.map { .string($0) }),
            ("emailVerified", isEmailVerified.map { .bool($0) }), ("displayName", displayName.map { .string($0) }),
            ("photoUrl", photoURL.map { .string($0) }), ("phoneNumber", phoneNumber.map { .string($0) }),
            ("disabled", isDisabled.map { .bool($0) }), ("passwordHash", passwordHash.map { .string($0) }),
            ("salt", salt.map { .string($0) }), ("passwordUpdatedAt", passwordUpdatedAt.map { .int($0) }),
            ("validSince", validSince.map { .string(String($0)) }),
            ("customAttributes", customAttributes.map { .string($0) }), ("customAuth", hasCustomAuth ? true : nil),
            ("emailLinkSignin", usesEmailLink ? true : nil), ("initialEmail", initialEmail.map { .string($0) }),
            ("tenantId", tenant.map { .string($0) }), ("mfaInfo", secondFactors.map { .array($0) }),
            ("providerUserInfo", providersJSON),
        ])
    }
}
