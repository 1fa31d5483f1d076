// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingProjects

/// The language of a mail, and whether its links name it.
package struct MailLanguage: Sendable, Equatable, ExpressibleByStringLiteral {
    /// The tag that was asked for; where nobody asked, the person's or the project's.
    package let tag: String
    /// Whether somebody asked. Where nobody did, no link names a language, and its page follows the browser.
    let isNamed: Bool

    /// The tag for links.
    package var named: String? { isNamed ? tag : nil }

    init(tag: String, isNamed: Bool) {
        self.tag = tag
        self.isNamed = isNamed
    }

    /// - Parameters:
    ///   - tag: nil where nobody asked for a language: then it is the one that the person is known to read, or the
    ///     project's.
    ///   - account: the person, where there is one.
    init(_ tag: String?, of account: Account? = nil, in project: Project) {
        self.init(tag: tag ?? account?.language ?? project.settings.language, isNamed: tag != nil)
    }

    package init(stringLiteral tag: String) {
        self.init(tag: tag, isNamed: true)
    }
}
