// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
import HomingLinkRules
import HomingStore

/// A way through an index of links, on which a page begins wherever the one before has ended: it costs the same however
/// many links there are, and however many pages were before.
enum LinkWay: Sendable {
    /// By name; only those that begin with a text, in whatever case.
    case named(beginning: String)
    /// By the endings on one domain; only those that begin with a text.
    case ending(on: String, beginning: String)
    case target(LinkTargetKey)
    case tag(String)
    case made(isNewestFirst: Bool, isNamed: Bool, from: Moment?, before: Moment?)
    /// By the clicks of people, the most first; only those that have any.
    case clicked
    /// By domain and ending.
    case all

    /// A link on the way.
    struct Place: Sendable {
        /// What the index sorts by before domain and ending: a text, or a number; empty at the beginning, and where it
        /// sorts by nothing else.
        var key = ""
        var domain = ""
        var suffix = LinkSuffix("")
    }

    /// Links from a place on: `domain`, `suffix`, the key, and two columns that are asked of each link's row `l`.
    ///
    /// What decides whether a link is wanted is no condition: the index alone says which rows are read.
    func candidates(after place: Place, in project: Scope, limit: Int, isWanted: SQL, text: SQL) -> SQL {
        let (domain, suffix) = (place.domain, place.suffix)
        let inRow: SQL = "\(sql: isWanted), \(sql: text) FROM links l WHERE l.project = \(project)"
        switch self {
        case .named(let beginning):
            // A row value is no bound where an index has an expression.
            let from: SQL = place.key.isEmpty ? "lower(\(beginning))" : "\(place.key)"
            return """
                SELECT l.domain, l.suffix, lower(l.name), \(sql: inRow) AND l.name IS NOT NULL
                    AND lower(l.name) >= \(sql: from) AND lower(l.name) < lower(\(beginning + "\u{10FFFF}"))
                    AND (lower(l.name), l.domain, l.suffix) > (\(place.key), \(domain), \(suffix))
                ORDER BY lower(l.name), l.domain, l.suffix LIMIT \(limit)
                """
        case .ending(let owner, let beginning):
            let from = suffix.text.isEmpty ? beginning : suffix.text
            let isBehind: SQL = suffix.text.isEmpty ? "l.suffix >= \(from)" : "l.suffix > \(from)"
            return """
                SELECT l.domain, l.suffix, '', \(sql: inRow) AND l.domain = \(owner) AND \(sql: isBehind)
                    AND l.suffix < \(beginning + "\u{7F}") ORDER BY l.suffix LIMIT \(limit)
                """
        case .target(let key):
            let from = place.key.isEmpty ? key.text : place.key
            return """
                SELECT l.domain, l.suffix, l.target_key, \(sql: inRow) AND l.target_key IS NOT NULL
                    AND (l.target_key, l.domain, l.suffix) > (\(from), \(domain), \(suffix))
                    AND l.target_key < \(key.end)
                ORDER BY l.target_key, l.domain, l.suffix LIMIT \(limit)
                """
        case .tag(let tag):
            return """
                SELECT t.domain, t.suffix, '', \(sql: Self.asked(isWanted, "t")), \(sql: Self.asked(text, "t"))
                FROM link_tags t WHERE t.project = \(project) AND t.tag = \(tag)
                    AND (t.domain, t.suffix) > (\(domain), \(suffix))
                ORDER BY t.domain, t.suffix LIMIT \(limit)
                """
        case .made(let isNewestFirst, let isNamed, let from, let before):
            let named: SQL = isNamed ? "AND coalesce(l.name, '') <> ''" : ""
            let key = Int64(place.key)
            let begin = Moment(milliseconds: key ?? from?.milliseconds ?? .min)
            let end = Moment(milliseconds: key ?? before?.milliseconds ?? .max)
            return isNewestFirst
                ? """
                SELECT l.domain, l.suffix, l.created_at, \(sql: inRow) \(sql: named)
                    AND (l.created_at, l.domain, l.suffix) < (\(end), \(domain), \(suffix))
                    AND l.created_at >= \(from ?? Moment(milliseconds: .min))
                ORDER BY l.created_at DESC, l.domain DESC, l.suffix DESC LIMIT \(limit)
                """
                : """
                SELECT l.domain, l.suffix, l.created_at, \(sql: inRow) \(sql: named)
                    AND (l.created_at, l.domain, l.suffix) > (\(begin), \(domain), \(suffix))
                    AND l.created_at < \(before ?? Moment(milliseconds: .max))
                ORDER BY l.created_at, l.domain, l.suffix LIMIT \(limit)
                """
        case .clicked:
            return """
                SELECT c.domain, c.suffix, c.clicks, \(sql: Self.asked(isWanted, "c")), \(sql: Self.asked(text, "c"))
                FROM link_counts c WHERE c.project = \(project) AND c.day = 0
                    AND (c.clicks, c.domain, c.suffix) < (\(Int64(place.key) ?? .max), \(domain), \(suffix))
                    AND c.clicks > 0
                ORDER BY c.clicks DESC, c.domain DESC, c.suffix DESC LIMIT \(limit)
                """
        case .all:
            return """
                SELECT l.domain, l.suffix, '', \(sql: inRow) AND (l.domain, l.suffix) > (\(domain), \(suffix))
                ORDER BY l.domain, l.suffix LIMIT \(limit)
                """
        }
    }

    /// A column of the link that a row of another table is about.
    private static func asked(_ column: SQL, _ row: SQL) -> SQL {
        """
        (SELECT \(sql: column) FROM links l WHERE l.project = \(sql: row).project AND l.domain = \(sql: row).domain
            AND l.suffix = \(sql: row).suffix)
        """
    }
}
