// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingLinkRules
import HomingProjects
import HomingShortLinks
import HomingStore
import HomingTesting
import HomingWire
import Testing

/// Who is told of clicks, and what waits to be told.
@Suite struct LinkWebhookTests {
    private static let url = "https://shop.example/hooks/links"
    private static let secret = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz"

    private func set(
        _ url: String = url, secret: String? = secret, reachesPrivateAddresses: Bool = false, in homing: TestHoming
    ) async throws {
        try await homing.projects.setLinkWebhook(
            url, secret: secret, of: "shop", reachesPrivateAddresses: reachesPrivateAddresses, by: .command)
    }

    private func click(_ suffix: LinkSuffix, in homing: TestHoming, isMachine: Bool = false) throws {
        homing.links.events.clicked(
            suffix, on: try #require(try homing.shop.linkDomains.first), of: try homing.shop,
            by: VisitorClass(.ios, .safari, isMachine: isMachine),
            from: LinkCounts.Origin(referrer: "https://news.example/a?b=c", campaign: nil, on: "go.shop.example"))
    }

    private func withShop(_ body: @Sendable (TestHoming) async throws -> Void) async throws {
        try await withHoming(linkDomains: ["go.shop.example"]) { homing in try await body(homing) }
    }

    @Test func `only authorised hosts are told, and none of a private network`() async throws {
        try await withShop { homing in
            for (url, word) in [
                ("https://elsewhere.example/", "authorised"), ("http://shop.example/", "not taken"),
                ("https://shop.example/#a", "#"), ("nonsense", "not taken"),
            ] {
                let refusal = await #expect(throws: Refusal.self) { try await set(url, in: homing) }
                #expect(ASCII.contains(refusal?.sentence ?? "", word), "\(url)")
            }
            try await homing.projects.addDomain("10.0.0.7", to: "shop", by: .command)
            await #expect(throws: Refusal.self) { try await set("https://10.0.0.7/", in: homing) }
            try await set("https://10.0.0.7/", reachesPrivateAddresses: true, in: homing)
            try await set(in: homing)
            #expect(try homing.shop.linkWebhook?.url == Self.url)
        }
    }

    @Test func `a server on the internet tells nothing to its own machine, one in development may`() throws {
        let project = Project(
            scope: "shop", number: "1", name: "Shop",
            authorizedDomains: [try AuthorizedDomain(parsing: "localhost")])
        let local = "http://localhost:9999/hook"
        try LinkWebhook.check(
            local, for: project, publicURL: "http://127.0.0.1:8010", reachesPrivateAddresses: false)
        #expect(throws: Refusal.self) {
            try LinkWebhook.check(
                local, for: project, publicURL: "https://auth.example", reachesPrivateAddresses: false)
        }
        #expect(
            LinkWebhook.isPublicOnly(Self.url, publicURL: "http://127.0.0.1:8010", reachesPrivateAddresses: false))
        #expect(
            !LinkWebhook.isPublicOnly(local, publicURL: "http://127.0.0.1:8010", reachesPrivateAddresses: false))
        #expect(LinkWebhook.isPublicOnly(local, publicURL: "https://auth.example", reachesPrivateAddresses: false))
    }

    @Test func `the secret is kept sealed, for its URL alone`() async throws {
        try await withShop { homing in
            await #expect(throws: Refusal.self) { try await set(secret: nil, in: homing) }
            try await set(in: homing)
            try await set(secret: nil, in: homing)
            let webhook = try #require(try homing.shop.linkWebhook)
            let label = LinkWebhook.label("shop", Self.url)
            #expect(try homing.keys.ring.open(webhook.sealedSecret, name: label) == Array(Self.secret.utf8))
            await #expect(throws: Refusal.self) { try await set(Self.url + "/2", secret: nil, in: homing) }
            let entries = try await homing.audit.list(project: "shop")
            let said = entries.filter { $0.action == "linkWebhook.set" }
            #expect(said.count == 2)
            #expect(!said.contains { ASCII.contains($0.after ?? "", "whsec") })
        }
    }

    @Test func `the query of its URL stands in no log`() async throws {
        try await withShop { homing in
            try await set(Self.url + "?token=s3cret", in: homing)
            try await set(Self.url + "?token=0ther", in: homing)
            try await homing.projects.removeLinkWebhook(of: "shop", by: .command)
            let said = try await homing.audit.list(project: "shop").filter { $0.action.hasPrefix("linkWebhook") }
                .flatMap { [$0.before, $0.after].compactMap(\.self) }
            #expect(said.count == 4)
            #expect(said.allSatisfy { $0 == Self.url + "?…" }, "\(said)")
        }
    }

    @Test func `a click is told once, in the order of clicks, without whoever clicked`() async throws {
        try await withShop { homing in
            try click("early", in: homing)
            try await set(in: homing)
            try click("abc", in: homing)
            try click("robot", in: homing, isMachine: true)
            homing.links.events.opened(
                .appReopen, "abc", on: try #require(try homing.shop.linkDomains.first), of: try homing.shop)
            let events = homing.links.events
            #expect(try await events.flush() == [:])
            #expect(try await events.state(of: "shop")?.waiting == 2)
            let due = try await events.due()
            #expect(due.map(\.project) == ["shop"])
            let batch = try #require(try await events.claim("shop"))
            let told = try #require(try JSON.parse(batch.body.utf8).objectValue)
            #expect(told["type"]?.stringValue == "link.events")
            let first = try #require(told["data"]?.objectValue?["events"]?.arrayValue?.first?.objectValue)
            #expect(first["type"]?.stringValue == "link.clicked")
            #expect(first["link"]?.stringValue == "https://go.shop.example/abc")
            #expect(first["referrer"]?.stringValue == "news.example")
            #expect(first["browser"]?.stringValue == "Safari")
            #expect(!ASCII.contains(batch.body, "early") && !ASCII.contains(batch.body, "robot"))
            #expect(ASCII.contains(batch.body, "APP_RE_OPEN"))
            // Nobody else has the turn meanwhile.
            #expect(try await events.claim("shop") == nil)
            try await events.settle(batch, problem: nil)
            #expect(try await events.claim("shop") == nil)
            #expect(try await events.state(of: "shop")?.waiting == 0)
            #expect(events.counts[.sent] == 2)
        }
    }

    @Test func `a receiver that fails is told the same later, for a day, and other events before`() async throws {
        try await withShop { homing in
            try await set(in: homing)
            let events = homing.links.events
            try click("first", in: homing)
            _ = try await events.flush()
            let first = try #require(try await events.claim("shop"))
            try await events.settle(first, problem: "it answered 500")
            #expect(try await events.claim("shop") == nil)
            #expect(try await events.due().isEmpty)
            #expect(try await events.state(of: "shop")?.problem == "it answered 500")
            homing.clock.advance(seconds: 10)
            try click("second", in: homing)
            _ = try await events.flush()
            #expect(try await events.due().map(\.isFailing) == [true])
            let second = try #require(try await events.claim("shop"))
            #expect(ASCII.contains(second.body, "second"))
            try await events.settle(second, problem: nil)
            let again = try #require(try await events.claim("shop"))
            #expect(again.id == first.id)
            #expect(again.body == first.body)
            try await events.settle(again, problem: "it answered 500")
            homing.clock.advance(seconds: 86_400)
            #expect(try await events.dropOld() == ["shop": 1])
            #expect(try await events.state(of: "shop")?.dropped == 1)
        }
    }

    @Test func `a server that dies in a turn holds it for a minute`() async throws {
        try await withShop { homing in
            try await set(in: homing)
            try click("abc", in: homing)
            _ = try await homing.links.events.flush()
            let first = try #require(try await homing.links.events.claim("shop"))
            homing.clock.advance(seconds: 61)
            #expect(try await homing.links.events.claim("shop")?.id == first.id)
        }
    }

    @Test func `whoever takes nothing loses the oldest, and that is counted`() async throws {
        try await withShop { homing in
            try await set(in: homing)
            let now = homing.clock.now
            try await homing.rows(
                """
                WITH RECURSIVE numbers(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM numbers WHERE i < 999)
                INSERT INTO link_events (project, id, created_at, attempts, n, body)
                SELECT 'shop', 'evt_0000000' || (1000 + i), \(now), 0, 2, 'oldest ' || i FROM numbers
                """)
            for _ in 0..<3 { try click("abc", in: homing) }
            #expect(try await homing.links.events.flush() == ["shop": 2])
            let state = try #require(try await homing.links.events.state(of: "shop"))
            #expect(state.waiting == 999 * 2 + 3)
            #expect(state.dropped == 2)
            #expect(homing.links.events.counts[.dropped] == 2)
            #expect(try await homing.links.events.claim("shop")?.body == "oldest 1")
        }
    }

    @Test func `nothing waits for a webhook that is removed, or of a project that is deleted`() async throws {
        try await withShop { homing in
            try await set(in: homing)
            try click("abc", in: homing)
            _ = try await homing.links.events.flush()
            try click("late", in: homing)
            try await homing.projects.removeLinkWebhook(of: "shop", by: .command)
            _ = try await homing.links.events.flush()
            #expect(try await homing.number("SELECT COUNT(*) FROM link_events") == 0)
            await #expect(throws: Refusal.noLinkWebhook(of: "shop")) {
                try await homing.projects.removeLinkWebhook(of: "shop", by: .command)
            }
            try await set(in: homing)
            try await homing.projects.delete("shop", by: .command)
            #expect(try await homing.number("SELECT COUNT(*) FROM link_webhooks") == 0)
        }
    }
}
