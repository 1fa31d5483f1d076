// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
import HomingMail
import HomingProjects
import HomingStore
import HomingTesting
import HomingTexts
import HomingTransfer
import Testing

/// Every verb of an operator leaves an entry with whoever asked for it, in the transaction of the change.
@Suite struct VerbAuditTests {
    private static let ann = Authority.person("ann@example.com")
    private static let secret = "Quite a secret 7 indeed"

    /// An entry's action, and the verb that leaves it. They run one after the other.
    private typealias Verb = (action: String, run: @Sendable (TestHoming) async throws -> Void)

    private static let ofProjects: [Verb] = [
        (
            "project.create",
            {
                _ = try await $0.projects.create(
                    id: "other", name: nil, apiKey: nil, authorizedDomains: [], linkDomains: [], language: nil,
                    by: Self.ann)
            }
        ),
        ("project.set", { try await $0.projects.set("shop", "signIn.email.enabled", to: "false", by: Self.ann) }),
        ("project.set", { try await $0.projects.set("shop", "displayName", to: "The shop", by: Self.ann) }),
        ("domain.add", { try await $0.projects.addDomain("new.example", to: "shop", by: Self.ann) }),
        ("domain.remove", { try await $0.projects.removeDomain("new.example", from: "shop", by: Self.ann) }),
        (
            "app.add",
            {
                try await $0.projects.addApp(
                    RegisteredApp(platform: .apple, id: "example.shop", teamID: "TEAMTEAM01"), to: "shop", by: Self.ann)
            }
        ),
        (
            "app.set",
            {
                try await $0.projects.setApp(
                    .apple, "example.shop", to: [AppChange(.appStoreID, to: "123456789")], in: "shop", by: Self.ann)
            }
        ),
        ("app.remove", { try await $0.projects.removeApp("example.shop", from: "shop", by: Self.ann) }),
        ("linkDomain.add", { try await $0.projects.addLinkDomain("go.shop.example", to: "shop", by: Self.ann) }),
        (
            "linkDomain.remove",
            { try await $0.projects.removeLinkDomain("go.shop.example", from: "shop", by: Self.ann) }
        ),
        (
            "apiKey.create",
            { _ = try await $0.projects.createAPIKey(named: nil, text: "hk_another", in: "shop", by: Self.ann) }
        ),
        ("apiKey.use", { try await $0.projects.useAPIKey("hk_another", in: "shop", by: Self.ann) }),
        ("apiKey.revoke", { try await $0.projects.revokeAPIKey(TestHoming.apiKey, in: "shop", by: Self.ann) }),
        (
            "template.set",
            {
                let german = template((.subject, "Neues Passwort"), (.text, "Hier:\n%LINK%"))
                try await $0.projects.save(
                    [TemplateChange(.passwordReset, "de", to: german)], of: "shop", by: Self.ann)
            }
        ),
        (
            "template.test",
            {
                _ = try await $0.outbox.enqueueTest(
                    to: try EmailAddress(parsing: "ann@example.com"), in: $0.shop, showing: .passwordReset,
                    language: "de", by: Self.ann)
            }
        ),
        (
            "template.reset",
            {
                try await $0.projects.save([TemplateChange(.passwordReset, "de", to: nil)], of: "shop", by: Self.ann)
            }
        ),
        (
            "template.set",
            { try await $0.projects.restore(1, of: .passwordReset, "de", in: "shop", by: Self.ann) }
        ),
        (
            "brand.set",
            { try await $0.projects.setBrand(BrandChange(postalLine: "1 Main St"), of: "shop", by: Self.ann) }
        ),
        (
            "senderDomain.add",
            {
                try await $0.projects.addSenderDomainKeys(
                    [senderKey("h1")], to: "shop", isRotation: false, by: Self.ann)
            }
        ),
        (
            "senderDomain.use",
            { try await $0.projects.useSenderDomainKeys(["h1"], of: "shop.example", in: "shop", by: Self.ann) }
        ),
        (
            "senderDomain.rotate",
            {
                try await $0.projects.addSenderDomainKeys(
                    [senderKey("h2")], to: "shop", isRotation: true, by: Self.ann)
            }
        ),
        (
            "senderDomain.remove",
            { try await $0.projects.removeSenderDomain("shop.example", from: "shop", by: Self.ann) }
        ),
        (
            "mailTransport.set",
            {
                try await $0.projects.setMailTransport(
                    try OwnMailTransport.Draft(
                        url: "smtps://ann@smtp.example.net", secret: Self.secret, eventsKey: Self.secret,
                        isPublicOnly: true),
                    of: "shop", by: Self.ann)
            }
        ),
        ("mailTransport.remove", { try await $0.projects.removeMailTransport(of: "shop", by: Self.ann) }),
        (
            "mail.test",
            {
                try await $0.outbox.noteTest(
                    to: try EmailAddress(parsing: "ann@example.com"), in: $0.shop, by: Self.ann)
            }
        ),
        (
            "tenant.create",
            { _ = try await $0.projects.createTenant("retail", named: "Retail", in: "shop", by: Self.ann) }
        ),
        ("tenant.set", { try await $0.projects.setTenant("shop/retail", named: "Wholesale", by: Self.ann) }),
        ("tenant.delete", { try await $0.projects.deleteTenant("shop/retail", by: Self.ann) }),
        ("project.delete", { try await $0.projects.delete("other", by: Self.ann) }),
    ]

    private static let ofOperators: [Verb] = [
        (
            "operator.add",
            { _ = try await $0.operators.add("bob@example.com", role: .viewer, projects: nil, by: Self.ann) }
        ),
        (
            "operator.set",
            { _ = try await $0.operators.add("bob@example.com", role: .owner, projects: nil, by: Self.ann) }
        ),
        ("operator.link", { _ = try await $0.operators.newLink(for: "bob@example.com", by: Self.ann) }),
        (
            "operator.add",
            {
                let viewer = Operator.Rights(role: .viewer, projects: nil)
                _ = try await $0.operators.invite("dan@example.com", viewer, by: Self.ann)
            }
        ),
        (
            "operator.set",
            {
                let editor = Operator.Rights(role: .editor, projects: ["shop"])
                try await $0.operators.set("dan@example.com", to: editor, by: Self.ann)
            }
        ),
        ("operator.link", { try await $0.operators.inviteAgain("dan@example.com", by: Self.ann) }),
        (
            "operator.removeCredentials",
            { try await $0.operators.removeCredentials(of: "bob@example.com", code: nil, by: Self.ann) }
        ),
        ("operator.requireSecondFactor", { try await $0.operators.requireSecondFactor(true, by: Self.ann) }),
        (
            "operator.remove",
            {
                _ = try await $0.operators.add("eve@example.com", role: .owner, projects: nil)
                try await $0.operators.remove("bob@example.com", by: Self.ann)
            }
        ),
        ("adminKey.create", { _ = try await $0.adminKeys.create(name: "ci", by: Self.ann) }),
        (
            "adminKey.revoke",
            { try await $0.adminKeys.revoke(try #require(try await $0.adminKeys.list().first).id, by: Self.ann) }
        ),
        (
            "serviceAccount.create",
            { _ = try await $0.accounts.serviceAccounts.create(named: "ci", in: $0.shop, by: Self.ann) }
        ),
        (
            "serviceAccount.revoke",
            {
                let account = try #require(try await $0.accounts.serviceAccounts.list(in: $0.shop).first)
                try await $0.accounts.serviceAccounts.revoke(account.id, in: $0.shop, by: Self.ann)
            }
        ),
    ]

    private static let ofAccounts: [Verb] = [
        (
            "account.create",
            {
                var wanted = AccountChange()
                wanted.email = .set(try EmailAddress(parsing: TestHoming.ann))
                wanted.password = .set(Self.secret)
                _ = try await $0.accounts.create(wanted, id: "u1", in: $0.shop, by: Self.ann)
            }
        ),
        (
            "account.set",
            {
                var wanted = AccountChange()
                wanted.password = .set(Self.secret + "!")
                _ = try await $0.accounts.change("u1", wanted, in: $0.shop, by: Self.ann)
            }
        ),
        (
            "account.disable",
            {
                var wanted = AccountChange()
                wanted.isDisabled = true
                _ = try await $0.accounts.change("u1", wanted, in: $0.shop, by: Self.ann)
            }
        ),
        ("account.endSessions", { _ = try await $0.accounts.endSessions(of: "u1", in: $0.shop, by: Self.ann) }),
        (
            "account.sendReset",
            {
                let account = try #require(try await $0.found(TestHoming.ann))
                try await $0.actionCodes.sendReset(to: account, in: $0.shop, by: Self.ann)
            }
        ),
        (
            "account.sendVerification",
            {
                let account = try #require(try await $0.found(TestHoming.ann))
                try await $0.actionCodes.sendVerification(to: account, in: $0.shop, by: Self.ann)
            }
        ),
        ("account.export", { try await $0.accounts.noteExport(of: 1, in: $0.shop, by: Self.ann) }),
        ("account.import", { try await $0.accounts.noteImport(of: 1, in: $0.shop, by: Self.ann) }),
        (
            "account.importPart",
            {
                let people = try accounts("id,email\n2,bea@home.example\n", from: .csv, scheme: nil)
                _ = try await $0.accounts.take(people.map { try $0.account.get() }, in: $0.shop, by: Self.ann)
            }
        ),
        (
            "account.deletePart",
            { _ = try await $0.accounts.delete(["2"], evenEnabled: true, in: $0.shop, by: Self.ann) }
        ),
        ("account.delete", { try await $0.accounts.delete("u1", in: $0.shop, by: Self.ann) }),
        (
            "account.erase",
            {
                _ = try await $0.accounts.erase(
                    try EmailAddress(parsing: "bea@home.example"), in: $0.shop, by: Self.ann)
            }
        ),
    ]

    @Test(arguments: [0, 1, 2])
    func `each verb of projects, operators and accounts leaves one entry, and no secret is in any`(
        place: Int
    ) async throws {
        let verbs = [Self.ofProjects, Self.ofOperators, Self.ofAccounts][place]
        try await withHoming { homing in
            for verb in verbs {
                let before = Set(try await homing.audit.list(limit: 1000).map(\.id))
                try await verb.run(homing)
                let new = try await homing.audit.list(limit: 1000).filter {
                    !before.contains($0.id) && $0.author == "ann@example.com"
                }
                #expect(new.map(\.action) == [verb.action])
            }
            let log = try await homing.audit.list(limit: 1000).map { "\($0)" }
            #expect(!log.contains { $0.contains(Self.secret) || $0.contains("argon2") || $0.contains("PRIVATE KEY") })
        }
    }

    @Test func `a verb that is refused leaves no entry`() async throws {
        try await withHoming { homing in
            let before = try await homing.audit.list().count
            await #expect(throws: Refusal.self) {
                try await homing.projects.removeDomain("nobodys.example", from: "shop", by: Self.ann)
            }
            await #expect(throws: Refusal.userNotFound) {
                try await homing.accounts.delete("nobody", in: try homing.shop, by: Self.ann)
            }
            #expect(try await homing.audit.list().count == before)
        }
    }
}

private func senderKey(_ selector: String) -> SenderDomainKey {
    SenderDomainKey(
        domain: "shop.example", selector: selector, algorithm: "rsa-sha256", publicKey: "MII=", sealed: [1, 2, 3],
        at: Moment(milliseconds: 0), isSeen: false)
}
