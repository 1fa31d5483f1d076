// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
package import HomingLinkRules
package import HomingStore
import HomingWire

/// A short link in the database: a suffix on a link domain, and the query of the long link.
package struct StoredLink: Sendable, Equatable {
    package let project: Scope
    /// The link domain in its one spelling, prefix included.
    package let domain: String
    package let suffix: LinkSuffix
    /// The long link's query, canonical.
    package let query: String
    /// The name that an operator gave; nil for links that apps made.
    package let name: String?
    /// Archived links are not listed, but keep their target.
    package let isArchived: Bool
    package let createdAt: Moment

    static let columns: SQL = "project, domain, suffix, query, name, archived, created_at"

    package init(
        project: Scope, domain: String, suffix: LinkSuffix, query: String, name: String?, isArchived: Bool = false,
        createdAt: Moment
    ) {
        self.project = project
        self.domain = domain
        self.suffix = suffix
        self.query = query
        self.name = name
        self.isArchived = isArchived
        self.createdAt = createdAt
    }

    init(_ row: consuming Row) throws {
        self.init(
            project: try row.id(), domain: try row.text(), suffix: try row.id(), query: try row.text(),
            name: try row.optionalText(), isArchived: try row.bool(), createdAt: try row.moment())
    }

    /// Whether a list can show a name: 1 to 200 characters without control characters.
    package static func isName(_ text: String) -> Bool {
        (1...1_000).contains(text.utf8.count) && text.count <= 200 && text.utf8.allSatisfy { !ASCII.isControl($0) }
    }

    /// Whether a request for this long link and name should get this link again.
    func isSame(query: String, name: String?) -> Bool {
        self.query.utf8.elementsEqual(query.utf8) && self.name.map { Array($0.utf8) } == name.map { Array($0.utf8) }
    }
}

/// How the last segment of a new short link is made.
package enum LinkEnding: Sendable, Equatable {
    /// 96 bits in 17 characters: nobody finds it by trying.
    case unguessable
    /// From four characters on, longer as they fill up.
    case short
    /// The operator's own suffix.
    case custom(LinkSuffix)
}
