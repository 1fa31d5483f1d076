// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingMail
import HomingProjects
import HomingShortLinks
import HomingStore
import HomingTesting
import Logging
import Testing

/// Providers and senders of projects and tenants, which are not the server's.
@Suite(.timeLimit(.minutes(1))) struct MailTransportTests {
    private static let url = "smtps://ann:hunter2@smtp.example.net?connections=2"

    private func set(
        _ url: String, secret: String? = nil, of owner: Scope = "shop", from sender: String? = nil,
        fallsBack: Bool? = nil, eventsKey: String? = nil, in homing: TestHoming
    ) async throws {
        try await homing.projects.setMailTransport(
            try OwnMailTransport.Draft(
                url: url, secret: secret, sender: sender, fallsBack: fallsBack, eventsKey: eventsKey,
                isPublicOnly: true),
            of: owner, by: .command)
    }

    private func own(_ homing: TestHoming, of owner: Scope = "shop") throws -> OwnMailTransport {
        try #require(try homing.projects.existingOrTenant(owner).ownTransport)
    }

    /// What the relay of a transport would hear.
    private func password(_ own: OwnMailTransport, in homing: TestHoming) throws -> String? {
        guard case .smtp(let relay) = try MailRelay(own, ring: homing.keys.ring, isPublicOnly: true) else { return nil }
        return relay.credentials?.password
    }

    @Test func `a tenant mails through its project's transport until it has its own`() async throws {
        try await withHoming { homing in
            _ = try await homing.projects.createTenant("staff", named: "Staff", in: "shop")
            #expect(try homing.shop.ownTransport == nil)
            try await set(Self.url, in: homing)
            #expect(try own(homing).url == "smtps://ann@smtp.example.net?connections=2")
            #expect(try own(homing, of: "shop/staff") == own(homing))
            try await set("resend:", secret: "re_1", of: "shop/staff", in: homing)
            #expect(try own(homing, of: "shop/staff").owner == "shop/staff")
            #expect(try own(homing).owner == "shop")
            try await homing.projects.removeMailTransport(of: "shop/staff", by: .command)
            #expect(try own(homing, of: "shop/staff").owner == "shop")
            try await homing.projects.removeMailTransport(of: "shop", by: .command)
            #expect(try homing.projects.existingOrTenant("shop/staff").ownTransport == nil)
            await #expect(throws: Refusal.noMailTransport(of: "shop")) {
                try await homing.projects.removeMailTransport(of: "shop", by: .command)
            }
        }
    }

    @Test func `a secret opens for its project and the place it was given for, and nowhere else`() async throws {
        try await withHoming { homing in
            try await set(Self.url, in: homing)
            let first = try own(homing)
            #expect(try password(first, in: homing) == "hunter2")
            #expect(!String(reflecting: first).contains("hunter2") && !first.summary.contains("hunter2"))
            // Whoever can write into the database cannot send the secret elsewhere.
            for url in [
                "smtps://ann@evil.example?connections=2", "smtp://ann@smtp.example.net", "smtps://bob@smtp.example.net",
            ] {
                try await homing.rows("UPDATE mail_transports SET url = \(url)")
                try await homing.projects.reload()
                #expect(throws: (any Error).self, "\(url)") { try password(own(homing), in: homing) }
            }
            _ = try await homing.projects.create(
                id: "other", name: nil, apiKey: nil, authorizedDomains: [], linkDomains: [], language: nil)
            try await homing.rows("UPDATE mail_transports SET url = \(first.url), project = 'other'")
            try await homing.projects.reload()
            #expect(throws: (any Error).self) { try password(own(homing, of: "other"), in: homing) }
        }
    }

    @Test func `another place needs the secret again, and the same one keeps it`() async throws {
        try await withHoming { homing in
            await #expect(throws: Refusal.self) { try await set("resend:", in: homing) }
            try await set(Self.url, in: homing)
            let first = try own(homing)
            try await set("smtps://ann@SMTP.example.net:465?connections=9", from: "hello@shop.example", in: homing)
            let second = try own(homing)
            #expect(try password(second, in: homing) == "hunter2")
            #expect(second.version != first.version && second.sender == "hello@shop.example")
            for url in ["smtps://bob@smtp.example.net", "smtps://ann@smtp.example.net:2525", "smtps://ann@example.net"]
            {
                await #expect(throws: Refusal.self, "\(url)") { try await set(url, in: homing) }
            }
            #expect(try own(homing) == second)
            try await set("smtps://ann@example.net", secret: "hunter3", in: homing)
            #expect(try password(own(homing), in: homing) == "hunter3")
            // A relay that wants none is told none.
            try await set("smtp://example.net", in: homing)
            #expect(try own(homing).sealedSecret == nil)
        }
    }

    @Test func `what is not named stays, and the key of events for as long as the provider is the same`() async throws {
        try await withHoming { homing in
            let url = "smtps://ann:hunter2@smtp.postmarkapp.com"
            try await set(url, from: "hello@shop.example", fallsBack: true, eventsKey: "key", in: homing)
            let first = try own(homing)
            #expect(first.eventsToken.utf8.count == 32)
            #expect(homing.projects.mailTransport(withEventsToken: first.eventsToken) == first)
            #expect(homing.projects.mailTransport(withEventsToken: "") == nil)
            try await set("postmark:", secret: "hunter3", in: homing)
            let second = try own(homing)
            #expect(
                second.sender == first.sender && second.fallsBack && second.sealedEventsKey == first.sealedEventsKey)
            let key = try #require(second.sealedEventsKey)
            #expect(try homing.keys.ring.open(key, name: OwnMailTransport.eventsLabel("shop")) == Array("key".utf8))
            try await set("resend:", secret: "re_1", from: "", fallsBack: false, in: homing)
            let third = try own(homing)
            #expect(third.sender == nil && !third.fallsBack && third.sealedEventsKey == nil)
            #expect(third.eventsToken == first.eventsToken)
        }
    }

    @Test(arguments: [
        ("smtps://ann:hunter2@smtp.postmarkapp.com", "smtps://ann:hunter2@smtp.mailgun.org", false),
        ("smtps://ann:hunter2@example.net", "smtps://ann:hunter2@smtp.postmarkapp.com", false),
        ("smtps://ann:hunter2@example.net", "smtps://ann:hunter2@example.org", false),
        ("smtps://ann:hunter2@example.net", "smtps://ann:hunter3@example.net?connections=3", true),
        ("webhook+https://example.net/in", "webhook+https://example.org/in", false),
        ("webhook+https://example.net/in", "webhook+https://example.net/in?connections=3", true),
    ])
    func `a key of events is for one provider, and of those that nobody knows for one place`(
        _ before: String, _ after: String, _ isKept: Bool
    ) async throws {
        try await withHoming { homing in
            for (url, key) in [(before, "key"), (after, nil)] {
                let secret = url.hasPrefix("webhook") ? "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" : nil
                try await set(url, secret: secret, eventsKey: key, in: homing)
            }
            #expect(try (own(homing).sealedEventsKey != nil) == isKept)
        }
    }

    @Test(arguments: ["noreply", "a@b@c.example", "Shop <a@shop.example", "Shop\r\nBcc: x <a@shop.example>"])
    func `a sender that is no address is refused`(sender: String) {
        #expect(throws: Refusal.self) {
            try OwnMailTransport.Draft(url: "resend:", secret: "re_1", sender: sender, isPublicOnly: true)
        }
    }

    @Test func `a secret in two places is refused, and no refusal repeats it`() {
        for url in [Self.url, "smtp://example.net"] {
            let refusal = #expect(throws: Refusal.self) {
                try OwnMailTransport.Draft(url: url, secret: "hunter3", isPublicOnly: true)
            }
            #expect(refusal.map { !"\($0)".contains("hunter") } == true)
        }
    }

    @Test func `secrets go on when an older key is retired`() async throws {
        try await withHoming { homing in
            try await set(Self.url, eventsKey: "key", in: homing)
            try await homing.keys.use(try await homing.keys.add(by: .command), by: .command)
            try await homing.projects.resealMailTransports()
            try await homing.signingKeys.reseal()
            try await homing.keys.retire(1, by: .command)
            #expect(try password(own(homing), in: homing) == "hunter2")
            let key = try #require(try own(homing).sealedEventsKey)
            #expect(try homing.keys.ring.open(key, name: OwnMailTransport.eventsLabel("shop")) == Array("key".utf8))
        }
    }

    @Test func `a transport goes with its tenant and its project`() async throws {
        try await withHoming { homing in
            _ = try await homing.projects.createTenant("staff", named: "Staff", in: "shop")
            try await set(Self.url, in: homing)
            try await set(Self.url, of: "shop/staff", in: homing)
            #expect(try await homing.number("SELECT COUNT(*) FROM mail_transports") == 2)
            try await homing.projects.deleteTenant("shop/staff", by: .command)
            #expect(try await homing.number("SELECT COUNT(*) FROM mail_transports") == 1)
            try await homing.projects.delete("shop")
            #expect(try await homing.number("SELECT COUNT(*) FROM mail_transports") == 0)
        }
    }

    @Test func `on a server for links only a project mails through its own transport, and no other does`() async throws
    {
        try await withHoming { homing in
            homing.core.store.sendsMail.set(false)
            _ = try await homing.projects.create(
                id: "other", name: nil, apiKey: nil, authorizedDomains: [], linkDomains: [], language: nil)
            try await set(Self.url, in: homing)
            let ann = try EmailAddress(parsing: TestHoming.ann)
            _ = try await homing.outbox.enqueueTest(to: ann, in: try homing.shop, by: .command)
            #expect(try await homing.outbox.list(project: nil).map(\.project) == ["shop"])
            await #expect(throws: Refusal.mailIsOff) {
                try await homing.outbox.enqueueTest(to: ann, in: try homing.projects.existing("other"), by: .command)
            }
            await #expect(throws: Refusal.mailIsOff) {
                try await homing.operators.mailLink(to: TestHoming.ann, caller: "192.0.2.1")
            }
        }
    }

    @Test func `the path for events of the server's provider stays until the oldest key is retired`() async throws {
        try await withHoming { homing in
            let token = homing.core.mailEventsToken
            #expect(
                token.utf8.count == 32 && homing.core.isMailEventsToken(token) && !homing.core.isMailEventsToken(""))
            #expect(homing.core.mailEventsURL(of: nil) == "\(homing.publicURL)/_/mail-events/\(token)")
            try await homing.keys.use(try await homing.keys.add(by: .command), by: .command)
            #expect(homing.core.mailEventsToken == token)
            let later = try #require(homing.keys.ring.mailEventsTokens.last)
            #expect(later != token && homing.core.isMailEventsToken(later))
            try await homing.keys.retire(1, by: .command)
            #expect(homing.core.mailEventsToken == later && !homing.core.isMailEventsToken(token))
        }
    }

    // MARK: A trial

    private func trial(_ relay: MailRelay, in homing: TestHoming) throws -> MailTrial {
        MailTrial(
            homing: homing.core, project: try homing.shop, relay: relay, sender: "Ann <hello@shop.example>",
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    @Test func `a test mail leaves before a transport is in force, and says what the relay said`() async throws {
        try await withHoming { homing in
            let relay = try await ScriptedRelay.start()
            let way = try OwnMailURL(parsing: relay.url, isPublicOnly: false).relay(secret: nil)
            let ann = try EmailAddress(parsing: TestHoming.ann)
            let taken = try await trial(way, in: homing).send(to: ann, by: .command)
            #expect(taken.isTaken && taken.transport == "the relay")
            let message = try #require(relay.messages.first)
            #expect(message.sender == "hello@shop.example" && message.recipients == [TestHoming.ann])
            #expect(String(decoding: message.data, as: UTF8.self).contains("From: Ann <hello@shop.example>"))
            relay.behave(.reply(550, "5.7.1 not from you"), at: .sender)
            let refused = try await trial(way, in: homing).send(to: ann, by: .command)
            #expect(!refused.isTaken && refused.reply.contains("not from you"))
            await relay.stop()
            #expect(try await homing.outbox.list(project: nil).isEmpty)
        }
    }

    @Test func `a provider is not reached at a private address, and the request with its secret does not leave`()
        async throws
    {
        try await withHoming { homing in
            let relay = try await ScriptedRelay.start()
            let url = "resend:?endpoint=http://127.0.0.1:\(relay.port)"
            guard case .provider(let door, let provider) = try MailRelay(parsing: url, secret: "re_12345678") else {
                Issue.record("no provider")
                return
            }
            let ann = try EmailAddress(parsing: TestHoming.ann)
            let result = try await trial(.provider(door.publicOnly, provider), in: homing).send(to: ann, by: .command)
            #expect(!result.isTaken && result.reply.contains("its host leads to no address of the internet"))
            #expect(relay.connectionCount == 0)
            await relay.stop()
        }
    }
}
