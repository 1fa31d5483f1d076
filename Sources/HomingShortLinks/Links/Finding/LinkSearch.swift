// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
import HomingLinkRules
import HomingProjects
import HomingStore
import HomingWire

/// The ways that find the links of a query, one after the other, and the conditions that leave some of them out.
struct LinkSearch: Sendable {
    /// Where a page ends: on which way, and where on it.
    struct Place: Sendable {
        var way = 0
        var on = LinkWay.Place()
    }

    /// A way, with the conditions of its own.
    private struct Part: Sendable {
        let way: LinkWay
        /// Asked of a link's row `l`, besides those of the query.
        var condition: SQL?
        /// Whether each link is compared with the words that are looked for.
        var comparesText = false
    }

    /// Links that are looked at for one page at most. A page that ends here may be short, or empty: it has a token.
    private static let mostLookedAt = 20_000
    private static let step = 1_000

    private let query: LinkQuery
    private let project: Scope
    private let domains: [String]
    private let words: [String]
    private let endings: [(domain: String, beginning: String)]
    private let parts: [Part]
    private let condition: SQL

    init(_ query: LinkQuery, in project: Project, at now: Moment) {
        self.query = query
        self.project = project.scope
        domains = project.linkDomains.map(\.text)
        let text = query.sought(\.text)
        words = ASCII.split((text ?? "").lowercased(), at: UInt8(ascii: " ")).filter { !$0.isEmpty }.map(String.init)
        endings = text.map { Self.endings($0, in: project) } ?? []
        parts = Self.parts(of: query, in: project)
        condition = Self.condition(of: query, on: parts.first?.way, at: now)
    }

    /// What a page's token is bound to: a token of one query is none of another.
    var name: String {
        let moments = [query.madeFrom, query.madeBefore].map { $0.map { String($0.milliseconds) } }
        let parts: [String?] =
            [
                project.text, query.text, query.target, query.tag, query.domain?.text, query.state?.rawValue,
                query.order?.rawValue, "\(query.includesUnnamed)", "\(query.includesArchived)",
                "\(query.includesDeleted)",
            ] + moments
        return "links " + parts.map { $0.map { "\($0.utf8.count):\($0)" } ?? "-" }.joined(separator: " ")
    }

    // MARK: Ways

    private static func parts(of query: LinkQuery, in project: Project) -> [Part] {
        let (from, before) = (query.madeFrom, query.madeBefore)
        let isNamed = !query.includesUnnamed && !query.isSearch
        let text = query.sought(\.text)
        func ordered(_ way: LinkWay, _ condition: SQL? = nil) -> Part {
            Part(way: way, condition: condition, comparesText: text != nil)
        }
        switch query.order {
        case nil:
            if let target = query.sought(\.target) { return [ordered(.target(LinkTargetKey(target)))] }
            if let tag = query.sought(\.tag) { return [ordered(.tag(tag))] }
            if let text { return bestFirst(text, query, in: project) }
            return [Part(way: .made(isNewestFirst: true, isNamed: isNamed, from: from, before: before))]
        case .newest: return [ordered(.made(isNewestFirst: true, isNamed: isNamed, from: from, before: before))]
        case .oldest: return [ordered(.made(isNewestFirst: false, isNamed: isNamed, from: from, before: before))]
        case .name:
            let named = [ordered(.named(beginning: ""))]
            return isNamed ? named : named + [ordered(.all, "l.name IS NULL")]
        case .clicks:
            let isNeverClicked: SQL = "\(sql: clicks) = 0"
            return [ordered(.clicked), ordered(.all, isNeverClicked)].map { part in
                guard isNamed else { return part }
                var part = part
                part.condition = part.condition.map { "\(sql: $0) AND l.name IS NOT NULL" } ?? "l.name IS NOT NULL"
                return part
            }
        }
    }

    /// Names that begin with a text, then endings that do, then the names in which its words stand elsewhere.
    private static func bestFirst(_ text: String, _ query: LinkQuery, in project: Project) -> [Part] {
        let end = text + "\u{10FFFF}"
        // The engine folds both sides: what it knows of letters beyond ASCII is its own affair.
        let isNamed: SQL = """
            l.name IS NOT NULL AND lower(l.name) >= lower(\(text)) AND lower(l.name) < lower(\(end))
            """
        var parts = [Part(way: .named(beginning: text))]
        var isElsewhere: SQL = "NOT (\(sql: isNamed))"
        for (domain, beginning) in endings(text, in: project) {
            parts.append(Part(way: .ending(on: domain, beginning: beginning), condition: "NOT (\(sql: isNamed))"))
            isElsewhere.append(
                """
                 AND NOT (l.domain = \(domain) AND l.suffix >= \(beginning) AND l.suffix < \(beginning + "\u{7F}"))
                """)
        }
        let all = LinkWay.made(
            isNewestFirst: true, isNamed: true, from: query.madeFrom, before: query.madeBefore)
        return parts + [Part(way: all, condition: isElsewhere, comparesText: true)]
    }

    /// The domains on which a text may be the beginning of an ending, alone or behind the domain's URL.
    private static func endings(_ text: String, in project: Project) -> [(domain: String, beginning: String)] {
        let roots = project.linkDomains.map { ($0.text, $0.baseURL + "/") }
        return roots.map { domain, root in (domain, text.hasPrefix(root) ? String(text.dropFirst(root.count)) : text) }
            .filter { $0.1.utf8.allSatisfy(ASCII.isBase64URL) && $0.1.utf8.count <= LinkSuffix.longestLength }
    }

    // MARK: Conditions

    /// The clicks of people on a link `l`, ever.
    private static let clicks: SQL = """
        COALESCE((SELECT c.clicks FROM link_counts c WHERE c.project = l.project AND c.domain = l.domain
            AND c.suffix = l.suffix AND c.day = 0 AND c.platform = 0), 0)
        """

    /// What all ways ask, of a link's row `l`.
    private static func condition(of query: LinkQuery, on way: LinkWay?, at now: Moment) -> SQL {
        var conditions: [SQL] = []
        if let state = query.state {
            conditions.append(Self.condition(of: state, at: now))
        } else {
            conditions.append(query.includesDeleted ? "1 = 1" : "l.deleted_at IS NULL")
            if !query.includesArchived { conditions.append("l.archived = 0") }
        }
        if let domain = query.domain { conditions.append("l.domain = \(domain.text)") }
        if case .made? = way {
        } else {
            if let from = query.madeFrom { conditions.append("l.created_at >= \(from)") }
            if let before = query.madeBefore { conditions.append("l.created_at < \(before)") }
        }
        if let target = query.sought(\.target).map({ LinkTargetKey($0) }) {
            conditions.append("l.target_key >= \(target.text) AND l.target_key < \(target.end)")
        }
        if let tag = query.sought(\.tag) {
            // EXISTS would have PostgreSQL read all rows of tags into memory.
            conditions.append(
                """
                COALESCE((SELECT 1 FROM link_tags g WHERE g.project = l.project AND g.tag = \(tag)
                    AND g.domain = l.domain AND g.suffix = l.suffix LIMIT 1), 0) = 1
                """)
        }
        return conditions.dropFirst().reduce(conditions[0]) { "\(sql: $0) AND \(sql: $1)" }
    }

    /// ``LinkDetails/state(at:clicks:isDeleted:isArchived:)`` as a condition.
    private static func condition(of state: LinkState, at now: Moment) -> SQL {
        let isEnded: SQL = """
            (COALESCE(l.ends_at <= \(now), FALSE) OR COALESCE(l.max_clicks <= \(sql: clicks), FALSE))
            """
        return switch state {
        case .deleted: "l.deleted_at IS NOT NULL"
        case .disabled: "l.deleted_at IS NULL AND l.is_off <> 0"
        case .ended: "l.deleted_at IS NULL AND l.is_off = 0 AND \(sql: isEnded)"
        case .archived: "l.deleted_at IS NULL AND l.is_off = 0 AND l.archived <> 0 AND NOT \(sql: isEnded)"
        case .active: "l.deleted_at IS NULL AND l.is_off = 0 AND l.archived = 0 AND NOT \(sql: isEnded)"
        }
    }

    // MARK: A page

    /// The links of a page, in their order, and where the next one begins; nil behind the last.
    func page(
        after start: Place, _ tx: borrowing ProjectTransaction
    ) throws -> (links: [LinkWay.Place], next: Place?) {
        var (found, place, looked): ([Place], Place, Int) = ([], start, 0)
        while place.way < parts.count {
            let part = parts[place.way]
            let limit = looked == 0 ? query.pageLength + 1 : Self.step
            let rows = try tx.run(candidates(part, after: place.on, limit: limit))
            for row in rows {
                let (on, isWanted) = try read(row, part)
                if isWanted {
                    guard found.count < query.pageLength else { return (found.map(\.on), found.last) }
                    found.append(Place(way: place.way, on: on))
                }
                place.on = on
            }
            looked += rows.count
            if rows.count < limit {
                place = Place(way: place.way + 1)
            } else if looked >= Self.mostLookedAt {
                return (found.map(\.on), place)
            }
        }
        return (found.map(\.on), nil)
    }

    private func candidates(_ part: Part, after place: LinkWay.Place, limit: Int) -> SQL {
        let isWanted = part.condition.map { "\(sql: condition) AND \(sql: $0)" as SQL } ?? condition
        return part.way.candidates(
            after: place, in: project, limit: limit,
            isWanted: "CASE WHEN \(sql: isWanted) THEN 1 ELSE 0 END", text: part.comparesText ? "l.name" : "NULL")
    }

    private func read(_ row: Row, _ part: Part) throws -> (place: LinkWay.Place, isWanted: Bool) {
        var row = row
        var place = LinkWay.Place(key: "", domain: try row.text(), suffix: try row.id())
        place.key = part.way.hasNumbers ? String(try row.int()) : try row.text()
        guard try row.optionalInt() == 1, domains.contains(where: { $0.utf8.elementsEqual(place.domain.utf8) })
        else { return (place, false) }
        return (place, try !part.comparesText || hasWords(try row.optionalText(), place))
    }

    private func hasWords(_ name: String?, _ place: LinkWay.Place) -> Bool {
        let isEnding = endings.contains { domain, beginning in
            domain.utf8.elementsEqual(place.domain.utf8) && place.suffix.text.utf8.starts(with: beginning.utf8)
        }
        if isEnding { return true }
        guard let name = name?.lowercased() else { return false }
        return words.allSatisfy { ASCII.contains(name, $0) }
    }

    // MARK: Tokens

    /// The place in a token: names and keys have no line ends.
    static func text(of place: Place) -> String {
        "\(place.way)\n\(place.on.key)\n\(place.on.domain)\n\(place.on.suffix)"
    }

    /// - Throws: ``Refusal/invalidPageSelection``.
    func place(_ text: String) throws(Refusal) -> Place {
        guard !text.isEmpty else { return Place() }
        let pieces = ASCII.split(text, at: UInt8(ascii: "\n")).map(String.init)
        guard pieces.count == 4, let way = Int(pieces[0]), parts.indices.contains(way) else {
            throw .invalidPageSelection
        }
        return Place(
            way: way, on: LinkWay.Place(key: pieces[1], domain: pieces[2], suffix: LinkSuffix(pieces[3])))
    }
}

extension LinkWay {
    /// Whether the index sorts by a number first.
    fileprivate var hasNumbers: Bool {
        switch self {
        case .made, .clicked: true
        case .named, .ending, .target, .tag, .all: false
        }
    }
}

extension LinkQuery {
    fileprivate var isSearch: Bool { sought(\.text) != nil || sought(\.target) != nil || sought(\.tag) != nil }

    fileprivate var pageLength: Int { min(max(pageSize, 1), Self.mostOnPage) }
}
