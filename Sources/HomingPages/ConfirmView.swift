// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingTexts

/// Asks before a link acts: mail scanners open links, but press no buttons.
package struct ConfirmView: PageView {
    package enum Kind: Sendable, Equatable {
        case verifyEmail(address: String)
        case verifyAndChangeEmail(current: String, newAddress: String)
        case recoverEmail(address: String)
    }

    package var kind: Kind
    package var form: PageForm
    /// Nil where the button alone is enough.
    package var number: NumberField?
    /// Ends a request that the person did not make.
    package var declineForm: PageForm?

    package init(kind: Kind, form: PageForm, number: NumberField? = nil, declineForm: PageForm? = nil) {
        self.kind = kind
        self.form = form
        self.number = number
        self.declineForm = declineForm
    }

    package func title(in frame: PageFrame) -> String {
        frame.title(message(frame).title, isRefused: number?.problem != nil)
    }

    package func body(in frame: PageFrame) -> HTML {
        """
        \(Heading(icon, title: message(frame).title).html)\
        \(Paragraph.html(placeholders(frame).fillEscaping(message(frame).sentence)))\
        \(change(frame))\
        \(number?.facts(frame) ?? "")\(number?.problemMessage(frame) ?? "")\
        \(form.html(number?.html(frame) ?? "", button: button(frame.text.confirm), busy: frame.text.shared.busy))
        \(NumberField.decline(declineForm, frame))\
        \(declineForm == nil ? Paragraph.note(HTML(escaping: wayOut(frame.text))) : "")
        """
    }

    private var icon: Icon {
        switch kind {
        case .verifyEmail: .envelope
        case .verifyAndChangeEmail: .swap
        case .recoverEmail: .restore
        }
    }

    private func message(_ frame: PageFrame) -> PageText.Message {
        switch kind {
        case .verifyEmail: frame.text.confirm.verify
        case .verifyAndChangeEmail: frame.text.confirm.change
        case .recoverEmail: frame.text.confirm.recover
        }
    }

    private func button(_ text: PageText.Confirm) -> String {
        switch kind {
        case .verifyEmail: text.verifyButton
        case .verifyAndChangeEmail: text.changeButton
        case .recoverEmail: text.recoverButton
        }
    }

    private func wayOut(_ text: PageText) -> String {
        if case .recoverEmail = kind { text.confirm.recoverUnwanted } else { text.shared.unasked }
    }

    private func placeholders(_ frame: PageFrame) -> Placeholders {
        switch kind {
        case .verifyEmail(let address), .recoverEmail(let address): frame.placeholders(address: address)
        case .verifyAndChangeEmail: frame.placeholders
        }
    }

    /// Both addresses side by side, where one replaces the other.
    private func change(_ frame: PageFrame) -> HTML {
        guard case .verifyAndChangeEmail(let current, let newAddress) = kind else { return "" }
        let text = frame.text.confirm
        return """
            <dl class="change"><div><dt>\(text.currentAddress)</dt><dd>\(current)</dd></div>\
            <div><dt>\(text.newAddress)</dt><dd>\(newAddress)</dd></div></dl>

            """
    }
}
