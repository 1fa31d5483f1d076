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

@Suite struct `What a project holds` {
    @Test func `accounts, links and today's emails are counted by project, and no further than wanted`() async throws {
        try await withHoming(linkDomains: ["go.shop.example"]) { homing in
            let other = try await homing.projects.create(
                id: "other", name: nil, apiKey: nil, authorizedDomains: [], linkDomains: [], language: nil)
            for number in 1...3 {
                var wanted = AccountChange()
                wanted.email = .set(try EmailAddress(parsing: "user\(number)@example.com"))
                _ = try await homing.accounts.create(wanted, id: nil, in: homing.shop, by: .command)
            }
            let domain = try #require(try homing.shop.linkDomains.first)
            let shop = try homing.shop
            let site = try #require(homing.projects.linkSite(on: domain, of: shop))
            for ending in ["one", "two"] {
                _ = try await homing.links.create(
                    DynamicLinkParameters(link: "https://shop.example/\(ending)"), on: domain, of: shop,
                    ending: .custom(LinkSuffix(ending)), name: nil, by: .command)
            }
            try await homing.links.delete("two", at: site, by: .command)
            _ = try await homing.outbox.enqueueTest(
                to: try EmailAddress(parsing: "ann@example.com"), in: shop, by: .command)
            try await homing.deliver()
            try await homing.outbox.mailCounts.flush()
            let counted = try await homing.projects.contents(of: [shop, other], upTo: 10)
            #expect(counted.map(\.accounts) == [3, 0] && counted.map(\.links) == [1, 0])
            #expect(counted.map(\.emailsToday) == [1, 0])
            #expect(try await homing.projects.contents(of: [shop], upTo: 2).map(\.accounts) == [2])
            homing.clock.advance(seconds: 86_400)
            #expect(try await homing.projects.contents(of: [shop], upTo: 2).map(\.emailsToday) == [0])
        }
    }

    @Test(.enabled(if: !PostgresServer.isWanted))
    func `each count goes through an index of the project's rows`() async throws {
        try await withWorld { world in
            StatementRecorder.watch(world.databasePath)
            try await world.withHoming { homing in
                let project = try await homing.projects.create(
                    id: "plans", name: nil, apiKey: nil, authorizedDomains: [], linkDomains: [], language: nil)
                StatementRecorder.forget(world.databasePath)
                _ = try await homing.projects.contents(of: [project], upTo: 10)
                let statements = StatementRecorder.statements(on: world.databasePath)
                    .filter { $0.hasPrefix("SELECT CO") }
                #expect(statements.count == 3)
                for table in ["accounts", "links", "mail_counts"] {
                    let statement = try #require(statements.first { $0.contains("FROM \(table)") })
                    let steps = try await homing.rows(SQL(stringLiteral: "EXPLAIN QUERY PLAN " + statement))
                        .map(Self.detail)
                    let search = "SEARCH \(table) "
                    #expect(steps.contains { $0.hasPrefix(search) && $0.contains("(project=?") }, "\(steps)")
                    #expect(!steps.contains { $0.hasPrefix("SCAN \(table)") }, "\(steps)")
                }
            }
        }
    }

    private static func detail(of step: Row) throws -> String {
        var step = step
        for _ in ["id", "parent", "unused"] { _ = try step.int() }
        return try step.text()
    }

    @Test func `a deleted project is gone with what it held`() async throws {
        try await withHoming { homing in
            try await homing.core.deleteProject("shop", by: .person("ann@example.com"))
            #expect(homing.projects.project("shop") == nil)
            let entry = try await homing.audit.list().first { $0.action == "project.delete" }
            #expect(entry?.author == "ann@example.com" && entry?.subject == "shop")
        }
    }
}
