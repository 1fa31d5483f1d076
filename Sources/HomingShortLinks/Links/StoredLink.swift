// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingDatabase
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
    package let details: LinkDetails
    /// From then on the link is gone, and its ending is never given away.
    package let deletedAt: Moment?
    /// Grows by one with each change, from 1 on.
    package let version: Int64
    /// When this version was made; nil for a link that was never changed.
    package let updatedAt: Moment?
    /// Who made this version (``Authority/text``); nil where an app did, or nobody knows.
    package let author: String?

    package static let columns: SQL = """
        project, domain, suffix, query, name, archived, created_at, details, deleted_at, version, changed_at, author
        """

    package init(
        project: Scope, domain: String, suffix: LinkSuffix, query: String, name: String?, isArchived: Bool = false,
        createdAt: Moment, details: LinkDetails = LinkDetails(), deletedAt: Moment? = nil, version: Int64 = 1,
        updatedAt: Moment? = nil, author: String? = nil
    ) {
        self.project = project
        self.domain = domain
        self.suffix = suffix
        self.query = query
        self.name = name
        self.isArchived = isArchived
        self.createdAt = createdAt
        self.details = details
        self.deletedAt = deletedAt
        self.version = version
        self.updatedAt = updatedAt
        self.author = author
    }

    package init(_ row: consuming Row) throws {
        self.init(
            project: try row.id(), domain: try row.text(), suffix: try row.id(), query: try row.text(),
            name: try row.optionalText(), isArchived: try row.bool(), createdAt: try row.moment(),
            details: try LinkDetails(stored: try row.optionalText()), deletedAt: try row.optionalMoment(),
            version: try row.int(), updatedAt: try row.optionalMoment(), author: try row.optionalText())
    }

    package func content() throws -> LinkContent {
        LinkContent(try DynamicLinkParameters(query: query), name: name, details: details)
    }

    /// By what the link is found (``LinkTargetKey``). One that cannot be read leads nowhere, and is found by nothing.
    package var targetKey: String { Self.targetKey(of: query) }

    package static func targetKey(of query: String) -> String {
        LinkTargetKey((try? DynamicLinkParameters(query: query))?.link ?? "").text
    }

    /// - Parameter clicks: those of people, ever.
    package func state(at now: Moment, clicks: Int64) -> LinkState {
        details.state(at: now, clicks: clicks, isDeleted: deletedAt != nil, isArchived: isArchived)
    }

    /// Whether a list can show a name: 1 to 200 characters without control characters.
    package static func isName(_ text: String) -> Bool {
        (1...1_000).contains(text.utf8.count) && text.count <= 200 && text.utf8.allSatisfy { !ASCII.isControl($0) }
    }

    /// Whether a request for a link of this content should get this link again.
    func isSame(query: String, name: String?, details: LinkDetails) -> Bool {
        deletedAt == nil && self.query.utf8.elementsEqual(query.utf8) && self.details == details
            && self.name.map { Array($0.utf8) } == name.map { Array($0.utf8) }
    }
}

/// How the last segment of a new short link is made.
package enum LinkEnding: Sendable, Equatable {
    /// 96 bits in 17 characters: nobody finds it by trying.
    case unguessable
    /// From four characters on, longer as they fill up.
    case short
    /// From seven characters on, to be read out and typed: what an operator's link gets unless another one is wanted.
    /// There are too many of them to find links by trying.
    case handy
    /// The operator's own suffix.
    case custom(LinkSuffix)
}
