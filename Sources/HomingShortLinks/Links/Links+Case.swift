// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
package import HomingLinkRules
package import HomingProjects
package import HomingStore
import HomingWire

/// Link domains on which the case of an ending does not count. An ending in its own case always goes first; in another
/// case it is meant where it is the only one, which `links.folded` tells.
extension Links {
    /// A short link that may be opened, by its ending or, where the link domain ignores case, in another case of it.
    package func link(_ suffix: LinkSuffix, at site: LinkSite) async throws -> ParsedLink? {
        if let link = try await link(suffix, on: site.domain, of: site.project) { return link }
        guard site.ignoresCase else { return nil }
        let meant = try await store.read(in: site.project) { [domain = site.domain.text] tx in
            try Self.suffixes(foldedAs: suffix, on: domain, tx)
        }
        guard meant.count == 1, let other = meant.first else { return nil }
        return try await link(other, on: site.domain, of: site.project)
    }

    /// The row of the link that an ending means.
    package static func find(
        meantBy suffix: LinkSuffix, on domain: String, _ tx: borrowing ProjectTransaction
    ) throws -> StoredLink? {
        if let link = try find(suffix, on: domain, tx) { return link }
        guard tx.project.ignoresCase(on: domain) else { return nil }
        let meant = try suffixes(foldedAs: suffix, on: domain, tx)
        return meant.count == 1 ? try meant.first.flatMap { try find($0, on: domain, tx) } : nil
    }

    /// An ending that nobody could tell from a new one, because it is the same but for its case.
    static func collision(
        _ suffix: LinkSuffix, on domain: String, _ tx: borrowing ProjectTransaction
    ) throws -> LinkSuffix? {
        guard tx.project.ignoresCase(on: domain) else { return nil }
        // Whoever makes another one at the same time waits here.
        try tx.run("SELECT 1 FROM link_domains WHERE domain = \(domain) \(lock: tx.work.lock)")
        return try suffixes(foldedAs: suffix, on: domain, tx).first { $0 != suffix }
    }

    /// The endings that are the same but for their case: any two of them, where there are more. In no order: for one,
    /// the engines would rather go through the whole domain.
    private static func suffixes(
        foldedAs suffix: LinkSuffix, on domain: String, _ tx: borrowing ProjectTransaction
    ) throws -> [LinkSuffix] {
        try tx.run(
            """
            SELECT suffix FROM links
            WHERE project = \(tx.project.scope) AND domain = \(domain) AND folded = \(ASCII.lowercased(suffix.text))
            LIMIT 2
            """
        ).map {
            var row = $0
            return try row.id()
        }
    }

    // MARK: Switching it on

    /// Endings in one transaction; others write between two.
    private static let foldedAtOnce = 500

    /// Fills `folded` for the links of a domain.
    package func fold(on domain: LinkDomain, of project: Project) async throws {
        var place = LinkSuffix("")
        while true {
            let page = try await store.read(in: project) { [place, domain = domain.text] tx in
                try tx.run(
                    """
                    SELECT suffix FROM links
                    WHERE project = \(tx.project.scope) AND domain = \(domain) AND suffix > \(place)
                        AND folded IS NULL
                    ORDER BY suffix LIMIT \(Self.foldedAtOnce)
                    """
                ).map { row in
                    var row = row
                    return try row.id() as LinkSuffix
                }
            }
            guard let last = page.last else { return }
            try await store.write(in: project) { [domain = domain.text] tx in
                _ = try tx.run(
                    page.map { suffix in
                        """
                        UPDATE links SET folded = \(ASCII.lowercased(suffix.text))
                        WHERE project = \(tx.project.scope) AND domain = \(domain) AND suffix = \(suffix)
                        """
                    })
            }
            place = last
            try Task.checkCancellation()
        }
    }

    /// Groups of endings that are the same but for their case: each opens in its own case, and in no other.
    ///
    /// - Parameter most: the number of groups.
    package func collisions(
        on domain: LinkDomain, of project: Project, atMost most: Int
    ) async throws -> [[LinkSuffix]] {
        try await store.read(in: project) { [domain = domain.text] tx in
            let folded = try tx.run(
                """
                SELECT folded FROM links
                WHERE project = \(tx.project.scope) AND domain = \(domain) AND folded IS NOT NULL
                GROUP BY folded HAVING COUNT(*) > 1 ORDER BY folded LIMIT \(most)
                """
            ).map { row in
                var row = row
                return try row.text()
            }
            return try folded.map { text in
                let suffixes = try tx.run(
                    """
                    SELECT suffix FROM links
                    WHERE project = \(tx.project.scope) AND domain = \(domain) AND folded = \(text)
                    LIMIT \(Self.foldedAtOnce)
                    """
                ).map { row in
                    var row = row
                    return try row.id() as LinkSuffix
                }
                return suffixes.sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
            }
        }
    }
}
