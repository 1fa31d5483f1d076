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

/// Who opened links, with what, and from where.
@Suite struct LinkStatisticsTests {
    private static let domain = "go.shop.example"

    private static func click(
        _ homing: TestHoming, _ suffix: LinkSuffix = "abc", by visitor: VisitorClass = VisitorClass(.ios, .safari),
        referrer: String? = nil, campaign: String? = nil
    ) {
        homing.links.counts.count(
            .click, by: visitor, from: LinkCounts.Origin(referrer: referrer, campaign: campaign, on: domain),
            of: suffix, at: domain, project: "shop")
    }

    private static func statistics(
        _ homing: TestHoming, of subject: LinkStatistics.Subject = .link(domain: domain, suffix: "abc"),
        days: Int64 = 7
    ) async throws -> LinkStatistics {
        try await homing.links.counts.statistics(of: subject, in: try homing.shop, days: days)
    }

    @Test func `people and machines are counted apart, and Google's numbers are of people`() async throws {
        try await withHoming { homing async throws in
            for _ in 0..<3 { Self.click(homing) }
            Self.click(homing, by: VisitorClass(.android, .chrome))
            Self.click(homing, by: VisitorClass(.ios, .safari, isMachine: true))
            Self.click(homing, by: VisitorClass(.other, isMachine: true))
            let statistics = try await Self.statistics(homing)
            #expect(statistics.people == 4)
            #expect(statistics.machines == 2)
            #expect(
                statistics.platforms == [
                    .init("IOS", people: 3, machines: 1), .init("ANDROID", people: 1),
                    .init("OTHER", people: 0, machines: 1),
                ])
            #expect(
                statistics.browsers == [
                    .init("Safari", people: 3, machines: 1), .init("Chrome", people: 1),
                    .init("Other", people: 0, machines: 1),
                ])
            let events = try await homing.links.counts.entries(
                of: "abc", on: Self.domain, project: "shop", days: 7)
            #expect(
                events == [
                    .init(event: .click, platform: .android, count: 1), .init(event: .click, platform: .ios, count: 3),
                ])
            let days = try await homing.links.counts.daily(of: "abc", on: Self.domain, project: "shop", days: 7)
            #expect(days.map { $0[.click] }.reduce(0, +) == 4)
        }
    }

    @Test func `a project's days are those of all its links, and a link's total is of people, ever`() async throws {
        try await withHoming { homing async throws in
            Self.click(homing)
            Self.click(homing, by: VisitorClass(.desktop, .firefox, isMachine: true))
            try await homing.links.counts.flush()
            homing.clock.advance(seconds: 40 * 86_400)
            Self.click(homing)
            Self.click(homing, "xyz", by: VisitorClass(.desktop, .firefox))
            let all = try await Self.statistics(homing, of: .project, days: 36_500)
            #expect(all.people == 3)
            #expect(all.machines == 1)
            #expect(all.days.map(\.people) == [1, 2])
            #expect(try await Self.statistics(homing, of: .project).people == 2)
            let links: [(domain: String, suffix: LinkSuffix)] = [
                (Self.domain, "abc"), (Self.domain, "xyz"), (Self.domain, "nobody"),
            ]
            #expect(try await homing.links.counts.totals(of: links, project: "shop") == [2, 1, 0])
            let chart = try await Self.statistics(homing).chart(days: 3, until: homing.clock.now)
            #expect(chart.map(\.people) == [0, 0, 1])
        }
    }

    @Test func `of a referrer the host is kept, and who names none is counted without one`() async throws {
        try await withHoming { homing async throws in
            Self.click(homing, referrer: "https://www.News.example/a/secret?token=7")
            Self.click(homing, referrer: "https://news.example/")
            Self.click(homing, referrer: "android-app://com.example.mail/")
            Self.click(homing, referrer: "https://ann:secret@evil.example/")
            Self.click(homing, referrer: "https://\(Self.domain)/abc")
            Self.click(homing, by: VisitorClass(.other, isMachine: true), referrer: "https://robots.example/")
            Self.click(homing, campaign: "spring")
            let statistics = try await Self.statistics(homing)
            #expect(
                statistics.referrers == [
                    .init("", people: 3), .init("news.example", people: 2), .init("com.example.mail", people: 1),
                ])
            #expect(statistics.campaigns == [.init("", people: 5), .init("spring", people: 1)])
            let kept = try await homing.rows("SELECT referrer || campaign FROM link_sources").map { row in
                var row = row
                return try row.text()
            }
            #expect(!kept.contains { ASCII.contains($0, "secret") })
        }
    }

    @Test func `a campaign has its days, platforms, browsers and referrers`() async throws {
        try await withHoming { homing async throws in
            Self.click(homing, referrer: "https://news.example/", campaign: "spring")
            Self.click(homing, "xyz", by: VisitorClass(.android, .chrome), campaign: "spring")
            Self.click(homing, "xyz", campaign: "summer")
            try await homing.links.counts.flush()
            Self.click(homing, "xyz", campaign: "spring")
            let spring = try await Self.statistics(homing, of: .campaign("spring"))
            #expect(spring.people == 3)
            #expect(spring.days.map(\.people) == [3])
            #expect(spring.platforms == [.init("IOS", people: 2), .init("ANDROID", people: 1)])
            #expect(spring.browsers == [.init("Safari", people: 2), .init("Chrome", people: 1)])
            #expect(spring.referrers == [.init("", people: 2), .init("news.example", people: 1)])
            #expect(
                try await Self.statistics(homing, of: .project).campaigns == [
                    .init("spring", people: 3), .init("summer", people: 1),
                ])
        }
    }

    @Test func `the links that have a tag are counted together`() async throws {
        try await withHoming { homing async throws in
            for (suffix, tag) in [("abc", "print"), ("xyz", "print"), ("other", "mail")] {
                try await homing.rows(
                    """
                    INSERT INTO link_tags (project, tag, domain, suffix)
                    VALUES ('shop', \(tag), \(Self.domain), \(suffix))
                    """)
                Self.click(homing, LinkSuffix(suffix), referrer: "https://news.example/")
            }
            let printed = try await Self.statistics(homing, of: .tag("print"))
            #expect(printed.people == 2)
            #expect(printed.referrers == [.init("news.example", people: 2)])
            #expect(try await Self.statistics(homing, of: .tag("none")).people == 0)
        }
    }

    @Test func `whoever invents referrers and campaigns fills a link's day with fifty`() async throws {
        try await withHoming { homing async throws in
            for number in 0..<40 { Self.click(homing, referrer: "https://host\(number).example/") }
            try await homing.links.counts.flush()
            for number in 20..<300 {
                Self.click(homing, referrer: "https://host\(number).example/", campaign: "campaign \(number)")
            }
            try await homing.links.counts.flush()
            // One that is known goes on to be counted by its name.
            Self.click(homing, referrer: "https://host7.example/")
            let statistics = try await Self.statistics(homing)
            #expect(statistics.people == 321)
            #expect(statistics.referrers.reduce(0) { $0 + $1.people } == 321)
            #expect(statistics.referrers.first { $0.label == "host7.example" }?.people == 2)
            #expect(try #require(statistics.referrers.first).label == "other")
            let rows = try await homing.number("SELECT COUNT(*) FROM link_sources WHERE suffix = 'abc'")
            #expect(rows <= 52)
        }
    }

    @Test func `a campaign that a link names is counted by its name, however many were invented`() async throws {
        try await withHoming(linkDomains: [Self.domain]) { homing async throws in
            for number in 0..<260 { Self.click(homing, campaign: "campaign \(number)") }
            try await homing.links.counts.flush()
            var parameters = DynamicLinkParameters(link: "https://shop.example/a")
            parameters.campaign.campaign = "spring"
            let domain = try #require(try homing.shop.defaultLinkDomain)
            let site = try #require(homing.projects.linkSite(on: domain, of: try homing.shop))
            _ = try await homing.core.makeLink(
                LinkContent(parameters, name: nil), at: site, ending: .custom("spring"), by: .command)
            for query in [nil, "utm_campaign=invented"] {
                let link = try #require(try await homing.links.open(.suffix("spring"), query: query, at: site))
                #expect(link.hasCampaignOfItsOwn == (query == nil))
                homing.links.counts.count(
                    .click, by: VisitorClass(.ios, .safari),
                    from: LinkCounts.Origin(
                        referrer: "https://news.example/", campaign: link.campaign,
                        isLinksOwn: link.hasCampaignOfItsOwn, on: Self.domain),
                    of: "spring", at: Self.domain, project: "shop")
            }
            let all = try await Self.statistics(homing, of: .project)
            #expect(all.campaigns.first { $0.label == "spring" }?.people == 1)
            #expect(!all.campaigns.contains { $0.label == "invented" })
            #expect(try await Self.statistics(homing, of: .campaign("spring")).people == 1)
        }
    }

    @Test func `where people came from is forgotten after 400 days, and how many came is not`() async throws {
        try await withHoming { homing async throws in
            let day: Int64 = 86_400
            Self.click(homing, referrer: "https://old.example/")
            try await homing.links.counts.flush()
            homing.clock.advance(seconds: 390 * day)
            Self.click(homing, referrer: "https://new.example/")
            try await homing.links.counts.flush()
            for _ in 0..<2 {
                try await OldSources(homing.core).delete()
                homing.clock.advance(seconds: day)
            }
            let before = try await Self.statistics(homing, days: 1_000)
            #expect(before.referrers.map(\.label) == ["new.example", "old.example"])
            homing.clock.advance(seconds: 20 * day)
            for _ in 0..<2 {
                try await OldSources(homing.core).delete()
                homing.clock.advance(seconds: day)
            }
            let statistics = try await Self.statistics(homing, days: 1_000)
            #expect(statistics.referrers == [.init("", people: 1), .init("new.example", people: 1)])
            #expect(statistics.people == 2)
        }
    }

    @Test func `a tag or a campaign with control characters has no clicks`() async throws {
        try await withHoming { homing async throws in
            Self.click(homing, campaign: "spring")
            #expect(try await Self.statistics(homing, of: .campaign("spring\u{0}")).campaigns.isEmpty)
            #expect(try await Self.statistics(homing, of: .tag("\u{1}")).campaigns.isEmpty)
        }
    }

    @Test func `a campaign that no database takes is counted among the others`() async throws {
        try await withHoming { homing async throws in
            Self.click(homing, campaign: "a\u{0}b")
            Self.click(homing, campaign: String(repeating: "x", count: 101))
            #expect(try await Self.statistics(homing).campaigns == [.init("other", people: 2)])
        }
    }

    @Test func `sources that could not be written are kept`() async throws {
        try await withHoming { homing async throws in
            Self.click(homing, referrer: "https://news.example/", campaign: "spring")
            try await homing.rows("ALTER TABLE link_sources RENAME TO link_sources_away")
            await #expect(throws: (any Error).self) { try await homing.links.counts.flush() }
            #expect(try await homing.number("SELECT COUNT(*) FROM link_counts") == 0)
            try await homing.rows("ALTER TABLE link_sources_away RENAME TO link_sources")
            for _ in 0..<2 {
                let statistics = try await Self.statistics(homing)
                #expect(statistics.people == 1)
                #expect(statistics.referrers == [.init("news.example", people: 1)])
                #expect(try await Self.statistics(homing, of: .campaign("spring")).people == 1)
            }
        }
    }

    @Test func `visits of a link domain that lead to no link are counted apart`() async throws {
        try await withHoming(linkDomains: [Self.domain]) { homing async throws in
            let (counts, person) = (homing.links.counts, VisitorClass(.ios, .safari))
            Self.click(homing)
            for _ in 0..<2 { counts.count(.root, by: person, at: Self.domain, project: "shop") }
            for _ in 0..<3 { counts.count(.ending, by: person, at: Self.domain, project: "shop") }
            counts.count(.ending, by: VisitorClass(.other, isMachine: true), at: Self.domain, project: "shop")
            let all = try await Self.statistics(homing, of: .project)
            #expect(all.people == 1)
            #expect(all.machines == 0)
            #expect(all.homes == 2)
            #expect(all.misses == 3)
            #expect(try await Self.statistics(homing).misses == 0)
        }
    }

    @Test func `what was counted before is in the days of the project and in the totals`() async throws {
        try await withHoming { homing async throws in
            let day = homing.clock.now.seconds / 86_400
            // As the schema before has it, and a part of the migration that fills the rest.
            try await homing.rows("DELETE FROM link_counts")
            for (suffix, platform) in [("abc", 1), ("abc", 2), ("xyz", 2)] {
                try await homing.rows(
                    """
                    INSERT INTO link_counts (project, domain, suffix, day, platform, clicks, redirects, first_opens, reopens)
                    VALUES ('shop', \(Self.domain), \(suffix), \(day), \(platform), 5, 1, 0, 0)
                    """)
            }
            let steps = try #require(Schema.migrations.first { $0.version == 29 }).statements
            for step in steps where step.rendered(for: .sqlite).text.hasPrefix("INSERT INTO link_counts") {
                try await homing.rows(step)
            }
            #expect(try await Self.statistics(homing, of: .project).people == 15)
            let links: [(domain: String, suffix: LinkSuffix)] = [(Self.domain, "abc"), (Self.domain, "xyz")]
            #expect(try await homing.links.counts.totals(of: links, project: "shop") == [10, 5])
        }
    }
}
