// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingTexts
import HomingWire

/// A table whose rows are cards on a phone, or that scrolls alone there. Columns of numbers stand at the right.
package struct ConsoleTable {
    let caption: String
    let headings: [String]
    let rows: [[HTML]]
    /// Whether each row is a card on a phone, in which the headings stand beside what is below them.
    let areCards: Bool

    /// - Parameter areCards: nil for cards where a phone would cut the table.
    package init(_ caption: String, _ headings: [String], _ rows: [[HTML]], areCards: Bool? = nil) {
        self.caption = caption
        self.headings = headings
        self.rows = rows
        self.areCards = areCards ?? (headings.count > 2)
    }

    /// The columns whose every cell is a number.
    private var numbers: Set<Int> {
        Set(
            headings.indices.dropFirst().filter { column in
                !rows.isEmpty && rows.allSatisfy { column < $0.count && Self.isNumber($0[column]) }
            })
    }

    /// Whether a cell is digits alone, with what groups them.
    private static func isNumber(_ cell: HTML) -> Bool {
        var text = cell.utf8Text[...]
        if text.hasPrefix("<bdi>"), text.hasSuffix("</bdi>") { text = text.dropFirst(5).dropLast(6) }
        return text.utf8.contains { ASCII.isDigit($0) }
            && text.utf8.allSatisfy { ASCII.isDigit($0) || ",.%".utf8.contains($0) }
    }

    package var html: HTML {
        let numbers = numbers
        func kind(_ index: Int) -> HTML { numbers.contains(index) ? " class=\"number\"" : "" }
        let head = headings.enumerated().map { "<th scope=\"col\"\(kind($0))>\($1)</th>" as HTML }
        let body = rows.map { row -> HTML in
            let cells = row.enumerated().map { index, cell -> HTML in
                if index == 0 { return "<th scope=\"row\"\(role("rowheader"))>\(cell)</th>" }
                let label: HTML = areCards ? " data-label=\"\(headings[index])\"" : ""
                return "<td\(role("cell"))\(kind(index))\(label)>\(cell)</td>"
            }
            return "<tr\(role("row"))>\(cells)</tr>"
        }
        let table: HTML = """
            <table\(areCards ? " class=\"cards\"" as HTML : "")\(role("table"))><caption>\(caption)</caption>\
            <thead\(role("rowgroup"))><tr\(role("row"))>\(head)</tr></thead>\
            <tbody\(role("rowgroup"))>\(body)</tbody></table>
            """
        return areCards
            ? table
            : "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"\(caption)\">\(table)</div>"
    }

    /// What an element of the table is, for browsers that forget it where it is laid out as a card.
    private func role(_ name: String) -> HTML { areCards ? " role=\"\(name)\"" : "" }
}

/// Lines for an app or a terminal, to be copied.
struct ConsoleLines {
    let name: String
    let text: String

    init(_ name: String, _ text: String) {
        self.name = name
        self.text = text
    }

    var html: HTML { "<pre data-copy=\"\(name)\">\(text)</pre>" }
}
