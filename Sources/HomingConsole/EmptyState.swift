// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingTexts

/// What stands in the place of a list without entries: what it would hold, and how the first one comes.
struct EmptyState {
    let icon: ConsoleIcon
    /// What there is none of, such as "No links yet".
    let title: String
    /// What that means, and what to do.
    let sentence: HTML
    /// A link or a form that does it.
    let action: HTML

    init(_ icon: ConsoleIcon, _ title: String, _ sentence: HTML, action: HTML = "") {
        self.icon = icon
        self.title = title
        self.sentence = sentence
        self.action = action
    }

    var html: HTML {
        """
        <div class="empty">\(icon.html)<p class="title">\(title)</p><p>\(sentence)</p>\(action)</div>
        """
    }
}
