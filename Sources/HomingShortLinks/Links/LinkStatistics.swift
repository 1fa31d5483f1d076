// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
package import HomingLinkRules
package import HomingProjects
package import HomingStore
import HomingWire

/// How often links were opened, by whom as far as that is counted, and from where.
package struct LinkStatistics: Sendable, Equatable {
    /// What is asked about, within a project.
    package enum Subject: Sendable, Equatable {
        /// All short links together.
        case project
        case link(domain: String, suffix: LinkSuffix)
        /// The links that have a tag now, with all that was counted of them.
        case tag(String)
        /// `utm_campaign`. What was clicked before there were campaigns here is in none.
        case campaign(String)

        /// Whether it is a text that no tag and no campaign can have.
        fileprivate var isUnfindable: Bool {
            switch self {
            case .project, .link: false
            case .tag(let text), .campaign(let text): text.utf8.contains(where: ASCII.isControl)
            }
        }
    }

    /// How clicks are told apart.
    package enum Grouping: String, Sendable, CaseIterable, Codable {
        case day, platform, browser, referrer, campaign
    }

    /// The clicks with something in common.
    package struct Tally: Sendable, Equatable {
        /// A date (`2026-11-22`, UTC), a platform by Firebase's name, a browser's name, the host of a referrer or a
        /// campaign; empty where no referrer, or no campaign, is known.
        package let label: String
        package var people: Int64
        /// Referrers and campaigns are counted of people only.
        package var machines: Int64

        package init(_ label: String, people: Int64, machines: Int64 = 0) {
            self.label = label
            self.people = people
            self.machines = machines
        }
    }

    /// Those on which something happened, the oldest first.
    package var days: [Tally] = []
    /// The most clicks of people first, here and in what follows.
    package var platforms: [Tally] = []
    package var browsers: [Tally] = []
    package var referrers: [Tally] = []
    package var campaigns: [Tally] = []
    /// All clicks.
    package var people: Int64 = 0
    package var machines: Int64 = 0
    /// People who were sent on to a store, a fallback or the target.
    package var redirects: Int64 = 0
    /// Apps that have told of their first start with a link.
    package var firstOpens: Int64 = 0
    /// Apps that were opened by a link.
    package var reopens: Int64 = 0
    /// Visits by people of the project's link domains themselves, and of endings that no link has; of a project only.
    package var homes: Int64 = 0
    package var misses: Int64 = 0

    package subscript(grouping: Grouping) -> [Tally] {
        switch grouping {
        case .day: days
        case .platform: platforms
        case .browser: browsers
        case .referrer: referrers
        case .campaign: campaigns
        }
    }

    /// The days of a chart: each of the last ones, today included, also those on which nothing happened.
    package func chart(days count: Int64, until now: Moment) -> [Tally] {
        (0..<count).reversed().map { back in
            let date = now.adding(seconds: -LinkCounts.day * back).day
            return days.first { $0.label.utf8.elementsEqual(date.utf8) } ?? Tally(date, people: 0)
        }
    }

    /// Rows for a list or a file, with their titles first.
    package func table(by grouping: Grouping) -> [[String]] {
        let countsMachines = grouping != .referrer && grouping != .campaign
        return [[grouping.rawValue.uppercased(), "PEOPLE"] + (countsMachines ? ["MACHINES"] : [])]
            + self[grouping].map { tally in
                [tally.label, String(tally.people)] + (countsMachines ? [String(tally.machines)] : [])
            }
    }

    package func csv(by grouping: Grouping) -> String { CSV.text(table(by: grouping)) }

    /// The rule by which people are told from machines, to be said beside the numbers.
    package static var rule: String { Visitor.machineRule }
}

extension LinkCounts {
    /// The counts of the last days, today included, with those that are still in memory if they can be written.
    package func statistics(
        of subject: LinkStatistics.Subject, in project: Project, days: Int64
    ) async throws -> LinkStatistics {
        guard !subject.isUnfindable else { return LinkStatistics() }
        try? await flush()
        let domains = subject == .project ? project.linkDomains.map(\.text) : []
        let (counts, origins, missed) = try await store.read(in: project) { tx in
            let scope = tx.project.scope
            let first = Self.firstDay(of: days, tx.now)
            let answers = try tx.run([
                Self.counts(of: subject, in: scope, from: first), Self.origins(of: subject, in: scope, from: first),
            ])
            let missed = try [LinkMisses.Kind.root, .ending].map { miss in
                try tx.run(domains.map { Self.counts(of: $0, Self.place(of: miss), in: scope, from: first) })
                    .joined().reduce(Int64(0)) { sum, row in try sum + Self.clicksOfPeople(row) }
            }
            return (answers[0], answers[1], missed)
        }
        var statistics = LinkStatistics()
        (statistics.homes, statistics.misses) = (missed[0], missed[1])
        var parts = Parts()
        for var row in counts {
            let day = Self.date(try row.int())
            guard let visitor = VisitorClass(stored: try row.int()) else { continue }
            let counted = try Event.allCases.map { _ in try row.int() }
            let clicks = counted[Event.click.rawValue]
            statistics.redirects += visitor.isMachine ? 0 : counted[Event.redirect.rawValue]
            statistics.firstOpens += counted[Event.appFirstOpen.rawValue]
            statistics.reopens += counted[Event.appReopen.rawValue]
            guard clicks > 0 else { continue }
            statistics.people += visitor.isMachine ? 0 : clicks
            statistics.machines += visitor.isMachine ? clicks : 0
            let labels = [
                (Parts.day, day), (Parts.platform, visitor.platform.rawValue), (Parts.browser, visitor.browser.name),
            ]
            for (part, label) in labels { parts.add(clicks, isMachine: visitor.isMachine, to: label, in: part) }
        }
        for var row in origins {
            let (referrer, campaign, clicks) = (try row.text(), try row.text(), try row.int())
            parts.add(clicks, to: referrer, in: Parts.referrer)
            parts.add(clicks, to: campaign, in: Parts.campaign)
        }
        statistics.days = parts.tallies(Parts.day).sorted { $0.label < $1.label }
        statistics.platforms = parts.tallies(Parts.platform)
        statistics.browsers = parts.tallies(Parts.browser)
        statistics.referrers = parts.tallies(Parts.referrer, of: statistics.people)
        statistics.campaigns = parts.tallies(Parts.campaign, of: statistics.people)
        return statistics
    }

    /// The clicks on all links of a project in the last days, today included, by day alone: for a glance, which reads
    /// little.
    package func clicksByDay(in project: Project, days: Int64) async throws -> LinkStatistics {
        try? await flush()
        let rows = try await store.read(in: project) { tx in
            try tx.run(Self.counts(of: .project, in: tx.project.scope, from: Self.firstDay(of: days, tx.now)))
        }
        var statistics = LinkStatistics()
        var parts = Parts()
        for var row in rows {
            let day = Self.date(try row.int())
            guard let visitor = VisitorClass(stored: try row.int()) else { continue }
            let clicks = try row.int()
            parts.add(clicks, isMachine: visitor.isMachine, to: day, in: Parts.day)
            statistics.people += visitor.isMachine ? 0 : clicks
            statistics.machines += visitor.isMachine ? clicks : 0
        }
        statistics.days = parts.tallies(Parts.day).sorted { $0.label < $1.label }
        return statistics
    }

    /// The clicks of people on links, ever, with those that are still in memory if they can be written.
    package func totals(
        of links: [(domain: String, suffix: LinkSuffix)], project: Scope
    ) async throws -> [Int64] {
        try? await flush()
        return try await store.read { tx in
            try tx.run(
                links.map { link in
                    """
                    SELECT clicks FROM link_counts
                    WHERE project = \(project) AND domain = \(link.domain) AND suffix = \(link.suffix)
                        AND day = 0 AND platform = 0
                    """
                }
            ).map { try $0.firstInt() ?? 0 }
        }
    }

    /// What has been added up for each grouping.
    private struct Parts {
        static let (day, platform, browser, referrer, campaign) = (0, 1, 2, 3, 4)
        private var parts = [[String: LinkStatistics.Tally]](repeating: [:], count: 5)

        mutating func add(_ clicks: Int64, isMachine: Bool = false, to label: String, in part: Int) {
            var tally = parts[part][label] ?? LinkStatistics.Tally(label, people: 0)
            tally.people += isMachine ? 0 : clicks
            tally.machines += isMachine ? clicks : 0
            parts[part][label] = tally
        }

        /// - Parameter people: how many there were, some of whom may stand nowhere: those have no label.
        func tallies(_ part: Int, of people: Int64 = 0) -> [LinkStatistics.Tally] {
            var tallies = parts[part]
            let missing = people - tallies.values.reduce(0) { $0 + $1.people }
            if missing > 0 { tallies["", default: LinkStatistics.Tally("", people: 0)].people += missing }
            return tallies.values.sorted { ($1.people, $1.machines, $0.label) < ($0.people, $0.machines, $1.label) }
        }
    }

    /// - Parameter row: `day, platform, clicks, …`.
    private static func clicksOfPeople(_ row: Row) throws -> Int64 {
        var row = row
        _ = try row.int()
        return try row.int() < VisitorClass.firstMachine ? row.int() : 0
    }

    private static func counts(of subject: LinkStatistics.Subject, in project: Scope, from day: Int64) -> SQL {
        switch subject {
        case .project: counts(of: "", "", in: project, from: day)
        case .link(let domain, let suffix): counts(of: domain, suffix, in: project, from: day)
        case .campaign(let name): counts(of: "", LinkSuffix(name), in: project, from: day)
        case .tag(let tag):
            """
            SELECT c.day, c.platform, SUM(c.clicks), SUM(c.redirects), SUM(c.first_opens), SUM(c.reopens)
            FROM link_tags t CROSS JOIN link_counts c
            WHERE t.project = \(project) AND t.tag = \(tag)
                AND c.project = t.project AND c.domain = t.domain AND c.suffix = t.suffix AND c.day >= \(day)
            GROUP BY c.day, c.platform
            """
        }
    }

    private static func counts(of domain: String, _ suffix: LinkSuffix, in project: Scope, from day: Int64) -> SQL {
        """
        SELECT day, platform, clicks, redirects, first_opens, reopens FROM link_counts
        WHERE project = \(project) AND domain = \(domain) AND suffix = \(suffix) AND day >= \(day)
        ORDER BY day, platform
        """
    }

    private static func origins(of subject: LinkStatistics.Subject, in project: Scope, from day: Int64) -> SQL {
        switch subject {
        case .project: origins(of: "", "", in: project, from: day)
        case .link(let domain, let suffix): origins(of: domain, suffix, in: project, from: day)
        case .campaign(let name):
            """
            SELECT referrer, campaign, SUM(clicks) FROM link_sources
            WHERE project = \(project) AND domain = '' AND suffix = '' AND day >= \(day) AND campaign = \(name)
            GROUP BY referrer, campaign
            """
        case .tag(let tag):
            """
            SELECT s.referrer, s.campaign, SUM(s.clicks)
            FROM link_tags t CROSS JOIN link_sources s
            WHERE t.project = \(project) AND t.tag = \(tag)
                AND s.project = t.project AND s.domain = t.domain AND s.suffix = t.suffix AND s.day >= \(day)
            GROUP BY s.referrer, s.campaign
            """
        }
    }

    private static func origins(of domain: String, _ suffix: LinkSuffix, in project: Scope, from day: Int64) -> SQL {
        """
        SELECT referrer, campaign, SUM(clicks) FROM link_sources
        WHERE project = \(project) AND domain = \(domain) AND suffix = \(suffix) AND day >= \(day)
        GROUP BY referrer, campaign
        """
    }
}
