// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingTexts

extension LetterContent {
    /// The HTML part: one column of tables, since every mail program lays out tables alike, with the styles beside the
    /// elements for programs that drop `<style>`. Nothing is loaded from anywhere.
    func html(
        _ placeholders: Placeholders, language: Language, subject: String, link: String, appName: String
    ) -> HTML {
        """
        <!DOCTYPE html>
        <html lang="\(language.tag)" dir="\(language.direction.rawValue)">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta name="supported-color-schemes" content="light dark">
        <meta name="format-detection" content="telephone=no, date=no, address=no">
        <title>\(subject)</title>
        <style>\(Self.style)</style>
        </head>
        <body class="page" style="margin:0;padding:0;background:#f3f4f8;">
        <div style="display:none;max-height:0;overflow:hidden;">\(preview(placeholders))</div>
        <table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" \
        style="background:#f3f4f8;overflow-wrap:anywhere;">
        <tr><td class="gutter" align="center" style="padding:40px 16px;">
        <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;">
        <tr><td style="padding:0 4px 20px;">\(brand(appName))</td></tr>
        <tr><td class="card" style="padding:40px;background:#ffffff;border:1px solid #e3e6ee;border-radius:16px;">
        <h1 class="ink" style="margin:0 0 20px;\(Self.font)font-size:24px;font-weight:700;line-height:1.3;\
        color:#161a24;">\(placeholders.fillEscaping(heading))</h1>
        \(([greeting] + paragraphs).map { paragraph(placeholders.fillEscaping($0)) })\
        \(action(placeholders, link: link))\
        \(paragraph(placeholders.fillEscaping(unasked), muted: button != nil))\
        <p class="ink" style="margin:24px 0 0;\(Self.font)font-size:16px;line-height:1.6;color:#2a3040;">\
        \(placeholders.fillEscaping(signature))</p>
        \(linkAsText(placeholders, link: link))\
        </td></tr>
        </table>
        </td></tr>
        </table>
        </body>
        </html>

        """
    }

    /// An address that stands out. The address is no link: a mail program might offer to write to it.
    static func strong(_ text: String) -> HTML {
        "<strong class=\"ink\" style=\"font-weight:600;color:#161a24;overflow-wrap:anywhere;\">\(text)</strong>"
    }

    /// The button, and its lifetime. Outlook knows padding on a table's cell only; everywhere else the link has the
    /// padding, so that the whole button can be tapped.
    private func action(_ placeholders: Placeholders, link: String) -> HTML {
        guard let button else { return "" }
        return """
            <table role="presentation" class="wide" cellpadding="0" cellspacing="0" border="0" style="margin:28px 0;">
            <tr><td class="button" align="center" valign="middle" bgcolor="#3350d4" \
            style="border-radius:10px;background:#3350d4;mso-padding-alt:14px 28px;">
            <a class="button" href="\(link)" style="display:block;padding:14px 28px;mso-padding-alt:0;\(Self.font)\
            font-size:16px;font-weight:600;line-height:1.25;color:#ffffff;text-decoration:none;border-radius:10px;">\
            \(placeholders.fillEscaping(button))</a>
            </td></tr>
            </table>
            \(expiry.map { paragraph(placeholders.fillEscaping($0), muted: true) } ?? "")
            """
    }

    /// The link once more, for a reader who cannot use the button.
    private func linkAsText(_ placeholders: Placeholders, link: String) -> HTML {
        guard button != nil else { return "" }
        return """
            <p class="rule muted" style="margin:28px 0 6px;padding:24px 0 0;border-top:1px solid #e3e6ee;\(Self.font)\
            font-size:13px;line-height:1.5;color:#5a6273;">\(placeholders.fillEscaping(linkAsText))</p>
            <p style="margin:0;\(Self.font)font-size:13px;line-height:1.5;word-break:break-all;">\
            <a class="link" href="\(link)" style="color:#3350d4;text-decoration:underline;">\(link)</a></p>

            """
    }

    /// The app's name with its first letter as a mark, as on the pages: no image has to be loaded for it.
    private func brand(_ appName: String) -> HTML {
        let first = appName.first { !$0.isWhitespace }.map { String($0).uppercased() } ?? ""
        return """
            <table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr>
            <td class="button" width="36" height="36" align="center" valign="middle" bgcolor="#3350d4" \
            aria-hidden="true" style="width:36px;min-width:36px;height:36px;border-radius:10px;background:#3350d4;\(Self.font)\
            font-size:18px;font-weight:700;line-height:36px;color:#ffffff;">\(first)</td>
            <td class="ink" style="padding:0 12px;\(Self.font)font-size:16px;font-weight:600;line-height:1.3;\
            color:#161a24;">\(appName)</td>
            </tr></table>
            """
    }

    private func paragraph(_ content: HTML, muted: Bool = false) -> HTML {
        let style: HTML =
            muted
            ? "margin:0 0 12px;\(Self.font)font-size:14px;line-height:1.6;color:#5a6273;"
            : "margin:0 0 16px;\(Self.font)font-size:16px;line-height:1.6;color:#2a3040;"
        return "<p class=\"\(muted ? "muted" : "ink")\" style=\"\(style)\">\(content)</p>\n"
    }

    /// The text that an inbox shows beside the subject. The filling keeps the rest of the message out of that line.
    private func preview(_ placeholders: Placeholders) -> HTML {
        let filling = HTML(trusted: String(repeating: "&#847; &zwnj; ", count: 30))
        return "\(paragraphs.first.map(placeholders.fillEscaping) ?? "") \(filling)"
    }

    private static let font: HTML =
        "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,'Noto Sans',sans-serif;"

    /// The style for mail programs that read it: phones and dark mode.
    private static let style: HTML = """
        :root{color-scheme:light dark;supported-color-schemes:light dark}
        @media (max-width:480px){.gutter{padding:24px 12px !important}.card{padding:28px 22px !important}\
        .wide{width:100% !important}}
        @media (prefers-color-scheme:dark){.page{background:#0e1016 !important}\
        .card{background:#171a23 !important;border-color:#2b3040 !important}\
        .ink{color:#eceef4 !important}.muted{color:#a3abbd !important}.rule{border-color:#2b3040 !important}\
        .button{background:#a9b9ff !important;color:#10163a !important}.link{color:#a9b9ff !important}}
        """
}
