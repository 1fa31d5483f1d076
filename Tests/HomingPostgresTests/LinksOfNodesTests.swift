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

/// Links that several nodes have in memory, and that one of them changes.
@Suite(.tags(.races)) struct LinksOfNodesTests {
    private static func withLink(_ body: (TestHoming, TestHoming) async throws -> Void) async throws {
        try await withTwoNodes { first, second async throws in
            try await first.projects.addLinkDomain("go.shop.example", to: "shop", by: .command)
            try await second.core.projects.reload()
            _ = try await first.core.makeLink(
                DynamicLinkParameters(link: "https://shop.example/a"), at: site(first), ending: .custom("spring"),
                by: .command)
            try await body(first, second)
        }
    }

    private static func site(_ node: TestHoming) throws -> LinkSite {
        let domain = try #require(try node.shop.linkDomains.first)
        return try #require(try node.projects.linkSite(on: domain, of: node.shop))
    }

    private static func target(_ node: TestHoming) async throws -> String? {
        try await node.links.open(.suffix("spring"), query: nil, at: site(node))?.parameters.link
    }

    @Test func `what one node changes another follows with its next look`() async throws {
        try await Self.withLink { first, second async throws in
            #expect(try await Self.target(second) == "https://shop.example/a")
            try await second.links.lookForChanges()
            for number in 0..<3 {
                let target = "https://shop.example/\(number)"
                try await first.links.edit("spring", at: Self.site(first), seen: nil, by: .command) {
                    $0.parameters.link = target
                }
                #expect(try await Self.target(second) != target, "it is in memory, or nothing is shown here")
                try await second.links.lookForChanges()
                #expect(try await Self.target(second) == target)
            }
            try await first.links.delete("spring", at: Self.site(first), by: .command)
            try await second.links.lookForChanges()
            let link = try await second.links.open(.suffix("spring"), query: nil, at: Self.site(second))
            #expect(link?.life?.isDeleted == true)
        }
    }

    @Test func `a change that was long on its way is found all the same`() async throws {
        try await Self.withLink { first, second async throws in
            #expect(try await Self.target(second) == "https://shop.example/a")
            try await first.links.edit("spring", at: Self.site(first), seen: nil, by: .command) {
                $0.parameters.link = "https://shop.example/b"
            }
            let early = second.clock.now.adding(seconds: -30)
            try await second.links.lookForChanges()
            #expect(try await Self.target(second) == "https://shop.example/b")
            try await first.rows(
                "UPDATE links SET version = 9, query = 'link=https://shop.example/c', changed_at = \(early)")
            try await second.links.lookForChanges()
            #expect(try await Self.target(second) == "https://shop.example/c")
        }
    }

    @Test func `of two who have seen the same version and save on two nodes one wins`() async throws {
        try await Self.withLink { first, second async throws in
            for version in 1...5 {
                let winners = try await withThrowingTaskGroup(of: Int.self) { group in
                    for (place, node) in [first, second, first, second].enumerated() {
                        group.addTask {
                            do {
                                try await node.links.edit(
                                    "spring", at: Self.site(node), seen: Int64(version), by: .command
                                ) { $0.name = "Version \(version) of \(place)" }
                                return 1
                            } catch Refusal.Code.linkChanged {
                                return 0
                            }
                        }
                    }
                    return try await group.reduce(0, +)
                }
                #expect(winners == 1)
            }
            let link = try await first.links.stored("spring", on: Self.site(first).domain, of: first.shop)
            #expect(link?.version == 6)
        }
    }
}
