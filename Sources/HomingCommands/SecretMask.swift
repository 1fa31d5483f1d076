// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// Masks secrets: the password of a URL in a setting, codes and tokens in the log.
package enum SecretMask {
    private static let stars = "***"

    /// Masks the password before the last `@`, and a `password=` parameter; works on malformed URLs too, since refused
    /// values are shown as well. A user name stays, unless it is the password again, as with tokens, or has no password
    /// beside it, as tokens also do.
    package static func url(_ text: String) -> String {
        parameter(credentials(text))
    }

    private static func credentials(_ text: String) -> String {
        guard let at = text.utf8.lastIndex(of: UInt8(ascii: "@")) else { return text }
        var start = text.startIndex
        for index in text.utf8.indices where text[index...].utf8.starts(with: "://".utf8) {
            start = text.utf8.index(index, offsetBy: 3)
            break
        }
        guard start < at else { return text }
        let userInformation = text[start..<at]
        let parts = userInformation.utf8.split(separator: UInt8(ascii: ":"), maxSplits: 1).map(Substring.init)
        let isUserShown = parts.count == 2 && !parts[0].utf8.elementsEqual(parts[1].utf8)
        let shown = isUserShown ? "\(parts[0]):\(stars)" : parts.count == 2 ? "\(stars):\(stars)" : stars
        return "\(text[..<start])\(shown)\(text[at...])"
    }

    private static func parameter(_ text: String) -> String {
        let key = Array("password=".utf8)
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            guard bytes[index...].prefix(key.count).map({ $0 | 0x20 }) == key.map({ $0 | 0x20 }) else {
                result.append(bytes[index])
                index += 1
                continue
            }
            result += bytes[index..<index + key.count] + Array(stars.utf8)
            index += key.count
            while index < bytes.count, bytes[index] != UInt8(ascii: "&"), bytes[index] != 0x20 { index += 1 }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Masks every text that looks like a key to an account, wherever it is: the last net under code that should not
    /// have logged the text at all.
    ///
    /// A secret is an unbroken run of at least 54 base64url characters (RFC 4648 section 5), the length of an action
    /// code; refresh tokens and the parts of a JWT are as long or longer. A JWT (RFC 7519) is masked with all its
    /// parts, including short ones.
    package static func tokens(_ text: String) -> String {
        let bytes = Array(text.utf8)
        guard bytes.count >= 16 else { return text }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            let end = endOfRun(in: bytes, from: index)
            let run = bytes[index..<end]
            if isSecret(run) {
                result += "[redacted]".utf8
            } else {
                result += run
            }
            if end < bytes.count { result.append(bytes[end]) }
            index = end + 1
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The end of a run. Dots belong to the run, because they hold a JWT together.
    private static func endOfRun(in bytes: [UInt8], from start: Int) -> Int {
        bytes[start...].firstIndex { !ASCII.isBase64URL($0) && $0 != UInt8(ascii: ".") } ?? bytes.count
    }

    private static func isSecret(_ run: ArraySlice<UInt8>) -> Bool {
        let parts = run.split(separator: UInt8(ascii: "."))
        // Every JOSE header begins with `{"`, which is `eyJ`.
        if parts.count >= 2, parts.contains(where: { $0.starts(with: "eyJ".utf8) && $0.count >= 10 }) { return true }
        return parts.contains { $0.count >= 54 }
    }
}
