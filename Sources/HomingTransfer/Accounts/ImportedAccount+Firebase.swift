// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore
import HomingLinkRules
package import HomingPasswords
import HomingStore
package import HomingWire

/// What `firebase auth:export` writes, and `homing account export`.
extension ImportedAccount {
    /// A member of `users`, as `firebase auth:export` writes it
    /// (https://firebase.google.com/docs/cli/auth).
    ///
    /// - Parameter scheme: how the hashes were made; nil where nobody says.
    package init(_ user: JSON.Object, _ scheme: PasswordScheme?) throws(Fault) {
        try self.init(firebase: user, AccountReading(isFile: false, scheme: scheme))
    }

    /// The members that are understood, by their names without case and underscores.
    private static let members = Dictionary(
        uniqueKeysWithValues: ([
            "localId", "email", "emailVerified", "passwordHash", "salt", "createdAt", "lastSignedInAt", "lastLoginAt",
            "disabled", "providerUserInfo", "mfaInfo", "tenantId",
        ] + AccountText.all.map(\.member)).map { (Heading($0).plain, $0) })

    /// A member of a file's `users`. One whose name is nearly that of a member is refused: without its `Disabled`
    /// somebody who is blocked would come in.
    init(file user: JSON.Object, _ reading: AccountReading) throws(Fault) {
        for member in user.members {
            let heading = Heading(member.key)
            guard let name = Self.members[heading.plain], user[name] == nil else { continue }
            throw Fault("\(heading.quoted) is not known and may mean \(name): call it so")
        }
        try self.init(firebase: user, reading)
    }

    /// The same, of a file: where Homing wrote it, each account says how its own hash was made.
    init(firebase user: JSON.Object, _ reading: AccountReading) throws(Fault) {
        func text(_ name: String) throws(Fault) -> String? {
            switch user[name] {
            case nil, .null?: return nil
            case .string(let text)?: return text
            case .int(let number)?: return String(number)
            default: throw Fault("\(name) is no text")
            }
        }
        func flag(_ name: String) throws(Fault) -> Bool {
            switch user[name] {
            case nil, .null?: return false
            case .bool(let value)?: return value
            default: throw Fault("\(name) is not true or false")
            }
        }
        try self.init(id: try text("localId"))
        try setEmail(try text("email"), for: reading)
        isEmailVerified = try flag("emailVerified")
        let (hash, salt, name) = (try text("passwordHash"), try text("salt"), try text("hashConfig"))
        if let name, reading.oldSystemNames.contains(name) {
            try set(.failure(.wantsOldSystem), for: reading)
            if let oldSystem = reading.oldSystem { setPassword(of: oldSystem) }
        } else {
            try set(Result { () throws(Fault) in try .firebase(hash, salt, reading.scheme(named: name)) }, for: reading)
        }
        guard user["rawPassword"] == nil else { throw Fault("rawPassword is not offered: create the account with it") }
        try setTexts(for: reading, text)
        try setCreation(for: reading) { () throws(Fault) in try Self.moment(try text("createdAt")) }
        try setLastSignIn(for: reading) { () throws(Fault) in
            let signedInAt = try text("lastSignedInAt")
            return try Self.moment(signedInAt == nil ? text("lastLoginAt") : signedInAt)
        }
        isDisabled = try flag("disabled")
        usesEmailLink = try flag("emailLinkSignin")
        if let first = try text("initialEmail") {
            initialEmail = (try? EmailAddress(parsing: first))?.text
            if initialEmail == nil { notKept.append("initialEmail") }
        }
        usesCustomTokens = try flag("customAuth")
        tenant = try text("tenantId").flatMap { $0.isEmpty ? nil : TenantID($0) }
        if case .array(let factors)? = user["mfaInfo"], !factors.isEmpty { notKept.append("mfaInfo") }
        if case .array(let providers)? = user["providerUserInfo"] {
            for case .object(let provider) in providers {
                if provider["providerId"] == .string("phone") { keepPhoneNumber(ofProvider: provider) }
                try link(provider, for: reading)
            }
        }
    }

    /// The first columns of an identity provider, and its name.
    private static let providerColumns = [
        (7, "google.com"), (11, "facebook.com"), (15, "twitter.com"), (19, "github.com"), (28, "apple.com"),
        (32, "microsoft.com"), (36, "gc.apple.com"), (40, "playgames.google.com"), (44, "linkedin.com"),
        (48, "yahoo.com"),
    ]

    /// A row of the CSV file, which has no header.
    init(_ fields: [String], _ reading: AccountReading) throws(Fault) {
        func field(_ index: Int) -> String? { index < fields.count && !fields[index].isEmpty ? fields[index] : nil }
        func flag(_ index: Int) throws(Fault) -> Bool {
            switch field(index) {
            case nil, "false": return false
            case "true": return true
            default: throw Fault("column \(index + 1) is not true or false")
            }
        }
        guard fields.count >= 5 else {
            throw Fault("there are \(fields.count) columns, where auth:export writes 28 and more")
        }
        try self.init(id: field(0))
        try setEmail(field(1), for: reading)
        isEmailVerified = try flag(2)
        try set(Result { () throws(Fault) in try .firebase(field(3), field(4), reading.scheme) }, for: reading)
        try set(.displayName, for: reading) { field(5) }
        try set(.photoURL, for: reading) { field(6) }
        try setCreation(for: reading) { () throws(Fault) in try Self.moment(field(23)) }
        try setLastSignIn(for: reading) { () throws(Fault) in try Self.moment(field(24)) }
        try set(.phoneNumber, for: reading) { field(25) }
        isDisabled = try flag(26)
        try set(.customAttributes, for: reading) { field(27) }
        for (column, name) in Self.providerColumns {
            guard let id = field(column) else { continue }
            var entry = JSON.Object([("providerId", .string(name)), ("rawId", .string(id))])
            // Behind the id: address, name, picture.
            for (offset, member) in ["email", "displayName", "photoUrl"].enumerated() {
                entry[member] = field(column + offset + 1).map { .string($0) }
            }
            try link(entry, for: reading)
        }
    }
}
