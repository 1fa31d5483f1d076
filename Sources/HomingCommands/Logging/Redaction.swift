// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// Masks whatever looks like a key to an account, wherever it stands: the last net under code that should not have logged
/// it at all.
///
/// Masked are unbroken runs of base64url characters (RFC 4648 section 5) of at least 54, the length of an action code; refresh
/// tokens and the parts of a JWT are as long or longer. A JWT (RFC 7519) is masked with all its parts, also short ones.
package enum Redaction {
    static let mask = "[redacted]"

    private static let shortestSecret = 54

    package static func redacted(_ text: String) -> String {
        let bytes = Array(text.utf8)
        guard bytes.count >= 16 else { return text }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            let end = endOfRun(in: bytes, from: index)
            let run = bytes[index..<end]
            if isSecret(run) {
                result += mask.utf8
            } else {
                result += run
            }
            if end < bytes.count { result.append(bytes[end]) }
            index = end + 1
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Dots belong to the run, because they hold a JWT together.
    private static func endOfRun(in bytes: [UInt8], from start: Int) -> Int {
        bytes[start...].firstIndex { !isBase64URL($0) && $0 != UInt8(ascii: ".") } ?? bytes.count
    }

    private static func isSecret(_ run: ArraySlice<UInt8>) -> Bool {
        let parts = run.split(separator: UInt8(ascii: "."))
        // Every JOSE header begins with `{"`, which is `eyJ`.
        if parts.count >= 2, parts.contains(where: { $0.starts(with: "eyJ".utf8) && $0.count >= 10 }) { return true }
        return parts.contains { $0.count >= shortestSecret }
    }

    private static func isBase64URL(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: "_")
    }
}
