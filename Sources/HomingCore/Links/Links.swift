// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Crypto
import Foundation
import HomingDatabase
package import HomingLinkRules
package import HomingStore
package import HomingWire

/// The short links.
package final class Links: Sendable {
    /// The number of tries for each length of a short ending before the next length.
    private static let triesPerLength = 4
    private static let longestShortEnding = 12

    let store: Store
    /// The key for endings that nobody can foresee and that are the same for the same long link.
    private let secret: SymmetricKey
    /// Entries take about a kilobyte each.
    private let shortLinks = LinkCache(generation: 131_072)
    /// Strangers write long links: fewer entries, and only short texts.
    let longLinks = LinkCache(generation: 16_384)
    static let longestKeptQuery = 512
    private static let longestKeptShort = 1024
    package let counts: LinkCounts

    private init(store: Store, secret: [UInt8]) {
        self.store = store
        self.secret = SymmetricKey(data: secret)
        counts = LinkCounts(store: store)
    }

    static func open(_ store: Store) async throws -> Links {
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
        // An opened link needs no other column.
        let query = try await store.read(in: project) { [domain = domain.text] tx in
            try tx.run(Self.select("query", suffix, on: domain, in: tx.project.scope)).firstText()
        }
        guard let query else { return nil }
        let link = try ParsedLink(suffix, query: query, on: domain, ofProject: project.number)
        if query.utf8.count <= Self.longestKeptShort {
            shortLinks.keep(link, as: LinkCache.Key(domain: domain.text, name: suffix.text))
        }
        return link
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
        try await store.read(in: project) { try Self.find(suffix, on: domain.text, $0) }
    }

    private static func find(
        _ suffix: LinkSuffix, on domain: String, _ tx: borrowing ProjectTransaction
    ) throws -> StoredLink? {
        try tx.run(select(StoredLink.columns, suffix, on: domain, in: tx.project.scope)).first.map {
            try StoredLink($0)
        }
    }

    /// Refuses a payload that is itself a short link of the project.
    package func check(_ payload: String, by rules: LinkRules, of project: Project) async throws {
        guard let address = rules.shortLinkAddress(of: payload),
            try await stored(address.suffix, on: address.domain, of: project) != nil
        else { return }
        throw LinkFault(parameter: "link", code: nil, reason: .linkToLink)
    }

    // MARK: Making

    /// Makes a short link, or answers the existing one for the same long link, name and kind of ending.
    ///
    /// - Parameters:
    ///   - others: the link domains on the same host, whose prefixes are no endings.
    ///   - authority: the operator, whose link has an entry in the audit log, or an app.
    /// - Throws: ``Refusal/alreadyExists(_:)`` when a custom ending leads elsewhere.
    package func create(
        _ parameters: DynamicLinkParameters, on domain: LinkDomain, of project: Project, ending: LinkEnding,
        name: String? = nil, beside others: [LinkDomain] = [], by authority: Authority
    ) async throws -> StoredLink {
        if let name { try Self.check(name: name) }
        let query = parameters.query
        let endings = try endings(ending, domain: domain.text, project: project.scope, query: query, name: name)
            .filter { ending in !others.contains { ASCII.areEqual($0.text, "\(domain.text)/\(ending)") } }
        guard let first = endings.first else {
            throw Refusal.alreadyExists("this ending is the prefix of a link domain on the same host; choose another")
        }
        // The same request as before writes nothing.
        let known = try await store.read(in: project) { tx -> StoredLink? in
            for suffix in endings {
                guard let link = try Self.find(suffix, on: domain.text, tx) else { break }
                if link.isSame(query: query, name: name) { return link }
            }
            return nil
        }
        if let known { return known }
        return try await store.write(in: project, by: authority) { tx in
            for suffix in endings {
                let link = StoredLink(
                    project: tx.project.scope, domain: domain.text, suffix: suffix, query: query, name: name,
                    createdAt: tx.now)
                guard try tx.run(Self.insertion(of: link)).isEmpty else {
                    tx.note("link.create", of: "\(domain.baseURL)/\(suffix)", after: parameters.link)
                    return link
                }
                let taken = try Self.find(suffix, on: domain.text, tx)
                if let taken, taken.isSame(query: query, name: name) { return taken }
            }
            throw Refusal.alreadyExists("\(domain.baseURL)/\(first) leads elsewhere already", remedy: .showLink)
        }
    }

    /// The outcome for a link that was to be taken over.
    package enum TakenOver: Sendable, Equatable {
        case imported
        /// The link existed already and has the same target.
        case unchanged
        /// Another link has the ending, and keeps it.
        case endingTaken
    }

    /// Takes over links of a project with endings of their own, all or none. Links that are there already stay as they
    /// are.
    ///
    /// - Parameter authority: who brings them, for an entry of the audit log with their number and where they are.
    package func takeOver(
        _ links: [StoredLink], in project: Project, by authority: Authority
    ) async throws -> [TakenOver] {
        try await store.write(in: project, by: authority) { tx in
            var outcomes: [TakenOver] = []
            for link in links {
                guard try tx.run(Self.insertion(of: link)).isEmpty else {
                    outcomes.append(.imported)
                    continue
                }
                let query = try tx.run(Self.select("query", link.suffix, on: link.domain, in: link.project))
                let isSame = try query.firstText()?.utf8.elementsEqual(link.query.utf8)
                outcomes.append(isSame == true ? .unchanged : .endingTaken)
            }
            let taken = zip(links, outcomes).filter { $1 == .imported }.map { "\($0.0.domain)/\($0.0.suffix)" }
            if !taken.isEmpty {
                tx.note("link.importPart", of: "\(taken.count) links", after: taken.joined(separator: " "))
            }
            return outcomes
        }
    }

    // MARK: Listing and archiving

    /// Any link of a domain that is not archived, the same one each time.
    package func first(on domain: LinkDomain, of project: Project) async throws -> StoredLink? {
        try await store.read(in: project) { [domain = domain.text] tx in
            try tx.run(
                """
                SELECT \(sql: StoredLink.columns) FROM links
                WHERE project = \(tx.project.scope) AND domain = \(domain) AND archived = 0 ORDER BY suffix LIMIT 1
                """
            ).first.map { try StoredLink($0) }
        }
    }

    /// Links by age, the oldest first unless the newest are wanted; links that apps made have no name and are listed
    /// only on request.
    package func list(
        _ project: Project, includingUnnamed: Bool = false, includingArchived: Bool = false, newestFirst: Bool = false,
        limit: Int = 1000
    ) async throws -> [StoredLink] {
        let named: SQL = includingUnnamed ? "" : "AND name IS NOT NULL"
        let archived: SQL = includingArchived ? "" : "AND archived = 0"
        let order: SQL = newestFirst ? "created_at DESC, suffix DESC" : "created_at, suffix"
        return try await store.read(in: project) { tx in
            try tx.run(
                """
                SELECT \(sql: StoredLink.columns) FROM links
                WHERE project = \(tx.project.scope) \(sql: named) \(sql: archived)
                ORDER BY \(sql: order) LIMIT \(limit)
                """
            ).map { try StoredLink($0) }
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
                WHERE project = \(tx.project.scope) GROUP BY unnamed, archived
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

    /// Archives a link, or brings it back to the list. Either way the link keeps its target.
    package func archive(
        _ suffix: LinkSuffix, on domain: LinkDomain, of project: Project, _ isArchived: Bool,
        by authority: Authority
    ) async throws {
        try await change(
            suffix, on: domain, of: project, "archived = \(isArchived)", "archived <> \(isArchived)",
            isArchived ? "link.archive" : "link.unarchive", by: authority)
    }

    /// Gives a link another name, or a first one.
    package func rename(
        _ suffix: LinkSuffix, on domain: LinkDomain, of project: Project, to name: String, by authority: Authority
    ) async throws {
        try Self.check(name: name)
        try await change(
            suffix, on: domain, of: project, "name = \(name)", "(name IS NULL OR name <> \(name))", "link.rename",
            after: name, by: authority)
    }

    /// - Parameter isNews: whether the change changes anything; a repetition is no entry of the audit log.
    private func change(
        _ suffix: LinkSuffix, on domain: LinkDomain, of project: Project, _ assignment: SQL, _ isNews: SQL,
        _ action: String, after: String? = nil, by authority: Authority
    ) async throws {
        let url = "\(domain.baseURL)/\(suffix)"
        try await store.write(in: project, by: authority) { tx in
            guard let before = try Self.find(suffix, on: domain.text, tx) else {
                throw Refusal.notFound(
                    "there is no link \(domain.baseURL)/\(Printable.given(suffix.text))",
                    remedy: .listLinks(project: project.scope))
            }
            let changed = try tx.run(
                """
                UPDATE links SET \(sql: assignment)
                WHERE project = \(tx.project.scope) AND domain = \(domain.text) AND suffix = \(suffix)
                    AND \(sql: isNews)
                RETURNING suffix
                """)
            guard !changed.isEmpty else { return }
            tx.note(action, of: url, before: after == nil ? nil : before.name, after: after)
        }
    }

    private static func check(name: String) throws(Refusal) {
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
            return (0..<3).map { LinkSuffix.unguessable(from: bytes("unguessable \($0)")) }
        case .short:
            return (LinkSuffix.shortestLength...Self.longestShortEnding).flatMap { length in
                (0..<Self.triesPerLength).map { LinkSuffix.short(length: length, from: bytes("short \(length) \($0)")) }
            }
        }
    }

    private static func select(_ columns: SQL, _ suffix: LinkSuffix, on domain: String, in project: Scope) -> SQL {
        """
        SELECT \(sql: columns) FROM links
        WHERE project = \(project) AND domain = \(domain) AND suffix = \(suffix)
        """
    }

    private static func insertion(of link: StoredLink) -> SQL {
        """
        INSERT INTO links (project, domain, suffix, query, name, archived, created_at)
        VALUES (\(link.project), \(link.domain), \(link.suffix), \(link.query), \(link.name), \(link.isArchived),
            \(link.createdAt))
        ON CONFLICT (project, domain, suffix) DO NOTHING RETURNING suffix
        """
    }
}
