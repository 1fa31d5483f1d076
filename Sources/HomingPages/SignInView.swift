// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingTexts

/// Leads a sign-in link on to the app. The page leaves the code alone: the app spends it. Where the device that asked
/// waits, the page approves its sign-in instead.
package struct SignInView: PageView {
    /// What the page asks before it goes on.
    package struct Question: Sendable {
        package var number: NumberField
        /// Approves the sign-in, or leads on to the link to the app.
        package var form: PageForm
        /// Ends a request that the person did not make.
        package var declineForm: PageForm?

        package init(number: NumberField, form: PageForm, declineForm: PageForm? = nil) {
            self.number = number
            self.form = form
            self.declineForm = declineForm
        }
    }

    /// The continue URL with the link's parameters merged in; nil where there is none.
    package var continueHref: String?
    package var question: Question?

    package init(continueHref: String?, question: Question? = nil) {
        self.continueHref = continueHref
        self.question = question
    }

    package func title(in frame: PageFrame) -> String {
        frame.title(heading(frame), isRefused: question?.number.problem != nil)
    }

    private func heading(_ frame: PageFrame) -> String { frame.placeholders.fill(frame.text.signIn.page.title) }

    package func body(in frame: PageFrame) -> HTML {
        if let question { return body(asking: question, frame) }
        let text = frame.text.signIn
        let link = ContinueLink(continueHref)
        return """
            \(Heading(.door, title: heading(frame)).html)\
            \(Paragraph.html(frame.placeholders.fillEscaping(link == nil ? text.openInApp : text.page.sentence)))\
            \(link?.html(text.button, in: frame) ?? "")
            \(Paragraph.note(HTML(escaping: text.unasked)))
            """
    }

    /// The link for somebody who asked in this very browser comes before the form, because their app needs no digits,
    /// and below what warns those who did not ask. The digits in a mail hide it, because what presses links without a
    /// person must not find it.
    private func body(asking question: Question, _ frame: PageFrame) -> HTML {
        let text = frame.text.signIn
        let number = question.number
        let isApproval = if case .askingDevice = number.place { true } else { false }
        let here = isApproval ? ContinueLink(continueHref)?.plain(text.here, in: frame) : nil
        return """
            \(Heading(.door, title: heading(frame)).html)\
            \(Paragraph.html(frame.placeholders.fillEscaping(isApproval ? text.approve : text.page.sentence)))\
            \(number.facts(frame))\(number.fraud(frame))\(here ?? "")\(number.problemMessage(frame))\
            \(question.form.html(
                number.html(frame, isWarned: true),
                button: isApproval ? text.approveButton : frame.text.shared.continueButton,
                busy: frame.text.shared.busy))
            \(NumberField.decline(question.declineForm, frame))\
            \(question.declineForm == nil ? Paragraph.note(HTML(escaping: text.unasked)) : "")
            """
    }
}
