// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingLinkRules
package import HomingProjects
package import HomingStore
import HomingWire

/// A link of a file that is to be stored; its targets were checked.
package struct ArrivingLink: Sendable {
    package let domain: LinkDomain
    /// Nil for one that gets an ending. The same link gets the same one again.
    package let suffix: LinkSuffix?
    package let content: LinkContent
    package let isArchived: Bool
    package let isDeleted: Bool
    /// Nil for now.
    package let createdAt: Moment?
    /// The clicks of people until now.
    package let clicks: Int64
    /// The link domains on the same host, whose prefixes are no endings.
    package let domainsBeside: [LinkDomain]

    package init(
        domain: LinkDomain, suffix: LinkSuffix?, content: LinkContent, isArchived: Bool = false,
        isDeleted: Bool = false, createdAt: Moment? = nil, clicks: Int64 = 0, beside domains: [LinkDomain] = []
    ) {
        self.domain = domain
        self.suffix = suffix
        self.content = content
        self.isArchived = isArchived
        self.isDeleted = isDeleted
        self.createdAt = createdAt
        self.clicks = clicks
        domainsBeside = domains
    }

    package func stored(_ suffix: LinkSuffix, in project: Project, at now: Moment, by authority: Authority)
        -> StoredLink
    {
        StoredLink(
            project: project.scope, domain: domain.text, suffix: suffix, query: content.parameters.query,
            name: content.name, isArchived: isArchived, createdAt: min(createdAt ?? now, now), details: content.details,
            deletedAt: isDeleted ? now : nil, author: authority.isOperator ? authority.text : nil)
    }

    /// Whether a stored link is this one. Where the file named the ending the target decides: whatever else has changed
    /// since is newer than the file.
    package func isThere(as stored: StoredLink) -> Bool {
        guard suffix == nil else {
            return (stored.deletedAt != nil) == isDeleted
                && stored.query.utf8.elementsEqual(content.parameters.query.utf8)
        }
        return stored.isSame(query: content.parameters.query, name: content.name, details: content.details)
    }
}

extension Links {
    /// Checks a link that is to be taken over as one that is made.
    ///
    /// - Parameter suffix: the ending, where the file names it.
    /// - Throws: ``Refusal/invalidDynamicLink(code:_:remedy:)`` for a target that is not allowed, and what else refuses a
    ///   new link.
    package func check(_ content: LinkContent, ending suffix: LinkSuffix?, at site: LinkSite) async throws {
        try await check(
            content.parameters, content.details, by: site.rules, of: site.project,
            at: suffix.map { ($0, site.domain) })
        try Self.check(targetsOf: content, by: site)
        try Self.check(content)
    }
}
