// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingTexts

extension LetterContent {
    /// The HTML part.
    func html(_ placeholders: Placeholders, in document: LetterDocument, link: String) -> HTML {
        document.html(
            preview: preview(placeholders),
            content: """
                \(document.heading(placeholders.fillEscaping(heading)))\
                \(([greeting] + code + paragraphs).map { document.paragraph(placeholders.fillEscaping($0)) })\
                \(action(placeholders, in: document, link: link))\
                \(document.paragraph(placeholders.fillEscaping(unasked), muted: button != nil))\
                <p class="ink" style="margin:24px 0 0;\(document.font)font-size:16px;line-height:\(document.typeface.lineHeight);color:#2a3040;">\
                \(placeholders.fillEscaping(signature))</p>
                \(linkAsText(placeholders, in: document, link: link))
                """)
    }

    /// An address that stands out. The address is no link: a mail program might offer to write to it.
    static func strong(_ text: String) -> HTML {
        "<strong class=\"ink\" style=\"font-weight:600;color:#161a24;overflow-wrap:anywhere;\">\(text)</strong>"
    }

    /// A code of digits, large and on one line. Its own direction keeps its groups in their order.
    static func large(_ code: String) -> HTML {
        """
        <strong class="ink" dir="ltr" style="font-weight:700;font-size:24px;letter-spacing:1px;white-space:nowrap;\
        color:#161a24;">\(code)</strong>
        """
    }

    /// The button, and its lifetime.
    private func action(_ placeholders: Placeholders, in document: LetterDocument, link: String) -> HTML {
        guard let button else { return "" }
        return """
            \(document.button(placeholders.fillEscaping(button), link: HTML(escaping: link)))\
            \([expiry, asked].compactMap(\.self).map { document.paragraph(placeholders.fillEscaping($0), muted: true) })
            """
    }

    /// The link once more, for a reader who cannot use the button.
    private func linkAsText(_ placeholders: Placeholders, in document: LetterDocument, link: String) -> HTML {
        guard button != nil else { return "" }
        return """
            <p class="rule muted" style="margin:28px 0 6px;padding:24px 0 0;border-top:1px solid #e3e6ee;\
            \(document.font)\
            font-size:13px;line-height:\(document.typeface.lineHeight);color:#5a6273;">\(placeholders.fillEscaping(linkAsText))</p>
            \(document.linkAsText(HTML(escaping: link)))
            """
    }

    /// The text that an inbox shows beside the subject. The time comes first, so that no two mails begin alike, or the
    /// code; the filling keeps the rest of the message out of that line.
    private func preview(_ placeholders: Placeholders) -> HTML {
        let filling = HTML(trusted: String(repeating: "&#847; &zwnj; ", count: 30))
        let words = paragraphs.first.map(placeholders.fillEscaping) ?? ""
        let first = preview.map { HTML(escaping: "\(placeholders.fill($0)) · ") }
        return "\(first)\(words) \(filling)"
    }
}
