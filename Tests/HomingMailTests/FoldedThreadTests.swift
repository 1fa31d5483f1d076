// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingMail
import HomingProjects
import HomingStore
import HomingTesting
import HomingTexts
import Testing

/// A mail as a mail program shows it that makes conversations.
private struct ShownMail {
    let subject: String?
    /// The ids that the mail answers to; empty where it names none.
    let references: String
    let id: String?
    /// What people see of the HTML, line by line, the first words for the inbox included.
    let lines: [String]

    init(_ message: MailMessage) {
        let reader = MessageReader(message.bytes())
        subject = reader["subject"].flatMap(MessageReader.decoded)
        references = reader["references"] ?? ""
        id = reader["message-id"]
        let html = reader.parts.first { $0["content-type"]?.contains("html") == true }?.text ?? ""
        let body = html.firstRange(of: "<body").map { String(html[$0.lowerBound...]) } ?? html
        lines = body.replacing(/<[^>]*>/, with: "\n").replacing("&amp;", with: "&")
            .split(whereSeparator: \.isNewline).map { $0.trimmingPrefix(while: \.isWhitespace) }
            .filter { !$0.isEmpty }.map { String($0) }
    }

    /// Gmail's rule for two mails of one sender to one person within a week.
    func joins(_ earlier: ShownMail) -> Bool {
        subject == earlier.subject && (references.isEmpty || earlier.id.map { references.contains($0) } == true)
    }

    /// What is left to see where everything is folded away that the earlier mail said as well.
    func folded(after earlier: ShownMail) -> [String] { lines.filter { !earlier.lines.contains($0) } }

    func visible(after earlier: ShownMail) -> [String] { joins(earlier) ? folded(after: earlier) : lines }
}

/// Somebody asks twice, one second apart, and has both mails.
@Suite struct FoldedThreadTests {
    private func link(_ number: Int) -> String { "https://auth.example/__/auth/action?mode=x&oobCode=code\(number)" }

    private func mail(
        _ number: Int, _ kind: MailKind, in language: Language, template: MailTemplate? = nil
    ) -> ShownMail {
        let hasCode = kind.codeKind != nil || kind == .operatorSignIn
        let facts = LetterFacts(
            appName: "Lighthouse", address: "ada@example.com", newAddress: "new@example.com", displayName: "Ada",
            link: hasCode ? link(number) : link(0), language: language, lifetime: hasCode ? 3600 : nil,
            sentAt: 1_795_228_560 + number)
        let version = template.map {
            TemplateVersion(
                kind: kind, language: language.tag, number: 1, author: "command", createdAt: Moment(milliseconds: 0),
                template: $0)
        }
        let letter = Letter(kind, about: facts, voice: LetterVoice(template: version, language: language))
        return ShownMail(
            MailMessage(
                from: SenderAddress(name: "Lighthouse", address: "noreply@here.test"), to: "ada@example.com",
                subject: letter.subject, text: letter.text, html: letter.html, messageID: "<id\(number)@here.test>",
                date: Int64(facts.sentAt), language: language.tag))
    }

    @Test(arguments: MailKind.allCases.filter { $0 != .test }, Language.ofEachScript)
    func `in Gmail each of two mails shows its link`(kind: MailKind, language: Language) {
        let (first, second) = (mail(1, kind, in: language), mail(2, kind, in: language))
        let hasCode = kind.codeKind != nil || kind == .operatorSignIn
        #expect(first.lines.contains(link(hasCode ? 1 : 0)))
        #expect(second.visible(after: first).contains(link(hasCode ? 2 : 0)))
    }

    @Test(arguments: MailKind.allCases, Language.ofEachScript)
    func `subject and first words of two mails differ, and the subject begins as ever`(
        kind: MailKind, language: Language
    ) {
        let (first, second) = (mail(1, kind, in: language), mail(2, kind, in: language))
        #expect(first.subject != second.subject && first.lines.first != second.lines.first)
        #expect(first.subject?.hasSuffix(" (02:36:01 UTC)") == true)
        #expect(first.subject?.dropLast(15) == second.subject?.dropLast(15))
        #expect(second.lines.first?.hasPrefix("02:36:02 UTC") == true)
    }

    /// As where a relay drops the headers that keep two mails apart, and a template says the same subject each time.
    @Test(arguments: MailKind.allCases.filter { $0.codeKind != nil || $0 == .operatorSignIn }, Language.ofEachScript)
    func `whatever a mail program folds that repeats, the link of a second mail stays`(
        kind: MailKind, language: Language
    ) {
        let left = mail(2, kind, in: language).folded(after: mail(1, kind, in: language))
        #expect(left.contains(link(2)))
        #expect(kind.isNotice || left.contains { $0.contains("02:36:02") && $0 != left.first })
    }

    @Test func `a project's own words repeat, and its mails make no conversation all the same`() {
        var template = MailTemplate()
        template[.subject] = "Neues Passwort"
        template[.text] = "Hallo,\n\nhier:\n%LINK%"
        let mails = [1, 2].map { mail($0, .passwordReset, in: .english, template: template) }
        #expect(mails[0].subject == "Neues Passwort" && mails[1].subject == "Neues Passwort")
        #expect(!mails[1].joins(mails[0]))
        #expect(mails[1].visible(after: mails[0]).contains(link(2)))
        #expect(mails[0].lines.first != mails[1].lines.first)
    }
}
