// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
import HomingLinkRules
import HomingProjects
import HomingStore
import Synchronization

/// What somebody does with a link.
package enum LinkUse: Sendable {
    /// A person opens it, which counts.
    case click
    /// A program looks at it, or its author asks what it does.
    case look
    /// An app or a page of ours goes on with a click that has counted. Where nobody saw one, it is one itself.
    case afterClick
}

/// Whether a link is opened now.
package enum LinkAdmission: Sendable, Equatable {
    case open
    /// It is opened, and what was to come after a click came without one: it has taken a place, and counts as a click.
    case openAsClick
    /// It is switched off, or has not begun: as if it were not there.
    case missing
    /// Where it leads after its end; nil for a page that says so.
    case ended(next: String?)
    case deleted
}

extension Links {
    /// Whether a link is opened now. A click on a link that ends after so many takes its place among them.
    package func admission(of link: IncomingLink, for use: LinkUse) async throws -> LinkAdmission {
        guard let life = link.life, let suffix = link.suffix else { return .open }
        let (details, now) = (life.details, store.system.now())
        switch details.state(at: now, clicks: 0, isDeleted: life.isDeleted, isArchived: false) {
        case .deleted: return .deleted
        case .disabled: return .missing
        case .ended: return try await ended(link, details)
        case .active, .archived: break
        }
        guard details.hasBegun(at: now) else { return .missing }
        guard let most = details.maxClicks else { return .open }
        let key = LinkClicks.Key(project: link.project.scope, domain: link.domain.text, suffix: suffix)
        var answer = clicks.take(use, of: key, most: most, at: now)
        if answer == .unknown {
            let total = try await counts.totals(of: [(key.domain, suffix)], project: key.project).first ?? 0
            clicks.read(total, of: key, at: now)
            answer = clicks.take(use, of: key, most: most, at: now, isRead: true)
        }
        return switch answer {
        case .admitted: .open
        case .counted: use == .click ? .open : .openAsClick
        case .over, .unknown: try await ended(link, details)
        }
    }

    /// A target that is not allowed as the project is now, or that is a link by now, is left out.
    private func ended(_ link: IncomingLink, _ details: LinkDetails) async throws -> LinkAdmission {
        guard let next = details.afterEnd, link.site.rules.allows(webTarget: next) else { return .ended(next: nil) }
        return .ended(next: try await isLink(next, by: link.site.rules, of: link.project) ? nil : next)
    }

    // MARK: Other nodes

    /// How long before its commit a change has looked at the clock, at the most, with what clocks of nodes may differ.
    private static let longestChange: Int64 = 60
    /// So many changes since the last look empty the memory.
    private static let mostChanges = 10_000

    /// Takes out of memory what other nodes have changed. One statement, which finds nothing while nobody changes links.
    package func lookForChanges() async throws {
        let now = store.system.now()
        let since = (lookedAt.withLock { $0 } ?? now).adding(seconds: -Self.longestChange)
        let changed = try await store.read { tx in
            try tx.run(
                """
                SELECT domain, suffix, version FROM links WHERE changed_at IS NOT NULL AND changed_at > \(since)
                ORDER BY changed_at DESC LIMIT \(Self.mostChanges)
                """)
        }
        if changed.count == Self.mostChanges { shortLinks.forgetAll() }
        for row in changed {
            var row = row
            let key = LinkCache.Key(domain: try row.text(), name: try row.text())
            shortLinks.forget(key, before: try row.int())
        }
        lookedAt.withLock { $0 = now }
    }
}
