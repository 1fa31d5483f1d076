// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingStore
import HomingTesting
import HomingWire
import Testing

/// In which language a person is written to.
@Suite struct LanguageTests {
    private func named(_ tag: String?) -> [(String, String)] { tag.map { [("X-Firebase-Locale", $0)] } ?? [] }

    /// Where nobody names a language the mail is in the one in which the person was met before: here in English.
    @Test(
        arguments: [
            ("es_MX", nil, "es-419", "es-MX"), ("es", "tr", "es", "es"), (nil, "TR_tr", "tr", "tr-TR"),
            (nil, nil, "en", nil),
        ] as [(String?, String?, String, String?)])
    func `what follows an action of an app speaks the language of the action's code`(
        asked: String?, applied: String?, spoken: String, inLink: String?
    ) async throws {
        try await withHoming { homing in
            try await homing.projects.set("shop", "notification.defaultLocale", to: "it")
            try await homing.signUp(TestHoming.ann)
            try await homing.redeem(try await homing.liveCode(.verifyEmail), .verifyEmail)
            try await withServer(homing) { server in
                let signedIn = try await server.call(
                    "accounts:signInWithPassword", [("email", TestHoming.ann), ("password", TestHoming.password)])
                _ = try await server.call(
                    "accounts:sendOobCode",
                    [
                        ("requestType", "VERIFY_AND_CHANGE_EMAIL"), ("idToken", signedIn.string("idToken") ?? ""),
                        ("newEmail", "new@home.example"),
                    ], headers: named(asked))
                let change = try await homing.mailedCode(to: "new@home.example")
                let done = try await server.call("accounts:update", [("oobCode", change)], headers: named(applied))
                #expect(done.string("email") == "new@home.example")
                let wayBack = try #require(try await homing.deliver().first)
                #expect(wayBack.recipient == TestHoming.ann && wayBack.actionLink?.mode == .recoverEmail)
                #expect(wayBack.header("Content-Language") == spoken)
                #expect(wayBack.actionLink?.language == inLink)

                _ = try await server.call(
                    "accounts:sendOobCode", [("requestType", "PASSWORD_RESET"), ("email", "new@home.example")],
                    headers: named(asked))
                let reset = try await homing.mailedCode(to: "new@home.example")
                let set = try await server.call(
                    "accounts:resetPassword", [("oobCode", reset), ("newPassword", "quite another 7")],
                    headers: named(applied))
                #expect(set.status == 200)
                let notice = try #require(try await homing.deliver().first)
                #expect(notice.header("Content-Language") == spoken)
                let end = inLink.map { "&lang=\($0)" } ?? ""
                #expect(notice.links.contains { $0.hasSuffix("/__/auth/reset?apiKey=\(TestHoming.apiKey)\(end)") })
            }
        }
    }

    private func words(_ subject: String) -> MailTemplate {
        var template = MailTemplate()
        template[.subject] = subject
        template[.text] = "Hallo,\n\n%LINK%\n"
        return template
    }

    @Test func `a Luxembourgish team's own words reach its readers, and our pages and mails beside them are English`()
        async throws
    {
        try await withHoming { homing in
            try await homing.projects.set("shop", "notification.defaultLocale", to: "lb_LU")
            try await homing.projects.save(
                [
                    TemplateChange(.passwordReset, "lb", to: words("Neues Passwort")),
                    TemplateChange(.passwordChanged, "lb", to: words("Passwort geändert")),
                ], of: "shop")
            try await homing.signUp(TestHoming.ann)
            try await withServer(homing) { server in
                func mailed(_ locale: String?) async throws -> ReceivedMail {
                    _ = try await server.call(
                        "accounts:sendOobCode", [("requestType", "PASSWORD_RESET"), ("email", TestHoming.ann)],
                        headers: named(locale))
                    return try #require(try await homing.deliver().first)
                }
                for locale in ["lb_LU", "LB", "br", nil] {
                    let mail = try await mailed(locale)
                    #expect(mail.header("Subject") == "Neues Passwort", "\(locale ?? "none")")
                    #expect(mail.header("Content-Language") == "lb")
                    #expect(mail.actionLink?.language == ["lb_LU": "lb-LU", "LB": "lb", "br": "br"][locale ?? ""])
                }
                #expect(try await mailed("tr").header("Content-Language") == "tr")
                // The page follows the browser, in what we speak; the notice in what the project speaks, too.
                let reader = [("Accept-Language", "lb-LU,lb;q=0.9,it;q=0.5")]
                let link = try await mailed(nil).links.first
                #expect(try await server.open(link).pageLanguage == "en")
                let page = try await server.open(link, headers: reader)
                #expect(page.pageLanguage == "it")
                let form = try #require(page.form)
                let done = try await server.client.post(
                    form.action, form: form.with("newPassword", "quite another 7").fields, headers: reader)
                #expect(done.status == 200 && done.pageLanguage == "it")
                let notice = try #require(try await homing.deliver().first)
                #expect(notice.header("Content-Language") == "lb")
                #expect(notice.text.contains("Hallo,"))
                // A mail without words of the team's own.
                let token = try await server.call(
                    "accounts:signInWithPassword", [("email", TestHoming.ann), ("password", "quite another 7")])
                _ = try await server.call(
                    "accounts:sendOobCode",
                    [("requestType", "VERIFY_EMAIL"), ("idToken", token.string("idToken") ?? "")])
                #expect(try await homing.deliver().first?.header("Content-Language") == "en")
            }
        }
    }

    @Test func `a sender's name alone leaves the mail in the language of its words`() async throws {
        try await withHoming { homing in
            try await homing.projects.set("shop", "notification.defaultLocale", to: "lb")
            var template = MailTemplate()
            template[.senderName] = "Der Laden"
            try await homing.projects.save([TemplateChange(.passwordReset, "lb", to: template)], of: "shop")
            try await homing.account(TestHoming.ann)
            try await withServer(homing) { server in
                _ = try await server.call(
                    "accounts:sendOobCode", [("requestType", "PASSWORD_RESET"), ("email", TestHoming.ann)])
                let mail = try #require(try await homing.deliver().first)
                #expect(mail.header("From")?.contains("Der Laden") == true)
                #expect(mail.header("Content-Language") == "en")
            }
        }
    }
}
