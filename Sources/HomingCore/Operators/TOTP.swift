// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Crypto
import Foundation
package import HomingStore
import HomingWire

/// Time-based one-time passwords of six digits and thirty seconds, with SHA-1, as every authenticator app makes them
/// (RFC 6238).
package struct TOTP: Sendable {
    package static let secretLength = 20
    private static let period: Int64 = 30

    package let secret: [UInt8]

    package init(secret: [UInt8]) {
        self.secret = secret
    }

    /// The step that a code belongs to: the present one, or a neighbour for a clock that is off; nil for a wrong code.
    package func step(of code: String, at now: Moment) -> Int64? {
        let present = now.seconds / Self.period
        let digits = code.filter { $0 != " " }
        guard digits.utf8.count == 6 else { return nil }
        return (present - 1...present + 1).first {
            areEqualInConstantTime(Array(self.code(at: $0).utf8), Array(digits.utf8))
        }
    }

    package func code(at moment: Moment) -> String { code(at: moment.seconds / Self.period) }

    /// RFC 4226, section 5.3.
    private func code(at step: Int64) -> String {
        let message = withUnsafeBytes(of: step.bigEndian) { Data($0) }
        let mac = Array(HMAC<Insecure.SHA1>.authenticationCode(for: message, using: SymmetricKey(data: secret)))
        let start = Int(mac[mac.count - 1] & 0x0f)
        let number = mac[start..<(start + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7fff_ffff
        let digits = String(number % 1_000_000)
        return String(repeating: "0", count: 6 - digits.utf8.count) + digits
    }

    /// The secret as an authenticator app takes it by hand: base32 (RFC 4648, section 6), in groups of four.
    package var secretInWords: String {
        let letters = Array(Self.base32(secret))
        return stride(from: 0, to: letters.count, by: 4)
            .map { String(letters[$0..<min($0 + 4, letters.count)]) }.joined(separator: " ")
    }

    /// The address that an authenticator app reads from a QR code.
    package func url(account: String) -> String {
        "otpauth://totp/Homing:\(percentEncoded(account))?secret=\(Self.base32(secret))&issuer=Homing"
    }

    private static func base32(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)
        var text: [UInt8] = []
        var (buffer, bits) = (UInt32(0), 0)
        for byte in bytes {
            buffer = buffer << 8 | UInt32(byte)
            bits += 8
            while bits >= 5 {
                bits -= 5
                text.append(alphabet[Int(buffer >> UInt32(bits) & 31)])
            }
        }
        if bits > 0 { text.append(alphabet[Int(buffer << UInt32(5 - bits) & 31)]) }
        return String(decoding: text, as: UTF8.self)
    }
}
