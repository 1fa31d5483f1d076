// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingStore
import HomingTesting
import Testing

@Suite(.tags(.races)) struct `API keys` {
    @Test func `a project has several keys, and links carry the one that was chosen last`() async throws {
        try await withHoming { homing async throws in
            homing.clock.advance(seconds: 1)
            let second = try await homing.projects.createAPIKey(named: "Autumn apps", in: "shop")
            homing.clock.advance(seconds: 1)
            let third = try await homing.projects.createAPIKey(named: nil, text: "AIzaOfAnotherHouse", in: "shop")
            #expect(try homing.shop.linkKey == TestHoming.apiKey, "a key that was only made is in no link")
            for key in [TestHoming.apiKey, second.text, third.text] {
                #expect(homing.projects.project(apiKey: key)?.projectID == "shop")
                try await homing.projects.useAPIKey(key, in: "shop")
                #expect(try homing.shop.linkKey == key)
            }
            try await homing.projects.useAPIKey(second.text, in: "shop")
            #expect(try homing.shop.apiKeys.map(\.name) == [nil, "Autumn apps", nil])
            #expect(try homing.shop.linkKey == second.text)
        }
    }

    @Test func `a revoked key is refused at once, on the other nodes too, and still names its project in links`()
        async throws
    {
        try await withHoming { homing async throws in
            let second = try await homing.projects.createAPIKey(named: nil, in: "shop")
            try await homing.projects.revokeAPIKey(TestHoming.apiKey, in: "shop")
            #expect(homing.projects.project(apiKey: TestHoming.apiKey) == nil)
            #expect(homing.projects.project(linkKey: TestHoming.apiKey)?.projectID == "shop")
            #expect(try homing.shop.linkKey == second.text)
            let other = Projects(store: homing.store, publicURL: "https://x.example")
            try await other.reload()
            #expect(other.project(apiKey: TestHoming.apiKey) == nil)
            #expect(other.project(linkKey: TestHoming.apiKey)?.projectID == "shop")
        }
    }

    @Test func `when the key of links is revoked, links carry the one that was chosen before it`() async throws {
        try await withHoming { homing async throws in
            let second = try await homing.projects.createAPIKey(named: nil, in: "shop")
            let third = try await homing.projects.createAPIKey(named: nil, in: "shop")
            try await homing.projects.useAPIKey(second.text, in: "shop")
            try await homing.projects.useAPIKey(third.text, in: "shop")
            try await homing.projects.revokeAPIKey(third.text, in: "shop")
            #expect(try homing.shop.linkKey == second.text)
        }
    }

    @Test func `a key that is taken over is in links at once, and once only`() async throws {
        try await withHoming { homing async throws in
            func takeOver(_ key: String, _ apiKeys: [(name: String, text: String)]) async throws {
                try await homing.projects.takeOver(
                    [], authorizedDomains: nil, templates: [], apps: [], apiKeys: apiKeys, linkKey: key, of: "shop",
                    by: .command)
            }
            try await takeOver("AIzaOfTheWeb", [("the web site", "AIzaOfTheWeb")])
            #expect(try homing.shop.linkKey == "AIzaOfTheWeb" && homing.shop.apiKeys.count == 2)
            try await takeOver(TestHoming.apiKey, [])
            #expect(try homing.shop.linkKey == TestHoming.apiKey)
            let before = try homing.shop.apiKeys.count
            await #expect(throws: Refusal.self) {
                try await takeOver("AIzaOfNobody", [("another", "AIzaOfAnother")])
            }
            #expect(try homing.shop.apiKeys.count == before, "all or none")
        }
    }

    @Test func `the last key stays, and what is revoked does not come back`() async throws {
        try await withHoming { homing async throws in
            let only = try await #require(throws: Refusal.self) {
                try await homing.projects.revokeAPIKey(TestHoming.apiKey, in: "shop")
            }
            #expect("\(only)".contains("only API key"))
            let second = try await homing.projects.createAPIKey(named: nil, in: "shop")
            try await homing.projects.revokeAPIKey(second.text, in: "shop")
            for verb in [homing.projects.revokeAPIKey(_:in:by:), homing.projects.useAPIKey(_:in:by:)] {
                await #expect(throws: Refusal.self) { try await verb(second.text, "shop", .command) }
            }
            await #expect(throws: Refusal.self) {
                try await homing.projects.createAPIKey(named: nil, text: second.text, in: "shop")
            }
            #expect(try homing.shop.linkKey == TestHoming.apiKey)
        }
    }

    @Test func `a key belongs to one project, and its name fits in one line`() async throws {
        try await withHoming { homing async throws in
            let other = try await homing.projects.create(
                id: "other", name: nil, apiKey: nil, authorizedDomains: [], linkDomains: [], language: nil)
            for verb in [homing.projects.revokeAPIKey(_:in:by:), homing.projects.useAPIKey(_:in:by:)] {
                await #expect(throws: Refusal.self) { try await verb(other.linkKey, "shop", .command) }
            }
            for (name, text) in [
                ("a\nb", nil), ("", nil), (nil, other.linkKey), (nil, "short"), (nil, "a key with gaps"),
            ] {
                await #expect(throws: Refusal.self) {
                    try await homing.projects.createAPIKey(named: name, text: text, in: "shop")
                }
            }
            #expect(try homing.shop.allKeys.count == 1)
        }
    }

    @Test func `of two who revoke the last two keys at once, one is refused`() async throws {
        try await withHoming { homing async throws in
            let second = try await homing.projects.createAPIKey(named: nil, in: "shop")
            let winners = await withTaskGroup(of: Bool.self) { group in
                for key in [TestHoming.apiKey, second.text] {
                    group.addTask { (try? await homing.projects.revokeAPIKey(key, in: "shop")) != nil }
                }
                var winners = 0
                for await isWinner in group where isWinner { winners += 1 }
                return winners
            }
            #expect(winners == 1)
            #expect(try homing.shop.apiKeys.count == 1)
        }
    }

    @Test func `who made, chose and revoked a key stands in the audit log`() async throws {
        try await withHoming { homing async throws in
            let ann = Authority.person("ann@example.com")
            let key = try await homing.projects.createAPIKey(named: "Apps", in: "shop", by: ann)
            try await homing.projects.useAPIKey(key.text, in: "shop", by: ann)
            try await homing.projects.revokeAPIKey(key.text, in: "shop", by: ann)
            let entries = try await homing.audit.list(project: "shop").filter { $0.author == "ann@example.com" }
            #expect(Set(entries.map(\.action)) == ["apiKey.create", "apiKey.use", "apiKey.revoke"])
            #expect(entries.allSatisfy { $0.subject == key.text })
        }
    }
}
