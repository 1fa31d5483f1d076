// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingTexts

/// A button beside a value, such as an id or a link, that copies it. A script shows it where the browser lets it copy,
/// and gives it its sign.
struct CopyButton {
    let text: String
    /// What is copied, such as "the API key": "Copy" stands before it.
    let label: String
    /// Whether the button shows its sign alone, as beside a value in a line or a table.
    let isSmall: Bool

    init(_ text: String, _ label: String, isSmall: Bool = true) {
        self.text = text
        self.label = label
        self.isSmall = isSmall
    }

    var html: HTML {
        """
        <button type="button" class="copy\(isSmall ? " small" : "")" data-text="\(text)" aria-label="Copy \(label)" \
        hidden>Copy</button>
        """
    }
}
