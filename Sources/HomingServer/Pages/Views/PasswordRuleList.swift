// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingCore

/// The rules for a password, as a list that the page's script ticks off.
struct PasswordRuleList {
    /// A longest length beyond this is no news to anybody who chooses a password, so it is shown only once it is broken.
    private static let notableMaximum = 64

    private let rules: [PasswordRule]
    private let missing: [PasswordRule]

    init(rules: [PasswordRule], missing: [PasswordRule]) {
        self.missing = missing
        self.rules = rules.filter { rule in
            guard case .maximumLength(let length) = rule else { return true }
            return length < Self.notableMaximum || missing.contains(rule)
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

    private func item(_ rule: PasswordRule, _ text: PageText.Reset) -> HTML {
        let (name, count, sentence) = spelling(rule, text)
        let countAttribute: HTML = count.map { " data-count=\"\($0)\"" } ?? ""
        let words = Placeholders(count.map { [.count: String($0)] } ?? [:]).fillEscaping(sentence)
        let isMissing = missing.contains(rule)
        return """
            <li data-rule="\(name)"\(countAttribute)\(isMissing ? " class=\"missing\"" as HTML : "")>\
            \(Icon.mark.html)<span>\(words)<span class="away is-met">: \(text.satisfied)</span>\
            <span class="away is-missing">: \(text.missing)</span></span></li>
            """
    }

    private func spelling(_ rule: PasswordRule, _ text: PageText.Reset) -> (String, Int?, String) {
        switch rule {
        case .minimumLength(let length): ("min", length, text.minimumLength)
        case .maximumLength(let length): ("max", length, text.maximumLength)
        case .lowercase: ("lower", nil, text.lowercase)
        case .uppercase: ("upper", nil, text.uppercase)
        case .digit: ("digit", nil, text.digit)
        case .symbol: ("symbol", nil, text.symbol)
        }
    }
}
