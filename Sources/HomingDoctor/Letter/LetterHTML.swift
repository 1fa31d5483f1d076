// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingWire

/// What of an HTML part people see and tap: its links, its pictures, its text. No parser of HTML: it finds the tags, and
/// leaves out what is between the marks of a comment.
struct LetterHTML: Sendable {
    struct Picture: Sendable, Equatable {
        let url: String
        /// Whether nobody can see it.
        let isTiny: Bool
    }

    private(set) var links: [String] = []
    private(set) var pictures: [Picture] = []
    private(set) var text = ""

    /// Words do not end at these.
    private static let inline: Set<String> = [
        "a", "abbr", "b", "bdi", "bdo", "code", "em", "font", "i", "small", "span", "strong", "sub", "sup", "u", "wbr",
    ]

    init(_ html: String) {
        var rest = Array(html.utf8)[...]
        var text: [UInt8] = []
        while let open = rest.firstIndex(of: UInt8(ascii: "<")) {
            text += rest[..<open]
            rest = rest[open...]
            if rest.starts(with: "<!--".utf8) {
                rest = Self.rest(of: rest.dropFirst(4), behind: Array("-->".utf8))
                continue
            }
            guard let next = rest.dropFirst().first, ASCII.isLetter(next) || next == UInt8(ascii: "/") || next == 0x21
            else {
                text.append(UInt8(ascii: "<"))
                rest = rest.dropFirst()
                continue
            }
            let (tag, behind) = Self.tag(rest.dropFirst())
            rest = behind
            take(tag)
            if !Self.inline.contains(tag.name.hasPrefix("/") ? String(tag.name.dropFirst()) : tag.name) {
                text.append(UInt8(ascii: " "))
            }
            if ["style", "script", "title"].contains(tag.name) {
                rest = Self.rest(of: rest, behind: Array("</\(tag.name)".utf8))
                rest = Self.rest(of: rest, behind: [UInt8(ascii: ">")])
            }
        }
        text += rest
        self.text = Self.unescaped(String(decoding: text, as: UTF8.self))
    }

    private mutating func take(_ tag: Tag) {
        switch tag.name {
        case "a", "area":
            if let link = tag.attributes["href"], links.count < LetterURL.mostLinks { links.append(link) }
        case "img":
            guard let url = tag.attributes["src"] else { return }
            let sizes = [tag.attributes["width"], tag.attributes["height"]].compactMap(\.self)
            let style = tag.attributes["style"]?.replacing(" ", with: "") ?? ""
            pictures.append(
                Picture(
                    url: url,
                    isTiny: sizes.contains { ["0", "1", "0px", "1px"].contains($0) }
                        || ["width:1px", "width:0", "height:1px", "height:0", "display:none"].contains {
                            style.contains($0)
                        }))
        default: break
        }
    }

    private struct Tag {
        var name = ""
        var attributes: [String: String] = [:]
    }

    /// What comes behind a mark; nothing where it is missing.
    private static func rest(of bytes: ArraySlice<UInt8>, behind mark: [UInt8]) -> ArraySlice<UInt8> {
        var rest = bytes
        while let start = rest.firstIndex(where: { ASCII.folded($0) == mark[0] }) {
            rest = rest[start...]
            if rest.count >= mark.count, zip(rest, mark).allSatisfy({ ASCII.folded($0) == $1 }) {
                return rest.dropFirst(mark.count)
            }
            rest = rest.dropFirst()
        }
        return []
    }

    /// The tag whose name begins the bytes, and what comes behind it.
    private static func tag(_ bytes: ArraySlice<UInt8>) -> (Tag, ArraySlice<UInt8>) {
        var rest = bytes
        func word(until isEnd: (UInt8) -> Bool) -> String {
            let word = rest.prefix { !isEnd($0) }
            rest = rest.dropFirst(word.count)
            return String(decoding: word, as: UTF8.self)
        }
        func isEnd(_ byte: UInt8) -> Bool { ASCII.isSpace(byte) || byte == UInt8(ascii: ">") }
        var tag = Tag(name: ASCII.lowercased(word(until: isEnd)))
        while let byte = rest.first, byte != UInt8(ascii: ">") {
            guard !ASCII.isSpace(byte), byte != UInt8(ascii: "/") else {
                rest = rest.dropFirst()
                continue
            }
            let name = ASCII.lowercased(word { isEnd($0) || $0 == UInt8(ascii: "=") })
            rest = rest.drop(while: ASCII.isSpace)
            guard rest.first == UInt8(ascii: "=") else {
                if name.isEmpty { rest = rest.dropFirst() }
                continue
            }
            rest = rest.dropFirst().drop(while: ASCII.isSpace)
            var value: String
            if let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
                rest = rest.dropFirst()
                value = word { $0 == quote }
                rest = rest.dropFirst()
            } else {
                value = word(until: isEnd)
            }
            if tag.attributes[name] == nil { tag.attributes[name] = unescaped(String(ASCII.trimmed(value))) }
        }
        return (tag, rest.dropFirst())
    }

    private static let names: [Substring: String] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{a0}", "zwnj": "\u{200c}",
        "zwj": "\u{200d}", "shy": "\u{ad}", "middot": "·", "ndash": "–", "mdash": "—", "rsquo": "’", "lsquo": "‘",
        "hellip": "…", "copy": "©",
    ]

    private static func unescaped(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        var result = ""
        var rest = text[...]
        while let start = rest.utf8.firstIndex(of: UInt8(ascii: "&")) {
            result += rest[..<start]
            rest = rest[start...]
            let name = rest.dropFirst().prefix(10).prefix { $0 != ";" && $0 != "&" && $0 != " " }
            let isClosed = rest.dropFirst(1 + name.count).first == ";"
            if isClosed, let character = names[name] ?? numbered(name) {
                result += character
                rest = rest.dropFirst(name.count + 2)
            } else {
                result += "&"
                rest = rest.dropFirst()
            }
        }
        return result + rest
    }

    private static func numbered(_ name: Substring) -> String? {
        guard name.first == "#" else { return nil }
        let digits = name.dropFirst()
        let number =
            digits.first.map { $0 == "x" || $0 == "X" } == true
            ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return number.flatMap(Unicode.Scalar.init).map { String(Character($0)) }
    }
}
