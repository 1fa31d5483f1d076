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
        return read
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
        return try scheme(values)
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
        func number(_ name: String) throws(Refusal) -> Int? {
            guard let text = values[name] else { return nil }
            guard let number = Int(text) else { throw .invalidSetting("the value of \(name) is a whole number") }
            return number
        }
        func bytes(_ name: String) throws(Refusal) -> [UInt8]? {
            guard let text = values[name] else { return nil }
            guard let bytes = ImportedAccount.decode(text) else { throw .invalidSetting("the \(name) is not base64") }
            return bytes
        }
        guard let algorithm = values["algorithm"] else { throw .invalidSetting("algorithm is missing") }
        var parameters = PasswordScheme.Parameters()
        parameters.key = try bytes("key")
        parameters.saltSeparator = try bytes("separator")
        parameters.rounds = try number("rounds")
        parameters.memoryCost = try number("memory")
        parameters.blockSize = try number("block")
        parameters.parallelization = try number("lanes")
        parameters.isSaltFirst = try isSaltFirst(values)
        let name = algorithm.utf8.map { $0 == UInt8(ascii: "-") ? UInt8(ascii: "_") : $0 }
        return try PasswordScheme(algorithm: String(decoding: name, as: UTF8.self).uppercased(), parameters)
    }

    private static func isSaltFirst(_ values: [String: String]) throws(Refusal) -> Bool? {
        switch values["order"].map(plain) {
        case nil: return nil
        case "saltfirst", "saltandpassword": return true
        case "passwordfirst", "passwordandsalt": return false
        default: throw .invalidSetting("hash_input_order is SALT_FIRST or PASSWORD_FIRST")
        }
    }
}
