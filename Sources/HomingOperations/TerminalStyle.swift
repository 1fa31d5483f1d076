// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// How a part of what a program says looks on a terminal. The text itself is plain: what is said travels beside its
/// styles, and only where it is shown is it painted, so that no text from outside can paint anything.
package enum TerminalStyle: String, Codable, Sendable, Equatable {
    /// The head of a table or a section.
    case heading
    /// A state that is as it should be.
    case ok
    case warning
    /// A state that somebody has to mend.
    case fix
    /// The name in front of a value.
    case key

    /// A part of a text, in bytes of UTF-8.
    package struct Part: Codable, Sendable, Equatable {
        package let style: TerminalStyle
        package let start: Int
        package let length: Int

        package init(_ style: TerminalStyle, from start: Int, length: Int) {
            self.style = style
            self.start = start
            self.length = length
        }

        func moved(by bytes: Int) -> Part { Part(style, from: start + bytes, length: length) }
    }

    /// The parameter of Select Graphic Rendition (ECMA-48 section 8.3.117).
    private var code: String {
        switch self {
        case .heading: "1"
        case .ok: "32"
        case .warning: "33"
        case .fix: "31"
        case .key: "2"
        }
    }

    /// Whether what is written there is painted: on a terminal that can, and with `CLICOLOR_FORCE` anywhere. `NO_COLOR`
    /// stands above both (https://no-color.org, https://bixense.com/clicolors).
    package static func isShown(
        onTerminal isTerminal: Bool, _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> Bool {
        guard (environment["NO_COLOR"] ?? "").isEmpty else { return false }
        if let force = environment["CLICOLOR_FORCE"], !["", "0"].contains(force) { return true }
        return isTerminal && !["", "dumb"].contains(environment["TERM"] ?? "")
    }

    /// The text with its parts painted.
    ///
    /// - Parameters:
    ///   - parts: in their order. One that is not within the text, or begins in the one before it, is left out.
    ///   - plain: makes a piece of the text fit for where it is shown.
    package static func painted(_ text: String, _ parts: [Part], plain: (String) -> String = { $0 }) -> String {
        let bytes = Array(text.utf8)
        var result = ""
        var end = 0
        func piece(_ range: Range<Int>) -> String { plain(String(decoding: bytes[range], as: UTF8.self)) }
        for part in parts {
            guard part.start >= end, part.start < bytes.count, (1...bytes.count - part.start).contains(part.length)
            else { continue }
            let next = part.start + part.length
            result += piece(end..<part.start) + "\u{1B}[\(part.style.code)m" + piece(part.start..<next) + "\u{1B}[0m"
            end = next
        }
        return result + piece(end..<bytes.count)
    }
}
