// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingTexts

/// The field for the two digits that tell that a person has asked themselves, with what they need to judge that: who
/// asked, and that a number from anybody else means fraud.
package struct NumberField: Sendable {
    /// Where the person reads the digits.
    package enum Place: Sendable {
        /// On the device that asked.
        case askingDevice(AskedFacts)
        /// In the mail, of a request that nobody waits for.
        case mail
    }

    package enum Problem: Sendable, Equatable {
        case missing
        case wrong(triesLeft: Int)
    }

    package var place: Place
    /// The digits that the person has typed already.
    package var given: String
    package var problem: Problem?

    package init(place: Place, given: String = "", problem: Problem? = nil) {
        self.place = place
        self.given = given
        self.problem = problem
    }

    /// The name of the field.
    package static let name = "matchNumber"

    /// Who asked, above the form; nothing where the digits stand in the mail.
    func facts(_ frame: PageFrame) -> HTML {
        guard case .askingDevice(let facts) = place else { return "" }
        return facts.html(frame)
    }

    func problemMessage(_ frame: PageFrame) -> HTML {
        switch problem {
        case nil: ""
        case .missing: Paragraph.problem(frame.text.number.missing)
        case .wrong(let triesLeft): Paragraph.problem(frame.text.number.wrong.words(triesLeft))
        }
    }

    /// That a number from anybody else means fraud; nothing where the digits stand in the mail.
    func fraud(_ frame: PageFrame) -> HTML {
        guard case .askingDevice = place else { return "" }
        return "<p class=\"caution\" id=\"fraud\">\(frame.placeholders.fillEscaping(frame.text.number.fraud))</p>\n"
    }

    /// - isWarned: whether ``fraud(_:)`` stands further up on the page; else it stands below the field.
    func html(_ frame: PageFrame, isWarned: Bool = false) -> HTML {
        let text = frame.text.number
        let fraud = fraud(frame)
        let label = fraud.isEmpty ? text.labelOfMail : text.label
        let description = [problem.map { _ in "problem" }, fraud.isEmpty ? nil : "fraud"].compactMap(\.self)
        let describedBy: HTML =
            description.isEmpty ? "" : " aria-describedby=\"\(description.joined(separator: " "))\""
        return """
            <label for="match-number">\(label)</label>
            <div class="field digits">\
            <input type="text" id="match-number" name="\(Self.name)" value="\(given)" inputmode="numeric" maxlength="2" \
            pattern="\\p{Nd}{2}" autocomplete="off" required\(describedBy)\
            \(problem == nil ? "" : " aria-invalid=\"true\" autofocus" as HTML)></div>
            \(isWarned ? "" : fraud)
            """
    }

    /// The form by which somebody says that they did not ask, below the one that acts.
    static func decline(_ form: PageForm?, _ frame: PageFrame) -> HTML {
        form.map {
            "\($0.html(button: frame.text.number.decline, busy: frame.text.shared.busy, emphasis: .secondary))\n"
                as HTML
        } ?? ""
    }
}
