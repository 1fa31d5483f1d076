// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingTexts

/// Leads a sign-in link on to the app. The page leaves the code alone: the app spends it.
package struct SignInView: PageView {
    /// The continue URL with the link's parameters merged in; nil where there is none.
    package var continueHref: String?

    package init(continueHref: String?) {
        self.continueHref = continueHref
    }

    package func title(in frame: PageFrame) -> String {
        frame.placeholders.fill(frame.text.signIn.page.title)
    }

    package func body(in frame: PageFrame) -> HTML {
        let text = frame.text.signIn
        let link = ContinueLink(continueHref)
        return """
            \(Heading(.door, title: title(in: frame)).html)\
            \(Paragraph.html(frame.placeholders.fillEscaping(link == nil ? text.openInApp : text.page.sentence)))\
            \(link?.html(text.button, in: frame) ?? "")
            \(Paragraph.note(HTML(escaping: text.unasked)))
            """
    }
}
