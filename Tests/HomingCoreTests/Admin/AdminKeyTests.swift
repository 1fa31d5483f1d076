// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingProjects
import HomingStore
import HomingTesting
import Testing

@Suite struct `Admin keys` {
    private func other(_ homing: TestHoming, _ id: ProjectID = "other") async throws {
        _ = try await homing.projects.create(
            id: id, name: nil, apiKey: nil, authorizedDomains: [], linkDomains: [], language: nil)
    }

    @Test func `a key is for all projects, or for those that it names`() async throws {
        try await withHoming { homing async throws in
            try await other(homing)
            let all = try await homing.adminKeys.create(name: "all")
            let some = try await homing.adminKeys.create(name: "some", projects: ["shop", "shop"])
            #expect(try await homing.adminKeys.find(all.secret)?.projects == nil)
            let key = try #require(try await homing.adminKeys.find(some.secret))
            #expect(key.projects == ["shop"])
            try key.check("shop")
            let refusal = #expect(throws: Refusal.self) { try key.check("other") }
            #expect("\(try #require(refusal))".contains("The admin key some is for project shop only."))
            #expect(throws: Refusal.self) { try key.checkAllProjects() }
        }
    }

    @Test func `a key ends with its day, and says so to nobody else`() async throws {
        try await withHoming { homing async throws in
            let end = homing.clock.now.adding(seconds: 60)
            let (id, secret) = try await homing.adminKeys.create(name: "brief", expiresAt: end)
            homing.clock.advance(seconds: 59)
            #expect(try await homing.adminKeys.find(secret)?.id == id)
            homing.clock.advance(seconds: 1)
            let refusal = try await #require(throws: Refusal.self) { try await homing.adminKeys.find(secret) }
            #expect(refusal.code == .adminKeyEnded)
            #expect(refusal.sentence.contains("brief") && refusal.sentence.contains(end.day))
            #expect(try await homing.adminKeys.find("ha_\(id)_" + String(repeating: "x", count: 43)) == nil)
            #expect(try await homing.adminKeys.list().first?.state(at: homing.clock.now) == .ended)
            try await homing.adminKeys.revoke(id)
            #expect(try await homing.adminKeys.find(secret) == nil, "a revoked key is a key no more")
        }
    }

    @Test func `an end in the past, a strange project and a name of two lines make no key`() async throws {
        try await withHoming { homing async throws in
            await #expect(throws: Refusal.self) {
                try await homing.adminKeys.create(name: "a", expiresAt: homing.clock.now)
            }
            await #expect(throws: Refusal.self) { try await homing.adminKeys.create(name: "a", projects: ["nowhere"]) }
            await #expect(throws: Refusal.self) { try await homing.adminKeys.create(name: "a\nb") }
            #expect(try await homing.adminKeys.list().isEmpty)
        }
    }

    @Test func `a deleted project's keys are not for a later project of its name`() async throws {
        try await withHoming { homing async throws in
            try await other(homing)
            let (_, secret) = try await homing.adminKeys.create(name: "both", projects: ["other", "shop"])
            let (_, lonely) = try await homing.adminKeys.create(name: "one", projects: ["other"])
            try await homing.projects.delete("other")
            try await other(homing)
            #expect(try await homing.adminKeys.find(secret)?.projects == ["shop"])
            let key = try #require(try await homing.adminKeys.find(lonely))
            for project in ["other", "shop"] as [ProjectID] { #expect(!key.isFor(project)) }
        }
    }

    @Test func `the last use is known at once, costs no write, and is kept`() async throws {
        try await withWorld { world in
            try await world.withHoming { homing async throws in
                let (_, secret) = try await homing.adminKeys.create(name: "ci")
                let commits = homing.database.counts.commits
                #expect(try await homing.adminKeys.list().first?.usedAt == nil)
                homing.clock.advance(seconds: 5)
                _ = try await homing.adminKeys.find(secret)
                #expect(homing.database.counts.commits == commits)
                #expect(try await homing.adminKeys.list().first?.usedAt == homing.clock.now)
            }
            try await world.withHoming { homing async throws in
                #expect(try await homing.adminKeys.list().first?.usedAt == homing.clock.now)
            }
        }
    }

    @Test func `who made and revoked a key stands in the log of its projects, without the secret`() async throws {
        try await withHoming { homing async throws in
            let ann = Authority.person("ann@example.com")
            let (id, secret) = try await homing.adminKeys.create(name: "ci", projects: ["shop"], by: ann)
            try await homing.adminKeys.revoke(id, by: ann)
            let entries = try await homing.audit.list(project: "shop").filter { $0.subject == id }
            #expect(Set(entries.map(\.action)) == ["adminKey.create", "adminKey.revoke"])
            #expect(entries.allSatisfy { $0.author == "ann@example.com" && !"\($0)".contains(secret) })
        }
    }
}
