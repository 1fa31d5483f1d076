// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
import HomingLinkRules
import HomingShortLinks
import HomingStore

/// Gives links a ``LinkTargetKey`` that were made before links had one, or by a server that knows none.
package struct UnkeyedLinks: Sendable {
    /// Links in one transaction, and transactions in one turn: others come in between.
    private static let batch = 500
    private static let most = 200

    private let store: Store
    private let nodes: Nodes

    package init(_ homing: Homing) {
        store = homing.store
        nodes = homing.nodes
    }

    private struct Unkeyed: Sendable {
        var project = Scope("")
        var domain = ""
        var suffix = LinkSuffix("")
        var query = ""
    }

    /// Fills some of them; where all have one this is a look into an index without rows.
    ///
    /// - Returns: whether some are left.
    @discardableResult
    package func fill() async throws -> Bool {
        var page = try await next(after: Unkeyed())
        guard !page.isEmpty else { return false }
        // One node at a time.
        guard try await nodes.isTurn(for: "link_targets", everySeconds: 25) else { return true }
        for _ in 0..<Self.most {
            guard let last = page.last else { return false }
            try await store.write { [page] tx in
                for link in page { tx.later(Self.filling(of: link)) }
            }
            try Task.checkCancellation()
            page = try await next(after: last)
        }
        return true
    }

    private func next(after place: Unkeyed) async throws -> [Unkeyed] {
        try await store.read { tx in
            try tx.run(
                """
                SELECT project, domain, suffix, query FROM links
                WHERE target_key IS NULL AND (project, domain, suffix) > (\(place.project), \(place.domain),
                    \(place.suffix))
                ORDER BY project, domain, suffix LIMIT \(Self.batch)
                """
            ).map { row in
                var row = row
                return Unkeyed(
                    project: try row.id(), domain: try row.text(), suffix: try row.id(), query: try row.text())
            }
        }
    }

    /// A link that was changed meanwhile has its key.
    private static func filling(of link: Unkeyed) -> SQL {
        """
        UPDATE links SET target_key = \(StoredLink.targetKey(of: link.query))
        WHERE project = \(link.project) AND domain = \(link.domain) AND suffix = \(link.suffix)
            AND query = \(link.query) AND target_key IS NULL
        """
    }
}
