// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingCore
package import HomingTexts

/// A form that works without scripts: its target and its hidden fields.
package struct PageForm: Sendable {
    package struct Field: Sendable {
        package let name: String
        package let value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// A path on our own host; the policy lets no form leave it.
    package let action: String
    package let fields: [Field]

    package init(action: String, fields: [Field]) {
        self.action = action
        self.fields = fields
    }

    /// - Parameters:
    ///   - busy: the button's text while the form is under way.
    ///   - emphasis: whether the form is the page's purpose, or an option besides.
    package func html(_ content: HTML = "", button: String, busy: String, emphasis: Emphasis = .primary) -> HTML {
        """
        <form method="post" action="\(action)">\
        \(fields.map { "<input type=\"hidden\" name=\"\($0.name)\" value=\"\($0.value)\">" as HTML })\
        \(content)<button type="submit" class="button\(emphasis.suffix)" data-busy="\(busy)">\(button)</button></form>
        """
    }
}

/// The prominence of a button.
package enum Emphasis: Sendable {
    case primary
    case secondary

    var suffix: HTML {
        switch self {
        case .primary: ""
        case .secondary: " quiet"
        }
    }
}
