// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingWire

/// The mailbox that letters are fetched back from: `imaps://user@host[:port][/FOLDER]`, `pop3s://user@host[:port]`; on
/// this machine without TLS, too. The password stands elsewhere.
package struct InboxURL: Sendable, Equatable, CustomStringConvertible {
    package enum Way: String, Sendable {
        case imaps, imap, pop3s, pop3

        package var isIMAP: Bool { self == .imaps || self == .imap }
    }

    package let way: Way
    package let user: String
    /// With brackets around an IPv6 address.
    package let host: String
    package let port: Int?
    /// Nil for the inbox.
    package let folder: String?

    package static let form =
        "imaps://user@host[:port][/FOLDER] or pop3s://user@host[:port] (imap: and pop3: on loopback)"

    /// Nil for anything else, with a password too: the URL is shown.
    package init?(parsing text: String) {
        guard let parts = try? URLReading.parts(of: text), parts.query == nil else { return nil }
        let bytes = Array(parts.bytes)
        guard let mark = bytes.firstRange(of: Array("://".utf8)),
            let way = Way(rawValue: ASCII.lowercased(String(decoding: bytes[..<mark.lowerBound], as: UTF8.self)))
        else { return nil }
        let rest = bytes[mark.upperBound...]
        let authority = rest.prefix { $0 != UInt8(ascii: "/") }
        // An address as the user may stand as it is, with an @ of its own.
        guard let at = authority.lastIndex(of: UInt8(ascii: "@")),
            let user = try? URLReading.decoded(authority[..<at]), !user.isEmpty, !user.contains(":"),
            let (host, port) = Self.host(authority[(at + 1)...]),
            let folder = try? URLReading.decoded(rest.dropFirst(authority.count + 1))
        else { return nil }
        guard folder.isEmpty || way.isIMAP, way == .imaps || way == .pop3s || Self.isLoopback(host) else { return nil }
        self.way = way
        self.user = user
        self.host = host
        self.port = port
        self.folder = folder.isEmpty ? nil : folder
    }

    private static func host(_ bytes: ArraySlice<UInt8>) -> (String, Int?)? {
        let end =
            bytes.first == UInt8(ascii: "[")
            ? bytes.firstIndex(of: UInt8(ascii: "]")).map { $0 + 1 } ?? bytes.endIndex
            : bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
        let host = String(decoding: bytes[..<end], as: UTF8.self)
        let allowed: (UInt8) -> Bool = { ASCII.isLetterOrDigit($0) || ".-_:[]".utf8.contains($0) }
        guard !host.isEmpty, host.utf8.allSatisfy(allowed) else { return nil }
        let rest = bytes[end...]
        guard !rest.isEmpty else { return (host, nil) }
        let port = ASCII.number(String(decoding: rest.dropFirst(), as: UTF8.self), atMost: 65_535)
        guard rest.first == UInt8(ascii: ":"), let port, port > 0 else { return nil }
        return (host, port)
    }

    private static func isLoopback(_ host: String) -> Bool {
        ASCII.areEqual(host, "localhost") || host == "127.0.0.1" || host == "[::1]"
    }

    /// Scheme, host and port, where libcurl connects.
    package var base: String { "\(way.rawValue)://\(host)\(port.map { ":\($0)" } ?? "")/" }

    package var description: String { "\(way.rawValue)://\(user)@\(host)\(port.map { ":\($0)" } ?? "")" }
}
