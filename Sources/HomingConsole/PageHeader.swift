// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingTexts

/// The top of a page: its one `h1`, what the page is for in a sentence, and what people come to do, at its right.
struct PageHeader {
    let title: String
    /// The page above this one.
    var back: (title: String, path: String)?
    /// One sentence below the heading.
    var lead: HTML?
    /// Links that look like buttons, or forms; the first one is what most people come for.
    var actions: HTML?

    var html: HTML {
        let up: HTML =
            back.map { "<p class=\"back\"><a href=\"\($0.path)\">\(ConsoleIcon.back.html)\($0.title)</a></p>" } ?? ""
        let sentence: HTML = lead.map { "<p class=\"lead\">\($0)</p>" } ?? ""
        let doing: HTML = actions.map { $0.isEmpty ? "" : "<div class=\"actions\">\($0)</div>" } ?? ""
        return "\(up)<div class=\"top\"><div><h1>\(title)</h1>\(sentence)</div>\(doing)</div>"
    }
}
