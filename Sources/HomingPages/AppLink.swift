// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingCore
internal import HomingTexts
import HomingWire

/// The target of a button that opens an app: a universal link, or the app's custom scheme in the one shape that Dynamic
/// Links have, `{scheme}://google/link/?…`.
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
        guard ContinueLink(href) != nil || Self.isCustom(Array(href.utf8)) else { return nil }
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

    /// RFC 3986, section 3.1.
    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        ASCII.isLetterOrDigit(byte) || "+-.".utf8.contains(byte)
    }
}
