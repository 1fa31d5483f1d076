// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingTexts

/// A form for something new, behind a button where a page is mostly about what there is already.
struct FoldedForm {
    /// What the button, and the card that it opens, are called, such as "New project".
    let title: String
    let form: HTML
    /// Whether it is shown at once: where there is nothing yet, and where it was refused.
    let isOpen: Bool

    init(_ title: String, _ form: HTML, isOpen: Bool) {
        self.title = title
        self.form = form
        self.isOpen = isOpen
    }

    var html: HTML {
        """
        <details class="new"\(isOpen ? " open" as HTML : "")><summary class="button">\(ConsoleIcon.plus.html)\(title)\
        </summary><section>\(form)</section></details>
        """
    }
}
