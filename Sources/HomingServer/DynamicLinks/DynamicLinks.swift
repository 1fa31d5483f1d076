// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
import HomingShortLinks
import HomingStore
import HomingWire

/// The Dynamic Links API, one file per operation; this file has the parts that they share.
enum DynamicLinks {
    /// A link that an app or an operator names by its URL.
    static func open(_ url: String, _ homing: Homing) async throws -> IncomingLink? {
        guard let located = homing.projects.locate(url) else { return nil }
        return try await homing.links.open(located.part, query: located.query, at: located.site)
    }

    /// Checks the targets of a link that is used, and leaves out those that are short links
    /// (``Links/settled(_:acceptLanguage:)``).
    static func checked(
        _ link: IncomingLink, acceptLanguage: String? = nil, in homing: Homing
    ) async throws -> IncomingLink {
        try check(link)
        return try await homing.links.settled(link, acceptLanguage: acceptLanguage)
    }

    /// Makes the checks that need no wait, which are all for most links; most links were checked before.
    static func check(_ link: IncomingLink) throws(Refusal) {
        do {
            try link.check()
        } catch {
            throw error.refusal
        }
    }

    static func read(_ query: String) throws(Refusal) -> DynamicLinkQuery {
        do {
            return try DynamicLinkQuery(parsing: query)
        } catch {
            throw .invalidDynamicLink(code: error == .missingLink ? "MISSING_LINK" : "INVALID_LINK", "\(error)")
        }
    }
}
