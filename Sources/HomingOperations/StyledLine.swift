// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// A line of what a program says, with its styles beside it.
package struct StyledLine: Sendable, Equatable, ExpressibleByStringInterpolation {
    package private(set) var text: String
    package private(set) var parts: [TerminalStyle.Part] = []

    package init(_ text: String) { self.text = text }

    package init(_ text: String, _ style: TerminalStyle) {
        self.text = text
        parts = [TerminalStyle.Part(style, from: 0, length: text.utf8.count)]
    }

    package init(stringLiteral text: String) { self.init(text) }

    /// A value with its name in front of it: `name The Shop`.
    package static func fact(_ key: String, _ value: String) -> StyledLine { StyledLine(key, .key) + " \(value)" }

    /// The parts of the line within a text in which it begins at this byte.
    package func parts(from start: Int) -> [TerminalStyle.Part] { parts.map { $0.moved(by: start) } }

    package static func + (one: StyledLine, other: StyledLine) -> StyledLine {
        var both = one
        both.text += other.text
        both.parts += other.parts(from: one.text.utf8.count)
        return both
    }

    package static func == (one: StyledLine, other: StyledLine) -> Bool {
        one.text.utf8.elementsEqual(other.text.utf8) && one.parts == other.parts
    }
}
