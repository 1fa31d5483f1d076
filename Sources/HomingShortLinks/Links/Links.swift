// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Crypto
import Foundation
package import HomingDatabase
package import HomingLinkRules
package import HomingProjects
package import HomingStore
package import HomingWire
import Synchronization

/// The short links.
package final class Links: Sendable {
    /// The number of tries for each length of a short ending before the next length.
    private static let triesPerLength = 4
    private static let longestShortEnding = 12

    package let store: Store
    /// The key for endings that nobody can foresee and that are the same for the same long link.
    private let secret: SymmetricKey
    /// Entries take about a kilobyte each.
    let shortLinks = LinkCache(generation: 131_072)
    /// Strangers write long links: fewer entries, and only short texts.
    let longLinks = LinkCache(generation: 16_384)
    static let longestKeptQuery = 512
    private static let longestKeptShort = 1024
    /// Of a short link and what decides whether it is opened.
    private static let longestKeptInAll = 4_096
    package let counts: LinkCounts
    package let misses = LinkMisses()
    let clicks = LinkClicks()
    /// When other nodes' changes were last looked for.
    let lookedAt = Mutex<Moment?>(nil)
    package let events: LinkEvents

    private init(store: Store, secret: [UInt8]) {
        self.store = store
        self.secret = SymmetricKey(data: secret)
        counts = LinkCounts(store: store)
        events = LinkEvents(store: store)
    }

    package static func open(_ store: Store) async throws -> Links {
        let select: SQL = "SELECT value FROM key_state WHERE name = 'link_endings'"
        var stored = try await store.read { try $0.run(select).firstText() }
        if stored == nil {
            let fresh = Base64URL.encode(store.system.randomBytes(32))
            stored = try await store.write { tx in
                tx.later(
                    """
                    INSERT INTO key_state (name, value) VALUES ('link_endings', \(fresh))
                    ON CONFLICT (name) DO NOTHING
                    """)
                return try tx.run(select).firstText()
            }
        }
        guard let secret = stored.flatMap({ Base64URL.decode($0) }) else {
            throw DatabaseFault("the secret of short links is not readable in key_state")
        }
        return Links(store: store, secret: secret)
    }

    // MARK: Opening

    /// A short link that may be opened; archived links may.
    package func link(_ suffix: LinkSuffix, on domain: LinkDomain, of project: Project) async throws -> ParsedLink? {
        guard LinkSuffix.isWellFormed(suffix.text[...]) else { return nil }
        if let link = keptLink(suffix, on: domain, of: project) { return link }
        let mark = shortLinks.mark
        // An opened link needs no other column.
        let row = try await store.read(in: project) { [domain = domain.text] tx in
            try tx.run(Self.select("query, details, deleted_at, version", suffix, on: domain, in: tx.project.scope))
                .first
        }
        guard var row else { return nil }
        let (query, details) = (try row.text(), try row.optionalText())
        let life = LinkLife(try LinkDetails(stored: details), isDeleted: try row.optionalMoment() != nil)
        let link = try ParsedLink(
            suffix, query: query, on: domain, ofProject: project.number, life: life, version: try row.int())
        // What a plain link has besides is not in memory.
        let room = query.utf8.count + (life == nil ? 0 : details?.utf8.count ?? 0)
        if query.utf8.count <= Self.longestKeptShort, room <= Self.longestKeptInAll {
            shortLinks.keep(link, as: LinkCache.Key(domain: domain.text, name: suffix.text), readSince: mark)
        }
        return link
    }

    /// Takes a link that may have changed out of memory.
    package func forget(_ suffix: LinkSuffix, on domain: LinkDomain) {
        shortLinks.forget(LinkCache.Key(domain: domain.text, name: suffix.text))
    }

    /// A short link that is in memory.
    func keptLink(_ suffix: LinkSuffix, on domain: LinkDomain, of project: Project) -> ParsedLink? {
        let link = shortLinks.link(LinkCache.Key(domain: domain.text, name: suffix.text))
        guard let link, link.projectNumber.utf8.elementsEqual(project.number.utf8) else { return nil }
        return link
    }

    /// A short link's row.
    package func stored(
        _ suffix: LinkSuffix, on domain: LinkDomain, of project: Project
    ) async throws -> StoredLink? {
        guard !suffix.text.utf8.contains(where: ASCII.isControl) else { return nil }
        return try await store.read(in: project) { try Self.find(suffix, on: domain.text, $0) }
    }

    package static func find(
        _ suffix: LinkSuffix, on domain: String, _ tx: borrowing ProjectTransaction, lock: SQL.RowLock? = nil
    ) throws -> StoredLink? {
        try tx.run(select(StoredLink.columns, suffix, on: domain, in: tx.project.scope, lock: lock)).first.map {
            try StoredLink($0)
        }
    }

    /// Refuses a payload that is itself a short link of the project.
    package func check(_ payload: String, by rules: LinkRules, of project: Project) async throws {
        guard try await isLink(payload, by: rules, of: project) else { return }
        throw LinkFault(parameter: DynamicLinkParameter.link.rawValue, code: nil, reason: .linkToLink)
    }

    /// Whether a target is itself a short link of the project.
    func isLink(_ target: String, by rules: LinkRules, of project: Project) async throws -> Bool {
        guard let address = rules.shortLinkAddress(of: target) else { return false }
        return try await stored(meantBy: address.suffix, on: address.domain, of: project) != nil
    }

    // MARK: Making

    /// Makes a short link without details (``create(_:on:of:ending:beside:by:)``).
    package func create(
        _ parameters: DynamicLinkParameters, on domain: LinkDomain, of project: Project, ending: LinkEnding,
        name: String? = nil, beside others: [LinkDomain] = [], rules: LinkRules? = nil, by authority: Authority
    ) async throws -> StoredLink {
        try await create(
            LinkContent(parameters, name: name), on: domain, of: project, ending: ending, beside: others, rules: rules,
            by: authority)
    }

    /// Makes a short link whose targets were checked, or answers the existing one of the same content and kind of
    /// ending, which may be archived.
    ///
    /// - Parameters:
    ///   - others: the link domains on the same host, whose prefixes are no endings.
    ///   - rules: which targets may be short links; nil where none may.
    ///   - authority: the operator, whose link has an entry in the audit log, or an app.
    /// - Throws: ``Refusal/alreadyExists(_:)`` when a custom ending leads elsewhere, or is that of a deleted link.
    package func create(
        _ content: LinkContent, on domain: LinkDomain, of project: Project, ending: LinkEnding,
        beside others: [LinkDomain] = [], rules: LinkRules? = nil, by authority: Authority
    ) async throws -> StoredLink {
        let content = content.tidied
        try Self.check(content)
        let (query, name, details) = (content.parameters.query, content.name, content.details)
        let endings = try endings(ending, domain: domain.text, project: project.scope, query: query, name: name)
            .filter { ending in !others.contains { ASCII.areEqual($0.text, "\(domain.text)/\(ending)") } }
        guard let first = endings.first else {
            throw Refusal.alreadyExists("this ending is the prefix of a link domain on the same host; choose another")
        }
        // The same request as before writes nothing.
        let known = try await store.read(in: project) { tx -> StoredLink? in
            for suffix in endings {
                guard let link = try Self.find(suffix, on: domain.text, tx) else { break }
                if link.isSame(query: query, name: name, details: details) { return link }
            }
            return nil
        }
        if let known { return known }
        return try await store.write(in: project, by: authority) { tx in
            for suffix in endings {
                let link = StoredLink(
                    project: tx.project.scope, domain: domain.text, suffix: suffix, query: query, name: name,
                    createdAt: tx.now, details: details, author: authority.isOperator ? authority.text : nil)
                guard try !Self.insert(link, tx) else {
                    let place = (suffix, domain.text)
                    if let rules, let fault = try Self.linkToLink(content, at: place, by: rules, tx) {
                        throw fault.refusal
                    }
                    tx.note(
                        "link.create", of: "\(domain.baseURL)/\(suffix)",
                        after: SecretMask.masked(content.parameters.link))
                    return link
                }
                let taken = try Self.find(suffix, on: domain.text, tx)
                if let taken, taken.isSame(query: query, name: name, details: details) { return taken }
            }
            if let other = try Self.collision(first, on: domain.text, tx) {
                throw Refusal.alreadyExists(
                    "\(domain.baseURL)/\(other) exists already, and the case of letters does not count on this link "
                        + "domain; choose another ending", remedy: .showLink)
            }
            let taken = try Self.find(first, on: domain.text, tx)
            throw Refusal.endingTaken("\(domain.baseURL)/\(first)", by: taken, wanted: query)
        }
    }

    /// The outcome for a link that was to be taken over.
    package enum TakenOver: Sendable, Equatable {
        case imported
        /// The link existed already and has the same target.
        case unchanged
        /// Another link has the ending, and keeps it.
        case endingTaken
        /// A target is itself a short link, of the same file or its own.
        case leadsToLink
    }

    /// Takes over links of a project, all or none. Links that are there already stay as they are.
    ///
    /// - Parameters:
    ///   - isTrial: whether nothing is stored, and the answer says only what would become of each.
    ///   - rules: which targets may be short links; nil where none may.
    ///   - authority: who brings them, for an entry of the audit log with their number and where they are.
    package func takeOver(
        _ links: [ArrivingLink], in project: Project, isTrial: Bool = false, rules: LinkRules? = nil,
        by authority: Authority
    ) async throws -> [TakenOver] {
        let arriving = try links.map { link in
            (link: link, endings: try endings(of: link, in: project.scope))
        }
        guard !isTrial else {
            return try await store.read(in: project) { tx in
                try arriving.map { link, endings in
                    try Self.settle(link, endings) { suffix in
                        if let taken = try Self.find(suffix, on: link.domain.text, tx) {
                            return link.isThere(as: taken) ? .unchanged : .endingTaken
                        }
                        guard try Self.collision(suffix, on: link.domain.text, tx) == nil else { return .endingTaken }
                        return try Self.leadsToLink(link, suffix, rules, tx) ? .leadsToLink : .imported
                    }
                }
            }
        }
        return try await store.write(in: project, by: authority) { tx in
            var taken: [String] = []
            let outcomes = try arriving.map { link, endings in
                try Self.settle(link, endings) { suffix in
                    if try Self.leadsToLink(link, suffix, rules, tx) {
                        let taken = try Self.find(suffix, on: link.domain.text, tx)
                        return taken.map { link.isThere(as: $0) ? .unchanged : .endingTaken } ?? .leadsToLink
                    }
                    let stored = link.stored(suffix, in: tx.project, at: tx.now, by: authority)
                    if try Self.insert(stored, tx) {
                        try Self.count(link.clicks, of: stored, tx)
                        taken.append("\(link.domain.text)/\(suffix)")
                        return .imported
                    }
                    let other = try Self.find(suffix, on: link.domain.text, tx)
                    return other.map { link.isThere(as: $0) } ?? false ? .unchanged : .endingTaken
                }
            }
            if !taken.isEmpty {
                tx.note("link.importPart", of: "\(taken.count) links", after: taken.joined(separator: " "))
            }
            return outcomes
        }
    }

    private static func leadsToLink(
        _ link: ArrivingLink, _ suffix: LinkSuffix, _ rules: LinkRules?, _ tx: borrowing ProjectTransaction
    ) throws -> Bool {
        guard let rules else { return false }
        return try linkToLink(link.content, at: (suffix, link.domain.text), by: rules, tx) != nil
    }

    /// Tries one ending after the other until one is free, or the link's own.
    private static func settle(
        _ link: ArrivingLink, _ endings: [LinkSuffix], _ attempt: (LinkSuffix) throws -> TakenOver
    ) throws -> TakenOver {
        for suffix in endings {
            let outcome = try attempt(suffix)
            if outcome != .endingTaken { return outcome }
        }
        return .endingTaken
    }

    private func endings(of link: ArrivingLink, in project: Scope) throws -> [LinkSuffix] {
        if let suffix = link.suffix { return [suffix] }
        let content = link.content
        return try endings(
            .handy, domain: link.domain.text, project: project, query: content.parameters.query, name: content.name
        ).filter { ending in
            !link.domainsBeside.contains { ASCII.areEqual($0.text, "\(link.domain.text)/\(ending)") }
        }
    }

    /// The clicks of people that a link brings along: all of them are in the row that stands for all days.
    private static func count(_ clicks: Int64, of link: StoredLink, _ tx: borrowing ProjectTransaction) throws {
        guard clicks > 0 else { return }
        tx.later(
            """
            INSERT INTO link_counts (project, domain, suffix, day, platform, clicks, redirects, first_opens, reopens)
            VALUES (\(link.project), \(link.domain), \(link.suffix), 0, 0, \(min(clicks, LinkCounts.most)), 0, 0, 0)
            ON CONFLICT (project, domain, suffix, day, platform) DO NOTHING
            """)
    }

    // MARK: Listing and archiving

    /// Any plain link of a domain that is not archived, the same one each time.
    package func first(on domain: LinkDomain, of project: Project) async throws -> StoredLink? {
        try await store.read(in: project) { [domain = domain.text] tx in
            try tx.run(
                """
                SELECT \(sql: StoredLink.columns) FROM links
                WHERE project = \(tx.project.scope) AND domain = \(domain) AND archived = 0 AND details IS NULL
                    AND deleted_at IS NULL
                ORDER BY suffix LIMIT 1
                """
            ).first.map { try StoredLink($0) }
        }
    }

    /// The greatest number of links that ``list(_:includingUnnamed:includingArchived:limit:)`` can answer, and the
    /// number that it leaves out because they have no name, or are archived.
    package func count(
        _ project: Project, includingUnnamed: Bool, includingArchived: Bool
    ) async throws -> (listed: Int, unnamed: Int, archived: Int) {
        let groups = try await store.read(in: project) { tx in
            try tx.run(
                """
                SELECT CASE WHEN name IS NULL THEN 1 ELSE 0 END AS unnamed, archived, COUNT(*) FROM links
                WHERE project = \(tx.project.scope) AND deleted_at IS NULL GROUP BY unnamed, archived
                """
            ).map {
                var row = $0
                return (isUnnamed: try row.bool(), isArchived: try row.bool(), count: Int(try row.int()))
            }
        }
        var counts = (listed: 0, unnamed: 0, archived: 0)
        for group in groups {
            if group.isArchived, !includingArchived {
                counts.archived += group.count
            } else if group.isUnnamed, !includingUnnamed {
                counts.unnamed += group.count
            } else {
                counts.listed += group.count
            }
        }
        return counts
    }

    /// Archives a link, or brings it back to the list. Either way the link keeps its target, and its version.
    package func archive(
        _ suffix: LinkSuffix, on domain: LinkDomain, of project: Project, _ isArchived: Bool,
        by authority: Authority
    ) async throws {
        try await store.write(in: project, by: authority) { tx in
            guard try Self.find(suffix, on: domain.text, tx) != nil else {
                throw Refusal.notFound(
                    "there is no link \(domain.baseURL)/\(Printable.given(suffix.text))",
                    remedy: .listLinks(project: project.scope))
            }
            try Self.archive(suffix, on: domain, isArchived, tx)
        }
    }

    static func archive(
        _ suffix: LinkSuffix, on domain: LinkDomain, _ isArchived: Bool, _ tx: borrowing ProjectTransaction
    ) throws {
        let changed = try tx.run(
            """
            UPDATE links SET archived = \(isArchived)
            WHERE project = \(tx.project.scope) AND domain = \(domain.text) AND suffix = \(suffix)
                AND archived <> \(isArchived)
            RETURNING suffix
            """)
        // A repetition is no entry of the audit log.
        guard !changed.isEmpty else { return }
        tx.note(action(archiving: isArchived), of: "\(domain.baseURL)/\(suffix)")
    }

    package static func action(archiving isArchived: Bool) -> String { isArchived ? "link.archive" : "link.unarchive" }

    package static func check(name: String) throws(Refusal) {
        guard StoredLink.isName(name) else {
            throw .invalidArgument("a link's name has 1 to 200 characters and no control characters")
        }
    }

    // MARK: Endings

    /// The endings to try, in order.
    private func endings(
        _ ending: LinkEnding, domain: String, project: Scope, query: String, name: String?
    ) throws -> [LinkSuffix] {
        func bytes(_ label: String) -> [UInt8] {
            let parts = [label, project.text, domain, query, name ?? ""].map { "\($0.utf8.count):\($0)" }
            return Array(HMAC<SHA256>.authenticationCode(for: Data(parts.joined().utf8), using: secret))
        }
        switch ending {
        case .custom(let suffix):
            return [try LinkSuffix.custom(suffix.text)]
        case .unguessable:
            // The last one is there however often the link was made, edited or deleted, and made again.
            return (0..<3).map { LinkSuffix.unguessable(from: bytes("unguessable \($0)")) }
                + [.unguessable(from: store.system.randomBytes(12))]
        case .short, .handy:
            let (least, label) =
                ending == .handy ? (LinkSuffix.handyLength, "handy") : (LinkSuffix.shortestLength, "short")
            return (least...Self.longestShortEnding).flatMap { length in
                (0..<Self.triesPerLength).map {
                    LinkSuffix.short(length: length, from: bytes("\(label) \(length) \($0)"))
                }
            }
        }
    }

    private static func select(
        _ columns: SQL, _ suffix: LinkSuffix, on domain: String, in project: Scope, lock: SQL.RowLock? = nil
    ) -> SQL {
        """
        SELECT \(sql: columns) FROM links
        WHERE project = \(project) AND domain = \(domain) AND suffix = \(suffix) \(lock: lock)
        """
    }

    /// Inserts a link whose ending is free.
    ///
    /// - Returns: whether it was.
    private static func insert(_ link: StoredLink, _ tx: borrowing ProjectTransaction) throws -> Bool {
        guard try collision(link.suffix, on: link.domain, tx) == nil else { return false }
        let details = link.details
        // The database knows whether the domain ignores case, whatever this node knows.
        let inserted = try tx.run(
            """
            INSERT INTO links (project, domain, suffix, query, name, archived, created_at, details, is_off, ends_at,
                max_clicks, version, changed_at, author, target_key, deleted_at, folded)
            VALUES (\(link.project), \(link.domain), \(link.suffix), \(link.query), \(link.name), \(link.isArchived),
                \(link.createdAt), \(details.stored), \(!details.isOn), \(details.endsAt), \(details.maxClicks),
                \(link.version), \(link.updatedAt), \(link.author), \(link.targetKey), \(link.deletedAt),
                (SELECT CASE WHEN d.ignores_case = 1 THEN \(ASCII.lowercased(link.suffix.text)) END
                FROM link_domains d WHERE d.domain = \(link.domain)))
            ON CONFLICT (project, domain, suffix) DO NOTHING RETURNING suffix
            """)
        guard !inserted.isEmpty else { return false }
        for tag in details.tags { tx.later(tagging(link, tag)) }
        return true
    }
}
