// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingLinkRules
import HomingShortLinks
import HomingStore
import HomingTesting
import Testing

/// The counts of openings of links.
@Suite struct LinkCountsTests {
    private static func entries(_ homing: TestHoming, days: Int64 = 7) async throws -> [LinkCounts.Entry] {
        try await homing.links.counts.entries(of: "abc", on: "go.shop.example", project: "shop", days: days)
    }

    private static func click(_ homing: TestHoming, _ platform: LinkPlatform = .ios) {
        homing.links.counts.count(.click, on: platform, of: "abc", at: "go.shop.example", project: "shop")
    }

    @Test func `a click costs no statement until it is written with others`() async throws {
        try await withHoming { homing async throws in
            let before = homing.database.counts
            for _ in 0..<100 { Self.click(homing) }
            #expect(homing.database.counts.statements == before.statements)
            try await homing.links.counts.flush()
            #expect(homing.database.counts.statements == before.statements + 1)
        }
    }

    @Test func `clicks add up by event, platform and day`() async throws {
        try await withHoming { homing async throws in
            for _ in 0..<3 { Self.click(homing) }
            try await homing.links.counts.flush()
            Self.click(homing)
            Self.click(homing, .android)
            #expect(
                try await Self.entries(homing) == [
                    .init(event: .click, platform: .android, count: 1), .init(event: .click, platform: .ios, count: 4),
                ])
            homing.clock.advance(seconds: 2 * 86_400)
            #expect(try await Self.entries(homing, days: 2).isEmpty)
            #expect(try await Self.entries(homing, days: 3).count == 2)
        }
    }

    @Test func `counts that could not be written are kept`() async throws {
        try await withHoming { homing async throws in
            Self.click(homing)
            try await homing.rows("ALTER TABLE link_counts RENAME TO link_counts_away")
            await #expect(throws: (any Error).self) { try await homing.links.counts.flush() }
            try await homing.rows("ALTER TABLE link_counts_away RENAME TO link_counts")
            #expect(try await Self.entries(homing).map(\.count) == [1])
        }
    }

    @Test func `a count that is as great as counts can be takes clicks, and stays a number`() async throws {
        try await withHoming { homing async throws in
            try await homing.rows(
                """
                INSERT INTO link_counts (project, domain, suffix, day, platform, clicks, redirects, first_opens, reopens)
                VALUES ('shop', 'go.shop.example', 'abc', 0, 0, 9223372036854775807, 0, 0, 0)
                """)
            Self.click(homing)
            let totals = try await homing.links.counts.totals(of: [("go.shop.example", "abc")], project: "shop")
            #expect(totals == [1_000_000_000_000_000])
            #expect(try await Self.entries(homing).map(\.count) == [1])
        }
    }

    @Test(.enabled(if: !PostgresServer.isWanted)) func `links that stand together are written together`() async throws {
        try await withHoming { homing async throws in
            let counts = homing.links.counts
            let suffixes = (0..<2500).map { _ in homing.world.system.randomName(length: 17) } + ["a", "Zz"]
            for suffix in suffixes {
                counts.count(.click, on: .ios, of: LinkSuffix(suffix), at: "go.shop.example", project: "shop")
            }
            try await counts.flush()
            let written = try await homing.rows(
                "SELECT suffix FROM link_counts WHERE day > 0 AND domain <> '' ORDER BY rowid"
            ).map {
                var row = $0
                return try row.text()
            }
            #expect(Set(written) == Set(suffixes))
            // In order except for the seams of six transactions, because each link has a total besides.
            #expect(zip(written, written.dropFirst()).count { $0 > $1 } <= 5)
        }
    }
}
