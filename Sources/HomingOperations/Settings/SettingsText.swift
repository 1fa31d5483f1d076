// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingWire

/// The text of a `homing.yaml`, in which settings are set while every other line stays as it is.
///
/// A value takes the place of the setting's value, or of the comment with which the example of the file shows it, or a
/// line of its own in its section. A comment that a person has written is never touched.
package struct SettingsText: Equatable, Sendable {
    private var lines: [Line]
    private let hasCarriageReturns: Bool

    package init(_ text: String) {
        hasCarriageReturns = text.utf8.contains(UInt8(ascii: "\r"))
        var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { Line(String(Substring($0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0))) }
        if lines.last?.text.isEmpty ?? false { lines.removeLast() }
        self.lines = lines
    }

    package var text: String {
        lines.map { $0.text + (hasCarriageReturns ? "\r\n" : "\n") }.joined()
    }

    /// Sets a setting.
    ///
    /// - Parameter key: with dots between the levels, as ``Setting/key``.
    package mutating func set(_ key: String, to value: String) {
        let names = key.split(separator: ".").map(String.init)
        var room = Room(lines: 0..<lines.count, indent: 0)
        for name in names.dropLast() { room = enter(name, in: room) }
        write(names[names.count - 1], Self.scalar(value), in: room)
    }

    // MARK: Sections

    /// The lines between which the keys of one section stand.
    private struct Room {
        var lines: Range<Int>
        var indent: Int
    }

    /// The section of this name; one that is a comment loses its sign, one that is not there is made.
    private mutating func enter(_ name: String, in room: Room) -> Room {
        let header: Int
        if let found = index(of: name, in: room, isComment: false) {
            header = found
        } else if let found = index(of: name, in: room, isComment: true), lines[found].isExample {
            header = found
            lines[found] = Line(String(lines[found].text.dropFirst()))
        } else {
            header = end(of: room)
            lines.insert(Line(Self.blanks(room.indent) + name + ":"), at: header)
        }
        let end = (header + 1..<lines.count).first { lines[$0].ends(sectionAt: room.indent) } ?? lines.count
        let inside = header + 1..<end
        let indent = lines[inside].first { $0.isContent }?.indent
        return Room(lines: inside, indent: indent ?? room.indent + 2)
    }

    /// The line that a key begins.
    private func index(of name: String, in room: Room, isComment: Bool) -> Int? {
        room.lines.first { index in
            let line = lines[index]
            // An indentation that a person has chosen may differ from the example's.
            return line.isComment == isComment && line.name.map { $0.utf8.elementsEqual(name.utf8) } ?? false
                && (isComment ? line.indent <= room.indent : line.indent == room.indent)
                && !(isComment && isInOtherSection(index, room))
        }
    }

    /// Whether a comment belongs to a section that is a comment itself.
    private func isInOtherSection(_ index: Int, _ room: Room) -> Bool {
        let indent = lines[index].indent
        let above = (room.lines.lowerBound..<index).last { lines[$0].name != nil && lines[$0].indent < indent }
        return above.map { lines[$0].isComment } ?? false
    }

    /// Behind the last line that is not blank.
    private func end(of room: Room) -> Int {
        (room.lines.last { !lines[$0].text.isEmpty } ?? room.lines.lowerBound - 1) + 1
    }

    // MARK: Values

    private mutating func write(_ name: String, _ value: String, in room: Room) {
        let line = "\(Self.blanks(room.indent))\(name): \(value)"
        if let index = index(of: name, in: room, isComment: false) {
            let end = endOfValue(at: index)
            // What is said about the items of a list stays below the list's new form.
            let comments = lines[index + 1..<end].map { $0.isContent ? $0.trailingComment : $0.text }
                .filter { !$0.isEmpty }
            lines.replaceSubrange(index..<end, with: ([line + lines[index].trailingComment] + comments).map(Line.init))
        } else if let index = index(of: name, in: room, isComment: true) {
            if lines[index].isExample {
                lines[index] = Line(line)
            } else {
                lines.insert(Line(line), at: index + 1)
            }
        } else {
            lines.insert(Line(line), at: room.indent == 0 ? end(of: room) : room.lines.lowerBound)
        }
    }

    /// The end of a value that may go on below its key: lines further in, and a list's, which may stand as far out as
    /// it.
    private func endOfValue(at index: Int) -> Int {
        let indent = lines[index].indent
        var end = index + 1
        for next in index + 1..<lines.count where lines[next].isContent {
            guard lines[next].indent > indent || lines[next].isItem && lines[next].indent == indent else { break }
            end = next + 1
        }
        return end
    }

    /// A value as YAML reads it back: plain where it cannot be taken for anything else, else in single quotes.
    private static func scalar(_ value: String) -> String {
        let isPlain =
            !value.isEmpty
            && value.utf8.allSatisfy { $0 == 0x20 || "<>+-_./:@%?=&,".utf8.contains($0) || $0.isAlphanumeric }
            && (value.utf8.first?.isAlphanumeric ?? false || value.utf8.first == UInt8(ascii: "/"))
            && value.utf8.last != UInt8(ascii: ":") && value.utf8.last != 0x20 && !value.contains(": ")
        return isPlain ? value : "'\(value.replacing("'", with: "''"))'"
    }

    private static func blanks(_ count: Int) -> String { String(repeating: " ", count: count) }
}

extension SettingsText {
    /// One line, and what it is.
    private struct Line: Equatable, Sendable {
        let text: String
        let isComment: Bool
        /// The blanks before the first sign, behind the comment's own.
        let indent: Int
        /// The key that begins here.
        let name: String?

        init(_ text: String) {
            self.text = text
            isComment = text.utf8.first == UInt8(ascii: "#")
            let inside = isComment ? text.utf8.dropFirst() : text.utf8[...]
            let content = inside.drop { $0 == 0x20 }
            indent = inside.count - content.count
            let word = content.prefix { $0.isAlphanumeric }
            let rest = content.dropFirst(word.count)
            let isKey =
                !word.isEmpty && rest.first == UInt8(ascii: ":") && (rest.count == 1 || rest.dropFirst().first == 0x20)
            name = isKey ? String(Substring(word)) : nil
        }

        private var content: Substring.UTF8View { Substring(text).utf8.drop { $0 == 0x20 } }

        /// Neither blank nor a comment.
        var isContent: Bool { !content.isEmpty && content.first != UInt8(ascii: "#") }
        /// An item of a list.
        var isItem: Bool {
            content.first == UInt8(ascii: "-") && (content.count == 1 || content.dropFirst().first == 0x20)
        }
        /// Whether the line stands in the example of the file, where nobody has written anything.
        var isExample: Bool { SettingsText.example.contains(text) }

        /// Whether a section whose key has this indentation is over.
        func ends(sectionAt indent: Int) -> Bool {
            if isContent { return self.indent <= indent && !isItem }
            return isComment && isExample && self.indent <= indent
        }

        /// The comment behind a plain or quoted value, with the blanks before it.
        var trailingComment: String {
            var quote: UInt8?
            var last: UInt8 = 0
            for index in text.utf8.indices {
                let byte = text.utf8[index]
                if let open = quote {
                    if byte == open { quote = nil }
                } else if byte == UInt8(ascii: "#"), last == 0x20 {
                    let before = text[..<index].reversed().prefix { $0 == " " }
                    return String(before) + text[index...]
                } else if [UInt8(ascii: "'"), UInt8(ascii: "\"")].contains(byte), [0x20, 0x5B, 0x2C].contains(last) {
                    quote = byte
                }
                last = byte
            }
            return ""
        }
    }

    private static let example = Set(
        SettingsDocument.example.utf8.split(separator: UInt8(ascii: "\n")).map { String(Substring($0)) })
}

extension UInt8 {
    fileprivate var isAlphanumeric: Bool { ASCII.isLetterOrDigit(self) }
}
