// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingTexts

/// One hosted page: a value that describes what happened, and pure functions of the value.
package protocol PageView: Sendable {
    /// The document's title, without the app's name.
    func title(in frame: PageFrame) -> String

    /// The content of the card: one `<h1>`, sentences, at most one form.
    func body(in frame: PageFrame) -> HTML

    /// What the document's head has besides, in whole lines.
    var head: HTML { get }

    /// Whether the document's title ends in the app's name.
    var namesAppInTitle: Bool { get }

    /// Whether the card needs the width of a table.
    var isWide: Bool { get }
}

extension PageView {
    package var head: HTML { "" }
    package var namesAppInTitle: Bool { true }
    package var isWide: Bool { false }

    /// The whole document, for an answer with `Layout.contentSecurityPolicy`.
    package func page(in frame: PageFrame) -> HTML {
        Layout.document(
            title: title(in: frame), frame: frame, body: body(in: frame), isWide: isWide,
            namesAppInTitle: namesAppInTitle, head: head)
    }
}
