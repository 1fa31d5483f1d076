// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingTexts

/// Tells why a dynamic link leads nowhere: in a sentence for the person who tapped it, and a small one for its author.
package struct LinkProblemView: PageView {
    package enum Reason: Sendable, CaseIterable {
        /// For an answer with 400.
        case invalid
        /// For an answer with 404.
        case notFound
        /// For an answer with 410 where the link had an end.
        case ended
        /// For an answer with 410.
        case deleted
    }

    package var reason: Reason

    /// The fault, in English, for a developer; nil where there is nothing to add.
    package var detail: String?

    package init(reason: Reason, detail: String? = nil) {
        self.reason = reason
        self.detail = detail
    }

    /// In English the same titles as in Dynamic Links, which scripts look for.
    package func title(in frame: PageFrame) -> String { fault(frame.text.link).documentTitle }

    package var namesAppInTitle: Bool { false }

    package func body(in frame: PageFrame) -> HTML {
        let message = fault(frame.text.link).message
        let detail = Excerpt.of(detail, length: 400).map { note($0, label: frame.text.link.forDeveloper) }
        return """
            \(Heading(.brokenLink, .warning, title: message.title).html)\
            \(Paragraph.html(HTML(escaping: message.sentence)))\
            \(detail ?? "")
            """
    }

    private func note(_ detail: String, label: String) -> HTML {
        "<div class=\"developer\"><b>\(label)</b><span lang=\"en\" dir=\"ltr\">\(detail)</span></div>\n"
    }

    private func fault(_ text: PageText.Link) -> PageText.LinkFault {
        switch reason {
        case .invalid: text.invalid
        case .notFound: text.notFound
        case .ended: text.ended
        case .deleted: text.deleted
        }
    }
}
