// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingCore
internal import HomingTexts

/// What the button that opens an app leads to: a universal link, or the app's custom scheme in the one shape that
/// Dynamic Links have, `{scheme}://google/link/?…`.
struct AppLink {
    let href: String

    /// Schemes that mean something to a browser itself, so that no app can be meant.
    private static let browserSchemes: Set = [
        "about", "blob", "data", "file", "filesystem", "http", "https", "intent", "javascript", "vbscript",
        "view-source",
    ]

    private static let customTail = Array("://google/link/".utf8)

    /// - Returns: nothing for any other address; then the page has no such button.
    init?(_ href: String) {
        guard ContinueLink(href) != nil || Self.isCustom(Array(href.utf8)) else { return nil }
        self.href = href
    }

    func html(_ label: String) -> HTML {
        "<a class=\"button large\" href=\"\(href)\">\(label)</a>\n"
    }

    private static func isCustom(_ bytes: [UInt8]) -> Bool {
        let scheme = bytes.prefix { isSchemeByte($0) }
        guard let first = scheme.first, isLetter(first), bytes.dropFirst(scheme.count).starts(with: customTail),
            bytes.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return false }
        return !browserSchemes.contains(String(decoding: scheme.map { isLetter($0) ? $0 | 0x20 : $0 }, as: UTF8.self))
    }

    /// RFC 3986, section 3.1.
    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || [UInt8]("+-.".utf8).contains(byte)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}
