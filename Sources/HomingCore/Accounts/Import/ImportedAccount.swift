// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
package import HomingWire

/// One account as another system has exported it, checked.
package struct ImportedAccount: Sendable {
    package let id: String
    package var email: EmailAddress?
    package var isEmailVerified = false
    /// Hash and salt, in the scheme of the import.
    var password: (hash: [UInt8], salt: [UInt8])?
    package var hasPassword: Bool { password != nil }
    package var displayName: String?
    package var photoURL: String?
    package var createdAt: Moment?
    package var lastLoginAt: Moment?
    package var isDisabled = false
    package var customAttributes: String?
    /// What the account has and Homing does not offer, such as `phoneNumber` and `google.com`.
    package var notKept: [String] = []

    /// Why a row is not taken, in the words of Identity Toolkit where it has some.
    package struct Fault: Error, Hashable, CustomStringConvertible {
        package let description: String

        package init(_ description: String) { self.description = description }

        package static let alreadyHere = Fault("localId belongs to an existing account - can not overwrite.")
    }

    private init(id: String?) throws(Fault) {
        guard let id, !id.isEmpty else { throw Fault("localId is missing") }
        guard id.utf8.count <= 128, id.utf8.allSatisfy({ !ASCII.isControl($0) }) else {
            throw Fault("localId has more than 128 bytes, or control characters")
        }
        self.id = id
    }

    private mutating func setEmail(_ text: String?) throws(Fault) {
        guard let text, !text.isEmpty else { return }
        guard let address = try? EmailAddress(parsing: text) else { throw Fault("email is invalid") }
        email = address
    }

    private mutating func setPassword(_ hash: String?, _ salt: String?, _ scheme: PasswordScheme?) throws(Fault) {
        // What `auth:export` writes to somebody who may not see hashes.
        guard let hash, !hash.isEmpty, hash != "UkVEQUNURUQ=" else { return }
        guard let scheme else { throw Fault("there is a password hash, and nothing says how it was made") }
        // bcrypt and argon2 have their text in many exports, and its base64 in Firebase's.
        let isText = (scheme == .bcrypt || scheme == .argon2) && hash.utf8.first == UInt8(ascii: "$")
        guard let bytes = isText ? Array(hash.utf8) : Self.decode(hash), scheme.takes(bytes) else {
            throw Fault("passwordHash is none of this algorithm")
        }
        guard let salt = Self.decode(salt ?? ""), salt.count <= 512 else { throw Fault("salt is not base64") }
        password = (bytes, salt)
    }

    private mutating func setName(_ name: String?, photo: String?) throws(Fault) {
        displayName = name.flatMap { $0.isEmpty ? nil : $0 }
        photoURL = photo.flatMap { $0.isEmpty ? nil : $0 }
        guard (displayName?.unicodeScalars.count ?? 0) <= 256 else {
            throw Fault("displayName has more than 256 characters")
        }
        guard (photoURL?.utf8.count ?? 0) <= 2048 else { throw Fault("photoUrl has more than 2048 bytes") }
    }

    private mutating func setClaims(_ text: String?) throws(Fault) {
        guard let text, !text.isEmpty else { return }
        do {
            try CustomClaims.check(text)
        } catch .claimsTooLarge {
            throw Fault("Custom claims provided are too large.")
        } catch .forbiddenClaim {
            throw Fault("Custom claims provided include a reserved claim.")
        } catch {
            throw Fault("Invalid custom claims provided.")
        }
        customAttributes = text
    }

    /// Base64 of either alphabet, with padding or without.
    package static func decode(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        for byte in text.utf8 where byte != UInt8(ascii: "=") {
            switch byte {
            case UInt8(ascii: "-"): bytes.append(UInt8(ascii: "+"))
            case UInt8(ascii: "_"): bytes.append(UInt8(ascii: "/"))
            default: bytes.append(byte)
            }
        }
        bytes += [UInt8](repeating: UInt8(ascii: "="), count: (4 - bytes.count % 4) % 4)
        return Data(base64Encoded: Data(bytes)).map(Array.init)
    }

    private static func moment(_ text: String?) throws(Fault) -> Moment? {
        guard let text, !text.isEmpty else { return nil }
        guard let milliseconds = Int64(text), (0...253_402_300_799_999).contains(milliseconds) else {
            throw Fault("a time is not in milliseconds since 1970")
        }
        return Moment(milliseconds: milliseconds)
    }
}

// MARK: - What `firebase auth:export` writes

extension ImportedAccount {
    /// A member of `users`, as `firebase auth:export` writes it
    /// (https://firebase.google.com/docs/cli/auth).
    package init(_ user: JSON.Object, _ scheme: PasswordScheme?) throws(Fault) {
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
        try setEmail(try text("email"))
        isEmailVerified = try flag("emailVerified")
        try setPassword(try text("passwordHash"), try text("salt"), scheme)
        guard user["rawPassword"] == nil else { throw Fault("rawPassword is not offered: create the account with it") }
        try setName(try text("displayName"), photo: try text("photoUrl"))
        createdAt = try Self.moment(try text("createdAt"))
        let signedInAt = try text("lastSignedInAt")
        lastLoginAt = try Self.moment(signedInAt == nil ? text("lastLoginAt") : signedInAt)
        isDisabled = try flag("disabled")
        try setClaims(try text("customAttributes"))
        if try text("phoneNumber") != nil { notKept.append("phoneNumber") }
        if case .array(let factors)? = user["mfaInfo"], !factors.isEmpty { notKept.append("mfaInfo") }
        if case .array(let providers)? = user["providerUserInfo"] {
            for case .object(let provider) in providers {
                guard case .string(let id)? = provider["providerId"], id != "password", id != "phone" else { continue }
                notKept.append(id)
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
    init(_ fields: [String], _ scheme: PasswordScheme?) throws(Fault) {
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
        try setEmail(field(1))
        isEmailVerified = try flag(2)
        try setPassword(field(3), field(4), scheme)
        try setName(field(5), photo: field(6))
        createdAt = try Self.moment(field(23))
        lastLoginAt = try Self.moment(field(24))
        if field(25) != nil { notKept.append("phoneNumber") }
        isDisabled = try flag(26)
        try setClaims(field(27))
        for (column, name) in Self.providerColumns where field(column) != nil { notKept.append(name) }
    }
}
