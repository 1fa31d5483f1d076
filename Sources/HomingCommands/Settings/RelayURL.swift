// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingCore

/// Checks the URL of the relay: `smtp://[user:pass@]host[:port]`, `smtps://…` or `mailbox:`; Delivery takes it apart.
enum RelayURL {
    static func isAccepted(_ text: String) -> Bool {
        if text.utf8.elementsEqual("mailbox:".utf8) { return true }
        guard (1...2_048).contains(text.utf8.count), text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            return false
        }
        let scheme = ["smtp://", "smtps://"].first { text.utf8.starts(with: $0.utf8) }
        guard let scheme else { return false }
        let rest = Substring(text.utf8.dropFirst(scheme.utf8.count))
        let parts = rest.utf8.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
            .map(Substring.init)
        guard let authority = parts.first, !authority.utf8.contains(where: "/#\\".utf8.contains) else { return false }
        return isAuthority(authority) && (parts.count == 1 || isQuery(parts[1]))
    }

    private static func isAuthority(_ authority: Substring) -> Bool {
        var host = authority
        if let at = authority.utf8.lastIndex(of: UInt8(ascii: "@")) {
            let credentials = authority[..<at]
            host = authority[authority.utf8.index(after: at)...]
            let pieces = credentials.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
            guard pieces.count == 2, pieces.allSatisfy({ !$0.isEmpty && isPercentEncoded(Substring($0)) }),
                !credentials.utf8.contains(UInt8(ascii: "@"))
            else { return false }
        }
        if host.utf8.last != UInt8(ascii: "]"), let colon = host.utf8.lastIndex(of: UInt8(ascii: ":")) {
            guard let port = Digits.number(host[host.utf8.index(after: colon)...], atMost: 65_535), port > 0 else {
                return false
            }
            host = host[..<colon]
        }
        if host.utf8.first == UInt8(ascii: "["), host.utf8.last == UInt8(ascii: "]") {
            return IPAddress(parsing: host.dropFirst().dropLast())?.isVersion6 == true
        }
        return WebHost(parsing: host) != nil
    }

    /// `tls=required`, `connections=N` and `ca=FILE`, each at most once.
    private static func isQuery(_ query: Substring) -> Bool {
        var seen: Set<String> = []
        return query.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).allSatisfy { pair in
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1).map { String(Substring($0)) }
            guard parts.count == 2, seen.insert(parts[0]).inserted else { return false }
            switch parts[0] {
            case "tls": return parts[1].utf8.elementsEqual("required".utf8)
            case "connections": return Digits.number(parts[1], atMost: 64).map { $0 > 0 } ?? false
            case "ca": return isPercentEncoded(Substring(parts[1]))
            default: return false
            }
        }
    }

    /// Every `%` is followed by two hexadecimal digits (RFC 3986 section 2.1).
    private static func isPercentEncoded(_ text: Substring) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.indices.allSatisfy { index in
            bytes[index] != UInt8(ascii: "%")
                || index + 2 < bytes.count && bytes[(index + 1)...(index + 2)].allSatisfy(isHexadecimal)
        }
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte | 0x20)
    }
}
