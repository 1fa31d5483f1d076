// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
package import HomingLinkRules
package import HomingStore
import HomingWire
import Synchronization

/// The counts of events of short links: counted in memory and added to the database in batches, so that a click never
/// waits for the disk. No address and no browser of a visitor is kept.
package final class LinkCounts: Sendable {
    /// An event of a link (Dynamic Links Analytics API).
    package enum Event: Int, Sendable, CaseIterable {
        case click
        /// A visitor was sent on to a store, a fallback or the payload.
        case redirect
        case appFirstOpen
        case appReopen

        package var wireName: String {
            switch self {
            case .click: "CLICK"
            case .redirect: "REDIRECT"
            case .appFirstOpen: "APP_FIRST_OPEN"
            case .appReopen: "APP_RE_OPEN"
            }
        }
    }

    package struct Entry: Sendable, Equatable {
        package let event: Event
        package let platform: LinkPlatform
        package let count: Int64

        package init(event: Event, platform: LinkPlatform, count: Int64) {
            self.event = event
            self.platform = platform
            self.count = count
        }
    }

    /// A row of `link_counts`, of any of its three kinds.
    private struct Key: Hashable {
        let project: Scope
        /// Empty for the days of a project and of a campaign.
        let domain: String
        /// The name of a campaign where there is no domain.
        let suffix: LinkSuffix
        /// Days since 1970, UTC; 0 for a link's total.
        let day: Int64
        /// A ``VisitorClass``; 0 for a link's total.
        let visitor: UInt16

        /// The approximate rank of the key among those of its domain: the suffix's first eight bytes.
        var order: UInt64 {
            let start = suffix.text.utf8.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return start << UInt64(8 * max(0, 8 - suffix.text.utf8.count))
        }

        /// Hashes the parts that tell most keys apart.
        func hash(into hasher: inout Hasher) {
            hasher.combine(suffix)
            hasher.combine(visitor)
        }

        /// The order of keys with one rank: the same on all nodes, so that none waits for another in a circle.
        func stands(before other: Key) -> Bool {
            (project, domain, suffix, day, visitor)
                < (other.project, other.domain, other.suffix, other.day, other.visitor)
        }

        /// The same row of the project.
        var ofProject: Key { Key(project: project, domain: "", suffix: "", day: day, visitor: visitor) }
        /// The row of the link's total.
        var total: Key { Key(project: project, domain: domain, suffix: suffix, day: 0, visitor: 0) }
    }

    /// What stands beside the clicks of people that came from somewhere, or with a campaign.
    private struct Source: Hashable {
        let key: Key
        let origin: Origin

        /// How many there are at most in memory, because anybody can send any referrer.
        private static let most = 10_000

        static func add(_ count: Int64, _ source: Source, to counts: inout [Source: Int64]) {
            if counts.count < most || counts[source] != nil {
                counts[source, default: 0] += count
            } else {
                counts[Source(key: source.key, origin: source.origin.leastNamed), default: 0] += count
            }
        }
    }

    /// The counts that wait for being written.
    private struct Waiting {
        var links: [Key: Counters] = [:]
        var sources: [Source: Int64] = [:]
        /// Rows of all kinds that go to the database as they are: also those that could not be written.
        var unwritten: [Key: Counters] = [:]
        var unwrittenSources: [Source: Int64] = [:]
    }

    /// The number of times that each event was seen, in the order of ``Event``.
    private struct Counters {
        private var counts = InlineArray<4, Int64>(repeating: 0)

        init() {}

        init(clicks: Int64) { counts[Event.click.rawValue] = clicks }

        subscript(index: Int) -> Int64 { counts[index] }

        var clicks: Int64 { counts[Event.click.rawValue] }

        mutating func add(_ events: Set) {
            for event in Event.allCases where events.contains(event) { counts[event.rawValue] += 1 }
        }

        mutating func add(_ other: Counters) {
            for index in counts.indices { counts[index] += other[index] }
        }
    }

    /// Events that happen at once.
    package struct Set: OptionSet, Sendable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }

        package static let click = Set(.click)
        package static let redirect = Set(.redirect)

        package init(_ event: Event) { rawValue = 1 << event.rawValue }

        package func contains(_ event: Event) -> Bool { contains(Set(event)) }
    }

    /// Rows per statement, and rows per transaction: small enough that no other write waits long.
    private static let rows = 50
    private static let batch = 1000
    /// Sources per transaction, each with a look at those that its link has on that day.
    private static let sourceBatch = 200
    package static let day: Int64 = 86_400

    package let store: Store
    private let waiting = Mutex(Waiting())

    package init(store: Store) {
        self.store = store
    }

    /// Counts events of people for whom nothing more is known than the platform.
    package func count(
        _ events: Set, on platform: LinkPlatform, of suffix: LinkSuffix, at domain: String, project: Scope
    ) {
        count(events, by: VisitorClass(platform), of: suffix, at: domain, project: project)
    }

    /// - Parameter origin: where people came from; nil where nothing is known.
    package func count(
        _ events: Set, by visitor: VisitorClass, from origin: Origin? = nil, of suffix: LinkSuffix, at domain: String,
        project: Scope
    ) {
        let day = store.system.now().seconds / Self.day
        let key = Key(project: project, domain: domain, suffix: suffix, day: day, visitor: visitor.number)
        waiting.withLock { waiting in
            waiting.links[key, default: Counters()].add(events)
            guard let origin, events.contains(.click), !visitor.isMachine else { return }
            Source.add(1, Source(key: key, origin: origin), to: &waiting.sources)
        }
    }

    /// What stands in the place of an ending, and is none, for visits of a link domain that lead to no link.
    package static func place(of miss: LinkMisses.Kind) -> LinkSuffix {
        switch miss {
        case .root: "/"
        case .ending: "/?"
        }
    }

    /// Counts what is no click: it stands in no total and in no day of the project.
    package func count(_ miss: LinkMisses.Kind, by visitor: VisitorClass, at domain: String, project: Scope) {
        let day = store.system.now().seconds / Self.day
        let key = Key(
            project: project, domain: domain, suffix: Self.place(of: miss), day: day, visitor: visitor.number)
        waiting.withLock { $0.unwritten[key, default: Counters()].add(.click) }
    }

    // MARK: Writing

    /// Adds the counts to the database. Counts that cannot be written are kept for the next time.
    package func flush() async throws {
        let waiting = waiting.withLock { waiting in
            defer { waiting = Waiting() }
            return waiting
        }
        var counted = waiting.unwritten
        for (key, counters) in waiting.links {
            counted[key, default: Counters()].add(counters)
            counted[key.ofProject, default: Counters()].add(counters)
            if counters.clicks > 0, !VisitorClass.isMachine(key.visitor) {
                counted[key.total, default: Counters()].add(Counters(clicks: counters.clicks))
            }
        }
        // Sorted by the table's key, so that a batch writes few pages and not one for each row.
        var rest = counted.map { (order: $0.key.order, key: $0.key, value: $0.value) }
        rest.sort { $0.order == $1.order ? $0.key.stands(before: $1.key) : $0.order < $1.order }
        var sources = Array(waiting.sources.merging(waiting.unwrittenSources) { $0 + $1 })
        while !rest.isEmpty || !sources.isEmpty {
            let batch = Array(rest.suffix(Self.batch))
            let sourceBatch = Array(sources.suffix(Self.sourceBatch))
            do {
                try await store.write { tx in
                    for start in stride(from: 0, to: batch.count, by: Self.rows) {
                        let end = min(start + Self.rows, batch.count)
                        try tx.run(Self.addition(of: batch[start..<end].map { ($0.key, $0.value) }))
                    }
                    try Self.add(sourceBatch, tx)
                }
            } catch {
                // Counts that may be there are not added again.
                if (error as? Refusal)?.isCommitUnknown == true {
                    rest.removeLast(batch.count)
                    sources.removeLast(sourceBatch.count)
                }
                self.waiting.withLock { [rest, sources] waiting in
                    for (_, key, counters) in rest { waiting.unwritten[key, default: Counters()].add(counters) }
                    for (source, count) in sources { Source.add(count, source, to: &waiting.unwrittenSources) }
                }
                throw error
            }
            rest.removeLast(batch.count)
            sources.removeLast(sourceBatch.count)
        }
    }

    /// Adds sources to those of their links, and to those of the project, which count for its campaigns.
    private static func add(_ sources: [(key: Source, value: Int64)], _ tx: borrowing Transaction) throws {
        guard !sources.isEmpty else { return }
        var links = Sources(most: mostLinkOrigins)
        var projects = Sources(most: mostProjectOrigins)
        var campaigns: [Key: Counters] = [:]
        for (source, count) in sources {
            let key = source.key
            try links.add(count, source.origin, to: key, tx)
            let origin = try projects.add(count, source.origin, to: key.ofProject, tx)
            guard !origin.campaign.isEmpty else { continue }
            let row = Key(
                project: key.project, domain: "", suffix: LinkSuffix(origin.campaign), day: key.day,
                visitor: key.visitor)
            campaigns[row, default: Counters()].add(Counters(clicks: count))
        }
        for statement in links.additions + projects.additions { tx.later(statement) }
        let rows = campaigns.sorted { $0.key.stands(before: $1.key) }
        for start in stride(from: 0, to: rows.count, by: Self.rows) {
            tx.later(addition(of: rows[start..<min(start + Self.rows, rows.count)].map { ($0.key, $0.value) }))
        }
    }

    private static let mostLinkOrigins = 50
    private static let mostProjectOrigins = 200

    /// The origins of some links, or of some projects, on their days: as many as have room.
    private struct Sources {
        private struct Place: Hashable {
            let project: Scope
            let domain: String
            let suffix: LinkSuffix
            let day: Int64
        }

        let most: Int
        private var known: [Place: Swift.Set<Origin>] = [:]
        private var counts: [Place: [Origin: Int64]] = [:]

        init(most: Int) { self.most = most }

        /// - Returns: the origin as it is counted.
        @discardableResult
        mutating func add(
            _ count: Int64, _ origin: Origin, to key: Key, _ tx: borrowing Transaction
        ) throws -> Origin {
            let place = Place(project: key.project, domain: key.domain, suffix: key.suffix, day: key.day)
            var known = try self.known[place] ?? Self.read(place, tx)
            var counted = origin.stored
            if !known.contains(counted), known.count >= most {
                let hasCampaign = origin.campaign.isEmpty || known.contains { $0.campaign == origin.campaign }
                counted = (hasCampaign ? origin.withoutReferrer : origin.leastNamed).stored
            }
            known.insert(counted)
            self.known[place] = known
            counts[place, default: [:]][counted, default: 0] += count
            return counted
        }

        private static func read(_ place: Place, _ tx: borrowing Transaction) throws -> Swift.Set<Origin> {
            let rows = try tx.run(
                """
                SELECT referrer, campaign FROM link_sources
                WHERE project = \(place.project) AND domain = \(place.domain) AND suffix = \(place.suffix)
                    AND day = \(place.day)
                """)
            return Swift.Set(
                try rows.map { row in
                    var row = row
                    return Origin(stored: try row.text(), campaign: try row.text())
                })
        }

        /// In the same order on all nodes, so that none waits for another in a circle.
        var additions: [SQL] {
            let places = counts.sorted {
                ($0.key.project, $0.key.domain, $0.key.suffix, $0.key.day)
                    < ($1.key.project, $1.key.domain, $1.key.suffix, $1.key.day)
            }
            return places.flatMap { place, counts in
                counts.sorted { ($0.key.referrer, $0.key.campaign) < ($1.key.referrer, $1.key.campaign) }.map {
                    """
                    INSERT INTO link_sources (project, domain, suffix, day, referrer, campaign, clicks)
                    VALUES (\(place.project), \(place.domain), \(place.suffix), \(place.day), \($0.key.referrer),
                        \($0.key.campaign), \($0.value))
                    ON CONFLICT (project, domain, suffix, day, referrer, campaign) DO UPDATE SET
                        clicks = \(sql: LinkCounts.sum("link_sources.clicks", "excluded.clicks"))
                    """
                }
            }
        }
    }

    // MARK: Reading

    /// The counts of the last days, today included, with those that are still in memory.
    package func entries(
        of suffix: LinkSuffix, on domain: String, project: Scope, days: Int64
    ) async throws -> [Entry] {
        try? await flush()
        let rows = try await store.read { tx in
            try tx.run(
                """
                SELECT platform % 8 AS place, SUM(clicks), SUM(redirects), SUM(first_opens), SUM(reopens)
                FROM link_counts
                WHERE project = \(project) AND domain = \(domain) AND suffix = \(suffix)
                    AND day >= \(Self.firstDay(of: days, tx.now)) AND platform < \(VisitorClass.firstMachine)
                GROUP BY place ORDER BY place
                """)
        }
        let entries = try rows.flatMap { row in
            var row = row
            guard let visitor = VisitorClass(stored: try row.int()) else { return [Entry]() }
            return try Event.allCases.map { Entry(event: $0, platform: visitor.platform, count: try row.int()) }
        }
        return Event.allCases.flatMap { event in entries.filter { $0.event == event && $0.count > 0 } }
    }

    /// The first of so many days, of which today is the last. Day 0 is none.
    package static func firstDay(of days: Int64, _ now: Moment) -> Int64 { max(1, now.seconds / day - days + 1) }

    /// The counts of one day on one platform.
    package struct Day: Sendable, Equatable {
        /// `2026-11-22`, UTC.
        package let date: String
        package let platform: LinkPlatform
        /// In the order of ``Event``.
        package let counts: [Int64]

        package subscript(event: Event) -> Int64 { counts[event.rawValue] }
    }

    /// Rows for a list or a file, with their titles first.
    package static func table(of days: [Day]) -> [[String]] {
        [["DAY", "PLATFORM"] + Event.allCases.map(\.wireName)]
            + days.map { day in [day.date, day.platform.rawValue] + day.counts.map { String($0) } }
    }

    package static func csv(of days: [Day]) -> String { CSV.text(table(of: days)) }

    /// The counts of the last days, today included, day by day: those days and platforms on which something happened.
    package func daily(of suffix: LinkSuffix, on domain: String, project: Scope, days: Int64) async throws -> [Day] {
        try? await flush()
        let rows = try await store.read { tx in
            try tx.run(
                """
                SELECT day, platform, clicks, redirects, first_opens, reopens FROM link_counts
                WHERE project = \(project) AND domain = \(domain) AND suffix = \(suffix)
                    AND day >= \(Self.firstDay(of: days, tx.now))
                ORDER BY day, platform
                """)
        }
        // One for all browsers of a platform.
        var counted: [(day: Int64, platform: LinkPlatform, counts: [Int64])] = []
        for var row in rows {
            let day = try row.int()
            guard let visitor = VisitorClass(stored: try row.int()), !visitor.isMachine else { continue }
            let counts = try Event.allCases.map { _ in try row.int() }
            if let index = counted.firstIndex(where: { $0.day == day && $0.platform == visitor.platform }) {
                counted[index].counts = zip(counted[index].counts, counts).map { $0 + $1 }
            } else {
                counted.append((day, visitor.platform, counts))
            }
        }
        return counted.map { Day(date: Self.date($0.day), platform: $0.platform, counts: $0.counts) }
    }

    static func date(_ day: Int64) -> String { Moment(seconds: day * Self.day).day }

    /// What a count is at most: then it stays as it is, because a sum beyond an integer is refused by one engine and made a
    /// float by the other.
    package static let most: Int64 = 1_000_000_000_000_000

    private static func sum(_ count: SQL, _ added: SQL) -> SQL {
        let most = SQL(stringLiteral: String(most))
        return """
            CASE WHEN \(sql: count) < \(sql: most) - \(sql: added) THEN \(sql: count) + \(sql: added)
            ELSE \(sql: most) END
            """
    }

    private static func addition(of rows: [(key: Key, value: Counters)]) -> SQL {
        var sql: SQL = """
            INSERT INTO link_counts (project, domain, suffix, day, platform, clicks, redirects, first_opens,
                reopens) VALUES\u{20}
            """
        for (index, row) in rows.enumerated() {
            let (key, n) = (row.key, row.value)
            let values: SQL = """
                (\(key.project), \(key.domain), \(key.suffix), \(key.day), \(Int64(key.visitor)), \
                \(n[0]), \(n[1]), \(n[2]), \(n[3]))
                """
            if index > 0 { sql.append(", ") }
            sql.append(values)
        }
        sql.append(
            """
             ON CONFLICT (project, domain, suffix, day, platform) DO UPDATE SET
                clicks = \(sql: sum("link_counts.clicks", "excluded.clicks")),
                redirects = \(sql: sum("link_counts.redirects", "excluded.redirects")),
                first_opens = \(sql: sum("link_counts.first_opens", "excluded.first_opens")),
                reopens = \(sql: sum("link_counts.reopens", "excluded.reopens"))
            """)
        return sql
    }
}
