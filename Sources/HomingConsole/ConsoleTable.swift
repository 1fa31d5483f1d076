// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingTexts

/// A table that scrolls alone on a phone.
struct ConsoleTable {
    let caption: String
    let headings: [String]
    let rows: [[HTML]]

    init(_ caption: String, _ headings: [String], _ rows: [[HTML]]) {
        self.caption = caption
        self.headings = headings
        self.rows = rows
    }

    var html: HTML {
        let head = headings.map { "<th scope=\"col\">\($0)</th>" as HTML }
        let body = rows.map { row -> HTML in
            let cells = row.enumerated().map { index, cell -> HTML in
                index == 0 ? "<th scope=\"row\">\(cell)</th>" : "<td>\(cell)</td>"
            }
            return "<tr>\(cells)</tr>"
        }
        return """
            <div class="scroll" tabindex="0" role="region" aria-label="\(caption)"><table><caption>\(caption)</caption>\
            <thead><tr>\(head)</tr></thead><tbody>\(body)</tbody></table></div>
            """
    }
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
