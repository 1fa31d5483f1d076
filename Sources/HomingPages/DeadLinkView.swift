// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
package import HomingTexts
package import HomingWire

/// Tells why a link does nothing, and what to do now.
package struct DeadLinkView: PageView {
    package enum Reason: Sendable, CaseIterable {
        case expired
        case used
        case replaced
        case malformed
        case accountDisabled
        case accountGone
        case addressTaken
        case secondFactorNotOffered
        /// Somebody said that they did not ask.
        case declined
        /// The last wrong number ended it.
        case wrongNumbers
        /// A sign-in that happens on the device that asked.
        case approved
        /// The page's own token is too old; the link may still be good.
        case pageExpired
    }

    package var reason: Reason

    /// The link's purpose, where it is known.
    package var kind: ActionMode?

    /// The form that mails a new link to the same address; nil where that is not safe.
    package var renewForm: PageForm?

    /// Ends a sign-in that was approved, until the device that asked has collected it.
    package var declineForm: PageForm?

    /// The continue URL for a person whose link has done its work before.
    package var continueHref: String?

    /// The path of the same page afresh, where the link is known and may still be good.
    package var againHref: String?

    package init(
        reason: Reason, kind: ActionMode? = nil, renewForm: PageForm? = nil, declineForm: PageForm? = nil,
        continueHref: String? = nil, againHref: String? = nil
    ) {
        self.reason = reason
        self.kind = kind
        self.renewForm = renewForm
        self.declineForm = declineForm
        self.continueHref = continueHref
        self.againHref = againHref
    }

    package func title(in frame: PageFrame) -> String { message(frame.text.dead).title }

    package func body(in frame: PageFrame) -> HTML {
        let text = frame.text.dead
        let onward = ContinueLink(continueHref)
        return """
            \(Heading(icon, .warning, title: message(text).title).html)\
            \(Paragraph.html(HTML(escaping: message(text).sentence)))\
            \(advice(text).map { Paragraph.html(HTML(escaping: $0)) } ?? "")\
            \(againHref.map { "<a class=\"button\" href=\"\($0)\">\(text.againButton)</a>\n" as HTML } ?? "")\
            \(onward?.html(frame.text.shared.continueButton, in: frame) ?? "")\
            \(renewForm.map { renewal($0, frame, emphasis: onward == nil ? .primary : .secondary) } ?? "")\
            \(NumberField.decline(declineForm, frame))
            """
    }

    private func renewal(_ form: PageForm, _ frame: PageFrame, emphasis: Emphasis) -> HTML {
        form.html(button: frame.text.dead.renewButton, busy: frame.text.shared.busy, emphasis: emphasis)
    }

    private var icon: Icon {
        switch reason {
        case .expired, .pageExpired: .clock
        case .used, .approved: .tick
        case .replaced: .envelope
        case .malformed: .brokenLink
        case .accountDisabled, .accountGone, .addressTaken, .secondFactorNotOffered, .declined, .wrongNumbers: .alert
        }
    }

    private func message(_ text: PageText.Dead) -> PageText.Message {
        switch reason {
        case .expired: text.expired
        case .used: text.used
        case .replaced: text.replaced
        case .malformed: text.malformed
        case .accountDisabled: text.accountDisabled
        case .accountGone: text.accountGone
        case .addressTaken: text.addressTaken
        case .secondFactorNotOffered: text.secondFactorNotOffered
        case .declined: text.declined
        case .wrongNumbers: text.wrongNumbers
        case .approved: text.approved
        case .pageExpired: text.pageExpired
        }
    }

    /// After a second tap the first tap may well have worked, which matters more than a new link.
    private func advice(_ text: PageText.Dead) -> String? {
        switch reason {
        case .used: text.nextAfterUse.advice(for: kind)
        case _ where renewForm != nil: text.renewOffer
        case .expired, .declined, .wrongNumbers: text.next.advice(for: kind)
        default: nil
        }
    }
}

extension PageText.Next {
    func advice(for kind: ActionMode?) -> String {
        switch kind {
        case .resetPassword: reset
        case .verifyEmail: verify
        case .signIn: signIn
        case .verifyAndChangeEmail: change
        case .recoverEmail: recover
        case .revertSecondFactorAddition, nil: any
        }
    }
}
