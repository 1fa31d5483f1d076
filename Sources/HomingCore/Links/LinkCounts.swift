// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingDatabase
import Synchronization

/// How often short links were opened: counted in memory, added to the database in batches, so that a click never waits
/// for the disk. No address and no browser of a visitor is kept.
package final class LinkCounts: Sendable {
    /// What happened to a link (facts: dynamic-links 4.3).
    package enum Event: Int64, Sendable, CaseIterable {
        case click = 1
        /// Sent on to a store, a fallback or the payload.
        case redirect = 2
        case appInstall = 3
        case appFirstOpen = 4
        case appReopen = 5
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
        let project: String
        let domain: String
        let suffix: String
        /// Days since 1970, UTC.
        let day: Int64
        let event: Event
        let platform: LinkPlatform
    }

    private static let batch = 500
    private static let day: Int64 = 86_400

    private let database: Database
    private let surroundings: Surroundings
    private let waiting = Mutex<[Key: Int64]>([:])

    package init(database: Database, surroundings: Surroundings) {
        self.database = database
        self.surroundings = surroundings
    }

    package func count(
        _ event: Event, _ platform: LinkPlatform, of suffix: String, on domain: String, project: String
    ) {
        let day = surroundings.now().seconds / Self.day
        let key = Key(
            project: project, domain: domain, suffix: suffix, day: day, event: event, platform: platform)
        waiting.withLock { $0[key, default: 0] += 1 }
    }

    /// Adds what was counted to the database, in transactions of a few hundred rows. What cannot be written is kept for
    /// the next time.
    package func flush() async throws {
        var rest = Array(
            waiting.withLock { waiting in
                defer { waiting = [:] }
                return waiting
            })
        while !rest.isEmpty {
            let batch = Array(rest.suffix(Self.batch))
            do {
                try await database.write { connection in
                    for (key, count) in batch { try connection.run(Self.addition(of: count, to: key)) }
                }
            } catch {
                waiting.withLock { waiting in
                    for (key, count) in rest { waiting[key, default: 0] += count }
                }
                throw error
            }
            rest.removeLast(batch.count)
        }
    }

    /// What was counted in the last days, today included, with what is still in memory.
    package func entries(
        of suffix: String, on domain: String, project: String, days: Int64
    ) async throws -> [Entry] {
        try await flush()
        let first = surroundings.now().seconds / Self.day - days + 1
        return try await database.read { connection in
            try connection.run(
                """
                SELECT event, platform, SUM(n) FROM link_counts
                WHERE project = \(project) AND domain = \(domain) AND suffix = \(suffix) AND day >= \(first)
                GROUP BY event, platform ORDER BY event, platform
                """
            ).compactMap { row in
                guard let event = Event(rawValue: try row.int(0)), let platform = LinkPlatform(stored: try row.int(1))
                else { return nil }
                return Entry(event: event, platform: platform, count: try row.int(2))
            }
        }
    }

    private static func addition(of count: Int64, to key: Key) -> SQL {
        """
        INSERT INTO link_counts (project, domain, suffix, day, event, platform, n)
        VALUES (\(key.project), \(key.domain), \(key.suffix), \(key.day), \(key.event.rawValue),
            \(key.platform.stored), \(count))
        ON CONFLICT (project, domain, suffix, day, event, platform) DO UPDATE SET n = link_counts.n + excluded.n
        """
    }
}

extension LinkPlatform {
    private static let numbers: [LinkPlatform: Int64] = [.android: 1, .ios: 2, .desktop: 3, .other: 4]

    /// As the database keeps it.
    fileprivate var stored: Int64 { Self.numbers[self] ?? 0 }

    fileprivate init?(stored: Int64) {
        guard let platform = Self.numbers.first(where: { $0.value == stored })?.key else { return nil }
        self = platform
    }
}
