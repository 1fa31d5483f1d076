// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingTexts

/// Asks for the address to which a link to a new password is mailed.
package struct ResetRequestView: PageView {
    package var form: PageForm

    /// The typed text, where it is no address.
    package var refused: String?

    /// - Parameter form: gets the field `email` in addition.
    package init(form: PageForm, refused: String? = nil) {
        self.form = form
        self.refused = refused
    }

    package func title(in frame: PageFrame) -> String {
        frame.title(frame.text.resetRequest.title, isRefused: refused != nil)
    }

    package func body(in frame: PageFrame) -> HTML {
        let text = frame.text.resetRequest
        let problem = refused == nil ? "" : Paragraph.problem(text.problem)
        return """
            \(Heading(.key, title: text.title).html)\
            \(Paragraph.html(frame.placeholders.fillEscaping(text.sentence)))\
            \(problem)\
            \(form.html(field(text), button: text.submit, busy: frame.text.shared.busy))
            """
    }

    private func field(_ text: PageText.ResetRequest) -> HTML {
        let invalid: HTML = refused == nil ? "" : " aria-invalid=\"true\" aria-describedby=\"problem\" autofocus"
        let typed = String((refused ?? "").prefix(254))
        return """
            <label for="email">\(text.label)</label>
            <div class="field">\
            <input type="email" id="email" name="email" value="\(typed)" autocomplete="username" required \
            autocapitalize="none" autocorrect="off" spellcheck="false"\(invalid)>\
            </div>

            """
    }
}
