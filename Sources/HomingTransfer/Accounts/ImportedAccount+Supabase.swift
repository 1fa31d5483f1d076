// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingWire

extension ImportedAccount {
    /// What the metadata of a user has for Homing, and what Supabase itself writes there.
    private static let names = ["full_name", "name"]
    private static let pictures = ["avatar_url", "picture"]
    private static let written: Set<String> = [
        "email", "email_verified", "phone_verified", "sub", "iss", "provider_id", "provider", "providers",
    ]

    static let supabaseColumns = [
        "id", "email", "encrypted_password", "email_confirmed_at", "last_sign_in_at", "created_at", "banned_until",
        "phone",
        "deleted_at", "raw_user_meta_data", "raw_app_meta_data",
    ]

    /// A row of `auth.users`, as CSV or as JSON
    /// (https://github.com/supabase/auth/blob/master/internal/models/user.go).
    init(supabase row: AccountRecord, _ reading: AccountReading) throws(Fault) {
        try self.init(id: try row.text("id"), named: "id")
        guard row.value("deleted_at") == nil else { throw Fault("the account was deleted (deleted_at)") }
        try setEmail(try row.text("email"), for: reading)
        isEmailVerified = row.value("email_confirmed_at") != nil
        let hash = try row.text("encrypted_password")
        try set(Result { () throws(Fault) in try .text(hash) }, for: reading)
        let person = try row.record("raw_user_meta_data")
        try set(.displayName, for: reading) { () throws(Fault) in try person.text(oneOf: Self.names) }
        try set(.photoURL, for: reading) { () throws(Fault) in try person.text(oneOf: Self.pictures) }
        try setCreation(for: reading) { () throws(Fault) in try row.moment("created_at") }
        try setLastSignIn(for: reading) { () throws(Fault) in try row.moment("last_sign_in_at") }
        // PostgreSQL has a time that never comes.
        if try row.text("banned_until")?.utf8.elementsEqual("infinity".utf8) == true {
            isDisabled = true
        } else if let end = try row.moment("banned_until") {
            isDisabled = end > reading.now
        }
        try setPhoneNumber(for: reading) { () throws(Fault) in try row.text("phone") }
        let app = try row.record("raw_app_meta_data")
        for case .string(let provider) in app.object["providers"]?.arrayValue ?? [app.object["provider"] ?? .null]
        where !provider.utf8.elementsEqual("email".utf8) && !provider.utf8.elementsEqual("phone".utf8) {
            notKept.append(provider)
        }
        if !app.names(except: Self.written).isEmpty { notKept.append("raw_app_meta_data") }
        let known = Self.written.union(Self.names).union(Self.pictures)
        if !person.names(except: known).isEmpty { notKept.append("raw_user_meta_data") }
    }
}
