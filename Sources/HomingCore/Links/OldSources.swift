// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
import HomingLinkRules
import HomingShortLinks
import HomingStore

/// Deletes where people came from (`link_sources`) after 400 days: whoever clicks can invent such names. The counts of
/// links stay.
package struct OldSources: Sendable {
    private static let lifetime: Int64 = 400
    /// Looked at in one transaction at most.
    private static let batch = 1_000

    private let store: Store

    package init(_ homing: Homing) { store = homing.store }

    private struct Place: Sendable {
        var project = Scope("")
        var domain = ""
        var suffix = LinkSuffix("")
        var day: Int64 = 0
    }

    /// Looks once a day, whoever asks how often.
    package func delete() async throws {
        guard try await DailyTurn(store: store, name: "link_sources").isTime() else { return }
        let first = LinkCounts.firstDay(of: Self.lifetime, store.system.now())
        var place = Place()
        // Along the key: no index has the day first.
        while true {
            let page = try await places(after: place)
            guard let last = page.last else { return }
            if page.contains(where: { $0.day < first }) {
                try await store.write { [place] tx in
                    tx.later(
                        """
                        DELETE FROM link_sources
                        WHERE (project, domain, suffix, day) > (\(place.project), \(place.domain), \(place.suffix),
                                \(place.day))
                            AND (project, domain, suffix, day) <= (\(last.project), \(last.domain), \(last.suffix),
                                \(last.day))
                            AND day < \(first)
                        """)
                }
            }
            place = last
            try Task.checkCancellation()
        }
    }

    private func places(after place: Place) async throws -> [Place] {
        try await store.read { tx in
            try tx.run(
                """
                SELECT project, domain, suffix, day FROM link_sources
                WHERE (project, domain, suffix, day) > (\(place.project), \(place.domain), \(place.suffix),
                    \(place.day))
                ORDER BY project, domain, suffix, day LIMIT \(Self.batch)
                """
            ).map { row in
                var row = row
                return Place(
                    project: try row.id(), domain: try row.text(), suffix: try row.id(), day: try row.int())
            }
        }
    }
}
