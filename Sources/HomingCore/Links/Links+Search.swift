// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
import HomingStore
import HomingWire

extension Links {
    /// The links whose name begins with a text, in whatever case, in the order of their names; then those whose ending
    /// begins with it, or that have it as the beginning of their URL. It costs the same however many links there are.
    package func search(
        _ beginning: String, in project: Project, includingArchived: Bool = false, limit: Int
    ) async throws -> [StoredLink] {
        let archived: SQL = includingArchived ? "" : "AND archived = 0"
        // The engine folds both sides: what it knows of letters beyond ASCII is its own affair.
        let end = beginning + "\u{10FFFF}"
        let isNamed: SQL = "name IS NOT NULL AND lower(name) >= lower(\(beginning)) AND lower(name) < lower(\(end))"
        let endings = project.linkDomains.map { domain in
            let root = domain.baseURL + "/"
            return (domain.text, beginning.hasPrefix(root) ? String(beginning.dropFirst(root.count)) : beginning)
        }
        return try await store.read(in: project) { tx in
            var found = try tx.run(
                """
                SELECT \(sql: StoredLink.columns) FROM links
                WHERE project = \(tx.project.scope) AND \(sql: isNamed) \(sql: archived)
                ORDER BY lower(name), domain, suffix LIMIT \(limit)
                """
            ).map { try StoredLink($0) }
            for (domain, ending) in endings where found.count < limit && ending.utf8.allSatisfy(ASCII.isBase64URL) {
                found += try tx.run(
                    """
                    SELECT \(sql: StoredLink.columns) FROM links
                    WHERE project = \(tx.project.scope) AND domain = \(domain) AND suffix >= \(ending)
                        AND suffix < \(ending + "\u{7F}") AND (name IS NULL OR NOT (\(sql: isNamed))) \(sql: archived)
                    ORDER BY suffix LIMIT \(limit - found.count)
                    """
                ).map { try StoredLink($0) }
            }
            return found
        }
    }
}
