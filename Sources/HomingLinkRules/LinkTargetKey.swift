// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingStore
import HomingWire

/// Where a link leads, in the one spelling by which links are found: the host without `www.`, the port where it is not
/// the scheme's, the path without a slash at its end, the query without what campaigns add, and no scheme.
///
/// Two targets that a person takes for the same one have the same key, and what a person types of a target has the
/// beginning of its key. It is ASCII, so that both engines have the same order.
package struct LinkTargetKey: Sendable, Equatable {
    /// The greatest number of bytes; what is behind them counts for nothing.
    package static let longest = 500

    package let text: String

    /// The key of a target, or of what somebody has typed of one: no text is refused.
    package init(_ target: String) {
        let (scheme, rest) = Self.parts(of: ASCII.trimmed(target))
        let authority = rest.prefix { !"/?#".utf8.contains($0) }
        var behind = rest.dropFirst(authority.count)
        let path = behind.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        behind = behind.dropFirst(path.count)
        let query = behind.prefix { $0 != UInt8(ascii: "#") }
        let fragment = behind.dropFirst(query.count)
        var key = Self.host(authority, scheme) + Self.spelled(path)
        while key.last == UInt8(ascii: "/") { key.removeLast() }
        let pairs = ASCII.split(Substring(query.dropFirst()), at: UInt8(ascii: "&"))
            .filter { !$0.isEmpty && !Self.isOfCampaign($0) }
        if !pairs.isEmpty { key += "?".utf8 + Self.spelled(pairs.joined(separator: "&").utf8) }
        // Any other fragment is a place on the page; this one is a page, of an app in the browser.
        if ["#/", "#!"].contains(where: { fragment.starts(with: $0.utf8) }) { key += Self.spelled(fragment) }
        text = String(decoding: key.prefix(Self.longest), as: UTF8.self)
    }

    /// Behind every key that begins with this one; no key has this byte.
    package var end: String { text + "\u{7F}" }

    private static func parts(of target: Substring) -> (scheme: String, rest: Substring.UTF8View) {
        let scheme = target.utf8.prefix { ASCII.isLetterOrDigit($0) || "+-.".utf8.contains($0) }
        let rest = target.utf8.dropFirst(scheme.count)
        guard !scheme.isEmpty, rest.starts(with: "://".utf8) else { return ("https", target.utf8) }
        return (ASCII.lowercased(Substring(scheme)), rest.dropFirst("://".utf8.count))
    }

    private static func host(_ authority: Substring.UTF8View, _ scheme: String) -> [UInt8] {
        let authority = authority.split(separator: UInt8(ascii: "@")).last ?? authority
        let port = authority.reversed().prefix { ASCII.isDigit($0) }.reversed()
        let isPort = authority.dropLast(port.count).last == UInt8(ascii: ":")
        let name = Substring(isPort ? authority.dropLast(port.count + 1) : authority)
        var host = WebHost(typed: name).map { Array($0.text.utf8) } ?? spelled(name.utf8).map(ASCII.folded)
        if host.starts(with: "www.".utf8) { host.removeFirst(4) }
        let usual = ["https": "443", "http": "80"][scheme] ?? ""
        return isPort && !port.isEmpty && !port.elementsEqual(usual.utf8) ? host + ":".utf8 + port : host
    }

    /// Percent-encoding in capitals, where a URL needs it, and of a letter that a URL may have none.
    private static func spelled(_ text: Substring.UTF8View) -> [UInt8] { spelled(Array(text)) }
    private static func spelled(_ text: String.UTF8View) -> [UInt8] { spelled(Array(text)) }

    private static func spelled(_ bytes: [UInt8]) -> [UInt8] {
        var spelled: [UInt8] = []
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            var (code, isPlain) = (byte, ASCII.isVisible(byte))
            if byte == UInt8(ascii: "%"), let high = rest.first.flatMap(Hexadecimal.value),
                let low = rest.dropFirst().first.flatMap(Hexadecimal.value)
            {
                rest = rest.dropFirst(2)
                code = high << 4 | low
                isPlain = ASCII.isLetterOrDigit(code) || "-._~".utf8.contains(code)
            }
            spelled +=
                isPlain
                ? [code] : [UInt8(ascii: "%"), Hexadecimal.upperDigit(code >> 4), Hexadecimal.upperDigit(code & 0xF)]
        }
        return spelled
    }

    /// Whether a piece of a query says who has brought a visitor, and not where to.
    private static func isOfCampaign(_ piece: Substring) -> Bool {
        PassedParameters.isKnown(ASCII.lowercased(Substring(piece.utf8.prefix { $0 != UInt8(ascii: "=") })))
    }

    package static func == (one: LinkTargetKey, other: LinkTargetKey) -> Bool {
        one.text.utf8.elementsEqual(other.text.utf8)
    }
}
