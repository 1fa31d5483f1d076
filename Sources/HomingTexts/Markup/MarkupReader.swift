// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// Reads markup that somebody else wrote, byte by byte, and takes only what every program reads alike: quoted
/// attributes, closed elements, references from a short list. Everything else is a fault, because two readers that
/// disagree about where a tag ends are how a script gets past a check.
struct MarkupReader {
    enum Token: Equatable {
        /// `<!DOCTYPE html>`, or the first line of an XML file.
        case prologue
        case start(MarkupTag)
        /// The end of an element that the rules know, once for every start except those of ``voidElements``.
        case end(String)
        /// Text with its references resolved.
        case text(String)
        /// The text of a `style` element.
        case style(String)
    }

    /// Elements that have no end.
    private static let voidElements: Set = ["br", "col", "hr", "img", "meta"]
    private static let deepest = 100
    /// References that every reader knows. Any other character is written as it is, or by its number.
    private static let references: [String: String] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}", "shy": "\u{AD}",
        "copy": "©", "reg": "®", "trade": "™", "euro": "€", "hellip": "…", "mdash": "—", "ndash": "–", "middot": "·",
        "bull": "•", "laquo": "«", "raquo": "»", "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”",
        "bdquo": "„", "zwnj": "\u{200C}", "zwj": "\u{200D}", "rarr": "→", "larr": "←", "auml": "ä", "ouml": "ö",
        "uuml": "ü", "Auml": "Ä", "Ouml": "Ö", "Uuml": "Ü", "szlig": "ß",
    ]

    private let bytes: [UInt8]
    /// XML: names keep their case, any element may close itself, and comments are skipped.
    private let isXML: Bool
    private var index = 0
    private var open: [String] = []
    private var pendingEnd: String?
    /// The line on which the newest token ended, and where that was: counting begins there, and not at the first byte
    /// again.
    private var ended = (line: 1, index: 0)

    init(_ text: String, isXML: Bool = false) {
        bytes = Array(text.utf8)
        self.isXML = isXML
    }

    /// The line on which the reader stands, from 1.
    var line: Int { ended.line + bytes[ended.index..<min(index, bytes.count)].count { $0 == 0x0A } }

    /// The byte at which the next token begins.
    var offset: Int { min(index, bytes.count) }

    /// The elements around the reader, the innermost last.
    var path: [String] { open }

    mutating func next() throws(MarkupFault) -> Token? {
        ended = (line, min(index, bytes.count))
        if let name = pendingEnd {
            pendingEnd = nil
            return .end(name)
        }
        while open.last != "style", follows("<!--") { try comment() }
        guard index < bytes.count else {
            guard open.isEmpty else { throw fault("<\(open[open.count - 1])> is not closed") }
            return nil
        }
        if open.last == "style" { return try style() }
        guard bytes[index] == UInt8(ascii: "<") else { return .text(try text(until: [UInt8(ascii: "<")])) }
        if follows("<!") || follows("<?") { return try prologue() }
        return follows("</") ? try end() : try start()
    }

    // MARK: Tags

    private mutating func start() throws(MarkupFault) -> Token {
        index += 1
        var tag = MarkupTag(name: try name(), attributes: [])
        while true {
            let hadSpace = skipSpace()
            guard index < bytes.count else { throw fault("<\(tag.name)> is not closed by >") }
            if follows(">") || follows("/>") { break }
            guard hadSpace else { throw fault("there is no space before an attribute of <\(tag.name)>") }
            let name = try name()
            skipSpace()
            guard follows("=") else { throw fault("the attribute \(name) of <\(tag.name)> has no value") }
            index += 1
            skipSpace()
            guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "'") else {
                throw fault("the value of \(name) in <\(tag.name)> has no quotes around it")
            }
            let quote = bytes[index]
            index += 1
            let value = try text(until: [quote, UInt8(ascii: "<")])
            guard index < bytes.count, bytes[index] == quote else {
                throw fault("the quotes around \(name) in <\(tag.name)> are not closed; < is written &lt;")
            }
            index += 1
            guard tag[name] == nil else { throw fault("<\(tag.name)> has \(name) twice") }
            tag.attributes.append((name, value))
        }
        let closesItself = bytes[index] == UInt8(ascii: "/")
        index += closesItself ? 2 : 1
        let isVoid = !isXML && Self.voidElements.contains(tag.name)
        if closesItself, !isXML, !isVoid { throw fault("<\(tag.name)/> has no end: write <\(tag.name)></\(tag.name)>") }
        if closesItself, isXML {
            pendingEnd = tag.name
        } else if !isVoid {
            guard open.count < Self.deepest else { throw fault("elements stand more than \(Self.deepest) deep") }
            open.append(tag.name)
        }
        return .start(tag)
    }

    private mutating func end() throws(MarkupFault) -> Token {
        index += 2
        let name = try name()
        skipSpace()
        guard follows(">") else { throw fault("</\(name) is not closed by >") }
        guard let last = open.last, last == name else {
            throw fault("</\(name)> closes nothing here\(open.last.map { ": <\($0)> is open" } ?? "")")
        }
        index += 1
        open.removeLast()
        return .end(name)
    }

    private mutating func name() throws(MarkupFault) -> String {
        let start = index
        while index < bytes.count, Self.isName(bytes[index]) { index += 1 }
        guard start < index, ASCII.isLetter(bytes[start]) else { throw fault("< begins no tag: as text it is &lt;") }
        guard index - start <= 40 else { throw fault("a name has more than 40 bytes") }
        let name = String(decoding: bytes[start..<index], as: UTF8.self)
        return isXML ? name : ASCII.lowercased(name)
    }

    private static func isName(_ byte: UInt8) -> Bool {
        ASCII.isLetterOrDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ":")
            || byte == UInt8(ascii: "_")
    }

    // MARK: Text

    /// The text up to one of these bytes, or to the end.
    private mutating func text(until ends: [UInt8]) throws(MarkupFault) -> String {
        var text: [UInt8] = []
        while index < bytes.count, !ends.contains(bytes[index]) {
            if bytes[index] == UInt8(ascii: "&") {
                text += try reference().utf8
            } else {
                try check(bytes[index])
                text.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// - Throws: for control characters, which programs drop, keep or take for spaces.
    private func check(_ byte: UInt8) throws(MarkupFault) {
        guard !ASCII.isControl(byte) || [0x09, 0x0A, 0x0D].contains(byte) else {
            throw fault("there is a control character (\(byte))")
        }
    }

    private mutating func reference() throws(MarkupFault) -> String {
        let rest = bytes[(index + 1)...].prefix(12)
        guard let end = rest.firstIndex(of: UInt8(ascii: ";")) else { throw fault("& is written &amp;") }
        let name = String(decoding: bytes[(index + 1)..<end], as: UTF8.self)
        guard let text = Self.references[name] ?? Self.numbered(name) else {
            throw fault("&\(name); is no reference that is taken here: write the character itself")
        }
        index = end + 1
        return text
    }

    private static func numbered(_ name: String) -> String? {
        guard name.hasPrefix("#") else { return nil }
        let digits = name.dropFirst()
        let isHex = digits.hasPrefix("x") || digits.hasPrefix("X")
        let number = isHex ? digits.dropFirst() : digits
        guard number.utf8.allSatisfy(isHex ? Hexadecimal.isDigit : ASCII.isDigit), number.utf8.count <= 7,
            let value = UInt32(number, radix: isHex ? 16 : 10), value >= 0x20, !(0x7F...0x9F).contains(value),
            let scalar = Unicode.Scalar(value)
        else { return nil }
        return String(Character(scalar))
    }

    // MARK: The rest

    /// A `style` element holds text up to its end tag, in which nothing is a tag or a reference.
    private mutating func style() throws(MarkupFault) -> Token {
        let start = index
        while index < bytes.count, bytes[index] != UInt8(ascii: "<") {
            try check(bytes[index])
            // In XML it would begin a reference.
            guard bytes[index] != UInt8(ascii: "&") else { throw fault("a style holds &: write it without") }
            index += 1
        }
        guard start < index else { return try end() }
        return .style(String(decoding: bytes[start..<index], as: UTF8.self))
    }

    private mutating func comment() throws(MarkupFault) {
        // Outlook runs what stands in a comment such as <!--[if mso]>.
        guard isXML else { throw fault("there is a comment: leave it out") }
        index += 4
        while index < bytes.count, !follows("--") { index += 1 }
        guard follows("-->") else { throw fault("a comment is not closed by -->") }
        index += 3
    }

    private mutating func prologue() throws(MarkupFault) -> Token {
        let isFirst = index == 0
        let end = bytes[index...].firstIndex(of: UInt8(ascii: ">")) ?? bytes.count
        let text = ASCII.lowercased(String(decoding: bytes[index..<end], as: UTF8.self))
        let isExpected =
            isXML ? text.hasPrefix("<?xml version=") && text.hasSuffix("?") : text == "<!doctype html"
        guard isFirst, isExpected, end < bytes.count else {
            throw fault(
                "\(isXML ? "<! and <?" : "<! other than <!DOCTYPE html> at the very beginning") cannot stand here")
        }
        index = end + 1
        return .prologue
    }

    @discardableResult
    private mutating func skipSpace() -> Bool {
        let start = index
        while index < bytes.count, ASCII.isSpace(bytes[index]) { index += 1 }
        return start < index
    }

    private func follows(_ text: StaticString) -> Bool {
        text.withUTF8Buffer { bytes[index...].starts(with: $0) }
    }

    private func fault(_ sentence: String) -> MarkupFault {
        MarkupFault(.malformed, line: line, sentence)
    }
}

/// The start of an element.
struct MarkupTag: Equatable {
    let name: String
    /// In their order; names once each, values with their references resolved.
    var attributes: [(name: String, value: String)]

    subscript(name: String) -> String? { attributes.first { $0.name == name }?.value }

    static func == (one: MarkupTag, other: MarkupTag) -> Bool {
        one.name == other.name && one.attributes.elementsEqual(other.attributes) { $0 == $1 }
    }
}

/// Why markup is not taken.
package struct MarkupFault: Error, Sendable, Equatable {
    package enum Reason: String, Sendable, CaseIterable {
        /// A tag, an attribute or a reference that programs read differently.
        case malformed = "MALFORMED"
        /// An element, an attribute or a URL that runs something.
        case script = "SCRIPT"
        /// An element that asks for input.
        case form = "FORM"
        /// An element, an attribute or a style that loads something.
        case remote = "REMOTE_CONTENT"
        /// A link that is neither https nor `%LINK%`.
        case link = "UNSAFE_LINK"
        case element = "ELEMENT"
        case attribute = "ATTRIBUTE"
        case style = "STYLE"
        /// A placeholder where it would not be filled as text.
        case placeholder = "MISPLACED_PLACEHOLDER"
    }

    package let reason: Reason
    package let line: Int
    /// What is wrong and what to do, without the line.
    package let sentence: String

    init(_ reason: Reason, line: Int, _ sentence: String) {
        self.reason = reason
        self.line = line
        self.sentence = sentence
    }
}
