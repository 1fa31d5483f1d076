// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingCore
internal import HomingTexts
import HomingWire

/// The target of a button that opens an app: a universal link, the app's custom scheme in the one shape that Dynamic
/// Links have, `{scheme}://google/link/?…`, or on Android an `intent:` URL for one package.
struct AppLink {
    let href: String

    /// Schemes that a browser handles itself, so that no app can be meant.
    private static let browserSchemes: Set = [
        "about", "blob", "data", "file", "filesystem", "http", "https", "intent", "javascript", "vbscript",
        "view-source",
    ]

    private static let customTail = Array("://google/link/".utf8)

    /// - Returns: nil for any other URL; then the page has no such button.
    init?(_ href: String) {
        guard ContinueLink(href) != nil || Self.isCustom(Array(href.utf8)) || Self.isIntent(href) else { return nil }
        self.href = href
    }

    func html(_ label: String) -> HTML {
        "<a class=\"button large\" href=\"\(href)\">\(label)</a>\n"
    }

    private static func isCustom(_ bytes: [UInt8]) -> Bool {
        let scheme = bytes.prefix { isSchemeByte($0) }
        guard let first = scheme.first, ASCII.isLetter(first), bytes.dropFirst(scheme.count).starts(with: customTail),
            bytes.allSatisfy(ASCII.isVisible)
        else { return false }
        return !browserSchemes.contains(String(decoding: scheme.map(ASCII.folded), as: UTF8.self))
    }

    /// `intent://HOST/PATH#Intent;scheme=https;package=P;S.browser_fallback_url=URL;end`, and nothing between.
    private static func isIntent(_ href: String) -> Bool {
        let halves = ASCII.split(Substring(href), at: UInt8(ascii: "#"))
        guard href.utf8.allSatisfy(ASCII.isVisible), halves.count == 2,
            halves[0].utf8.starts(with: "intent://".utf8)
        else { return false }
        let parts = ASCII.split(halves[1], at: UInt8(ascii: ";"))
        return parts.count == 5 && ASCII.areEqual(parts[0], "Intent")
            && (ASCII.areEqual(parts[1], "scheme=https") || ASCII.areEqual(parts[1], "scheme=http"))
            && parts[2].utf8.starts(with: "package=".utf8)
            && parts[3].utf8.starts(with: "S.browser_fallback_url=http".utf8) && ASCII.areEqual(parts[4], "end")
    }

    /// RFC 3986, section 3.1.
    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        ASCII.isLetterOrDigit(byte) || "+-.".utf8.contains(byte)
    }
}
