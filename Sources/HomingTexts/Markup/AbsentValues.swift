// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// What a template says where it names values that a mail does not have, such as the code of a request that has none: a
/// sentence around nothing is not said.
///
/// The paragraph that names such a value is left out. What the mail cannot do without stays: a paragraph that has the
/// link as well, or a value that is there, loses only the lines that name an absent one.
package struct AbsentValues: Sendable {
    /// The placeholders without a value.
    private let absent: [Placeholders.Name]
    /// The placeholders whose paragraphs and lines stay.
    private let needed: [Placeholders.Name]
    /// The placeholders without a value that leave out a line for them alone, such as `Device: %DEVICE%`, and nothing
    /// else.
    private let labelled: [Placeholders.Name]

    package init(
        _ absent: [Placeholders.Name], needed: [Placeholders.Name], labelled: [Placeholders.Name] = []
    ) {
        self.absent = absent
        self.needed = needed
        self.labelled = labelled
    }

    private func names(_ names: [Placeholders.Name], in text: some StringProtocol) -> Bool {
        Placeholders.names(in: String(text)).contains { found in names.contains { ASCII.areEqual($0.rawValue, found) } }
    }

    /// A plain text without the paragraphs, or lines, that say nothing.
    package func leftOut(of text: String) -> String {
        guard names(absent + labelled, in: text) else { return text }
        var kept: [Substring] = []
        var paragraph: [Substring] = []
        var isGone = false
        func close() {
            let stays = stayingLines(paragraph)
            isGone = stays.isEmpty && !paragraph.isEmpty
            kept += stays
            paragraph = []
        }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            guard line.allSatisfy(\.isWhitespace) else {
                paragraph.append(line)
                continue
            }
            close()
            // The empty line behind it goes along.
            if !isGone { kept.append(line) }
        }
        close()
        return withoutNames(in: kept.joined(separator: "\n"))
    }

    private func stayingLines(_ paragraph: [Substring]) -> [Substring] {
        if paragraph.count == 1, isLabel(paragraph[0]) { return [] }
        guard paragraph.contains(where: { names(absent, in: $0) }) else { return paragraph }
        guard paragraph.contains(where: { names(needed, in: $0) }) else { return [] }
        return paragraph.filter { !names(absent, in: $0) || names(needed, in: $0) }
    }

    private func isLabel(_ line: Substring) -> Bool {
        Placeholders.names(in: String(line)).count == 1
            && labelled.contains { line.utf8.suffix($0.spelling.utf8.count).elementsEqual($0.spelling.utf8) }
    }

    /// The marks that part a subject.
    private static let marks = [" · ", " – ", " — ", " - ", " | "]

    /// A subject without the parts that say nothing: those between the marks above.
    package func leftOut(ofLine line: String) -> String {
        guard names(absent, in: line) else { return line }
        var parts: [(mark: String, text: String)] = [("", line)]
        for mark in Self.marks {
            parts = parts.flatMap { part in
                part.text.split(separator: mark, omittingEmptySubsequences: false).enumerated().map { index, text in
                    (index == 0 ? part.mark : mark, String(text))
                }
            }
        }
        let said = parts.filter { !names(absent, in: $0.text) }
        guard let first = said.first else { return String(ASCII.trimmed(withoutNames(in: line))) }
        return said.dropFirst().reduce(first.text) { $0 + $1.mark + $1.text }
    }

    /// A placeholder that stays has no value, and takes the space before it along.
    private func withoutNames(in text: String) -> String {
        absent.reduce(text) { $0.replacing(" \($1.spelling)", with: "").replacing($1.spelling, with: "") }
    }

    /// The elements that stand for a paragraph.
    private static let blocks: Set = [
        "p", "li", "h1", "h2", "h3", "h4", "h5", "h6", "div", "tr", "dt", "dd", "blockquote", "pre", "address",
        "caption",
    ]

    /// Markup that was checked, without the innermost blocks that say nothing. Whatever is around them, such as a cell
    /// of the whole letter, has the link and stays.
    package func leftOut(ofMarkup html: String) -> String {
        guard names(absent, in: html) else { return html }
        struct Element {
            let isBlock: Bool
            let start: Int
            var isSaid = true
            var isNeeded = false
        }
        var reader = MarkupReader(html)
        var open: [Element] = []
        var gone: [Range<Int>] = []
        func take(_ text: String) {
            if names(needed, in: text) { for index in open.indices { open[index].isNeeded = true } }
            if names(absent, in: text), let block = open.lastIndex(where: \.isBlock) { open[block].isSaid = false }
        }
        while true {
            let start = reader.offset
            let depth = reader.path.count
            guard let token = try? reader.next() else { break }
            switch token {
            case .start(let tag):
                if reader.path.count > depth {
                    open.append(Element(isBlock: Self.blocks.contains(tag.name), start: start))
                }
                for attribute in tag.attributes { take(attribute.value) }
            case .text(let text): take(text)
            case .end:
                guard let element = open.popLast() else { break }
                if !element.isSaid, !element.isNeeded { gone.append(element.start..<reader.offset) }
            case .prologue, .style: break
            }
        }
        var bytes = Array(html.utf8)
        // From the back: an outer block ends behind those inside of it, which go with it.
        var limit = bytes.count
        for range in gone.sorted(by: { $0.upperBound > $1.upperBound }) where range.upperBound <= limit {
            bytes.removeSubrange(range)
            limit = range.lowerBound
        }
        return withoutNames(in: String(decoding: bytes, as: UTF8.self))
    }
}
