// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
import HomingLinkRules
import HomingProjects
import HomingShortLinks
package import HomingStore

/// Deletes short links without a name, which apps have made, that nobody has opened for as many days as the project
/// says (`links.unopenedDays`). Whoever has the API key can make such links, and nobody else would ever take them away.
///
/// None goes in the first of these days after the setting was made: until then nobody knows what is opened. A link that
/// is older than its domain here was imported, and stays. One that was given a name stays, too, and so does one that was
/// changed, or has tags, dates and the like, and one that was deleted, whose ending is never given away.
package struct UnopenedLinks: Sendable {
    private static let day: Int64 = 86_400
    /// Looked at, and deleted, in one transaction at most.
    private static let batch = 500

    private let store: Store
    private let projects: Projects
    private let links: Links

    package init(_ homing: Homing) {
        store = homing.store
        projects = homing.projects
        links = homing.links
    }

    /// Looks once a day, whoever asks how often.
    ///
    /// - Parameter tell: hears of each batch that is deleted, with the project and the number of links.
    package func delete(_ tell: (_ project: Scope, _ count: Int) -> Void) async throws {
        let wanted = projects.all().filter { $0.settings.deletesUnopenedLinks != nil }
        guard !wanted.isEmpty, try await DailyTurn(store: store, name: "unopened_links").isTime() else { return }
        // What was opened a moment ago is in memory.
        try await links.counts.flush()
        for project in wanted { try await delete(in: project, tell) }
    }

    private func delete(in project: Project, _ tell: (Scope, Int) -> Void) async throws {
        let now = store.system.now()
        var place: (domain: String, suffix: LinkSuffix) = ("", "")
        // Asked again before each batch: somebody may see what happens, and switch it off.
        while let (days, since) = projects.projectOrTenant(project.scope)?.settings.deletesUnopenedLinks {
            let end = now.adding(seconds: -days * Self.day)
            guard since <= end else { return }
            let page = try await store.read(in: project) { [place] tx in
                try tx.run([
                    """
                    SELECT domain, suffix FROM links
                    WHERE project = \(tx.project.scope) AND (domain, suffix) > (\(place.domain), \(place.suffix))
                    ORDER BY domain, suffix LIMIT \(Self.batch)
                    """
                ])[0].map { row in
                    var row = row
                    return (domain: try row.text(), suffix: try row.id() as LinkSuffix)
                }
            }
            let count = try await store.write(in: project) { tx in
                let answers = try tx.run(page.map { Self.deletion(of: $0, in: tx.project.scope, madeBefore: end) })
                let gone = zip(page, answers).filter { !$1.isEmpty }.map(\.0)
                _ = try tx.run(gone.flatMap { Self.forgetting($0, in: tx.project.scope) })
                return gone.count
            }
            if count > 0 { tell(project.scope, count) }
            guard page.count == Self.batch, let last = page.last else { return }
            place = last
            try Task.checkCancellation()
        }
    }

    /// The counts of a link that is no longer there.
    private static func forgetting(_ link: (domain: String, suffix: LinkSuffix), in project: Scope) -> [SQL] {
        [
            """
            DELETE FROM link_counts
            WHERE project = \(project) AND domain = \(link.domain) AND suffix = \(link.suffix)
            """,
            """
            DELETE FROM link_sources
            WHERE project = \(project) AND domain = \(link.domain) AND suffix = \(link.suffix)
            """,
        ]
    }

    private static func deletion(
        of link: (domain: String, suffix: LinkSuffix), in project: Scope, madeBefore end: Moment
    ) -> SQL {
        """
        DELETE FROM links WHERE project = \(project) AND domain = \(link.domain) AND suffix = \(link.suffix)
            AND name IS NULL AND version = 1 AND details IS NULL AND deleted_at IS NULL AND created_at <= \(end)
            AND created_at >= (SELECT d.added_at FROM link_domains d WHERE d.domain = \(link.domain))
            AND NOT EXISTS (
                SELECT 1 FROM link_counts c WHERE c.project = \(project) AND c.domain = \(link.domain)
                    AND c.suffix = \(link.suffix) AND c.day >= \(end.seconds / day)
                    AND c.platform < \(VisitorClass.firstMachine))
        RETURNING 1
        """
    }
}
