// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import CLibArgon2
import HomingWire

/// What one check of argon2 takes: kibibytes of memory, passes over them, lanes beside each other.
package struct Argon2Cost: Sendable, Hashable, Codable {
    let memory: Int
    let passes: Int
    let lanes: Int

    /// The start of the hashes with this cost, up to the salt.
    var prefix: String { "$argon2id$v=19$m=\(memory),t=\(passes),p=\(lanes)$" }
}

/// The text in which argon2 keeps a hash with its parameters: `$argon2id$v=19$m=19456,t=2,p=1$SALT$HASH`.
struct Argon2Text {
    private let text: [UInt8]
    let cost: Argon2Cost
    private let kind: argon2_type

    /// Nil for other texts, and for parameters that would let one sign-in stop the server.
    init?(_ text: [UInt8]) {
        guard text.count <= 2048, !text.contains(0) else { return nil }
        let parts = ASCII.split(String(decoding: text, as: UTF8.self), at: UInt8(ascii: "$"))
        guard parts.count == 6, parts[0].isEmpty, parts[2].utf8.elementsEqual("v=19".utf8) else { return nil }
        switch Array(parts[1].utf8) {
        case Array("argon2id".utf8): kind = Argon2_id
        case Array("argon2i".utf8): kind = Argon2_i
        case Array("argon2d".utf8): kind = Argon2_d
        default: return nil
        }
        var values: [String: Int] = [:]
        for pair in ASCII.split(parts[3], at: UInt8(ascii: ",")) {
            let sides = ASCII.split(pair, at: UInt8(ascii: "="))
            guard sides.count == 2, let value = Int(sides[1]) else { return nil }
            values[String(sides[0])] = value
        }
        guard let memory = values["m"], let passes = values["t"], let lanes = values["p"], (1...16).contains(lanes),
            (8 * lanes...131_072).contains(memory), (1...16).contains(passes),
            parts[3].utf8.elementsEqual("m=\(memory),t=\(passes),p=\(lanes)".utf8)
        else { return nil }
        // Salts of 8 bytes and more, hashes of 4 and more.
        let isLetter = { ASCII.isLetterOrDigit($0) || "+/".utf8.contains($0) }
        guard parts[4].utf8.count >= 11, parts[5].utf8.count >= 6, (parts[4] + parts[5]).utf8.allSatisfy(isLetter)
        else { return nil }
        self.text = text
        cost = Argon2Cost(memory: memory, passes: passes, lanes: lanes)
    }

    func matches(_ password: [UInt8]) throws -> Bool {
        let status = (text + [0]).withUnsafeBufferPointer { encoded in
            encoded.baseAddress.map { encoded in
                argon2_verify(
                    UnsafeRawPointer(encoded).assumingMemoryBound(to: CChar.self), password, password.count, kind)
            }
        }
        guard let status, status == ARGON2_OK.rawValue || status == ARGON2_VERIFY_MISMATCH.rawValue else {
            throw HashingFault(status: status ?? -1)
        }
        return status == ARGON2_OK.rawValue
    }
}
