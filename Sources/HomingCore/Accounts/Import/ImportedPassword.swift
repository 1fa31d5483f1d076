// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingPasswords
import HomingStore
import HomingWire

/// The hash of an imported account's password, checked.
package enum ImportedPassword: Sendable {
    /// A hash as Homing makes it today: there is nothing to make anew.
    case own(String)
    case foreign(PasswordScheme, salt: [UInt8], hash: [UInt8])

    package typealias Fault = ImportedAccount.Fault

    /// - Parameter problem: what is said of a hash that cannot be one of this scheme.
    package init(_ hash: [UInt8], salt: [UInt8] = [], _ scheme: PasswordScheme, problem: String) throws(Fault) {
        let scheme = try Self.checked(scheme)
        guard scheme.takes(hash), salt.count <= 512 else { throw Fault(problem) }
        let exact = scheme.exact(for: hash)
        guard exact.microseconds <= PasswordScheme.mostMicroseconds else { throw Self.tooDear(exact) }
        self = .foreign(exact, salt: salt, hash: hash)
        if case .argon2 = scheme, Passwords.isOwn(hash) { self = .own(String(decoding: hash, as: UTF8.self)) }
    }

    package var scheme: PasswordScheme? {
        if case .foreign(let scheme, _, _) = self { scheme } else { nil }
    }

    /// Whether the password has this hash; nil where an old system would have to be asked.
    package func verifies(_ password: String) throws -> Bool? {
        switch self {
        case .own(let hash): try PasswordScheme.argon2().matches(password, salt: [], hash: Array(hash.utf8))
        case .foreign(let scheme, let salt, let hash):
            scheme.oldSystem == nil ? try scheme.matches(password, salt: salt, hash: hash) : nil
        }
    }

    /// The hash as an account keeps it; nil where its scheme has no id.
    package func stored(_ schemes: [PasswordScheme: String]) -> String? {
        switch self {
        case .own(let hash): hash
        case .foreign(let scheme, let salt, let hash):
            schemes[scheme].map { ImportedHash(scheme: $0, salt: salt, hash: hash).stored }
        }
    }

    private static func checked(_ scheme: PasswordScheme) throws(Fault) -> PasswordScheme {
        do {
            return try scheme.checked()
        } catch {
            throw Fault("the password cannot be verified: \(error.explanation)")
        }
    }

    /// One hash of this kind would make every wrong password of the project take too long.
    private static func tooDear(_ scheme: PasswordScheme) -> Fault {
        Fault(
            "one check of this \(scheme.name) hash takes \(PasswordScheme.seconds(scheme.microseconds)) of a core, and at most "
                + "\(PasswordScheme.seconds(PasswordScheme.mostMicroseconds)) are taken (--without-passwords takes the account "
                + "without it)")
    }

    /// The reason for which a hash of an algorithm is not taken.
    package static func unknown(_ algorithm: some StringProtocol, _ detail: String = "") -> Fault {
        let name = algorithm.isEmpty ? "an algorithm that it does not name" : printable(algorithm) + detail
        return Fault(
            "the password was hashed with \(name), which Homing does not verify "
                + "(--without-passwords takes the account without it)")
    }

    /// So much of a name that no hash can be read out of it.
    private static func printable(_ name: some StringProtocol) -> String {
        String(decoding: name.utf8.prefix(24).map { ASCII.isVisible($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }
}

// MARK: - Texts that say how they were made

extension ImportedPassword {
    /// `$2b$…`, `$argon2id$…`, and `$fbscrypt$…`, which is how Supabase keeps what came from Firebase. Nil for no text.
    package static func text(_ text: String?) throws(Fault) -> ImportedPassword? {
        guard let text, !text.isEmpty else { return nil }
        let bytes = Array(text.utf8)
        if bytes.starts(with: Array("$2".utf8)) {
            return try ImportedPassword(
                bytes, .bcrypt(), problem: "the password's hash is no bcrypt up to a cost of 15")
        }
        if bytes.starts(with: Array("$argon2".utf8)) {
            return try ImportedPassword(
                bytes, .argon2(), problem: "the password's hash is no argon2 of version 19 up to 128 MiB and 16 passes")
        }
        let parts = ASCII.split(text, at: UInt8(ascii: "$"))
        guard parts.count > 2, parts[0].isEmpty else { throw unknown("") }
        guard parts[1].utf8.elementsEqual("fbscrypt".utf8) else { throw unknown(cryptName(parts[1])) }
        return try firebaseScrypt(parts)
    }

    /// The names of the methods of crypt(5), which has numbers for some.
    private static func cryptName(_ mark: Substring) -> String {
        switch Array(mark.utf8) {
        case Array("1".utf8): "md5crypt"
        case Array("5".utf8): "sha256crypt"
        case Array("6".utf8): "sha512crypt"
        case Array("y".utf8): "yescrypt"
        default: String(mark)
        }
    }

    /// `$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=KEY$SALT$HASH`, in base64
    /// (https://github.com/supabase/auth/blob/master/internal/crypto/password.go).
    private static func firebaseScrypt(_ parts: [Substring]) throws(Fault) -> ImportedPassword {
        let problem = "the password's hash is no $fbscrypt$v=1,n=…,r=…,p=1,ss=…,sk=…$SALT$HASH"
        guard parts.count == 5, let salt = PasswordScheme.decode(String(parts[3])),
            let hash = PasswordScheme.decode(String(parts[4]))
        else { throw Fault(problem) }
        var values: [String: Substring] = [:]
        for pair in ASCII.split(parts[2], at: UInt8(ascii: ",")) {
            guard let equals = pair.utf8.firstIndex(of: UInt8(ascii: "=")) else { throw Fault(problem) }
            values[String(pair[..<equals])] = pair[equals...].dropFirst()
        }
        guard let memoryCost = values["n"].flatMap({ Int($0) }), let rounds = values["r"].flatMap({ Int($0) }),
            let separator = PasswordScheme.decode(String(values["ss"] ?? "")),
            let key = PasswordScheme.decode(String(values["sk"] ?? "")), values["p"].flatMap({ Int($0) }) == 1
        else { throw Fault(problem) }
        return try ImportedPassword(
            hash, salt: salt,
            .firebaseScrypt(signerKey: key, saltSeparator: separator, rounds: rounds, memoryCost: memoryCost),
            problem: problem)
    }

    // MARK: Hashes whose scheme the operator names

    /// `passwordHash` and `salt` of `firebase auth:export`.
    package static func firebase(
        _ hash: String?, _ salt: String?, _ scheme: PasswordScheme?
    ) throws(Fault) -> ImportedPassword? {
        // What `auth:export` writes to somebody who may not see hashes.
        guard let hash, !hash.isEmpty, !hash.utf8.elementsEqual("UkVEQUNURUQ=".utf8) else { return nil }
        guard let scheme else {
            throw Fault("there is a password hash, and nothing says how it was made (--hash-config, hashAlgorithm)")
        }
        guard let bytes = bytes(hash, scheme) else { throw Fault("passwordHash is none of this algorithm") }
        // Whoever writes hashes in hexadecimal writes salts so.
        let isHexadecimal = hash.utf8.allSatisfy(Hexadecimal.isDigit)
        let hexadecimalSalt = isHexadecimal ? hexadecimal(salt ?? "", atLeast: 16) : nil
        guard let salt = hexadecimalSalt ?? PasswordScheme.decode(salt ?? ""), salt.count <= 512 else {
            throw Fault("salt is not base64")
        }
        let problem = "passwordHash is none of this algorithm"
        if case .argon2Bytes(let parameters) = scheme {
            if bytes.starts(with: Array("$argon2".utf8)) {
                return try ImportedPassword(bytes, .argon2(), problem: problem)
            }
            guard bytes.count == parameters.hashLength, salt.count >= 8 else {
                throw Fault("\(problem): it has \(parameters.hashLength) bytes, and its salt 8 and more")
            }
            return try ImportedPassword(parameters.text(salt: salt, hash: bytes), .argon2(), problem: problem)
        }
        return try ImportedPassword(bytes, salt: salt, scheme, problem: problem)
    }

    /// The bytes of a hash in base64 or hexadecimal. bcrypt and argon2 have their text in many exports, and its base64
    /// in Firebase's.
    private static func bytes(_ hash: String, _ scheme: PasswordScheme) -> [UInt8]? {
        switch scheme {
        case .bcrypt, .argon2, .argon2Bytes:
            hash.utf8.first == UInt8(ascii: "$") ? Array(hash.utf8) : PasswordScheme.decode(hash)
        case .hmac, .digest:
            // A digest as hexadecimal text is text in base64, too, of another length.
            scheme.takes(Array(hash.utf8)) ? Array(hash.utf8) : PasswordScheme.decode(hash)
        default: hexadecimal(hash, atLeast: 32) ?? PasswordScheme.decode(hash)
        }
    }

    /// The bytes of a hexadecimal text, in one case and so long that base64 of random bytes never looks like it.
    private static func hexadecimal(_ text: String, atLeast length: Int) -> [UInt8]? {
        let bytes = Array(text.utf8)
        guard bytes.count >= length,
            !bytes.contains(where: ASCII.isUppercaseLetter)
                || !bytes.contains(where: ASCII.isLowercaseLetter)
        else { return nil }
        return Hexadecimal.decode(bytes)
    }
}
