// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingMail
import HomingProjects
import HomingStore
import HomingTesting
import HomingTexts
import Testing

/// Templates in the console begin with what is sent today, and are compared with it.
@Suite struct ConsoleTemplateEditorTests {
    @Test func `the fields begin with what is sent today, and saving them unchanged makes no template`() async throws {
        try await withHoming { homing in
            try await withServer(homing) { server in
                let visitor = try await ConsoleVisitor(.editor, homing, server)
                for tag in ["it", "lb", "pt-PT"] {
                    let page = try await visitor.get("templates/PASSWORD_RESET/\(tag)")
                    let standard = MailTemplate(standard: .passwordReset, in: Language(tag: tag) ?? .english)
                    let fields = try ["subject", "text"].map { ($0, try #require(page.value(of: $0))) }
                    let escaped = fields.map { $0.1.replacing("&#39;", with: "'").replacing("&quot;", with: "\"") }
                    #expect(escaped[0] == standard[.subject] && escaped[1] == standard[.text], "\(tag)")
                    let sent = zip(["subject", "text"], escaped).map { ($0, $1.replacing("\n", with: "\r\n")) }
                    let saved = try await visitor.send("templates/PASSWORD_RESET/\(tag)", sent + [("base", "0")])
                    #expect(saved.status == 303, "\(tag)")
                    #expect(try homing.shop.templates.newest(.passwordReset, tag) == nil)
                    let changed = [("subject", "Mio"), sent[1], ("base", "0")]
                    #expect(try await visitor.send("templates/PASSWORD_RESET/\(tag)", changed).status == 303)
                    let template = try homing.shop.templates.newest(.passwordReset, tag)?.template
                    #expect(template?[.subject] == "Mio")
                    #expect((template?[.text] == nil) == (tag != "lb"), "the rest stays Homing's where it has texts")
                }
            }
        }
    }

    @Test func `what is typed is shown before it is saved, or what stands against it`() async throws {
        try await withHoming { homing in
            try await withServer(homing) { server in
                let visitor = try await ConsoleVisitor(.editor, homing, server)
                func preview(_ text: String, _ mode: String) async throws -> String {
                    let fields = [("way", "preview"), ("mode", mode), ("subject", "Neu"), ("text", text)]
                    return try await visitor.send("templates/PASSWORD_RESET/de", fields).text
                }
                let typed = "# Für %APP_NAME%\n\nHier:\n%LINK%"
                #expect(try await preview(typed, "phone").contains(">Für Shop</h1>"))
                #expect(try await preview(typed, "dark").contains("@media all"))
                #expect(try await preview(typed, "text").contains("Subject: Neu\n\nFür Shop\n\nHier:\n"))
                #expect(try await preview("ohne", "phone").contains("text NO_LINK:"))
                #expect(try homing.shop.templates.all.isEmpty)
            }
        }
    }

    @Test func `the table says which emails are yours, in a wider language as well`() async throws {
        try await withHoming { homing in
            var template = MailTemplate()
            template[.subject] = "Novo"
            template[.text] = "%LINK%"
            try await homing.projects.save([TemplateChange(.signIn, "pt", to: template)], of: "shop")
            try await withServer(homing) { server in
                let visitor = try await ConsoleVisitor(.viewer, homing, server)
                let page = try await visitor.get("templates").text
                // The language of the template's readers, and English.
                #expect(page.contains("aria-label=\"yours: \(MailKind.signIn.title), pt-BR\""))
                #expect(page.contains("aria-label=\"standard: \(MailKind.signIn.title), en\""))
                #expect(page.ranges(of: "aria-label=\"standard: ").count == 9 * 2 - 1)
                #expect(page.contains("<code class=\"soft\">EMAIL_SIGNIN</code>") && page.contains("Novo"))
                #expect(page.utf8.count < 60_000)
            }
        }
    }

    @Test func `a version says what changed since the one before, and since the standard, and is restored there`()
        async throws
    {
        try await withHoming { homing in
            for subject in ["First", "Second", nil] {
                var template = MailTemplate()
                template[.subject] = subject
                template[.text] = subject.map { "\($0)\n\n%LINK%" }
                let change = try TemplateChange(.passwordReset, "en", to: subject == nil ? nil : template)
                try await homing.projects.save([change], of: "shop", by: .person("bob@example.com"))
            }
            try await withServer(homing) { server in
                let editor = try await ConsoleVisitor(.editor, homing, server)
                let versions = "templates/PASSWORD_RESET/en/versions"
                let second = try await editor.get("\(versions)/2").text
                #expect(second.contains("<del>− First\n</del><ins>+ Second\n</ins>"))
                #expect(second.contains("  %LINK%\n") && second.contains("name=\"base\" value=\"3\""))
                let first = try await editor.get("\(versions)/1").text
                #expect(first.contains("<del>− Reset your password for %APP_NAME% (%CLOCK% UTC)\n</del>"))
                #expect(try await editor.get("\(versions)/3?with=0").text.contains("Nothing differs."))
                for name in ["0", "4", "x", "-1", "2?with=9", "2?with=x"] {
                    #expect(try await editor.get("\(versions)/\(name)").status == 404, "\(name)")
                }
                let viewer = try await ConsoleVisitor(.viewer, homing, server)
                let read = try await viewer.get("\(versions)/2").text
                #expect(!read.contains("<form method=\"post\"") && !read.contains("bob@example.com"))
                let restore = [("way", "restore"), ("version", "2"), ("base", "3")]
                #expect(try await editor.send("templates/PASSWORD_RESET/en", restore).status == 303)
                #expect(try homing.shop.templates.newest(.passwordReset, "en")?.template?[.subject] == "Second")
            }
        }
    }
}
