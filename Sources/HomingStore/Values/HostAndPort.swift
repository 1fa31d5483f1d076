// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// `host[:port]`, the form in URLs and settings.
enum HostAndPort {
    /// Cuts behind the host; the colons inside `[…]` belong to it. Nil when there is text between `]` and `:`.
    static func split(_ text: some StringProtocol) -> (host: Substring, port: Substring?)? {
        let text = Substring(text)
        var search = text
        if text.utf8.first == UInt8(ascii: "[") {
            guard let bracket = text.utf8.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            search = text[text.utf8.index(after: bracket)...]
            guard search.isEmpty || search.utf8.first == UInt8(ascii: ":") else { return nil }
        }
        guard let colon = search.utf8.firstIndex(of: UInt8(ascii: ":")) else { return (text, nil) }
        return (text[..<colon], text[text.utf8.index(after: colon)...])
    }

    /// A port from 1 to 65535 without leading zeros.
    static func port(_ text: some StringProtocol) -> Int? {
        ASCII.number(text, atMost: 65_535).flatMap { $0 == 0 ? nil : $0 }
    }
}
