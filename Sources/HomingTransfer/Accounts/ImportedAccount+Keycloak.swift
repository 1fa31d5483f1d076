// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCore
import HomingPasswords
import HomingStore
import HomingWire

extension ImportedAccount {
    /// A member of `users` in the export of a realm
    /// (https://github.com/keycloak/keycloak/blob/main/core/src/main/java/org/keycloak/representations/idm/UserRepresentation.java).
    init(keycloak user: AccountRecord, _ reading: AccountReading) throws(Fault) {
        try self.init(id: try user.text("id"), named: "id")
        let (address, username) = (try user.text("email"), try user.text("username"))
        try setEmail(address, orName: username, for: reading)
        // What Keycloak has proven is the address, never a name.
        let isProven = try user.flag("emailVerified") ?? false
        isEmailVerified = address != nil && isProven
        let credentials = try user.records("credentials")
        let password = try user.records("credentials", ofType: "password").first
        try set(
            Result { () throws(Fault) in
                guard let password else { return nil }
                return try .keycloak(password)
            }, for: reading)
        try set(.displayName, for: reading) { () throws(Fault) in try user.name("firstName", "lastName") }
        try setCreation(for: reading) { () throws(Fault) in try user.moment("createdTimestamp") }
        isDisabled = try user.flag("enabled") == false
        for credential in credentials {
            guard let type = try credential.text("type"), !type.utf8.starts(with: "password".utf8) else { continue }
            notKept.append(type)
        }
        for identity in try user.records("federatedIdentities") {
            notKept.append(try identity.text("identityProvider") ?? "federatedIdentities")
        }
        if let username, !ASCII.areEqual(ASCII.lowercased(username), email?.text ?? "") {
            notKept.append("username")
        }
        for name in ["attributes", "requiredActions", "groups", "clientRoles"] where user.value(name) != nil {
            notKept.append(name)
        }
    }
}

extension ImportedPassword {
    /// The credential of a password: two texts of JSON, the parameters and the secret
    /// (https://github.com/keycloak/keycloak/tree/main/server-spi/src/main/java/org/keycloak/models/credential).
    fileprivate static func keycloak(_ credential: AccountRecord) throws(Fault) -> ImportedPassword {
        let problem = "credentials has a password whose hash is not whole, or costs too much"
        let (data, secret) = (try credential.record("credentialData"), try credential.record("secretData"))
        let (value, salt) = (try secret.text("value"), try secret.text("salt"))
        guard let algorithm = try data.text("algorithm"),
            let rounds = try data.text("hashIterations").flatMap({ Int($0) }),
            let hash = value.flatMap(PasswordScheme.decode), let salt = salt.flatMap(PasswordScheme.decode)
        else { throw Fault(problem) }
        switch Array(algorithm.utf8) {
        case Array("pbkdf2".utf8):
            return try ImportedPassword(hash, salt: salt, .pbkdf2(.sha1, rounds: rounds), problem: problem)
        case Array("pbkdf2-sha256".utf8):
            return try ImportedPassword(hash, salt: salt, .pbkdf2(.sha256, rounds: rounds), problem: problem)
        case Array("pbkdf2-sha512".utf8):
            return try ImportedPassword(hash, salt: salt, .pbkdf2(.sha512, rounds: rounds), problem: problem)
        case Array("argon2".utf8):
            let text = try argon2(try data.record("additionalParameters"), rounds, salt, hash)
            return try ImportedPassword(Array(text.utf8), .argon2(), problem: problem)
        default: throw unknown(algorithm)
        }
    }

    /// The text of a hash of argon2, whose parameters are lists of one text each.
    private static func argon2(
        _ parameters: AccountRecord, _ passes: Int, _ salt: [UInt8], _ hash: [UInt8]
    ) throws(Fault) -> String {
        func parameter(_ name: String) -> String? { parameters.object[name]?.arrayValue?.first?.stringValue }
        guard let type = parameter("type"), let memory = parameter("memory"), let lanes = parameter("parallelism"),
            parameter("version")?.utf8.elementsEqual("1.3".utf8) == true
        else { throw unknown("argon2", " of a version other than 1.3") }
        func base64(_ bytes: [UInt8]) -> String {
            String(decoding: Data(bytes).base64EncodedString().utf8.filter { $0 != UInt8(ascii: "=") }, as: UTF8.self)
        }
        return "$argon2\(type)$v=19$m=\(memory),t=\(passes),p=\(lanes)$\(base64(salt))$\(base64(hash))"
    }
}
