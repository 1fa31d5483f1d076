// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingLinkRules
package import HomingStore
import HomingWire

/// Which links are wanted, and in which order. All that is set has to hold; an empty text sets nothing.
package struct LinkQuery: Sendable {
    package enum Order: String, Sendable, CaseIterable {
        case newest, oldest, name, clicks
    }

    /// Words that all stand somewhere in the name, in whatever case; or the beginning of an ending, alone or behind its
    /// link domain; or the URL of one link in any spelling, whatever its state.
    package var text: String?
    /// The target, or its beginning, in any spelling (``LinkTargetKey``).
    package var target: String?
    package var tag: String?
    package var domain: LinkDomain?
    /// Nil for every state but `DELETED`, and but `ARCHIVED` without ``includesArchived``.
    package var state: LinkState?
    package var madeFrom: Moment?
    package var madeBefore: Moment?
    /// Nil for the order of what is looked for: the best first of a text, targets and tags by their index, all else the
    /// newest first. An order that is set is kept, and everything else only leaves links out of it.
    package var order: Order?
    /// Whether a list has links that apps made, which have no name. Whoever looks for a text, a target or a tag finds
    /// them anyway.
    package var includesUnnamed = false
    package var includesArchived = false
    /// Whether deleted links are among those of every state.
    package var includesDeleted = false
    /// How many links a page has at most, 1 to 1,000.
    package var pageSize = 100
    /// What the page before has answered, for the same query; nil for the first page.
    package var pageToken: String?

    package static let mostOnPage = 1_000

    package init() {}

    /// Whether a text has what no name, tag or target can have.
    var isUnfindable: Bool {
        [text, target, tag].contains { $0.map { ASCII.trimmed($0).utf8.contains(where: ASCII.isControl) } ?? false }
    }

    /// Whether all that is set besides the text holds for the link that it names.
    func holds(for found: ListedLink) -> Bool {
        let link = found.link
        if let state, state != found.state { return false }
        if let domain, domain != found.domain { return false }
        if let madeFrom, link.createdAt < madeFrom { return false }
        if let madeBefore, link.createdAt >= madeBefore { return false }
        if let tag = sought(\.tag), !link.details.tags.contains(where: { $0.utf8.elementsEqual(tag.utf8) }) {
            return false
        }
        guard let target = sought(\.target) else { return true }
        return link.targetKey.utf8.starts(with: LinkTargetKey(target).text.utf8)
    }

    func sought(_ text: KeyPath<LinkQuery, String?>) -> String? {
        self[keyPath: text].map { String(ASCII.trimmed($0)) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// A link of a list, with what does not stand in its row.
package struct ListedLink: Sendable {
    package let link: StoredLink
    package let domain: LinkDomain
    /// The clicks of people, ever.
    package let clicks: Int64
    package let state: LinkState

    package init(_ link: StoredLink, on domain: LinkDomain, clicks: Int64, at now: Moment) {
        self.link = link
        self.domain = domain
        self.clicks = clicks
        state = link.state(at: now, clicks: clicks)
    }

    package var url: String { "\(domain.baseURL)/\(link.suffix)" }
}
