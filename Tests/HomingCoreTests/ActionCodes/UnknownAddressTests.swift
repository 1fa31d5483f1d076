// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingProjects
import HomingStore
import HomingTesting
import HomingWire
import Testing

/// A project that tells an address that nobody has an account with it (`mail.unknownAddress`).
@Suite struct UnknownAddressTests {
    private static let nobody = "nobody@home.example"
    private static let day: Int64 = 86_400
    private static let told = "Nobody has an account with this address."

    private func withTelling(limits: Limits = .none, _ body: (TestHoming) async throws -> Void) async throws {
        try await withHoming(limits: limits) { homing in
            try await homing.projects.set("shop", "mail.unknownAddress", to: "tell")
            try await homing.account(TestHoming.ann)
            try await body(homing)
        }
    }

    @Test func `whoever has no account hears it without a code, and whoever has one gets the reset`() async throws {
        try await withTelling(limits: .safe) { homing in
            try await homing.mail(.passwordReset, to: TestHoming.ann)
            try await homing.mail(.passwordReset, to: Self.nobody)
            let mails = try await homing.deliver()
            #expect(mails.map(\.recipient).sorted() == [TestHoming.ann, Self.nobody])
            let reset = try #require(mails.first { $0.recipient == TestHoming.ann })
            #expect(reset.actionLink != nil && !reset.text.contains(Self.told))
            let word = try #require(mails.first { $0.recipient == Self.nobody })
            #expect(word.text.contains(Self.told) && word.actionLink == nil && !word.source.contains("oobCode"))
            #expect(word.header("Subject")?.hasPrefix("No account with this email address at Shop (") == true)
            #expect(
                word.links == [
                    "https://auth.shop.example\(MailedLink.resetRequestPath)?apiKey=\(TestHoming.apiKey)&lang=en"
                ])
            #expect(try await homing.number("SELECT COUNT(*) FROM codes") == 2)
            #expect(try await homing.number("SELECT COUNT(*) FROM codes WHERE address = \(Self.nobody)") == 0)
        }
    }

    @Test func `an address hears it once a day, whatever was asked for and how often`() async throws {
        try await withTelling { homing in
            try await homing.projects.set("shop", "client.permissions.disabledUserSignup", to: "true")
            for kind in [ActionCodeKind.passwordReset, .signIn, .passwordReset] {
                try await homing.mail(kind, to: Self.nobody)
            }
            #expect(try await homing.deliver().map(\.recipient) == [Self.nobody])
            homing.clock.advance(seconds: Self.day - 1)
            try await homing.mail(.passwordReset, to: Self.nobody)
            #expect(try await homing.deliver().isEmpty)
            homing.clock.advance(seconds: 1)
            try await homing.mail(.signIn, to: Self.nobody)
            #expect(try await homing.deliver().map(\.recipient) == [Self.nobody])
        }
    }

    @Test func `the button leads to the app's web site, and nowhere that a request names`() async throws {
        try await withTelling { homing in
            try await homing.projects.set("shop", "app.website", to: "https://shop.example/start?a=b")
            try await homing.mail(.passwordReset, to: Self.nobody)
            #expect(try await homing.deliver().first?.links == ["https://shop.example/start?a=b"])
        }
    }

    @Test func `an account that may not sign in is no missing one, and hears nothing`() async throws {
        try await withTelling { homing in
            let account = try #require(try await homing.found(TestHoming.ann))
            var change = AccountChange()
            change.isDisabled = true
            try await homing.accounts.change(account.id, change, in: try homing.shop)
            try await homing.mail(.signIn, to: TestHoming.ann)
            #expect(try await homing.deliver().isEmpty)
        }
    }

    @Test func `where anybody may sign up, a sign-in link goes to an address without an account as before`()
        async throws
    {
        try await withTelling { homing in
            try await homing.mail(.signIn, to: Self.nobody)
            #expect(try await homing.deliver().first?.actionLink?.mode == .signIn)
            try await homing.mail(.passwordReset, to: Self.nobody)
            #expect(try await homing.deliver().first?.text.contains(Self.told) == true)
        }
    }

    @Test func `an address that mails came back from is not told either`() async throws {
        try await withTelling { homing in
            try await homing.mail(.passwordReset, to: Self.nobody)
            try await homing.deliver()
            let sent = try #require(try await homing.outbox.list(project: "shop").first)
            #expect(sent.kind == "UNKNOWN_ADDRESS" && sent.recipient == Self.nobody)
            homing.clock.advance(seconds: 100)
            let gone = [Bounce(action: .failed, status: Bounce.Status(parsing: "5.1.1"), diagnostic: "")]
            let outcome = try await homing.suppressions.take(gone, about: sent.id, by: .command)
            #expect(outcome?.verdict == .suppressed)
            homing.clock.advance(seconds: Self.day - 50)
            try await homing.mail(.passwordReset, to: Self.nobody)
            #expect(try await homing.deliver().isEmpty)
            let replies = try await homing.outbox.list(project: "shop").compactMap(\.lastReply)
            #expect(replies.count { $0.hasPrefix("suppressed") } == 1)
        }
    }

    @Test func `a tenant's people hear it as well, once in the project`() async throws {
        try await withTelling { homing in
            let tenant = try await homing.projects.createTenant("guests", named: "Guests", settings: [], in: "shop")
            for project in [tenant, try homing.shop] {
                _ = try await homing.actionCodes.request(
                    ActionCodes.Request(
                        project: project, kind: .passwordReset,
                        subject: .address(try EmailAddress(parsing: Self.nobody)), settings: ActionCodeSettings(),
                        language: "it"))
            }
            let mails = try await homing.deliver()
            #expect(mails.count == 1 && mails.first?.text.contains("Non c’è nessun account") == true)
        }
    }

    @Test func `a project says it in words of its own`() async throws {
        try await withTelling { homing in
            var template = MailTemplate()
            template[.subject] = "Kein Konto"
            template[.text] = "%EMAIL% hat kein Konto.\n\nZu uns:\n%LINK%"
            try await homing.projects.save([TemplateChange(.unknownAddress, "de", to: template)], of: "shop")
            try await homing.mail(.passwordReset, to: Self.nobody, language: "de")
            let mail = try #require(try await homing.deliver().first)
            #expect(mail.header("Subject") == "Kein Konto" && mail.text.contains("\(Self.nobody) hat kein Konto."))
        }
    }
}
