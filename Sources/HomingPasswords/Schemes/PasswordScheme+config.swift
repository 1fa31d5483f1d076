// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
package import HomingStore
package import HomingWire

/// A scheme in the words of a file of parameters: those of Firebase's console, of `firebase auth:import` and of the
/// Admin SDKs, which all spell them in their own way.
extension PasswordScheme {
    /// - Throws: a refusal that says which name is none.
    package static func parameter(_ name: String) throws(Refusal) -> String {
        guard let known = parameters[plain(name)] else {
            throw .invalidSetting("\"\(Printable.given(name))\" is no parameter of a hash")
        }
        return known
    }

    /// The parameters' names, without case and punctuation.
    private static let parameters: [String: String] = [
        "algorithm": "algorithm", "hashalgo": "algorithm", "hashalgorithm": "algorithm", "base64signerkey": "key",
        "signerkey": "key", "hashkey": "key", "key": "key", "base64saltseparator": "separator",
        "saltseparator": "separator", "rounds": "rounds", "memcost": "memory", "memorycost": "memory",
        "cpumemcost": "memory", "blocksize": "block", "parallelization": "lanes", "hashinputorder": "order",
        "passwordhashorder": "order", "inputorder": "order", "dklen": "length", "derivedkeylength": "length",
        "hashtype": "type", "hashlengthbytes": "length", "iterations": "passes", "memorycostkib": "kibibytes",
        "parallelism": "lanes", "version": "version", "associateddata": "data",
    ]

    /// Whether two names are the same without case and punctuation.
    package static func isName(_ name: String, _ other: String) -> Bool { plain(name) == plain(other) }

    private static func plain(_ name: String) -> String {
        String(decoding: ASCII.lowercased(name).utf8.filter(ASCII.isLetterOrDigit), as: UTF8.self)
    }

    /// - Parameter values: texts by ``parameter(_:)``.
    /// - Throws: a refusal that says what is missing or cannot be.
    package init(values: [String: String]) throws(Refusal) {
        func number(_ name: String) throws(Refusal) -> Int? {
            guard let text = values[name] else { return nil }
            guard let number = Int(text) else { throw .invalidSetting("the value of \(name) is a whole number") }
            return number
        }
        func bytes(_ name: String) throws(Refusal) -> [UInt8]? {
            guard let text = values[name] else { return nil }
            guard let bytes = PasswordScheme.decode(text) else { throw .invalidSetting("the \(name) is not base64") }
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
        switch values["order"].map(Self.plain) {
        case nil: break
        case "saltfirst", "saltandpassword": parameters.isSaltFirst = true
        case "passwordfirst", "passwordandsalt": parameters.isSaltFirst = false
        default: throw .invalidSetting("hash_input_order is SALT_FIRST or PASSWORD_FIRST")
        }
        parameters.argon2 = try Self.argon2(values, try bytes("data") ?? [])
        let name = algorithm.utf8.map { $0 == UInt8(ascii: "-") ? UInt8(ascii: "_") : $0 }
        try self.init(algorithm: String(decoding: name, as: UTF8.self).uppercased(), parameters)
    }

    /// The parameters of argon2 by Identity Platform's names; nil where none of them is given, and hashes are texts.
    private static func argon2(_ values: [String: String], _ data: [UInt8]) throws(Refusal) -> Argon2Parameters? {
        guard values["type"] != nil || values["kibibytes"] != nil || values["passes"] != nil else { return nil }
        func number(_ name: String, _ theirs: String) throws(Refusal) -> Int {
            guard let number = values[name].flatMap({ Int($0) }) else {
                throw .invalidSetting("\(theirs) is missing, or no whole number")
            }
            return number
        }
        guard let kind = values["type"].flatMap({ Argon2Kind(rawValue: plain($0)) }) else {
            throw .invalidSetting("hash_type is ARGON2_ID, ARGON2_I or ARGON2_D")
        }
        var parameters = Argon2Parameters(
            kind: kind, hashLength: try number("length", "hash_length_bytes"),
            memory: try number("kibibytes", "memory_cost_kib"), passes: try number("passes", "iterations"),
            lanes: try number("lanes", "parallelism"))
        switch values["version"].map(plain) {
        case nil, "version13", "19": break
        case "version10", "16": parameters.isVersion10 = true
        default: throw .invalidSetting("version is VERSION_13 or VERSION_10")
        }
        parameters.data = data
        return parameters
    }

    /// A member of `hashConfigs`, which is ``config``.
    package init(config: JSON.Object) throws(Refusal) {
        var values: [String: String] = [:]
        for member in config.members {
            let value = member.value.stringValue ?? member.value.integerValue.map { String($0) }
            guard let value else { throw .invalidSetting("\(Printable.given(member.key)) is neither text nor number") }
            values[try Self.parameter(member.key)] = value
        }
        try self.init(values: values)
    }

    /// The name of an old system among algorithms. No file of parameters may have it: where passwords are sent is said
    /// by whoever imports, never by a file.
    package static let oldSystemName = "VERIFY_WITH"

    /// The scheme as a file of parameters has it. What a hash says by itself, such as the cost of bcrypt, is not in it,
    /// and neither is the key of an old system, which whoever imports the file gives anew.
    package var config: JSON.Object {
        func base64(_ bytes: [UInt8]) -> JSON { .string(Data(bytes).base64EncodedString()) }
        func order(_ isSaltFirst: Bool) -> JSON { isSaltFirst ? "SALT_FIRST" : "PASSWORD_FIRST" }
        let more: [(String, JSON)] =
            switch self {
            case .firebaseScrypt(let key, let separator, let rounds, let memoryCost):
                [
                    ("base64_signer_key", base64(key)), ("base64_salt_separator", base64(separator)),
                    ("rounds", .int(Int64(rounds))), ("mem_cost", .int(Int64(memoryCost))),
                ]
            case .scrypt(let cost, let blockSize, let lanes):
                [
                    ("mem_cost", .int(Int64(cost))), ("block_size", .int(Int64(blockSize))),
                    ("parallelization", .int(Int64(lanes))),
                ]
            case .hmac(_, let key, let isSaltFirst): [("key", base64(key)), ("hash_input_order", order(isSaltFirst))]
            case .digest(_, let rounds, let isSaltFirst):
                [("rounds", .int(Int64(rounds))), ("hash_input_order", order(isSaltFirst))]
            case .pbkdf2(_, let rounds, _): [("rounds", .int(Int64(rounds)))]
            case .argon2Bytes(let parameters):
                [
                    ("hash_type", .string("ARGON2_\(parameters.kind)".uppercased())),
                    ("version", parameters.isVersion10 ? "VERSION_10" : "VERSION_13"),
                    ("hash_length_bytes", .int(Int64(parameters.hashLength))),
                    ("memory_cost_kib", .int(Int64(parameters.memory))),
                    ("iterations", .int(Int64(parameters.passes))), ("parallelism", .int(Int64(parameters.lanes))),
                    ("associated_data", base64(parameters.data)),
                ]
            case .bcrypt, .argon2: []
            case .oldSystem(let system): [("url", .string(system.place))]
            }
        return JSON.Object([("algorithm", .string(name))] + more)
    }

    /// The name of the algorithm, as ``init(algorithm:_:)`` reads it.
    package var name: String {
        switch self {
        case .firebaseScrypt: "SCRYPT"
        case .scrypt: "STANDARD_SCRYPT"
        case .hmac(let digest, _, _): "HMAC_\(digest.rawValue.uppercased())"
        case .digest(let digest, _, _): digest.rawValue.uppercased()
        case .pbkdf2(.sha1, _, _): "PBKDF_SHA1"
        case .pbkdf2(let digest, _, _): "PBKDF2_\(digest.rawValue.uppercased())"
        case .bcrypt(_, nil): "BCRYPT"
        case .bcrypt(_, let digest?): "BCRYPT_\(digest.rawValue.uppercased())"
        case .argon2, .argon2Bytes: "ARGON2"
        case .oldSystem: Self.oldSystemName
        }
    }
}
