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

    private struct Key: Hashable {
        let project: Scope
        let domain: String
        let suffix: LinkSuffix
        /// Days since 1970, UTC.
        let day: Int64
        let platform: LinkPlatform

        /// The approximate rank of the key among those of its domain: the suffix's first eight bytes.
        var order: UInt64 {
            let start = suffix.text.utf8.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return start << UInt64(8 * max(0, 8 - suffix.text.utf8.count))
        }

        /// Hashes the parts that tell most keys apart.
        func hash(into hasher: inout Hasher) {
            hasher.combine(suffix)
            hasher.combine(platform)
        }
    }

    /// The number of times that each event was seen, in the order of ``Event``.
    private struct Counters {
        private var counts = InlineArray<4, Int64>(repeating: 0)

        subscript(index: Int) -> Int64 { counts[index] }

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

        func contains(_ event: Event) -> Bool { contains(Set(event)) }
    }

    /// Rows per statement, and rows per transaction: small enough that no other write waits long.
    private static let rows = 50
    private static let batch = 1000
    private static let day: Int64 = 86_400

    private let store: Store
    private let waiting = Mutex<[Key: Counters]>([:])

    init(store: Store) {
        self.store = store
    }

    package func count(
        _ events: Set, on platform: LinkPlatform, of suffix: LinkSuffix, at domain: String, project: Scope
    ) {
        let day = store.system.now().seconds / Self.day
        let key = Key(project: project, domain: domain, suffix: suffix, day: day, platform: platform)
        waiting.withLock { $0[key, default: Counters()].add(events) }
    }

    /// Adds the counts to the database. Counts that cannot be written are kept for the next time.
    package func flush() async throws {
        let counted = waiting.withLock { waiting in
            defer { waiting = [:] }
            return waiting
        }
        // Sorted by the table's key, so that a batch writes few pages and not one for each row.
        var rest = counted.map { (order: $0.key.order, key: $0.key, value: $0.value) }
        rest.sort { $0.order < $1.order }
        while !rest.isEmpty {
            let batch = Array(rest.suffix(Self.batch))
            do {
                try await store.write { tx in
                    for start in stride(from: 0, to: batch.count, by: Self.rows) {
                        let end = min(start + Self.rows, batch.count)
                        try tx.run(Self.addition(of: batch[start..<end]))
                    }
                }
            } catch {
                // Counts that may be there are not added again.
                if (error as? Refusal)?.isCommitUnknown == true { rest.removeLast(batch.count) }
                waiting.withLock { [rest] waiting in
                    for (_, key, counters) in rest { waiting[key, default: Counters()].add(counters) }
                }
                throw error
            }
            rest.removeLast(batch.count)
        }
    }

    /// The counts of the last days, today included, with those that are still in memory.
    package func entries(
        of suffix: LinkSuffix, on domain: String, project: Scope, days: Int64
    ) async throws -> [Entry] {
        try? await flush()
        let rows = try await store.read { tx in
            let first = tx.now.seconds / Self.day - days + 1
            return try tx.run(
                """
                SELECT platform, SUM(clicks), SUM(redirects), SUM(first_opens), SUM(reopens)
                FROM link_counts
                WHERE project = \(project) AND domain = \(domain) AND suffix = \(suffix) AND day >= \(first)
                GROUP BY platform ORDER BY platform
                """)
        }
        let entries = try rows.flatMap { row in
            var row = row
            guard let platform = LinkPlatform(stored: try row.int()) else { return [Entry]() }
            return try Event.allCases.map { Entry(event: $0, platform: platform, count: try row.int()) }
        }
        return Event.allCases.flatMap { event in entries.filter { $0.event == event && $0.count > 0 } }
    }

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
            let first = tx.now.seconds / Self.day - days + 1
            return try tx.run(
                """
                SELECT day, platform, clicks, redirects, first_opens, reopens FROM link_counts
                WHERE project = \(project) AND domain = \(domain) AND suffix = \(suffix) AND day >= \(first)
                ORDER BY day, platform
                """)
        }
        return try rows.compactMap { row in
            var row = row
            let date = Moment(seconds: try row.int() * Self.day).day
            guard let platform = LinkPlatform(stored: try row.int()) else { return nil }
            return Day(date: date, platform: platform, counts: try Event.allCases.map { _ in try row.int() })
        }
    }

    private static func addition(of rows: ArraySlice<(order: UInt64, key: Key, value: Counters)>) -> SQL {
        var sql: SQL = """
            INSERT INTO link_counts (project, domain, suffix, day, platform, clicks, redirects, first_opens,
                reopens) VALUES\u{20}
            """
        for (index, row) in rows.enumerated() {
            let (key, n) = (row.key, row.value)
            let values: SQL = """
                (\(key.project), \(key.domain), \(key.suffix), \(key.day), \(key.platform.stored), \
                \(n[0]), \(n[1]), \(n[2]), \(n[3]))
                """
            if index > 0 { sql.append(", ") }
            sql.append(values)
        }
        sql.append(
            """
             ON CONFLICT (project, domain, suffix, day, platform) DO UPDATE SET
                clicks = link_counts.clicks + excluded.clicks, redirects = link_counts.redirects + excluded.redirects,
                first_opens = link_counts.first_opens + excluded.first_opens,
                reopens = link_counts.reopens + excluded.reopens
            """)
        return sql
    }
}

extension LinkPlatform {
    private static let numbers: [LinkPlatform: Int64] = [.android: 1, .ios: 2, .desktop: 3, .other: 4]

    /// The platform's number in the database.
    fileprivate var stored: Int64 { Self.numbers[self] ?? 0 }

    fileprivate init?(stored: Int64) {
        guard let platform = Self.numbers.first(where: { $0.value == stored })?.key else { return nil }
        self = platform
    }
}
