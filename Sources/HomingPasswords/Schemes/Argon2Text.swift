// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import CLibArgon2
import Foundation
import HomingWire

/// What one check of argon2 takes: kibibytes of memory, passes over them, lanes beside each other.
package struct Argon2Cost: Sendable, Hashable, Codable {
    let memory: Int
    let passes: Int
    let lanes: Int

    /// The start of the hashes with this cost, up to the salt.
    var prefix: String { "$argon2id$v=19$m=\(memory),t=\(passes),p=\(lanes)$" }
}

/// The text in which argon2 keeps a hash with its parameters: `$argon2id$v=19$m=19456,t=2,p=1$SALT$HASH`, or
/// `…,p=1,data=DATA$SALT$HASH` with associated data
/// (https://github.com/P-H-C/phc-string-format/blob/master/phc-sf-spec.md).
struct Argon2Text {
    let cost: Argon2Cost
    private let kind: argon2_type
    private let version: UInt32
    private let data: [UInt8]
    private let salt: [UInt8]
    private let hash: [UInt8]

    /// Nil for other texts, and for parameters that would let one sign-in stop the server.
    init?(_ text: [UInt8]) {
        guard text.count <= 4096, !text.contains(0) else { return nil }
        let parts = ASCII.split(String(decoding: text, as: UTF8.self), at: UInt8(ascii: "$"))
        guard parts.count == 6, parts[0].isEmpty, let kind = Argon2Kind(rawValue: String(parts[1])),
            let version = ["v=16": 16, "v=19": 19][String(parts[2])], let salt = Self.bytes(parts[4]),
            let hash = Self.bytes(parts[5]), salt.count >= 8, (4...1024).contains(hash.count)
        else { return nil }
        var values: [String: Substring] = [:]
        for pair in ASCII.split(parts[3], at: UInt8(ascii: ",")) {
            guard let equals = pair.utf8.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            values[String(pair[..<equals])] = pair[equals...].dropFirst()
        }
        guard let memory = values["m"].flatMap({ Int($0) }), let passes = values["t"].flatMap({ Int($0) }),
            let lanes = values["p"].flatMap({ Int($0) }), (1...16).contains(lanes),
            (8 * lanes...131_072).contains(memory), (1...16).contains(passes),
            let data = Self.bytes(values["data"] ?? "")
        else { return nil }
        cost = Argon2Cost(memory: memory, passes: passes, lanes: lanes)
        let parameters = "m=\(memory),t=\(passes),p=\(lanes)" + (values["data"].map { ",data=\($0)" } ?? "")
        guard parts[3].utf8.elementsEqual(parameters.utf8) else { return nil }
        (self.kind, self.version, self.data, self.salt, self.hash) = (kind.type, UInt32(version), data, salt, hash)
    }

    func matches(_ password: [UInt8]) throws -> Bool {
        var made = [UInt8](repeating: 0, count: hash.count)
        let status = homing_argon2(
            password, password.count, salt, salt.count, data, data.count, UInt32(cost.memory), UInt32(cost.passes),
            UInt32(cost.lanes), kind, version, &made, made.count)
        guard status == ARGON2_OK.rawValue else { throw HashingFault(status: status) }
        return areEqualInConstantTime(made, hash)
    }

    /// Base64 as the text has it, standard and without padding; nil for anything else.
    private static func bytes(_ text: Substring) -> [UInt8]? {
        guard text.utf8.allSatisfy({ ASCII.isLetterOrDigit($0) || "+/".utf8.contains($0) }) else { return nil }
        return PasswordScheme.decode(String(text))
    }
}

/// The variants of argon2, by their names in its texts.
package enum Argon2Kind: String, Sendable, Codable, CaseIterable {
    case d = "argon2d"
    case id = "argon2id"
    case i = "argon2i"

    var type: argon2_type {
        switch self {
        case .d: Argon2_d
        case .id: Argon2_id
        case .i: Argon2_i
        }
    }
}

/// How hashes of argon2 were made that are bytes and not texts, by the names of Identity Platform's `Argon2Parameters`
/// (https://cloud.google.com/identity-platform/docs/reference/rest/v1/projects.accounts/batchCreate).
package struct Argon2Parameters: Sendable, Hashable, Codable {
    package var kind: Argon2Kind
    package var isVersion10 = false
    package var hashLength: Int
    package var memory: Int
    package var passes: Int
    package var lanes: Int
    package var data: [UInt8] = []

    package init(kind: Argon2Kind, hashLength: Int, memory: Int, passes: Int, lanes: Int) {
        (self.kind, self.hashLength, self.memory, self.passes, self.lanes) = (kind, hashLength, memory, passes, lanes)
    }

    var cost: Argon2Cost { Argon2Cost(memory: memory, passes: passes, lanes: lanes) }

    /// What is wrong with them, by Identity Platform's limits; nil where nothing is.
    var problem: String? {
        func problem(_ name: String, _ value: Int, _ range: ClosedRange<Int>) -> String? {
            range.contains(value) ? nil : "\(name) is from \(range.lowerBound) to \(range.upperBound), not \(value)"
        }
        return problem("hashLengthBytes", hashLength, 4...1024) ?? problem("parallelism", lanes, 1...16)
            ?? problem("iterations", passes, 1...16) ?? problem("memoryCostKib", memory, 8 * lanes...32_768)
            ?? problem("the length of associatedData", data.count, 0...1024)
    }

    /// A hash and its salt as the text that ``Argon2Text`` reads.
    package func text(salt: [UInt8], hash: [UInt8]) -> [UInt8] {
        func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString().filter { $0 != "=" } }
        let more = data.isEmpty ? "" : ",data=\(base64(data))"
        return Array(
            "$\(kind.rawValue)$v=\(isVersion10 ? 16 : 19)$m=\(memory),t=\(passes),p=\(lanes)\(more)$\(base64(salt))$\(base64(hash))"
                .utf8)
    }
}
