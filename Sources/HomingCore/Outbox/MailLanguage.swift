// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingProjects

/// The language of a mail, and whether its links name it.
package struct MailLanguage: Sendable, Equatable, ExpressibleByStringLiteral {
    /// The tag that was asked for; the project's where nobody asked.
    package let tag: String
    /// Whether somebody asked. Where nobody did, no link names a language, and its page follows the browser.
    let isNamed: Bool

    /// The tag for links.
    package var named: String? { isNamed ? tag : nil }

    init(tag: String, isNamed: Bool) {
        self.tag = tag
        self.isNamed = isNamed
    }

    /// - Parameter tag: nil where nobody asked for a language.
    init(_ tag: String?, in project: Project) {
        self.init(tag: tag ?? project.settings.language, isNamed: tag != nil)
    }

    package init(stringLiteral tag: String) {
        self.init(tag: tag, isNamed: true)
    }
}
