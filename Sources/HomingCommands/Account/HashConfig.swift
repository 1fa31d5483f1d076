// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import Foundation
package import HomingCore
import HomingWire

/// How the hashes of an export were made, as Firebase's console shows it (Authentication, Users, ⋮, Password hash
/// parameters), or as lines `name: value` with the names of `firebase auth:import`.
///
/// It is a file, because the signer key must not stand where everybody on the machine can read it.
package struct HashConfig: Codable, Sendable {
    private static let largest = 16 << 10

    private var read: PasswordScheme?
    /// Why the file could not be read.
    private var problem: String?

    /// Reads the file, in the operator's process, wherever the command runs.
    init(path: String) {
        guard let data = FileManager.default.contents(atPath: path), data.count <= Self.largest,
            let text = String(validating: data, as: UTF8.self)
        else {
            problem = "--hash-config \(path) cannot be read: give the path of a text file"
            return
        }
        do {
            read = try Self.scheme(text)
        } catch {
            problem = "--hash-config \(path): \(Program.line(for: error))"
        }
    }

    /// - Throws: a refusal of the file.
    func scheme() throws(Refusal) -> PasswordScheme? {
        if let problem { throw .invalidSetting(problem) }
        return try read?.checked()
    }

    /// - Throws: a refusal that says which line is wrong, and what is missing.
    package static func scheme(_ text: String) throws(Refusal) -> PasswordScheme {
        var values: [String: String] = [:]
        for line in text.split(whereSeparator: \.isNewline) {
            let words = line.trimmingCharacters(in: CharacterSet(charactersIn: " \t,;\"'"))
            if words.isEmpty || words.utf8.first == UInt8(ascii: "#") || words.hasSuffix("{") || words == "}" {
                continue
            }
            guard let colon = words.utf8.firstIndex(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "=") })
            else {
                throw .invalidSetting("\"\(Printable.line(words, atMost: 80))\" is no line NAME: VALUE")
            }
            let name = plain(String(words[..<colon]))
            guard let known = names[name] else {
                throw .invalidSetting(
                    "\"\(Printable.line(String(words[..<colon]), atMost: 80))\" is no parameter of a hash")
            }
            values[known] = String(words[colon...].dropFirst())
                .trimmingCharacters(in: CharacterSet(charactersIn: " \t\"'"))
        }
        return try scheme(values).checked()
    }

    /// The parameters' names, as the console, `firebase auth:import` and the Admin SDKs spell them, without case and
    /// punctuation.
    private static let names: [String: String] = [
        "algorithm": "algorithm", "hashalgo": "algorithm", "hashalgorithm": "algorithm", "base64signerkey": "key",
        "signerkey": "key", "hashkey": "key", "key": "key", "base64saltseparator": "separator",
        "saltseparator": "separator", "rounds": "rounds", "memcost": "memory", "memorycost": "memory",
        "cpumemcost": "memory", "blocksize": "block", "parallelization": "lanes", "hashinputorder": "order",
        "passwordhashorder": "order", "inputorder": "order", "dklen": "length", "derivedkeylength": "length",
    ]

    private static func plain(_ name: String) -> String {
        String(decoding: ASCII.lowercased(name).utf8.filter(ASCII.isLetterOrDigit), as: UTF8.self)
    }

    private static func scheme(_ values: [String: String]) throws(Refusal) -> PasswordScheme {
        func number(_ name: String, _ spelled: String, or standard: Int? = nil) throws(Refusal) -> Int {
            guard let text = values[name] else {
                if let standard { return standard }
                throw .invalidSetting("\(spelled) is missing")
            }
            guard let number = Int(text) else { throw .invalidSetting("\(spelled) is a whole number") }
            return number
        }
        func bytes(_ name: String, _ spelled: String) throws(Refusal) -> [UInt8] {
            guard let text = values[name] else { throw .invalidSetting("\(spelled) is missing") }
            let standard = String(decoding: text.utf8.map(Self.standardLetter), as: UTF8.self)
            guard let data = Data(base64Encoded: standard) else { throw .invalidSetting("\(spelled) is not base64") }
            return Array(data)
        }
        guard let algorithm = values["algorithm"] else { throw .invalidSetting("algorithm is missing") }
        let name = String(
            decoding: algorithm.utf8.map { $0 == UInt8(ascii: "-") ? UInt8(ascii: "_") : $0 }, as: UTF8.self
        )
        .uppercased()
        switch name {
        case "SCRYPT":
            return .firebaseScrypt(
                signerKey: try bytes("key", "base64_signer_key"),
                saltSeparator: values["separator"] == nil ? [] : try bytes("separator", "base64_salt_separator"),
                rounds: try number("rounds", "rounds"), memoryCost: try number("memory", "mem_cost"))
        case "STANDARD_SCRYPT":
            return .scrypt(
                cost: try number("memory", "mem_cost"), blockSize: try number("block", "block_size"),
                parallelization: try number("lanes", "parallelization"))
        case "BCRYPT": return .bcrypt
        case "ARGON2": return .argon2
        case "PBKDF_SHA1", "PBKDF2_SHA1": return .pbkdf2(.sha1, rounds: try number("rounds", "rounds"))
        case "PBKDF2_SHA256": return .pbkdf2(.sha256, rounds: try number("rounds", "rounds"))
        case "PBKDF2_SHA512": return .pbkdf2(.sha512, rounds: try number("rounds", "rounds"))
        default: break
        }
        let isKeyed = name.hasPrefix("HMAC_")
        guard let digest = PasswordDigest(rawValue: ASCII.lowercased(isKeyed ? String(name.dropFirst(5)) : name)) else {
            throw .invalidSetting(
                "\(Printable.line(algorithm, atMost: 80)) is no algorithm that is known: \(algorithms)")
        }
        if isKeyed {
            return .hmac(
                digest, key: try bytes("key", "base64_signer_key"), isSaltFirst: try isSaltFirst(values) ?? false)
        }
        return .digest(
            digest, rounds: try number("rounds", "rounds", or: 1), isSaltFirst: try isSaltFirst(values) ?? true)
    }

    static let algorithms =
        "SCRYPT (Firebase's own), STANDARD_SCRYPT, BCRYPT, ARGON2, PBKDF_SHA1, PBKDF2_SHA256, "
        + "HMAC_SHA512, HMAC_SHA256, HMAC_SHA1, HMAC_MD5, SHA512, SHA256, SHA1, MD5"

    private static func isSaltFirst(_ values: [String: String]) throws(Refusal) -> Bool? {
        switch values["order"].map(plain) {
        case nil: return nil
        case "saltfirst", "saltandpassword": return true
        case "passwordfirst", "passwordandsalt": return false
        default: throw .invalidSetting("hash_input_order is SALT_FIRST or PASSWORD_FIRST")
        }
    }

    private static func standardLetter(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "-"): UInt8(ascii: "+")
        case UInt8(ascii: "_"): UInt8(ascii: "/")
        default: byte
        }
    }
}
