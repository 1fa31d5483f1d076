// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingTexts

/// Tells that the action worked, and leads back to where the person was.
package struct DoneView: PageView {
    package enum Kind: Sendable {
        case passwordReset
        case emailVerified(address: String)
        case emailChanged(address: String)
        /// - resetForm: mails a reset to the restored address, for somebody whose account was taken.
        case emailRecovered(address: String, resetForm: PageForm?)
        case resetMailSent
        /// The typed address: the page's sentence is true whether an account has the address or not.
        case resetRequested(address: String)
        case newLinkSent
        /// Nothing was sent, because a link went to the address a short while ago.
        case alreadySent
        /// A sign-in, which happens on the device that asked.
        ///
        /// - declineForm: ends it until then, for somebody who was talked into it.
        case approved(declineForm: PageForm)
        /// - ofChange: for a change of address somebody was signed in.
        /// - resetHref: the page that mails a password reset.
        case declined(ofChange: Bool, resetHref: String?)
    }

    package var kind: Kind
    package var continueHref: String?
    /// What the page's script reports when Continue is followed (``ReturnReport``).
    package var report: String?

    package init(kind: Kind, continueHref: String? = nil, report: String? = nil) {
        self.kind = kind
        self.continueHref = continueHref
        self.report = report
    }

    package func title(in frame: PageFrame) -> String { message(frame.text.done).title }

    package func body(in frame: PageFrame) -> HTML {
        """
        \(heading(frame).html)\
        \(Paragraph.html(placeholders(frame).fillEscaping(message(frame.text.done).sentence)))\
        \(next(frame))
        """
    }

    private func heading(_ frame: PageFrame) -> Heading {
        switch kind {
        case .resetMailSent, .resetRequested, .newLinkSent, .alreadySent: Heading(.envelope, title: title(in: frame))
        case .declined: Heading(.alert, .warning, title: title(in: frame))
        default: Heading(.check, .good, title: title(in: frame))
        }
    }

    private func message(_ text: PageText.Done) -> PageText.Message {
        switch kind {
        case .passwordReset: text.passwordReset
        case .emailVerified: text.emailVerified
        case .emailChanged: text.emailChanged
        case .emailRecovered: text.emailRecovered
        case .resetMailSent: text.resetMailSent
        case .resetRequested: text.resetRequested
        case .newLinkSent: text.newLinkSent
        case .alreadySent: text.alreadySent
        case .approved: text.approved
        case .declined: text.declined
        }
    }

    private func placeholders(_ frame: PageFrame) -> Placeholders {
        switch kind {
        case .emailVerified(let address), .emailChanged(let address), .emailRecovered(let address, _),
            .resetRequested(let address):
            frame.placeholders(address: address)
        case .passwordReset, .resetMailSent, .newLinkSent, .alreadySent, .approved, .declined: frame.placeholders
        }
    }

    private func next(_ frame: PageFrame) -> HTML {
        let text = frame.text
        var link = ContinueLink(continueHref)
        link?.report = report
        if case .emailRecovered(_, let resetForm?) = kind {
            return """
                \(Paragraph.html(HTML(escaping: text.done.resetOffer)))\
                \(resetForm.html(button: text.done.resetButton, busy: text.shared.busy))
                \(link?.html(text.shared.continueButton, in: frame, emphasis: .secondary) ?? "")
                """
        }
        if case .declined(let ofChange, let resetHref) = kind {
            return """
                \(Paragraph.html(HTML(escaping: ofChange ? text.done.declinedChange : text.done.declinedNext)))\
                \(resetHref.map { resetLink($0, text.done) } ?? "")
                """
        }
        if case .approved(let declineForm) = kind { return NumberField.decline(declineForm, frame) }
        if let link { return link.html(text.shared.continueButton, in: frame) }
        return switch kind {
        case .resetMailSent, .resetRequested, .newLinkSent, .alreadySent: ""
        default: Paragraph.note(frame.placeholders.fillEscaping(text.shared.closePage))
        }
    }

    private func resetLink(_ href: String, _ text: PageText.Done) -> HTML {
        "<a class=\"button quiet\" href=\"\(href)\">\(text.newPasswordButton)</a>\n"
    }
}
