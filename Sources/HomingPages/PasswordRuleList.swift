// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingCore
import HomingPasswords
internal import HomingTexts

/// The rules for a password: in a list that the page's script ticks off, and in attributes for browsers and password
/// managers.
struct PasswordRuleList {
    /// A longer maximum is no news to anybody who chooses a password, so it is shown only once it is broken.
    private static let notableMaximum = 64

    private let rules: [PasswordRule]
    private let broken: [PasswordRule]

    init(rules: [PasswordRule], broken: [PasswordRule]) {
        self.broken = broken
        self.rules = (rules + broken.filter { !rules.contains($0) }).filter { rule in
            guard case .maximumLength(let length) = rule else { return true }
            return length < Self.notableMaximum || broken.contains(rule)
        }
    }

    var isEmpty: Bool { rules.isEmpty }

    func html(_ frame: PageFrame) -> HTML {
        guard !isEmpty else { return "" }
        let text = frame.text.reset
        return """
            <div id="rules"><p class="hint">\(text.rules)</p><ul class="rules">\
            \(rules.map { item($0, text) })</ul></div>

            """
    }

    /// The attributes of the field: what browsers check, and what Apple's password manager makes a password of.
    var attributes: HTML {
        let minimum = rules.compactMap { rule -> HTML? in
            guard case .minimumLength(let length) = rule else { return nil }
            return " minlength=\"\(length)\""
        }
        let words = rules.compactMap(appleWords)
        return "\(minimum)\(words.isEmpty ? "" : " passwordrules=\"\(words.joined(separator: " "))\"" as HTML)"
    }

    private func appleWords(_ rule: PasswordRule) -> String? {
        switch rule {
        case .minimumLength(let length): "minlength: \(length);"
        case .maximumLength(let length): "maxlength: \(length);"
        case .lowercase: "required: lower;"
        case .uppercase: "required: upper;"
        case .digit: "required: digit;"
        case .symbol: "required: special;"
        case .hardToGuess: nil
        }
    }

    private func item(_ rule: PasswordRule, _ text: PageText.Reset) -> HTML {
        let (name, count, words) = spelling(rule, text)
        let countAttribute: HTML = count.map { " data-count=\"\($0)\"" } ?? ""
        let isBroken = broken.contains(rule)
        return """
            <li data-rule="\(name)"\(countAttribute)\(isBroken ? " class=\"missing\"" as HTML : "")>\
            \(Icon.mark.html)<span>\(words)<span class="away is-met">: \(text.satisfied)</span>\
            <span class="away is-missing">: \(text.missing)</span></span></li>
            """
    }

    private func spelling(_ rule: PasswordRule, _ text: PageText.Reset) -> (String, Int?, String) {
        switch rule {
        case .minimumLength(let length): ("min", length, text.minimumLength.words(length))
        case .maximumLength(let length): ("max", length, text.maximumLength.words(length))
        case .lowercase: ("lower", nil, text.lowercase)
        case .uppercase: ("upper", nil, text.uppercase)
        case .digit: ("digit", nil, text.digit)
        case .symbol: ("symbol", nil, text.symbol)
        case .hardToGuess: ("guess", nil, text.hardToGuess)
        }
    }
}
