// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingTexts
internal import HomingWire

/// Waits for the person who has asked for a mail, until they have finished on any device. The page says nothing of the
/// address, so that it is the same for one that nobody has.
package struct WaitView: PageView {
    package enum State: Sendable {
        case pending(Pending)
        /// On another device than the one that asked: the number and the field are for that one alone.
        case elsewhere(AskedFacts)
        /// By whatever way: the app goes on.
        case finished
        case declined
        case expired
    }

    package struct Pending: Sendable {
        /// The digits to type on the page behind the link; nil where this server cannot tell them any more.
        package var number: String?
        package var facts: AskedFacts
        /// Gets the field `typedCode` in addition.
        package var codeForm: PageForm
        package var resendForm: PageForm
        /// The path of this page, and that of its state for the script.
        package var againHref: String
        package var lookHref: String
        package var news: News?

        package init(
            number: String?, facts: AskedFacts, codeForm: PageForm, resendForm: PageForm, againHref: String,
            lookHref: String,
            news: News? = nil
        ) {
            self.number = number
            self.facts = facts
            self.codeForm = codeForm
            self.resendForm = resendForm
            self.againHref = againHref
            self.lookHref = lookHref
            self.news = news
        }
    }

    /// What came of the form that was sent.
    package enum News: Sendable, Equatable {
        case codeMissing
        case codeWrong(triesLeft: Int)
        case resent
        case resendLater(seconds: Int)

        var isProblem: Bool { self != .resent }
    }

    package var state: State
    /// Where the person asked: the continue URL, or a page of ours; nil where nobody knows.
    package var backHref: String?

    package init(state: State, backHref: String? = nil) {
        self.state = state
        self.backHref = backHref
    }

    package func title(in frame: PageFrame) -> String {
        let isRefused = if case .pending(let pending) = state { pending.news?.isProblem == true } else { false }
        return frame.title(message(frame.text.wait).title, isRefused: isRefused)
    }

    package func body(in frame: PageFrame) -> HTML {
        let text = frame.text.wait
        return """
            \(heading(text).html)\
            \(Paragraph.html(frame.placeholders.fillEscaping(message(text).sentence)))\
            \(next(frame))
            """
    }

    private func message(_ text: PageText.Wait) -> PageText.Message {
        switch state {
        case .pending: text.pending
        case .elsewhere: text.elsewhere
        case .finished: text.finished
        case .declined: text.declined
        case .expired: text.expired
        }
    }

    private func heading(_ text: PageText.Wait) -> Heading {
        let title = message(text).title
        return switch state {
        case .pending: Heading(.envelope, title: title)
        case .finished: Heading(.check, .good, title: title)
        case .declined, .elsewhere: Heading(.alert, .warning, title: title)
        case .expired: Heading(.clock, .warning, title: title)
        }
    }

    private func next(_ frame: PageFrame) -> HTML {
        let text = frame.text.wait
        let back = ContinueLink(backHref)
        switch state {
        case .pending(let pending):
            return """
                \(number(pending, text))\
                \(codeForm(pending, frame))
                \(Self.programs(text))\
                \(pending.facts.html(frame))\
                \(news(pending, frame, ofCode: false))\
                \(pending.resendForm.html(button: text.resend, busy: frame.text.shared.busy, emphasis: .secondary))
                \(back?.plain(text.changeAddress, in: frame) ?? "")\
                <p class="note" data-look="\(pending.lookHref)" data-again="\(pending.againHref)">\(text.looks) \
                <a href="\(pending.againHref)">\(text.lookAgain)</a></p>
                """
        case .elsewhere(let facts): return facts.html(frame)
        case .finished:
            return back?.html(frame.text.shared.continueButton, in: frame)
                ?? Paragraph.note(frame.placeholders.fillEscaping(frame.text.shared.closePage))
        case .declined, .expired: return back?.html(text.askAgain, in: frame) ?? ""
        }
    }

    private func number(_ pending: Pending, _ text: PageText.Wait) -> HTML {
        pending.number.map {
            """
            <p class="number"><span>\(text.numberLabel)</span> <strong>\($0)</strong></p>
            <p>\(text.numberHint)</p>

            """ as HTML
        } ?? ""
    }

    private func codeForm(_ pending: Pending, _ frame: PageFrame) -> HTML {
        let text = frame.text.wait
        let problem = news(pending, frame, ofCode: true)
        let invalid: HTML =
            problem.isEmpty
            ? " aria-describedby=\"fraud\""
            : " aria-describedby=\"problem fraud\" aria-invalid=\"true\" autofocus"
        let field: HTML = """
            <label for="typed-code">\(text.codeLabel)</label>
            <div class="field digits">\
            <input type="text" id="typed-code" name="typedCode" inputmode="numeric" maxlength="16" \
            autocomplete="one-time-code" required\(invalid)></div>
            <p class="caution" id="fraud">\(frame.placeholders.fillEscaping(text.fraud))</p>

            """
        return problem
            + pending.codeForm.html(field, button: frame.text.shared.continueButton, busy: frame.text.shared.busy)
    }

    private func news(_ pending: Pending, _ frame: PageFrame, ofCode: Bool) -> HTML {
        let text = frame.text.wait
        switch pending.news {
        case .codeMissing where ofCode: return Paragraph.problem(text.codeMissing)
        case .codeWrong(0) where ofCode: return Paragraph.problem(text.codeDead)
        case .codeWrong(let triesLeft) where ofCode: return Paragraph.problem(text.codeWrong.words(triesLeft))
        case .resent where !ofCode:
            return "<p role=\"status\">\(frame.placeholders.fillEscaping(text.resent))</p>\n"
        case .resendLater(let seconds) where !ofCode:
            let lifetime = frame.texts.lifetime(seconds: seconds)
            return Paragraph.problem(Placeholders([.lifetime: lifetime]).fill(text.resendLater))
        default: return ""
        }
    }

    /// Where people read their mails in a browser. Which one it is nobody asks, because the page is the same for
    /// every address.
    private static func programs(_ text: PageText.Wait) -> HTML {
        """
        <nav class="programs" aria-label="\(text.open)"><p class="hint">\(text.open)</p><ul>\
        \(MailProgram.all.map { "<li><a href=\"\($0.page)\" rel=\"noreferrer\" lang=\"en\">\($0.name)</a></li>" as HTML })\
        </ul></nav>

        """
    }
}
