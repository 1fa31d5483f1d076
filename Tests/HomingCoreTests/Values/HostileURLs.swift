// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation

/// URLs that try to lead elsewhere: pieces that parsers are known to read in different ways, put together at random.
struct HostileURLs {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> String {
        var text = any(of: Self.schemes) + any(of: Self.users) + any(of: Self.hosts) + any(of: Self.glue)
        for _ in 0..<number(below: 5) { text += any(of: Self.tails) }
        return text
    }

    private mutating func any(of pieces: [String]) -> String { pieces[number(below: pieces.count)] }

    private mutating func number(below bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % bound
    }

    private static let schemes =
        Array(repeating: "https://", count: 24) + [
            "http://", "HTTPS://", "hTTp://", "https:/", "https:", "https:///", "https:\\\\", "https:/\\", "//", "/\\",
            "",
            " https://", "https:\t//", "ht\ntps://", "javascript://", "javascript:", "data:text/html,", "blob:https://",
            "intent://", "view-source:https://", "https://https://",
        ]
    private static let users =
        Array(repeating: "", count: 24) + [
            "a@", "a:b@", "@", "good.example@", "good.example:443@", "good.example%40", "good.example\\@", "a@b@",
            "%40",
        ]
    private static let hosts = [
        "good.example", "good.example", "good.example", "good.example", "GOOD.Example", "a.wild.example",
        "a.b.wild.example", "wild.example", "localhost", "links.example", "links.example", "links.example",
        "shared.example", "shared.example", "evil.example", "evil.example", "good.example.evil.example",
        "evilgood.example", "xn--gd-jbba.example", "good.example.", "good%2eexample", "%67ood.example",
        "good\u{3002}example",
        "\u{FF47}ood.example", "go\u{AD}od.example", "g\u{43E}\u{43E}d.example", "good.exa\u{217E}ple",
        "\u{212A}.wild.example",
        "good\u{200B}.example", "[::1]", "[::ffff:127.0.0.1]", "127.1", "2130706433", "0x7f.1",
        "localhost.evil.example",
        "good.example\u{0}", "good .example", "good.example%00.evil.example", "good.example%2f.evil.example", "",
    ]
    private static let glue =
        Array(repeating: "", count: 24) + [
            ":443", ":443", ":80", ":8443", ":", ":0443", ":99999", "\\", "\\@evil.example", "@evil.example",
            ":443@evil.example", ".evil.example", "%2f.evil.example", "%23.evil.example", ";evil.example",
            ",evil.example",
            "\u{301}", "\t.evil.example", "#@evil.example", "?@evil.example", "/@evil.example", "|", "{", "^", "`",
        ]
    private static let tails = [
        "/", "/", "/l", "/l/", "/l/abc", "/abc", "//evil.example", "/\\evil.example", "?", "?", "#", "{", "}", "|", "^",
        "`",
        "{a:[1]}", "%", "%zz", "%0d%0aLocation:https://evil.example", "\r\n", "\t", " ", "..", "/..", "/../",
        "/%2e%2e/",
        "/.%2E/", "/;/", "@evil.example", "\\", "\"", "<", "é", "\u{202E}", "https://evil.example/", "&", "a=1",
        "link=https://evil.example/", "link=https%3A%2F%2Fevil.example", "link=https%3A%2F%2Fgood.example%2F",
        "%6cink=https://evil.example", "ofl=https://evil.example/", "/__/auth/links", "/__/auth/action", "/_/open",
        "//__/auth/action", "/%5f%5f/auth/action", "oobCode=x",
    ]
}

/// Where a browser goes with a URL, after the WHATWG URL standard and generous where browsers are: what they repair is
/// repaired, what they decode is decoded. It shares nothing with the product, whose parser refuses all of that.
struct BrowserReading {
    let scheme: String
    let host: String
    let port: String
    /// With dot segments resolved.
    let path: String
    let query: String

    /// Nil for anything but http and https.
    init?(_ text: String) {
        var rest = Array(text.unicodeScalars).filter { !["\t", "\n", "\r"].contains($0) }[...]
        rest = rest.drop { $0.value <= 0x20 }
        while let last = rest.last, last.value <= 0x20 { rest.removeLast() }
        guard let colon = rest.firstIndex(of: ":") else { return nil }
        scheme = Self.text(rest[..<colon]).lowercased()
        guard ["https", "http"].contains(scheme) else { return nil }
        rest = rest[(colon + 1)...].drop { $0 == "/" || $0 == "\\" }
        let end = rest.firstIndex { ["/", "\\", "?", "#"].contains($0) } ?? rest.endIndex
        var authority = rest[..<end]
        if let at = authority.lastIndex(of: "@") { authority = authority[(at + 1)...] }
        let bracket =
            authority.first == "[" ? authority.firstIndex(of: "]") ?? authority.startIndex : authority.startIndex
        let portStart = authority[bracket...].firstIndex(of: ":") ?? authority.endIndex
        host = Self.mapped(Self.decoded(Self.text(authority[..<portStart])))
        port = Self.text(authority[portStart...].dropFirst())
        rest = rest[end...]
        rest = rest[..<(rest.firstIndex(of: "#") ?? rest.endIndex)]
        let mark = rest.firstIndex(of: "?") ?? rest.endIndex
        path = Self.resolved(Self.text(rest[..<mark]))
        query = Self.text(rest[mark...].dropFirst())
    }

    /// Whether a browser ends on `good.example`, under `wild.example`, on the own machine, or on a link of the project
    /// that leads to no other place.
    static func isAtHome(_ text: String) -> Bool {
        guard let url = BrowserReading(text) else { return false }
        if url.host == "localhost" { return true }
        guard url.scheme == "https", ["", "443"].contains(url.port) else { return false }
        switch url.host {
        case "good.example": return true
        case "links.example": return url.isLink(behind: "")
        case "shared.example": return url.isLink(behind: "/l")
        default: return url.host.hasSuffix(".wild.example")
        }
    }

    private func isLink(behind prefix: String) -> Bool {
        guard prefix.isEmpty || path == prefix || path.hasPrefix(prefix + "/") else { return false }
        let rest = path.dropFirst(prefix.count)
        guard ["", "/", "/__/auth/links"].contains(rest) else {
            return !path.hasPrefix("/__/") && !path.hasPrefix("/_/")
        }
        let pairs = query.components(separatedBy: "&").map { piece in
            let parts = piece.components(separatedBy: "=")
            return (name: Self.decoded(parts[0]), value: Self.decoded(parts.dropFirst().joined(separator: "=")))
        }
        guard pairs.contains(where: { $0.name == "link" }) else { return rest != "/__/auth/links" }
        return pairs.allSatisfy { pair in
            guard ["link", "ofl", "afl", "ifl", "ipfl"].contains(pair.name) else { return true }
            return BrowserReading(pair.value)?.host == "good.example" && Self.isAtHome(pair.value)
        }
    }

    private static func text(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }

    private static func decoded(_ text: String) -> String {
        var bytes = ArraySlice(Array(text.utf8))
        var result: [UInt8] = []
        while let byte = bytes.popFirst() {
            let digits = String(decoding: bytes.prefix(2), as: UTF8.self)
            if byte == UInt8(ascii: "%"), digits.utf8.count == 2, let value = UInt8(digits, radix: 16) {
                result.append(value)
                bytes = bytes.dropFirst(2)
            } else {
                result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// A host as IDNA maps it, as far as the pieces need it.
    private static func mapped(_ host: String) -> String {
        let scalars = host.unicodeScalars.compactMap { scalar -> Unicode.Scalar? in
            switch scalar.value {
            case 0xAD, 0x200B...0x200D, 0x2060, 0xFEFF: nil
            case 0x3002, 0xFF0E, 0xFF61: "."
            case 0xFF01...0xFF5E: Unicode.Scalar(scalar.value - 0xFEE0)
            default: scalar
            }
        }
        return text(scalars).lowercased()
    }

    private static func resolved(_ path: String) -> String {
        var segments: [String] = []
        let pieces = path.replacingOccurrences(of: "\\", with: "/").components(separatedBy: "/").dropFirst()
        for piece in pieces {
            let name = decoded(piece)
            if name == ".." { _ = segments.popLast() } else if name != "." { segments.append(name) }
        }
        return pieces.isEmpty ? "" : "/" + segments.joined(separator: "/")
    }
}
