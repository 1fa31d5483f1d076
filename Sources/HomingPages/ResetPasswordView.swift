// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
package import HomingPasswords
package import HomingStore
package import HomingTexts

/// The form for a new password.
package struct ResetPasswordView: PageView {
    /// The reason why the sent password is refused.
    package enum Problem: Sendable, Equatable {
        case rules([PasswordRule])
        case weak(PasswordWeakness)
        case tooLong

        /// Nil for the refusal of anything but a password.
        package init?(_ refusal: Refusal) {
            switch refusal.cause {
            case let rules as [PasswordRule]: self = .rules(rules)
            case let weakness as PasswordWeakness: self = .weak(weakness)
            default:
                guard refusal == .passwordTooLong else { return nil }
                self = .tooLong
            }
        }
    }

    package var address: String
    package var form: PageForm
    package var rules: [PasswordRule]
    package var problem: Problem?
    /// Nil where the link alone is enough.
    package var number: NumberField?
    /// Ends a request that the person did not make.
    package var declineForm: PageForm?

    /// - Parameter form: gets the fields `newPassword` and, where there is one, `matchNumber` in addition.
    package init(
        address: String, form: PageForm, rules: [PasswordRule], problem: Problem? = nil, number: NumberField? = nil,
        declineForm: PageForm? = nil
    ) {
        self.address = address
        self.form = form
        self.rules = rules
        self.problem = problem
        self.number = number
        self.declineForm = declineForm
    }

    package func title(in frame: PageFrame) -> String {
        frame.title(frame.text.reset.title, isRefused: problem != nil || number?.problem != nil)
    }

    package func body(in frame: PageFrame) -> HTML {
        let text = frame.text.reset
        return """
            \(Heading(.key, title: text.title).html)\
            \(Paragraph.html(frame.placeholders(address: address).fillEscaping(text.sentence)))\
            \(number?.facts(frame) ?? "")\(problemMessage(text))\(number?.problemMessage(frame) ?? "")\
            \(form.html(fields(frame), button: text.submit, busy: frame.text.shared.busy))
            \(NumberField.decline(declineForm, frame))\
            \(declineForm == nil ? Paragraph.note(HTML(escaping: frame.text.shared.unasked)) : "")
            """
    }

    private func problemMessage(_ text: PageText.Reset) -> HTML {
        let sentence: String? =
            switch problem {
            case nil: nil
            case .rules: text.rulesProblem
            case .weak(.empty), .weak(.short): text.tooShortProblem
            case .weak(.common): text.commonProblem
            case .weak(.address): text.addressProblem
            case .weak(.appName): text.appNameProblem
            case .tooLong: text.tooLongProblem
            }
        return sentence.map(Paragraph.problem) ?? ""
    }

    private func fields(_ frame: PageFrame) -> HTML { (number?.html(frame) ?? "") + field(frame) }

    /// The password with the field for a password manager: the address of the password, which is not sent.
    private func field(_ frame: PageFrame) -> HTML {
        let text = frame.text.reset
        let list = PasswordRuleList(rules: rules, broken: broken)
        let invalid: HTML = problem == nil ? "" : " aria-invalid=\"true\" autofocus"
        let description = [problem == nil ? nil : "problem", list.isEmpty ? nil : "rules"].compactMap(\.self)
        let describedBy: HTML =
            description.isEmpty ? "" : " aria-describedby=\"\(description.joined(separator: " "))\""
        return """
            <input type="email" autocomplete="username" value="\(address)" readonly hidden>
            <label for="new-password">\(text.label)</label>
            <div class="field">\
            <input type="password" id="new-password" name="newPassword" autocomplete="new-password" required\
            \(list.attributes) autocapitalize="none" autocorrect="off" spellcheck="false"\(describedBy)\(invalid)>\
            <button type="button" id="reveal" aria-pressed="false" aria-label="\(text.show)" hidden>\(Icon.eye.html)\
            </button></div>
            <p class="strength" id="strength" aria-live="polite" data-weak="\(text.strength.weak)" \
            data-fair="\(text.strength.fair)" data-strong="\(text.strength.strong)" hidden></p>
            \(list.html(frame))
            """
    }

    /// The broken rules, which are marked so that nobody has to guess.
    private var broken: [PasswordRule] {
        switch problem {
        case nil: []
        case .rules(let broken): broken
        case .weak(.empty), .weak(.short): rules.filter(\.isAboutMinimum)
        case .weak(.common), .weak(.address), .weak(.appName): [.hardToGuess]
        case .tooLong: [.maximumLength(PasswordPolicy.mostBytes)]
        }
    }
}

extension PasswordRule {
    fileprivate var isAboutMinimum: Bool {
        guard case .minimumLength = self else { return false }
        return true
    }
}
