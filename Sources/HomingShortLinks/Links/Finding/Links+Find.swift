// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
import HomingLinkRules
package import HomingProjects
package import HomingStore
import HomingWire

extension Links {
    /// A page of the links that a query is about. Pages begin where the one before has ended, whatever is made or
    /// deleted meanwhile, and cost the same from the first to the last.
    ///
    /// A page may have fewer links than it has room for, or none, and yet be followed by another: only so many links
    /// are looked at for each. Nothing follows where there is no token.
    ///
    /// - Throws: ``Refusal/invalidPageSelection`` for a token that was not given for this query.
    package func find(
        _ query: LinkQuery, in project: Project
    ) async throws -> (links: [ListedLink], nextPageToken: String?) {
        guard !query.isUnfindable else { return ([], nil) }
        if let pasted = try await pasted(query, in: project) { return ([pasted], nil) }
        let search = LinkSearch(query, in: project, at: store.system.now())
        let selection = PageSelection(ring: store.ring)
        let start = try search.place(try selection.last(query.pageToken, of: search.name))
        let (found, next) = try await store.read(in: project) { tx in
            let (places, next) = try search.page(after: start, tx)
            return (try Self.listed(places.map { ($0.domain, $0.suffix) }, tx), next)
        }
        return (found, next.map { selection.token(after: LinkSearch.text(of: $0), of: search.name) })
    }

    /// The link whose URL is looked for, in any spelling (``named(_:in:)``); nil where the text is none.
    private func pasted(_ query: LinkQuery, in project: Project) async throws -> ListedLink? {
        guard query.order == nil, query.pageToken?.isEmpty ?? true, let text = query.text, ASCII.contains(text, "/"),
            let (link, domain) = try await named(text, in: project)
        else { return nil }
        let found = try await listed(link, on: domain, of: project)
        return query.holds(for: found) ? found : nil
    }

    /// The number of links that were made from a time on, archived and deleted ones included; at most `limit`.
    package func countMade(from start: Moment, in project: Project, upTo limit: Int) async throws -> Int {
        try await store.read(in: project) { tx in
            let count = try tx.run(
                """
                SELECT COUNT(*) FROM (
                    SELECT 1 FROM links WHERE project = \(tx.project.scope) AND created_at >= \(start)
                    ORDER BY created_at LIMIT \(limit)
                ) counted
                """
            ).firstInt()
            return Int(count ?? 0)
        }
    }

    /// A link as lists have it.
    package func listed(_ link: StoredLink, on domain: LinkDomain, of project: Project) async throws -> ListedLink {
        let clicks = try await counts.totals(of: [(link.domain, link.suffix)], project: link.project)
        return ListedLink(link, on: domain, clicks: clicks.first ?? 0, at: store.system.now())
    }

    private static func listed(
        _ links: [(domain: String, suffix: LinkSuffix)], _ tx: borrowing ProjectTransaction
    ) throws -> [ListedLink] {
        let answers = try tx.run(
            links.map { domain, suffix in
                """
                SELECT COALESCE((
                    SELECT c.clicks FROM link_counts c WHERE c.project = links.project AND c.domain = links.domain
                        AND c.suffix = links.suffix AND c.day = 0 AND c.platform = 0), 0), \(sql: StoredLink.columns)
                FROM links WHERE project = \(tx.project.scope) AND domain = \(domain) AND suffix = \(suffix)
                """
            })
        let (project, now) = (tx.project, tx.now)
        return try answers.compactMap { rows in
            guard var row = rows.first else { return nil }
            let clicks = try row.int()
            let link = try StoredLink(row)
            return project.linkDomains.first { $0.text.utf8.elementsEqual(link.domain.utf8) }
                .map { ListedLink(link, on: $0, clicks: clicks, at: now) }
        }
    }
}
