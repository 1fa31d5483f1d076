// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// The host of a web URL in its one spelling: lower case, ASCII, no dot at the end.
///
/// There are three kinds only: LDH labels (RFC 1123 section 2.1, RFC 5890 section 2.3.1), an IPv4 address in plain
/// dotted decimal, and `[::1]`. Texts that browsers would first rewrite (`0x7f.1`, `2130706433`, percent-encoding,
/// Unicode) are refused, because browsers and we could then mean different hosts.
package struct WebHost: Sendable, Hashable {
    /// In lower case; `[::1]` with its brackets.
    package let text: String
    /// Whether this is an address and not a name.
    package let isAddress: Bool

    /// Parses a host without port; nil for anything but the three kinds.
    package init?(parsing text: some StringProtocol) {
        if ASCII.areEqual(text, "[::1]") {
            self.text = "[::1]"
            isAddress = true
            return
        }
        guard Self.areLabels(text) else { return nil }
        if Self.looksNumeric(text) {
            guard Self.isDottedDecimal(text) else { return nil }
            isAddress = true
        } else {
            isAddress = false
        }
        self.text = ASCII.lowercased(text)
    }

    /// Parses what a person typed: a host without port, or an international name (``InternationalName``), which becomes
    /// `xn--`. Hosts in URLs are parsed strictly.
    package init?(typed text: some StringProtocol) {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else {
            self.init(parsing: text)
            return
        }
        guard let name = InternationalName.ascii(text) else { return nil }
        self.init(parsing: name)
    }

    /// Names and addresses that never leave the machine: `localhost`, everything under it, 127.0.0.1 and [::1].
    package var isLoopback: Bool {
        ASCII.areEqual(text, "localhost") || text.utf8.hasSuffix(".localhost") || ASCII.areEqual(text, "127.0.0.1")
            || ASCII.areEqual(text, "[::1]")
    }

    /// Whether this host lies under a parent, on a label boundary; a host does not lie under itself.
    package func isUnder(_ parent: WebHost) -> Bool {
        !isAddress && text.utf8.hasSuffix(".\(parent.text)")
    }

    /// The number of labels in a name.
    package var labelCount: Int {
        ASCII.split(text, at: UInt8(ascii: ".")).count
    }

    /// 1 to 253 bytes of labels with 1 to 63 letters, digits and inner hyphens each.
    static func areLabels(_ text: some StringProtocol) -> Bool {
        guard (1...253).contains(text.utf8.count) else { return false }
        return ASCII.everyPiece(of: text, between: UInt8(ascii: ".")) { label in
            (1...63).contains(label.count) && label.allSatisfy { ASCII.isLetterOrDigit($0) || $0 == UInt8(ascii: "-") }
                && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
        }
    }

    /// Whether a browser would take a text for an IPv4 address: its last label is a number or begins `0x`.
    static func looksNumeric(_ text: some StringProtocol) -> Bool {
        let bytes = Substring(text).utf8
        let last = bytes.lastIndex(of: UInt8(ascii: ".")).map { bytes[bytes.index(after: $0)...] } ?? bytes
        return last.allSatisfy(ASCII.isDigit) || last.prefix(2).elementsEqual("0x".utf8) { ASCII.folded($0) == $1 }
    }

    private static func isDottedDecimal(_ text: some StringProtocol) -> Bool {
        let octets = ASCII.split(text, at: UInt8(ascii: "."))
        return octets.count == 4 && octets.allSatisfy { ASCII.number($0, atMost: 255) != nil }
    }
}

extension String.UTF8View {
    fileprivate func hasSuffix(_ suffix: String) -> Bool {
        count > suffix.utf8.count && self.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
    }
}
