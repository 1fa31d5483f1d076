// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
import HomingProjects
import HomingShortLinks
import HomingStore
import HomingTesting
import HomingTransfer
import HomingWire
import Testing

/// What is in the audit log beside changes of settings: keys, and what leaves the server.
@Suite struct AuditOfOperationsTests {
    private func entries(_ homing: TestHoming) async throws -> Set<String> {
        Set(
            try await homing.audit.list().map {
                "\($0.author) \($0.action) \($0.project ?? "-") \($0.subject) \($0.after ?? "-")"
            })
    }

    @Test func `each step of a change of keys is an entry`() async throws {
        try await withHoming { homing in
            let version = try await homing.keys.add(by: .command)
            try await homing.keys.use(version, by: .command)
            try await homing.keys.raiseFloor(to: version, by: .command)
            let log = try await entries(homing)
            for entry in ["key.add - key version 2 -", "key.use - key version 2 2", "key.floor - key version 2 2"] {
                #expect(log.contains("command \(entry)"), "\(entry)")
            }
        }
    }

    @Test func `each new signing key, and each that is trusted no more, is an entry`() async throws {
        try await withHoming { homing in
            try await homing.signingKeys.rotate(by: .command)
            try await homing.signingKeys.retireOlder(by: .command)
            let log = try await homing.audit.list().filter { $0.action.hasPrefix("signingKey.") }
            for action in ["signingKey.add", "signingKey.retire"] {
                let ids = log.filter { $0.action == action && $0.author == "command" }.map(\.subject)
                #expect(Set(ids).count == SigningKeys.Purpose.allCases.count, "\(action)")
            }
        }
    }

    @Test func `what an operator does to links is an entry, and what an app makes is none`() async throws {
        try await withHoming(linkDomains: ["go.shop.example"]) { homing async throws in
            let (shop, domain) = (try homing.shop, try #require(try homing.shop.linkDomains.first))
            func make(_ link: String, _ ending: LinkSuffix, by authority: Authority) async throws {
                _ = try await homing.links.create(
                    DynamicLinkParameters(link: link), on: domain, of: shop, ending: .custom(ending), by: authority)
            }
            try await make("https://shop.example/a", "apps", by: .app)
            try await make("https://shop.example/b", "own", by: .person("ada@shop.example"))
            try await homing.links.rename("own", on: domain, of: shop, to: "Spring", by: .backEnd(key: "k1"))
            for _ in 0..<2 { try await homing.links.archive("own", on: domain, of: shop, true, by: .command) }
            let moved = ArrivingLink(
                domain: domain, suffix: "moved",
                content: LinkContent(DynamicLinkParameters(link: "https://shop.example/c")))
            for _ in 0..<2 { _ = try await homing.links.takeOver([moved], in: shop, by: .command) }
            let log = try await homing.audit.list().filter { $0.action.hasPrefix("link.") }
            #expect(log.count == 4)
            #expect(
                try await entries(homing).isSuperset(of: [
                    "ada@shop.example link.create shop https://go.shop.example/own https://shop.example/b",
                    "key k1 link.rename shop https://go.shop.example/own Spring",
                    "command link.archive shop https://go.shop.example/own -",
                    "command link.importPart shop 1 links go.shop.example/moved",
                ]))
        }
    }

    @Test
    func `a test mail, a bounce, another try and the end of a suppression are entries of whoever asked`() async throws {
        try await withHoming { homing in
            let (shop, ann) = (try homing.shop, try EmailAddress(parsing: TestHoming.ann))
            let ada = Authority.person("ada@shop.example")
            let mail = try await homing.outbox.enqueueTest(to: ann, in: shop, by: ada)
            _ = try await homing.outbox.enqueueTest(
                to: ann, in: shop, showing: .passwordReset, language: "de", by: .command)
            let gone = Bounce(action: .failed, status: Bounce.Status(parsing: "5.1.1"), diagnostic: "")
            _ = try await homing.suppressions.take([gone], about: mail, by: .backEnd(key: "k1"))
            try await homing.outbox.retry(mail, by: .command)
            try await homing.suppressions.lift(ann, in: shop, by: ada)
            let log = try await entries(homing)
            for entry in [
                "ada@shop.example mail.test shop \(ann.text) -",
                "command template.test shop \(ann.text) PASSWORD_RESET de",
                "key k1 mail.bounce shop \(mail) suppressed",
                "command mail.retry shop \(mail) -",
                "ada@shop.example suppression.lift shop \(ann.text) -",
            ] {
                #expect(log.contains(entry), "\(entry)")
            }
        }
    }

    @Test func `an address to which test mails went is in no entry once its account is deleted`() async throws {
        try await withHoming { homing in
            let (shop, ann) = (try homing.shop, try EmailAddress(parsing: TestHoming.ann))
            let account = try await homing.signUp(TestHoming.ann).account
            for sample in [nil, MailKind.passwordReset] {
                _ = try await homing.outbox.enqueueTest(to: ann, in: shop, showing: sample, by: .command)
            }
            try await homing.accounts.delete(account.id, in: shop, by: .command)
            let log = try await homing.audit.list()
            #expect(log.contains { $0.action == "template.test" && $0.subject.hasPrefix("erased:") })
            #expect(!log.contains { "\($0)".contains(ann.text) })
        }
    }

    @Test func `what happens to the mails of a tenant stands in the log of its project`() async throws {
        try await withHoming { homing in
            let tenant = try await homing.projects.createTenant("retail", named: "Retail", in: "shop", by: .command)
            let mail = try await homing.outbox.enqueueTest(
                to: try EmailAddress(parsing: TestHoming.ann), in: tenant, by: .command)
            let gone = Bounce(action: .failed, status: Bounce.Status(parsing: "5.1.1"), diagnostic: "")
            _ = try await homing.suppressions.take([gone], about: mail, by: .command)
            try await homing.outbox.retry(mail, by: .command)
            let log = try await homing.audit.list(project: "shop")
            for action in ["mail.bounce", "mail.retry"] {
                #expect(log.filter { $0.action == action }.map(\.subject) == ["retail/\(mail)"], "\(action)")
            }
        }
    }

    @Test func `a link and a session cookie that a back end is given are entries, without an address`() async throws {
        try await withHoming { homing in
            let ann = try await homing.signUp(TestHoming.ann)
            let shop = try homing.shop
            var request = ActionCodes.Request(
                project: shop, kind: .passwordReset,
                subject: .address(try EmailAddress(parsing: TestHoming.ann)), settings: ActionCodeSettings(),
                language: "en", isMailed: false, isAdmin: true)
            request.authority = .backEnd(key: "k1")
            _ = try await homing.actionCodes.request(request)
            _ = try await homing.sessions.cookie(
                for: ann.tokens.idToken, lasting: 300, in: shop, by: .backEnd(key: "k1"))
            let log = try await entries(homing)
            #expect(log.contains("key k1 account.link shop \(ann.account.id) resetPassword"))
            #expect(log.contains("key k1 account.sessionCookie shop \(ann.account.id) 300 s"))
            #expect(!log.contains { $0.contains(TestHoming.ann) })
        }
    }

    @Test func `each part of an import is an entry that says how many came, and who`() async throws {
        try await withHoming { homing in
            let file = """
                id,email
                1,ada@people.example
                2,grace@people.example
                3,ada@people.example

                """
            let people = try accounts(file, from: .csv, takesWithoutPassword: true).map { try $0.account.get() }
            let shop = try homing.shop
            _ = try await homing.core.accounts.take(people, in: shop, by: .backEnd(key: "k1"))
            _ = try await homing.core.accounts.take(people, in: shop, by: .backEnd(key: "k1"))
            try await homing.core.accounts.noteImport(of: 2, in: shop, by: .command)
            let log = try await homing.audit.list().map {
                "\($0.author) \($0.action) \($0.project ?? "-") \($0.subject) \($0.after ?? "-")"
            }
            let parts = log.filter { $0.contains("account.importPart") }
            #expect(parts == ["key k1 account.importPart shop 2 accounts 1 2"], "nobody who was left out")
            #expect(log.contains("command account.import shop 2 accounts -"))
            #expect(!log.contains { $0.contains("people.example") })
        }
    }

    @Test func `a mail that came back is an entry by the mail's id; the same report again is none`() async throws {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann)
            try await homing.mail(.passwordReset, to: TestHoming.ann)
            try await homing.deliver()
            let mail = try #require(try await homing.outbox.list(project: "shop").first).id
            let gone = [Bounce(action: .failed, status: Bounce.Status(parsing: "5.1.1"), diagnostic: "no such user")]
            for _ in 0..<2 { _ = try await homing.suppressions.take(gone, about: mail, by: .backEnd(key: "k1")) }
            let entries = try await homing.audit.list().filter { $0.action == "mail.bounce" }
            #expect(entries.map(\.subject) == [mail])
            #expect(entries.first?.author == "key k1" && entries.first?.project == "shop")
            #expect(entries.first?.after == "suppressed")
            #expect(entries.first?.before == nil)
        }
    }
}
