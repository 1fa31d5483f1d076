// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingProjects
import HomingTexts

/// The HTML document around a message's content: one column of tables, since every mail program lays out tables alike,
/// with the styles beside the elements for programs that drop `<style>`. Nothing is loaded from anywhere.
struct LetterDocument {
    let tag: String
    let direction: Language.Direction
    let title: String
    let appName: String
    let look: LetterLook
    let typeface: Typeface

    init(tag: String, direction: Language.Direction, title: String, appName: String, look: LetterLook) {
        self.tag = tag
        self.direction = direction
        self.title = title
        self.appName = appName
        self.look = look
        typeface = Typeface.of(tag)
    }

    /// - Parameter preview: the text that an inbox shows beside the subject.
    func html(preview: HTML, content: HTML) -> HTML {
        """
        <!DOCTYPE html>
        <html lang="\(tag)" dir="\(direction.rawValue)">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta name="supported-color-schemes" content="light dark">
        <meta name="format-detection" content="telephone=no, date=no, address=no">
        <title>\(title)</title>
        <style>\(style)</style>
        </head>
        <body class="page" style="margin:0;padding:0;background:#f3f4f8;">
        \(preview.isEmpty ? "" : "<div style=\"display:none;max-height:0;overflow:hidden;\">\(preview)</div>\n" as HTML)\
        <div role="main" lang="\(tag)" dir="\(direction.rawValue)">
        <table role="presentation" class="page" dir="\(direction.rawValue)" width="100%" cellpadding="0" cellspacing="0" border="0" \
        style="background:#f3f4f8;overflow-wrap:anywhere;word-break:\(typeface.wordBreak);">
        <tr><td class="gutter" align="center" style="padding:40px 16px;">
        <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;">
        <tr><td style="padding:0 4px 20px;">\(brand)</td></tr>
        <tr><td class="card" style="padding:40px;background:#ffffff;border:1px solid #e3e6ee;border-radius:16px;">
        \(content)\
        </td></tr>
        \(contact)\
        </table>
        </td></tr>
        </table>
        </div>
        </body>
        </html>

        """
    }

    // MARK: Pieces

    func heading(_ text: HTML) -> HTML {
        """
        <h1 class="ink" style="margin:0 0 20px;\(font)font-size:24px;font-weight:700;line-height:\(typeface.headingHeight);\
        color:#161a24;">\(text)</h1>

        """
    }

    func paragraph(_ content: HTML, muted: Bool = false) -> HTML {
        let style: HTML =
            muted
            ? "margin:0 0 12px;\(font)font-size:14px;line-height:\(typeface.lineHeight);color:#5a6273;"
            : "margin:0 0 16px;\(font)font-size:16px;line-height:\(typeface.lineHeight);color:#2a3040;"
        return "<p class=\"\(muted ? "muted" : "ink")\" style=\"\(style)\">\(content)</p>\n"
    }

    /// The button. Outlook knows padding on a table's cell only; everywhere else the link has the padding, so that the
    /// whole button can be tapped.
    func button(_ label: HTML, link: HTML) -> HTML {
        """
        <table role="presentation" class="wide" cellpadding="0" cellspacing="0" border="0" style="margin:28px 0;">
        <tr><td class="button" align="center" valign="middle" bgcolor="\(look.accent)" \
        style="border-radius:10px;background:\(look.accent);mso-padding-alt:14px 28px;">
        <a class="button" href="\(link)" style="display:block;padding:14px 28px;mso-padding-alt:0;\(font)\
        font-size:16px;font-weight:600;line-height:\(typeface.headingHeight);color:\(look.on);text-decoration:none;border-radius:10px;">\
        \(label)</a>
        </td></tr>
        </table>

        """
    }

    /// The link as a text that can be copied.
    ///
    /// - Parameter gap: the space below, in pixels.
    func linkAsText(_ link: HTML, gap: Int = 0) -> HTML {
        """
        <p style="margin:0\(gap == 0 ? "" : " 0 \(gap)px" as HTML);\(font)font-size:13px;line-height:1.5;word-break:break-all;">\
        <a class="link" dir="ltr" href="\(link)" style="color:\(look.accent);\
        text-decoration:underline;text-underline-offset:3px;">\(link)</a></p>

        """
    }

    /// The app's name with its logo, which the mail carries; else with its first letter as a mark, as on the pages. No
    /// image has to be loaded for either.
    private var brand: HTML {
        let first = appName.first { !$0.isWhitespace }.map { String($0).uppercased() } ?? ""
        let mark: HTML =
            if let logo = look.logo {
                """
                <td valign="middle"><img src="\(LetterMarkup.logoURL)" alt="" width="\(logo.width)" \
                height="\(logo.height)" style="display:block;border:0;"></td>
                """
            } else {
                """
                <td class="button" width="36" height="36" align="center" valign="middle" bgcolor="\(look.accent)" \
                aria-hidden="true" style="width:36px;min-width:36px;height:36px;border-radius:10px;\
                background:\(look.accent);\(font)\
                font-size:18px;font-weight:700;line-height:36px;color:\(look.on);">\(first)</td>
                """
            }
        return """
            <table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr>
            \(mark)
            <td class="ink" style="padding:0 12px;\(font)font-size:16px;font-weight:600;line-height:1.3;\
            color:#161a24;"><bdi>\(appName)</bdi></td>
            </tr></table>
            """
    }

    private var contact: HTML {
        guard !look.contact.isEmpty else { return "" }
        let lines = look.contact.enumerated().map { index, line -> HTML in "\(index == 0 ? "" : "<br>" as HTML)\(line)"
        }
        return """
            <tr><td class="muted" style="padding:20px 4px 0;\(font)font-size:13px;line-height:\(typeface.lineHeight);color:#5a6273;">\
            \(lines)</td></tr>

            """
    }

    /// The lines below the message, for its text part.
    var contactAsText: String {
        look.contact.isEmpty ? "" : "\n" + look.contact.joined(separator: "\n") + "\n"
    }

    // MARK: A template's text

    /// The content for a template that is written as text: its paragraphs. A paragraph that ends in a label with a
    /// colon and the link on the next line, as in our own texts, becomes a button.
    func content(of text: String, _ placeholders: Placeholders) -> HTML {
        let link = placeholders.fillTemplate(HTML(trusted: Placeholders.Name.link.spelling))
        var anchored = placeholders
        anchored.set(
            .link, to: "", html: "<a class=\"link\" href=\"\(link)\" style=\"color:\(look.accent);\">\(link)</a>")
        var content: HTML = ""
        var lines: [Substring] = []
        for line in (text + "\n").split(separator: "\n", omittingEmptySubsequences: false) {
            guard line.allSatisfy(\.isWhitespace) || line == "--" || line == "-- " else {
                lines.append(line)
                continue
            }
            guard !lines.isEmpty else { continue }
            var rest = lines
            var label: Substring?
            if rest.count > 1, rest[rest.count - 1].utf8.elementsEqual(Placeholders.Name.link.spelling.utf8),
                rest[rest.count - 2].utf8.last == UInt8(ascii: ":")
            {
                label = rest[rest.count - 2].dropLast()
                rest.removeLast(2)
            }
            if !rest.isEmpty {
                let pieces = rest.map { anchored.fillTemplate(HTML(escaping: String($0))) }
                content.append(
                    paragraph(
                        pieces.dropFirst().reduce(pieces[0]) { whole, line in "\(whole)<br>\n\(line)" }))
            }
            if let label {
                content.append(button(placeholders.fillTemplate(HTML(escaping: String(label))), link: link))
                content.append(linkAsText(link, gap: 16))
            }
            lines = []
        }
        return content
    }

    // MARK: Style

    /// The faces for Latin letters first, so that an address looks the same in every language.
    var font: HTML {
        let letters = HTML(trusted: typeface.families)
        return "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,\(letters),sans-serif;"
    }

    /// The style for mail programs that read it: phones and dark mode.
    private var style: HTML {
        """
        :root{color-scheme:light dark;supported-color-schemes:light dark}
        @media (max-width:480px){.gutter{padding:24px 12px !important}.card{padding:28px 22px !important}\
        .wide{width:100% !important}}
        @media (prefers-color-scheme:dark){.page{background:#0e1016 !important}\
        .card{background:#171a23 !important;border-color:#2b3040 !important}\
        .ink{color:#eceef4 !important}.muted{color:#a3abbd !important}.rule{border-color:#2b3040 !important}\
        .button{background:\(look.nightAccent) !important;color:\(look.nightOn) !important}\
        .link{color:\(look.nightAccent) !important}}
        """
    }
}
