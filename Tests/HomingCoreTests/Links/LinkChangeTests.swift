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

/// Changing short links, and the way back.
@Suite struct LinkChangeTests {
    private static let ada = Authority.person("ada@shop.example")
    private static let (a, b) = ("https://shop.example/a", "https://shop.example/b")

    private static func withLink(_ body: (TestHoming, LinkSite) async throws -> Void) async throws {
        try await withHoming(linkDomains: ["go.shop.example"]) { homing in
            _ = try await make(a, .custom("spring"), in: homing)
            try await body(homing, try site(homing))
        }
    }

    private static func site(_ homing: TestHoming) throws -> LinkSite {
        let domain = try #require(try homing.shop.linkDomains.first)
        return try #require(try homing.projects.linkSite(on: domain, of: homing.shop))
    }

    private static func make(
        _ link: String, _ ending: LinkEnding, details: LinkDetails = LinkDetails(), in homing: TestHoming
    ) async throws -> StoredLink {
        try await homing.core.makeLink(
            LinkContent(DynamicLinkParameters(link: link), details: details), at: site(homing), ending: ending,
            by: .command)
    }

    private static func target(_ homing: TestHoming, _ suffix: LinkSuffix = "spring") async throws -> String? {
        try await homing.links.open(.suffix(suffix), query: nil, at: site(homing))?.parameters.link
    }

    @Test func `an edit archives in one transaction, and archiving alone makes no version`() async throws {
        try await Self.withLink { homing, site async throws in
            let writes = homing.database.counts.writes
            let both = try await homing.links.edit("spring", at: site, seen: 1, archiving: true, by: Self.ada) {
                $0.name = "Spring"
            }
            #expect(both.isArchived && both.version == 2 && both.name == "Spring")
            #expect(homing.database.counts.writes == writes + 1)
            let listed = try await homing.links.edit("spring", at: site, seen: 2, archiving: false, by: Self.ada) { _ in
            }
            #expect(!listed.isArchived && listed.version == 2)
            #expect(try await homing.links.stored("spring", on: site.domain, of: homing.shop) == listed)
            let actions = try await homing.audit.list(project: "shop").map(\.action)
            for action in ["link.edit", "link.archive", "link.unarchive"] {
                #expect(actions.filter { $0 == action }.count == 1, "\(action)")
            }
        }
    }

    @Test func `the next click follows an edit, and what was before stays as a version`() async throws {
        try await Self.withLink { homing, site async throws in
            #expect(try await Self.target(homing) == Self.a)
            homing.clock.advance(seconds: 60)
            let edited = try await homing.links.edit("spring", at: site, seen: 1, by: Self.ada) { content in
                content.parameters.link = Self.b
                content.name = "Spring"
            }
            #expect(edited.version == 2 && edited.author == "ada@shop.example")
            #expect(try await Self.target(homing) == Self.b)
            let stored = try await homing.links.stored("spring", on: site.domain, of: homing.shop)
            #expect(stored == edited)
            let versions = try await homing.links.versions(of: "spring", on: site.domain, of: homing.shop)
            #expect(versions.map(\.version) == [2, 1])
            #expect(versions.map(\.content.parameters.link) == [Self.b, Self.a])
            #expect(versions.map(\.content.name) == ["Spring", nil])
            #expect(versions.map(\.author) == ["ada@shop.example", "command"])
            #expect(versions[0].at == homing.clock.now && versions[1].at == edited.createdAt)
        }
    }

    @Test func `an edit that changes nothing makes no version, whatever the order of the tags`() async throws {
        try await Self.withLink { homing, site async throws in
            let tagged = try await homing.links.edit("spring", at: site, seen: nil, by: .command) { content in
                content.details.tags = ["sale", "letter", "sale"]
            }
            #expect(tagged.details.tags == ["letter", "sale"])
            let again = try await homing.links.edit("spring", at: site, seen: nil, by: .command) { content in
                content.details.tags = ["sale", "letter"]
            }
            #expect(again == tagged)
            try await homing.links.rename("spring", on: site.domain, of: homing.shop, to: "Spring", by: .command)
            try await homing.links.rename("spring", on: site.domain, of: homing.shop, to: "Spring", by: .command)
            let versions = try await homing.links.versions(of: "spring", on: site.domain, of: homing.shop)
            #expect(versions.map(\.version) == [3, 2, 1])
        }
    }

    @Test func `whoever saves over a version that they have not seen is told what is there now`() async throws {
        try await Self.withLink { homing, site async throws in
            try await homing.links.edit("spring", at: site, seen: 1, by: Self.ada) { $0.parameters.link = Self.b }
            do {
                try await homing.links.edit("spring", at: site, seen: 1, by: .command) { $0.name = "Mine" }
                Issue.record("a stale version was saved")
            } catch let refusal as Refusal {
                #expect(refusal.code == .linkChanged && refusal.status == .aborted)
                let newest = try #require(refusal.cause as? StoredLink)
                #expect(newest.version == 2 && newest.author == "ada@shop.example")
                #expect(try newest.content().parameters.link == Self.b)
            }
            let link = try await homing.links.stored("spring", on: site.domain, of: homing.shop)
            #expect(link?.name == nil && link?.version == 2)
        }
    }

    @Test func `of edits at the same time none is lost`() async throws {
        try await Self.withLink { homing, site async throws in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<12 {
                    group.addTask {
                        try await homing.links.edit("spring", at: site, seen: nil, by: .command) { content in
                            content.details.tags.append("tag\(number)")
                        }
                    }
                }
                try await group.waitForAll()
            }
            let link = try await homing.links.stored("spring", on: site.domain, of: homing.shop)
            #expect(link?.details.tags.count == 12 && link?.version == 13)
            #expect(try await homing.number("SELECT COUNT(*) FROM link_tags WHERE suffix = 'spring'") == 12)
        }
    }

    @Test func `an edit leads nowhere that is not allowed, and neither does a version that comes back`() async throws {
        try await Self.withLink { homing, site async throws in
            let edits: [@Sendable (inout LinkContent) -> Void] = [
                { $0.parameters.link = "https://evil.example/" },
                { $0.parameters.link = "https://go.shop.example/spring" },
                { $0.parameters.link = "javascript:alert(1)" },
                { $0.parameters.link = "https://shop.example/" + String(repeating: "a", count: 8_000) },
                { $0.details.afterEnd = "https://evil.example/" },
                { $0.details.setLanguageLinks([.init(tag: "de", link: "https://evil.example/de")]) },
                { $0.details.tags = ["a,b"] },
                { $0.details.tags = (0..<21).map { "tag\($0)" } },
                { $0.details.maxClicks = 0 },
                { $0.name = "" },
                {
                    $0.details.startsAt = Moment(seconds: 200)
                    $0.details.endsAt = Moment(seconds: 100)
                },
            ]
            for (number, edit) in edits.enumerated() {
                await #expect(throws: Refusal.self, "edit \(number)") {
                    try await homing.links.edit("spring", at: site, seen: nil, by: .command, edit)
                }
            }
            try await homing.projects.addDomain("old.example", to: "shop")
            let old = try Self.site(homing)
            try await homing.links.edit("spring", at: old, seen: 1, by: .command) {
                $0.parameters.link = "https://old.example/"
            }
            try await homing.links.edit("spring", at: old, seen: 2, by: .command) { $0.parameters.link = Self.b }
            try await homing.projects.removeDomain("old.example", from: "shop")
            let now = try Self.site(homing)
            await #expect(throws: Refusal.self) {
                try await homing.links.restore(2, of: "spring", at: now, by: .command)
            }
            #expect(try await Self.target(homing) == Self.b)
            let restored = try await homing.links.restore(1, of: "spring", at: now, by: .command)
            #expect(restored.version == 4)
            #expect(try await Self.target(homing) == Self.a)
        }
    }

    @Test func `a name changes although the target is no longer allowed`() async throws {
        try await Self.withLink { homing, _ async throws in
            try await homing.projects.removeDomain("shop.example", from: "shop")
            let site = try Self.site(homing)
            let edited = try await homing.links.edit("spring", at: site, seen: nil, by: .command) { content in
                content.name = "Spring"
                content.details.isOn = false
            }
            #expect(edited.name == "Spring" && !edited.details.isOn)
        }
    }

    @Test func `a deleted link's ending is never given away, until one of its versions comes back`() async throws {
        try await Self.withLink { homing, site async throws in
            try await homing.links.delete("spring", at: site, by: Self.ada)
            try await homing.links.delete("spring", at: site, by: Self.ada)
            let deleted = try #require(try await homing.links.stored("spring", on: site.domain, of: homing.shop))
            #expect(deleted.version == 2 && deleted.state(at: homing.clock.now, clicks: 0) == .deleted)
            for target in [Self.a, Self.b] {
                do {
                    _ = try await Self.make(target, .custom("spring"), in: homing)
                    Issue.record("the ending was given away")
                } catch let refusal as Refusal {
                    #expect(refusal.code == .alreadyExists)
                }
            }
            await #expect(throws: Refusal.self) {
                try await homing.links.edit("spring", at: site, seen: nil, by: .command) { $0.name = "Mine" }
            }
            let taken = ArrivingLink(
                domain: site.domain, suffix: "spring", content: try deleted.content(), createdAt: deleted.createdAt)
            #expect(try await homing.links.takeOver([taken], in: homing.shop, by: .command) == [.endingTaken])
            let back = try await homing.links.restore(1, of: "spring", at: site, by: .command)
            #expect(back.version == 3 && back.deletedAt == nil)
            #expect(try await Self.target(homing) == Self.a)
        }
    }

    @Test func `whoever asks for a long link never gets a short one that has changed`() async throws {
        try await Self.withLink { homing, site async throws in
            var made: Set<LinkSuffix> = []
            for number in 0..<5 {
                let link = try await Self.make(Self.a, .unguessable, in: homing)
                #expect(made.insert(link.suffix).inserted)
                if number % 2 == 0 {
                    try await homing.links.delete(link.suffix, at: site, by: .command)
                } else {
                    try await homing.links.edit(link.suffix, at: site, seen: nil, by: .command) {
                        $0.details.isOn = false
                    }
                }
            }
        }
    }

    @Test func `a link that is made again while it is archived says so`() async throws {
        try await Self.withLink { homing, site async throws in
            try await homing.links.archive("spring", on: site.domain, of: homing.shop, true, by: .command)
            let again = try await Self.make(Self.a, .custom("spring"), in: homing)
            #expect(again.isArchived && again.version == 1)
            #expect(again.state(at: homing.clock.now, clicks: 0) == .archived)
        }
    }

    @Test func `all of a link comes back from the database as it was made`() async throws {
        try await Self.withLink { homing, _ async throws in
            var details = LinkDetails()
            details.setTags(["sale", "münchen"])
            details.setLanguageLinks([
                .init(tag: "pt-BR", link: "https://shop.example/pt"), .init(tag: "de", link: "https://shop.example/de"),
            ])
            details.startsAt = Moment(milliseconds: 1_700_000_000_001)
            details.endsAt = Moment(milliseconds: 1_900_000_000_002)
            details.maxClicks = 5
            details.afterEnd = "https://shop.example/over"
            details.isOn = false
            let made = try await Self.make(Self.b, .custom("all"), details: details, in: homing)
            let stored = try #require(
                try await homing.links.stored("all", on: Self.site(homing).domain, of: homing.shop))
            #expect(stored == made)
            #expect(stored.details == details && stored.details.tags == ["münchen", "sale"])
            #expect(stored.details.languageLinks.map(\.tag) == ["de", "pt-BR"])
            #expect(stored.details.endsAt?.milliseconds == 1_900_000_000_002)
            let columns = try await homing.rows(
                "SELECT is_off, ends_at, max_clicks FROM links WHERE suffix = 'all'")
            var row = try #require(columns.first)
            #expect(try [row.int(), row.int(), row.int()] == [1, 1_900_000_000_002, 5])
            #expect(try await homing.number("SELECT COUNT(*) FROM link_tags WHERE tag = 'sale'") == 1)
        }
    }

    @Test func `each change is an entry with what was before and what is now`() async throws {
        try await Self.withLink { homing, site async throws in
            try await homing.links.edit("spring", at: site, seen: 1, by: Self.ada) { content in
                content.parameters.link = Self.b
                content.details.setTags(["sale"])
            }
            try await homing.links.delete("spring", at: site, by: .command)
            try await homing.links.restore(1, of: "spring", at: site, by: .command)
            let entries = try await homing.audit.list().filter { $0.subject == "https://go.shop.example/spring" }
            let said = Set(entries.map { "\($0.author) \($0.action): \($0.before ?? "-") -> \($0.after ?? "-")" })
            #expect(
                said == [
                    "command link.create: - -> \(Self.a)",
                    "ada@shop.example link.edit: link=\(Self.a) -> link=\(Self.b); tags=sale",
                    "command link.delete: - -> deleted",
                    "command link.restore: deleted; link=\(Self.b); tags=sale -> link=\(Self.a)",
                ], "\(said)")
        }
    }

    @Test func `of a link that is changed for ever the newest thousand versions are kept`() async throws {
        try await Self.withLink { homing, site async throws in
            try await homing.rows(
                """
                WITH RECURSIVE numbers(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < 1000)
                INSERT INTO link_versions (project, domain, suffix, version, at, content)
                SELECT 'shop', 'go.shop.example', 'spring', i, 1, '{"query":"link=https%3A%2F%2Fshop.example%2Fa"}'
                FROM numbers
                """)
            try await homing.rows("UPDATE links SET version = 1001 WHERE suffix = 'spring'")
            try await homing.links.edit("spring", at: site, seen: 1001, by: .command) { $0.name = "Spring" }
            let versions = try await homing.links.versions(of: "spring", on: site.domain, of: homing.shop)
            #expect(versions.first?.version == 1002 && versions.last?.version == 903, "the newest hundred")
            let kept: SQL = "SELECT COUNT(*) FROM link_versions WHERE version BETWEEN 2 AND 1001"
            #expect(try await homing.number(kept) == 1_000)
            #expect(try await homing.number("SELECT COUNT(*) FROM link_versions") == 1_000)
        }
    }

    @Test func `what an older node has left of an earlier link stops no edit and is no version`() async throws {
        try await Self.withLink { homing, site async throws in
            for version in [1, 7] {
                try await homing.rows(
                    """
                    INSERT INTO link_versions (project, domain, suffix, version, at, content)
                    VALUES ('shop', 'go.shop.example', 'spring', \(Int64(version)), 1, '{"query":"link=x"}')
                    """)
            }
            try await homing.links.edit("spring", at: site, seen: 1, by: .command) { $0.parameters.link = Self.b }
            let versions = try await homing.links.versions(of: "spring", on: site.domain, of: homing.shop)
            #expect(versions.map(\.version) == [2, 1])
            #expect(versions.map(\.content.parameters.link) == [Self.b, Self.a])
        }
    }

    @Test func `details have a bound, and long ones are not held in memory`() async throws {
        try await Self.withLink { homing, site async throws in
            func edit(_ languages: [String], bytes: Int) async throws {
                try await homing.links.edit("spring", at: site, seen: nil, by: .command) { content in
                    content.details.setLanguageLinks(
                        languages.map {
                            .init(tag: $0, link: "https://shop.example/" + String(repeating: "a", count: bytes))
                        })
                }
            }
            let languages = ["ar", "da", "de", "el", "es", "fi", "fr", "hu", "it", "ja"]
            let refusal = await #expect(throws: Refusal.self) { try await edit(languages, bytes: 1_900) }
            #expect(refusal?.sentence.contains("languageLinks") == true)
            try await edit(languages, bytes: 1_000)
            #expect(try await Self.target(homing) == Self.a)
            #expect(homing.links.kept(.suffix("spring"), query: nil, at: site) == nil)
            try await edit(languages, bytes: 100)
            #expect(try await Self.target(homing) == Self.a)
            #expect(homing.links.kept(.suffix("spring"), query: nil, at: site) != nil)
        }
    }

    @Test func `the code in a link that is made is in no entry`() async throws {
        try await Self.withLink { homing, site async throws in
            let code = "Aa-9"
            _ = try await homing.links.create(
                DynamicLinkParameters(link: "https://shop.example/?oobCode=\(code)"), on: site.domain,
                of: homing.shop, ending: .custom("code"), by: Self.ada)
            let entry = try #require(
                try await homing.audit.list().first { $0.subject == "https://go.shop.example/code" })
            #expect(entry.after == "https://shop.example/?oobCode=***")
        }
    }
}
