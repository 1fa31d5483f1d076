// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
package import HomingLinkRules
package import HomingProjects
package import HomingStore
import HomingWire

/// Changes of links. Each is one transaction that takes the link's row, checks what is new by the rules of now, and keeps
/// what was before as a version. This node follows with its next click, other nodes within three seconds
/// (``Links/lookForChanges()``).
extension Links {
    /// The versions of a link that are kept: the newest.
    package static let mostVersions: Int64 = 1_000
    /// Those that are answered at once.
    package static let mostVersionsListed: Int64 = 100

    /// Makes a short link, or answers the existing one of the same content (``create(_:on:of:ending:beside:by:)``).
    ///
    /// - Throws: ``Refusal/invalidDynamicLink(code:_:remedy:)`` for a target that is not allowed.
    package func create(
        _ content: LinkContent, at site: LinkSite, ending: LinkEnding, beside others: [LinkDomain] = [],
        by authority: Authority
    ) async throws -> StoredLink {
        try await check(content.parameters, content.details, by: site.rules, of: site.project)
        try Self.check(targetsOf: content, by: site)
        return try await create(
            content, on: site.domain, of: site.project, ending: ending, beside: others, rules: site.rules,
            by: authority)
    }

    /// Changes a link. A change that changes nothing makes no version, and neither does one that only archives it.
    ///
    /// - Parameters:
    ///   - version: the one that the change's author has seen; nil for whichever is there.
    ///   - isArchived: whether it is archived from then on; nil to leave that as it is.
    /// - Throws: ``Refusal/linkChanged(newest:)`` where the link has another version by now.
    @discardableResult
    package func edit(
        _ suffix: LinkSuffix, at site: LinkSite, seen version: Int64?, archiving isArchived: Bool? = nil,
        by authority: Authority, _ change: @escaping @Sendable (inout LinkContent) throws -> Void
    ) async throws -> StoredLink {
        try await self.change(
            suffix, on: site.domain, of: site.project, "link.edit", by: authority, seen: version, at: site
        ) { _, link, _ in
            try link.refuseDeleted()
            try change(&link.content)
            link.isArchived = isArchived ?? link.isArchived
        }
    }

    /// Gives a link another name, or a first one.
    package func rename(
        _ suffix: LinkSuffix, on domain: LinkDomain, of project: Project, to name: String, by authority: Authority
    ) async throws {
        try await change(suffix, on: domain, of: project, "link.rename", by: authority, noting: \.name) { _, link, _ in
            try link.refuseDeleted()
            link.content.name = name
        }
    }

    /// From now on the link is gone. Its ending is never given away, and its versions stay.
    package func delete(_ suffix: LinkSuffix, at site: LinkSite, by authority: Authority) async throws {
        try await change(
            suffix, on: site.domain, of: site.project, "link.delete", by: authority
        ) { tx, link, _ in link.deletedAt = link.deletedAt ?? tx.now }
    }

    /// Makes a new version with the content of an older one, if that is allowed now. A deleted link comes back.
    @discardableResult
    package func restore(
        _ version: Int64, of suffix: LinkSuffix, at site: LinkSite, by authority: Authority
    ) async throws -> StoredLink {
        try await change(
            suffix, on: site.domain, of: site.project, "link.restore", by: authority, at: site, isChecked: true
        ) { tx, link, before in
            link.deletedAt = nil
            guard version != before.version else { return }
            guard
                let stored = try tx.run(
                    """
                    SELECT content FROM link_versions
                    WHERE project = \(before.project) AND domain = \(before.domain) AND suffix = \(before.suffix)
                        AND version = \(version)
                    """
                ).firstText()
            else {
                throw Refusal.notFound(
                    "there is no version \(version) of \(link.url); the newest is \(before.version)", remedy: .showLink)
            }
            link.content = try LinkContent(stored: stored)
        }
    }

    /// The newest versions of a link, a hundred at most, the current one first; none where there is no such link.
    package func versions(
        of suffix: LinkSuffix, on domain: LinkDomain, of project: Project
    ) async throws -> [LinkVersion] {
        try await store.read(in: project) { [domain = domain.text] tx in
            guard let link = try Self.find(suffix, on: domain, tx) else { return [] }
            let older = try tx.run(
                """
                SELECT version, at, author, content FROM link_versions
                WHERE project = \(tx.project.scope) AND domain = \(domain) AND suffix = \(suffix)
                    AND version < \(link.version)
                ORDER BY version DESC LIMIT \(Self.mostVersionsListed - 1)
                """
            ).map { row in
                var row = row
                return LinkVersion(
                    version: try row.int(), at: try row.moment(), author: try row.optionalText(),
                    content: try LinkContent(stored: try row.text()))
            }
            return [try link.current()] + older
        }
    }

    // MARK: One change

    /// A link that is being changed.
    package struct Draft {
        package let url: String
        var content: LinkContent
        var deletedAt: Moment?
        var isArchived: Bool

        func refuseDeleted() throws(Refusal) {
            guard deletedAt == nil else { throw .linkDeleted(url) }
        }
    }

    /// - Parameters:
    ///   - site: by whose rules new targets are checked; nil where none can come of the change.
    ///   - isChecked: whether they are checked even where they stay.
    ///   - member: what the audit log says of the link before and after; nil for all that is different.
    @discardableResult
    private func change(
        _ suffix: LinkSuffix, on domain: LinkDomain, of project: Project, _ action: String, by authority: Authority,
        seen version: Int64? = nil, at site: LinkSite? = nil, isChecked: Bool = false,
        noting member: (@Sendable (StoredLink) -> String?)? = nil,
        _ body: @escaping @Sendable (borrowing ProjectTransaction, inout Draft, _ before: StoredLink) throws -> Void
    ) async throws -> StoredLink {
        // Also where nobody knows whether the commit took place.
        defer { forget(suffix, on: domain) }
        return try await store.write(in: project, by: authority) { tx in
            guard let before = try Self.find(suffix, on: domain.text, tx, lock: tx.work.lock) else {
                throw Refusal.notFound(
                    "there is no link \(domain.baseURL)/\(Printable.given(suffix.text))",
                    remedy: .listLinks(project: project.scope))
            }
            guard version == nil || version == before.version else { throw Refusal.linkChanged(newest: before) }
            let old = try before.content()
            var draft = Draft(
                url: "\(domain.baseURL)/\(suffix)", content: old, deletedAt: before.deletedAt,
                isArchived: before.isArchived)
            try body(tx, &draft, before)
            draft.content = draft.content.tidied
            guard draft.content != old || draft.deletedAt != before.deletedAt else {
                guard draft.isArchived != before.isArchived else { return before }
                try Self.archive(suffix, on: domain, draft.isArchived, tx)
                return try Self.find(suffix, on: domain.text, tx) ?? before
            }
            try Self.check(draft.content)
            if let site, isChecked || !draft.content.hasTargets(of: old) {
                try Self.check(targetsOf: draft.content, by: site)
                if let fault = try Self.linkToLink(draft.content, at: (suffix, domain.text), by: site.rules, tx) {
                    throw fault.refusal
                }
            }
            let after = before.changed(
                to: draft.content, isArchived: draft.isArchived, deletedAt: draft.deletedAt, at: tx.now,
                by: authority.isOperator ? authority.text : nil)
            guard try Self.replace(before, by: after, tx) else {
                throw Refusal.linkChanged(newest: try Self.find(suffix, on: domain.text, tx) ?? before)
            }
            let (was, now) = draft.content.difference(from: old)
            tx.note(
                action, of: draft.url, before: member.map { $0(before) } ?? before.noted(was),
                after: member.map { $0(after) } ?? after.noted(now))
            if after.isArchived != before.isArchived {
                tx.note(Self.action(archiving: after.isArchived), of: draft.url)
            }
            return after
        }
    }

    /// - Returns: false where the row has another version by now.
    private static func replace(
        _ before: StoredLink, by after: StoredLink, _ tx: borrowing ProjectTransaction
    ) throws -> Bool {
        let (details, old) = (after.details, try before.current())
        let changed = try tx.run(
            """
            UPDATE links SET query = \(after.query), name = \(after.name), archived = \(after.isArchived),
                details = \(details.stored),
                is_off = \(!details.isOn), deleted_at = \(after.deletedAt), ends_at = \(details.endsAt),
                max_clicks = \(details.maxClicks), version = \(after.version), changed_at = \(after.updatedAt),
                author = \(after.author), target_key = \(after.targetKey)
            WHERE project = \(before.project) AND domain = \(before.domain) AND suffix = \(before.suffix)
                AND version = \(before.version)
            RETURNING suffix
            """)
        guard !changed.isEmpty else { return false }
        // What has that number is of an earlier link of this ending, whose project an older node has deleted.
        tx.later(
            """
            INSERT INTO link_versions (project, domain, suffix, version, at, author, content)
            VALUES (\(before.project), \(before.domain), \(before.suffix), \(old.version), \(old.at), \(old.author),
                \(old.content.stored))
            ON CONFLICT (project, domain, suffix, version)
            DO UPDATE SET at = excluded.at, author = excluded.author, content = excluded.content
            """)
        if old.version > mostVersions {
            tx.later(
                """
                DELETE FROM link_versions WHERE project = \(before.project) AND domain = \(before.domain)
                    AND suffix = \(before.suffix) AND version <= \(old.version - mostVersions)
                """)
        }
        if before.details.tags != details.tags {
            tx.later(
                """
                DELETE FROM link_tags WHERE project = \(before.project) AND domain = \(before.domain)
                    AND suffix = \(before.suffix)
                """)
            for tag in details.tags { tx.later(tagging(after, tag)) }
        }
        return true
    }

    static func tagging(_ link: StoredLink, _ tag: String) -> SQL {
        """
        INSERT INTO link_tags (project, tag, domain, suffix)
        VALUES (\(link.project), \(tag), \(link.domain), \(link.suffix)) ON CONFLICT DO NOTHING
        """
    }

    // MARK: What is refused

    /// Refuses what no link can have.
    package static func check(_ content: LinkContent) throws(Refusal) {
        if let name = content.name { try check(name: name) }
        let details = content.details
        guard details.tags.count <= LinkDetails.mostTags, details.tags.allSatisfy(LinkDetails.isTag) else {
            throw .invalidArgument(
                "a link has at most \(LinkDetails.mostTags) tags of 1 to \(LinkDetails.longestTag) characters, "
                    + "without commas and control characters")
        }
        guard details.languageLinks.count <= LinkDetails.mostLanguageLinks else {
            throw .invalidArgument("a link has targets for at most \(LinkDetails.mostLanguageLinks) languages")
        }
        if let start = details.startsAt, let end = details.endsAt, end <= start {
            throw .invalidArgument("a link ends after it begins")
        }
        guard details.maxClicks.map({ $0 > 0 }) ?? true else {
            throw .invalidArgument("a link ends after one click at least")
        }
        guard details.stored?.utf8.count ?? 0 <= LinkDetails.longestStored else {
            throw .invalidArgument(
                "languageLinks, tags and afterEnd of a link take \(LinkDetails.longestStored) bytes together at most")
        }
    }

    /// Refuses targets that are not allowed, but for what ``linkToLink(_:at:by:_:)`` looks up.
    package static func check(targetsOf content: LinkContent, by site: LinkSite) throws(Refusal) {
        do throws(LinkFault) {
            try site.rules.check(content.parameters)
            try site.rules.check(content.details)
            try LinkRules.check(
                lengthOf: DynamicLinkURL(base: site.domain.baseURL, parameters: content.parameters).url)
        } catch {
            throw error.refusal
        }
    }

    /// The fault of a link with a target that is itself a short link of the project.
    ///
    /// - Parameter place: the ending of the link and its domain: there is a short link, whether it was made already.
    static func linkToLink(
        _ content: LinkContent, at place: (suffix: LinkSuffix, domain: String), by rules: LinkRules,
        _ tx: borrowing ProjectTransaction
    ) throws -> LinkFault? {
        let ignoresCase = tx.project.ignoresCase(on: place.domain)
        for (name, address) in rules.shortLinkAddresses(in: content.parameters, content.details) {
            let isOwn = address.isSame(as: place.suffix, on: place.domain, ignoringCase: ignoresCase)
            guard try isOwn || find(meantBy: address.suffix, on: address.domain.text, tx) != nil else { continue }
            return LinkFault(parameter: name, code: nil, reason: .linkToLink)
        }
        return nil
    }
}

extension StoredLink {
    /// What the audit log says of a deleted link, or of what is different.
    fileprivate func noted(_ difference: String?) -> String? {
        deletedAt == nil ? difference : ["deleted", difference].compactMap(\.self).joined(separator: "; ")
    }

    /// The version in force.
    fileprivate func current() throws -> LinkVersion {
        LinkVersion(version: version, at: updatedAt ?? createdAt, author: author, content: try content())
    }

    fileprivate func changed(
        to content: LinkContent, isArchived: Bool, deletedAt: Moment?, at now: Moment, by author: String?
    ) -> StoredLink {
        StoredLink(
            project: project, domain: domain, suffix: suffix, query: content.parameters.query, name: content.name,
            isArchived: isArchived, createdAt: createdAt, details: content.details, deletedAt: deletedAt,
            version: version + 1, updatedAt: now, author: author)
    }
}
