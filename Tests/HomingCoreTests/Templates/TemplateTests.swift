// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingProjects
import HomingStore
import HomingTesting
import HomingTexts
import Testing

func template(_ values: (MailTemplate.Field, String)...) -> MailTemplate {
    values.reduce(into: MailTemplate()) { $0[$1.0] = $1.1 }
}

@Suite struct TemplateTests {
    @discardableResult
    private func save(
        _ homing: TestHoming, _ kind: MailKind = .passwordReset, _ language: String = "de", to template: MailTemplate?,
        from base: Int? = nil, by author: Authority = .command
    ) async throws -> TemplateVersion {
        try await homing.projects.save(
            [TemplateChange(kind, language, to: template, from: base)], of: "shop", by: author)[0]
    }

    private let german = template((.subject, "Neues Passwort"), (.text, "Hier:\n%LINK%"))

    @Test(arguments: [
        (MailTemplate.Field.text, "no link at all", TemplateFault.Reason.noLink), (.html, "<p>no link</p>", .noLink),
        (.html, "<p>%LINK%</p>", .noLink), (.text, "%LNIK% %LINK%", .unknownPlaceholder),
        (.text, "%LINK% %SECOND_FACTOR%", .unknownPlaceholder), (.text, "%LINK% %link%", .unknownPlaceholder),
        (.text, "%LINK% %NEW_EMAIL%", .unknownPlaceholder), (.subject, "%LINK%", .unknownPlaceholder),
        (.html, "<p><a href=\"%LINK%\">%LOGIN_CODE%</a></p>", .unknownPlaceholder),
        (.senderName, "%EMAIL%", .unknownPlaceholder), (.subject, "a\r\nBcc: x@e.example", .lineBreak),
        (.subject, "a\u{2028}b", .lineBreak), (.subject, "\u{202E}a", .lineBreak), (.senderName, "a\nb", .lineBreak),
        (.text, "a\u{0}%LINK%", .lineBreak), (.subject, String(repeating: "ä", count: 101), .tooLong),
        (.text, "%LINK%" + String(repeating: "a", count: 64 << 10), .tooLong),
        (.html, String(repeating: " ", count: (64 << 10) + 1), .tooLong), (.senderLocalPart, "a@b.example", .address),
        (.senderLocalPart, "a\r\nb", .address), (.senderLocalPart, "a b", .address), (.replyTo, "nobody", .address),
        (.replyTo, "a@b.example\r\nBcc: c@d.example", .address), (.replyTo, "a@b.example, c@d.example", .address),
        (.text, "https://evil.example/?u=%LINK%", .misplacedPlaceholder),
        (.text, "%LINK%\n\nhttps://evil.example/?u=(%LINK%)", .misplacedPlaceholder),
        (.text, "%LINK%.evil.example", .misplacedPlaceholder), (.text, "%EMAIL%%LINK%", .misplacedPlaceholder),
        (.html, "<a href=\"%LINK%\">x</a> https://evil.example/?u=<b>%LINK%</b>", .misplacedPlaceholder),
        (.html, "<script></script>", .script), (.html, "<form></form>", .form),
        (.html, "<img src=\"https://e.example/p.gif\" alt=\"\">", .remoteContent),
    ])
    func `a template is refused by name`(
        field: MailTemplate.Field, value: String, reason: TemplateFault.Reason
    ) async throws {
        try await withHoming { homing in
            do {
                try await save(homing, .passwordReset, "en", to: template((field, value)))
                Issue.record("\(field) took \(value.prefix(60))")
            } catch let refusal as Refusal where refusal.code == .invalidTemplate {
                let faults = refusal.cause as? [TemplateFault] ?? []
                #expect(faults.map(\.field) == [field] && faults.map(\.reason) == [reason], "\(faults)")
                #expect(refusal.sentence.hasPrefix("PASSWORD_RESET en: "))
            }
            #expect(try homing.shop.templates.all.isEmpty)
            #expect(try await homing.number("SELECT COUNT(*) FROM template_versions") == 0)
        }
    }

    @Test func `a link inside another URL is refused with its line`() {
        let faults = template((.text, "Go:\n%LINK%\n\nhttps://evil.example/?u=%LINK%")).faults(for: .signIn, in: "en")
        #expect(faults.first?.sentence.hasPrefix("line 4: %LINK% is part of something longer") == true, "\(faults)")
        for text in ["Go: %LINK%", "(%LINK%)", "<%LINK%>", "Go:\r\n%LINK%\r\n"] {
            #expect(template((.text, text)).faults(for: .signIn, in: "en").isEmpty, "\(text)")
        }
    }

    @Test func `every faulty field is named at once`() {
        let faults = template((.subject, "%X_Y%"), (.text, "a"), (.replyTo, "b")).faults(for: .signIn, in: "en")
        #expect(faults.map(\.field) == [.replyTo, .subject, .text])
    }

    @Test func `a mail is not half in a language that Homing has no texts in`() {
        #expect(template((.subject, "Hallo")).faults(for: .signIn, in: "lb").map(\.field) == [.text])
        #expect(template((.text, "%LINK%")).faults(for: .signIn, in: "lb").map(\.reason) == [.incomplete])
        #expect(template((.senderName, "Laden")).faults(for: .signIn, in: "lb").isEmpty)
        #expect(template((.senderName, "Negozio")).faults(for: .signIn, in: "it").isEmpty)
        let html = template((.subject, "Hallo"), (.html, "<a href=\"%LINK%\">x</a>"))
        #expect(html.faults(for: .signIn, in: "lb").isEmpty)
    }

    @Test(arguments: ["", "d", "../../etc", "de%00", "de..", "de-", "-de", "de--AT", String(repeating: "a", count: 36)])
    func `what is no language tag is refused`(tag: String) {
        #expect(throws: Refusal.self) { try TemplateChange(.signIn, tag, to: nil) }
    }

    @Test func `a person's language finds the nearest template`() async throws {
        try await withHoming { homing in
            try await save(homing, .passwordReset, "de", to: german)
            try await save(homing, .passwordReset, "DE_at", to: template((.subject, "Servus"), (.text, "%LINK%")))
            try await save(homing, .passwordReset, "pt-BR", to: template((.subject, "Senha")))
            let shelf = try homing.shop.templates
            func found(_ tag: String, _ kind: MailKind = .passwordReset) -> String? {
                LanguageTag(parsing: tag).flatMap { shelf.match(kind, for: $0) }?.language
            }
            #expect(found("de") == "de" && found("de-CH") == "de" && found("de-AT-1996") == "de-AT")
            #expect(found("de_CH") == "de" && found("DE_at_1996") == "de-AT" && found("pt_pt") == "pt-BR")
            #expect(found("pt") == "pt-BR" && found("pt-PT") == "pt-BR" && found("en") == nil && found("d") == nil)
            #expect(found("de", .verifyEmail) == nil)
        }
    }

    @Test func `one kind of mail has templates in a hundred languages at most`() async throws {
        try await withHoming { homing in
            let changes = try (0..<100).map { try TemplateChange(.signIn, "de-x-\($0)", to: german) }
            try await homing.projects.save(changes, of: "shop")
            await #expect(throws: Refusal.self) { try await save(homing, .signIn, "it", to: german) }
            #expect(try homing.shop.templates.inForce.count == 100)
            try await save(homing, .passwordReset, "it", to: german)
            try await save(homing, .signIn, "de-x-7", to: template((.subject, "Neu"), (.text, "%LINK%")))
            try await save(homing, .signIn, "de-x-8", to: nil)
            try await save(homing, .signIn, "it", to: german)
            await #expect(throws: Refusal.self) {
                try await homing.projects.restore(1, of: .signIn, "de-x-8", in: "shop")
            }
        }
    }

    @Test func `every version is kept, and an older one can be put in force again`() async throws {
        try await withHoming { homing in
            try await save(homing, to: german, by: .person("ann@example.com"))
            try await save(homing, to: template((.subject, "Zwei"), (.text, "%LINK%")))
            try await save(homing, to: nil)
            #expect(try homing.shop.templates.inForce.isEmpty)
            let restored = try await homing.projects.restore(1, of: .passwordReset, "de", in: "shop")
            #expect(restored.number == 4 && restored.template == german)
            let versions = try await homing.projects.versions(.passwordReset, "de", of: "shop")
            #expect(versions.map(\.number) == [4, 3, 2, 1])
            #expect(versions.map { $0.template?[.subject] } == ["Neues Passwort", nil, "Zwei", "Neues Passwort"])
            #expect(versions.last?.author == "ann@example.com")
            #expect(try homing.shop.templates.newest(.passwordReset, "de") == versions.first)
            await #expect(throws: Refusal.self) {
                try await homing.projects.restore(9, of: .passwordReset, "de", in: "shop")
            }
            let actions = try await homing.audit.list(project: "shop").map(\.action).filter { $0.hasPrefix("template") }
            #expect(actions.sorted() == ["template.reset", "template.set", "template.set", "template.set"])
        }
    }

    @Test func `of two people who change a template, the second is shown the first's`() async throws {
        try await withHoming { homing in
            let first = try await save(homing, to: german, from: 0)
            let second = try await save(homing, to: template((.subject, "Zwei"), (.text, "%LINK%")), from: first.number)
            await #expect(throws: Refusal.templateChanged(newest: second)) {
                try await save(homing, to: template((.subject, "Drei"), (.text, "%LINK%")), from: first.number)
            }
            #expect(try homing.shop.templates.newest(.passwordReset, "de") == second)
        }
    }

    @Test func `what is the same makes no version`() async throws {
        try await withHoming { homing in
            let first = try await save(homing, to: german)
            #expect(try await save(homing, to: german) == first)
            try await save(homing, .verifyEmail, "de", to: nil)
            #expect(try await homing.number("SELECT COUNT(*) FROM template_versions") == 1)
        }
    }

    @Test func `of several templates with a fault in one, none is put in force`() async throws {
        try await withHoming { homing in
            let changes = [
                try TemplateChange(.passwordReset, "de", to: german),
                try TemplateChange(.verifyEmail, "de", to: template((.subject, "Hallo"), (.text, "kein Link"))),
            ]
            await #expect(throws: Refusal.self) { try await homing.projects.save(changes, of: "shop") }
            #expect(try homing.shop.templates.all.isEmpty)
        }
    }

    @Test func `another node takes a template over, and a project's end takes them along`() async throws {
        try await withHoming { homing in
            try await save(homing, to: german)
            try await homing.core.takeOverChanges()
            try await homing.rows("UPDATE template_versions SET template = '{\"subject\":\"B\",\"text\":\"%LINK%\"}'")
            try await homing.rows("UPDATE key_state SET value = '999' WHERE name = 'edition'")
            try await homing.core.takeOverChanges()
            #expect(try homing.shop.templates.newest(.passwordReset, "de")?.template?[.subject] == "B")
            try await homing.projects.setBrand(BrandChange(color: "#123456"), of: "shop")
            try await homing.projects.delete("shop")
            #expect(try await homing.number("SELECT COUNT(*) FROM template_versions") == 0)
            #expect(try await homing.number("SELECT COUNT(*) FROM brands") == 0)
        }
    }
}
