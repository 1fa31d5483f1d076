// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingWire

extension LetterCheck {
    /// Whether both parts are there and say what was written, in letters that can be read.
    func contentFindings() -> [Finding] {
        let (texts, htmls) = (texts, htmls)
        var findings = parts(hasText: !texts.isEmpty, hasHTML: !htmls.isEmpty) + encodings(texts + htmls)
        if let written {
            var changes: [(String, LetterText.Change)] = []
            if !texts.isEmpty {
                let arrived = LetterText(texts.map(\.text).joined(separator: "\n"), hasFreeBlanks: false)
                changes.append(("the text", LetterText(written.text, hasFreeBlanks: false).change(to: arrived)))
            }
            if !htmls.isEmpty {
                let arrived = htmls.map { LetterHTML($0.text).text }.joined(separator: " ")
                changes.append(
                    (
                        "the HTML",
                        LetterText(LetterHTML(written.html).text, hasFreeBlanks: true)
                            .change(to: LetterText(arrived, hasFreeBlanks: true))
                    ))
            }
            findings +=
                changes.compactMap { finding(of: $0.1, in: $0.0) } + subjectFinding(written)
                + codeFindings(written, texts: texts.map(\.text), htmls: htmls.map { LetterHTML($0.text) })
        }
        if findings.isEmpty {
            findings.append(
                .ok(
                    "LETTER_CONTENT_OK", subject,
                    written == nil ? "text and HTML are there and can be read" : "text and HTML say what was written"))
        }
        return findings + size(htmls)
    }

    private func parts(hasText: Bool, hasHTML: Bool) -> [Finding] {
        guard hasText || hasHTML else {
            return [
                .problem(
                    "LETTER_UNREADABLE", subject, "it has neither a text part nor an HTML part",
                    "Something on the way has taken the letter apart: look at its source.")
            ]
        }
        var findings: [Finding] = []
        if !hasHTML {
            findings.append(
                .problem(
                    "LETTER_HTML_MISSING", subject, "the HTML part is gone: people see no button",
                    "A relay or a filter drops it: look for a setting that turns emails into plain text."))
        }
        if !hasText {
            findings.append(
                .warning(
                    "LETTER_TEXT_MISSING", subject, "the text part is gone",
                    "Have the relay or provider send both parts: spam filters count a missing one, and phones read codes "
                        + "from it."))
        }
        return findings
    }

    private func encodings(_ parts: [MIMEPart.Decoded]) -> [Finding] {
        var findings: [Finding] = []
        if parts.contains(where: \.isBroken) {
            findings.append(
                .problem(
                    "LETTER_ENCODING_BROKEN", subject, "a part's quoted-printable or base64 is damaged",
                    "A server on the way has changed encoded lines: compare the letter at each server that it passed."))
        }
        for part in parts where !part.isKnown {
            findings.append(
                .warning(
                    "LETTER_CHARSET_UNKNOWN", subject, "a part came in the charset \(Printable.given(part.charset))",
                    "It was written in UTF-8: a server on the way has changed it."))
        }
        return findings
    }

    private func finding(of change: LetterText.Change, in part: String) -> Finding? {
        switch change {
        case .none: return nil
        case .added(let text):
            return .warning(
                "LETTER_TEXT_ADDED", subject, "\(part) has more than was written: \(Printable.line(text, atMost: 120))",
                "Switch off the footer, disclaimer or banner of the relay, or of the receiver, that adds it.")
        case .mangled(let how):
            let seen =
                switch how {
                case .questionMarks: "letters beyond ASCII have become question marks"
                case .undecodable: "bytes of it are no letters of its charset"
                case .readAsOther: "its letters are read in another charset than they were written in"
                }
            return .problem(
                "LETTER_CHARSET_BROKEN", subject, "\(part) is mangled: \(seen)",
                "It leaves in UTF-8 and in ASCII alone: a server on the way writes it anew and names or converts the "
                    + "charset wrongly.")
        case .torn:
            return .problem(
                "LETTER_TEXT_CHANGED", subject, "\(part) has line breaks within words",
                "A server on the way breaks long lines, which cuts links, too: it must keep encoded lines as they are.")
        case .changed:
            return .problem(
                "LETTER_TEXT_CHANGED", subject, "\(part) does not say what was written",
                "A server on the way has changed it, or it was cut off; where the template was changed since, send "
                    + "another one.")
        }
    }

    /// A code is found by phones, and copied by people, as it was written: two groups and one space. In HTML lines break
    /// as they like.
    private func codeFindings(_ written: WrittenLetter, texts: [String], htmls: [LetterHTML]) -> [Finding] {
        guard let code = written.code else { return [] }
        func shows(_ html: LetterHTML) -> Bool { Self.onOneLine(html.text).contains(Self.onOneLine(code)) }
        let (ours, isPhone) = (LetterHTML(written.html), htmls.contains { $0.links.contains(where: Self.isPhone) })
        let places = [
            !texts.isEmpty && written.text.contains(code) && !texts.contains { $0.contains(code) } ? "the text" : nil,
            !htmls.isEmpty && shows(ours) && !htmls.contains(where: shows) ? "the HTML" : nil,
        ].compactMap(\.self)
        guard !places.isEmpty || isPhone else { return [] }
        let seen =
            places.isEmpty
            ? "a number of it has become a link that calls a phone"
            : "the code is not as it was written in \(places.joined(separator: " and "))"
        return [
            .problem(
                "LETTER_CODE_CHANGED", subject, "\(seen): phones do not offer it, and people cannot copy it",
                "A server or filter on the way makes links of numbers, masks them or breaks lines within them: switch "
                    + "that off for emails of this sender.")
        ]
    }

    private static func onOneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private static func isPhone(_ link: String) -> Bool { link.hasPrefixFoldingASCII("tel:") }

    private func subjectFinding(_ written: WrittenLetter) -> [Finding] {
        var arrived = TransferEncoding.headerText(letter.value("subject") ?? "")
        let isSame =
            LetterText(arrived, hasFreeBlanks: true).change(to: LetterText(written.subject, hasFreeBlanks: true))
            == .none
        guard !isSame else { return [] }
        // No finding has a code.
        if let code = written.code { arrived = arrived.replacing(code, with: "…") }
        return [
            .warning(
                "LETTER_SUBJECT_CHANGED", subject, "the subject is now: \(Printable.line(arrived, atMost: 120))",
                "A filter marks emails there, or a server has converted it wrongly.")
        ]
    }

    private func size(_ htmls: [MIMEPart.Decoded]) -> [Finding] {
        let bytes = htmls.reduce(0) { $0 + $1.text.utf8.count }
        guard bytes > Self.clippedAt else { return [] }
        return [
            .problem(
                "LETTER_CLIPPED", subject,
                "its HTML has \(bytes / 1_024) KiB: Gmail shows the first 102 and hides the rest",
                "Make the template shorter, and switch off what adds to it on the way.")
        ]
    }
}
