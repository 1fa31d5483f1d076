// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingStore
import HomingWire

extension ImportedAccount {
    static let auth0Columns = [
        "user_id", "alt_id", "_id", "email", "email_verified", "passwordHash", "password_hash", "custom_password_hash",
        "name",
        "picture", "created_at", "last_login", "blocked", "phone_number", "identifiers", "identities", "multifactor",
        "guardian_enrollments", "username", "app_metadata", "user_metadata",
    ]

    /// An object of Auth0's bulk export, of the export of password hashes that its support makes, or of both together
    /// (https://support.auth0.com/center/s/article/How-to-Use-the-Password-Hashes-Export-from-Auth0).
    ///
    /// The id is the whole `user_id`, such as `auth0|5dea…`: that is the `sub` of Auth0's tokens, by which apps have
    /// kept what belongs to a person. The export of hashes has it without the prefix.
    init(auth0 user: AccountRecord, _ reading: AccountReading) throws(Fault) {
        try self.init(id: try Self.auth0ID(user), named: "user_id")
        let mail = try user.records("identifiers", ofType: "email").first
        let (email, other) = (try user.text("email"), try mail?.text("value"))
        try setEmail(email ?? other, for: reading)
        let (isVerified, isOtherVerified) = (try user.flag("email_verified"), try mail?.flag("verified"))
        isEmailVerified = isVerified ?? isOtherVerified ?? false
        let hash = try user.text(oneOf: ["passwordHash", "password_hash"])
        let custom = try user.record("custom_password_hash").text("algorithm")
        try set(
            Result { () throws(Fault) in
                if let custom { throw ImportedPassword.unknown(custom, " (custom_password_hash)") }
                return try .text(hash)
            }, for: reading)
        // Without a name of its own an account is called by its address.
        let address = self.email?.text ?? ""
        try set(.displayName, for: reading) { () throws(Fault) in
            guard let name = try user.text("name"), !ASCII.areEqual(ASCII.lowercased(name), address) else { return nil }
            return name
        }
        try set(.photoURL, for: reading) { () throws(Fault) in try user.text("picture") }
        try setCreation(for: reading) { () throws(Fault) in try user.moment("created_at") }
        try setLastSignIn(for: reading) { () throws(Fault) in try user.moment("last_login") }
        isDisabled = try user.flag("blocked") ?? false
        let phones = try user.records("identifiers", ofType: "phone_number")
        try setPhoneNumber(for: reading) { () throws(Fault) in
            let (phone, identifier) = (try user.text("phone_number"), try phones.first?.text("value"))
            return phone ?? identifier
        }
        if user.value("multifactor") != nil || user.value("guardian_enrollments") != nil { notKept.append("mfaInfo") }
        for provider in try Self.auth0Providers(user, id) where !provider.utf8.elementsEqual("auth0".utf8) {
            notKept.append(provider)
        }
        for name in ["username", "app_metadata", "user_metadata"] where user.value(name) != nil {
            notKept.append(name)
        }
    }

    private static func auth0ID(_ user: AccountRecord) throws(Fault) -> String? {
        if let id = try user.text("user_id") { return id }
        if let own = try user.text("alt_id") { return "auth0|\(own)" }
        if case .object? = user.value("_id") { return try user.record("_id").text("$oid").map { "auth0|\($0)" } }
        return try user.text("_id").map { "auth0|\($0)" }
    }

    private static func auth0Providers(_ user: AccountRecord, _ id: AccountID) throws(Fault) -> [String] {
        let identities = try user.records("identities")
        guard identities.isEmpty else {
            var providers: [String] = []
            for identity in identities {
                if let provider = try identity.text("provider") { providers.append(provider) }
            }
            return providers
        }
        let parts = ASCII.split(id.text, at: UInt8(ascii: "|"))
        return parts.count > 1 ? [String(parts[0])] : []
    }
}
