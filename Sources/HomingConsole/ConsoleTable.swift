// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingTexts

/// A table that scrolls alone on a phone, or whose rows are cards there.
struct ConsoleTable {
    let caption: String
    let headings: [String]
    let rows: [[HTML]]
    /// Whether each row is a card on a phone, in which the headings stand beside what is below them.
    let areCards: Bool

    init(_ caption: String, _ headings: [String], _ rows: [[HTML]], areCards: Bool = false) {
        self.caption = caption
        self.headings = headings
        self.rows = rows
        self.areCards = areCards
    }

    var html: HTML {
        let head = headings.map { "<th scope=\"col\">\($0)</th>" as HTML }
        let body = rows.map { row -> HTML in
            let cells = row.enumerated().map { index, cell -> HTML in
                if index == 0 { return "<th scope=\"row\"\(role("rowheader"))>\(cell)</th>" }
                let label: HTML = areCards ? " data-label=\"\(headings[index])\"" : ""
                return "<td\(role("cell"))\(label)>\(cell)</td>"
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
