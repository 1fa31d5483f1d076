// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingTexts

/// A few numbers side by side, at the top of a page.
struct NumberTiles {
    struct Tile {
        let name: String
        let value: HTML
        /// What the number means, or leads to.
        var note: HTML?
        /// The page that has more of it.
        var path: String?

        init(_ name: String, _ value: HTML, note: HTML? = nil, path: String? = nil) {
            self.name = name
            self.value = value
            self.note = note
            self.path = path
        }
    }

    let tiles: [Tile]

    init(_ tiles: [Tile]) { self.tiles = tiles }

    var html: HTML {
        let items = tiles.map { tile -> HTML in
            let note: HTML = tile.note.map { "<dd class=\"soft\">\($0)</dd>" } ?? ""
            let name: HTML = tile.path.map { "<a href=\"\($0)\">\(tile.name)</a>" } ?? "\(tile.name)"
            return "<div><dt>\(name)</dt><dd class=\"value\">\(tile.value)</dd>\(note)</div>"
        }
        return "<dl class=\"stats\">\(items)</dl>"
    }
}
