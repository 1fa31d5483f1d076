// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingLinkRules
package import HomingProjects
import HomingStore
import HomingWire

extension Links {
    /// A link in memory; nil when ``open(_:query:at:)`` has to look for the link.
    package func kept(_ part: LinkPath, query: String?, at site: LinkSite) -> IncomingLink? {
        let link: ParsedLink? =
            switch part {
            case .nowhere, .authLinks: nil
            case .root: query.flatMap { longLinks.link(LinkCache.Key(domain: site.domain.text, name: $0)) }
            case .suffix(let suffix):
                if let query, !query.isEmpty {
                    nil
                } else {
                    keptLink(suffix, on: site.domain, of: site.project)
                }
            }
        return link.map { IncomingLink(site: site, parsed: $0) }
    }

    /// Finds the link behind a path and a query on a domain; nil when there is none.
    ///
    /// - Throws: ``DynamicLinkFault`` for a long link that cannot be read.
    package func open(_ part: LinkPath, query: String?, at site: LinkSite) async throws -> IncomingLink? {
        switch part {
        case .nowhere, .authLinks: return nil
        case .root:
            guard let query, let link = try longLink(query, at: site) else { return nil }
            return IncomingLink(site: site, parsed: link)
        case .suffix(let suffix):
            guard let link = try await link(suffix, at: site) else { return nil }
            guard let query, !query.isEmpty else { return IncomingLink(site: site, parsed: link) }
            let passed = PassedParameters(behind: query, all: site.passesAllParameters)
            var parameters = link.parameters
            parameters.campaign.take(passed)
            let tail = Self.withoutMark(query)
            return IncomingLink(
                site: site,
                parsed: ParsedLink(
                    link, parameters: parameters, passed: passed,
                    url: tail.isEmpty ? link.url : "\(link.url)?\(tail)",
                    isDebug: Self.has("d=1", in: query), wasAsked: Self.has(LinkResolution.askedMark, in: query)))
        }
    }

    /// Parses a long link, once while it is in the cache.
    private func longLink(_ query: String, at site: LinkSite) throws(DynamicLinkFault) -> ParsedLink? {
        let key = LinkCache.Key(domain: site.domain.text, name: query)
        if let link = longLinks.link(key) { return link }
        guard Self.namesLink(query) else { return nil }
        let parsed = try DynamicLinkQuery(parsing: query)
        let link = ParsedLink(
            parsed, url: "\(site.domain.baseURL)/?\(Self.withoutMark(query))",
            wasAsked: Self.has(LinkResolution.askedMark, in: query))
        // A link that is refused, or carries junk, must not take the room of another link.
        if query.utf8.count <= Self.longestKeptQuery, parsed.unknown.isEmpty,
            (try? link.check(by: site.rules, in: site.edition)) != nil
        {
            longLinks.keep(link, as: key)
        }
        return link
    }

    /// Whether a parameter `link` is present, with or without a value.
    private static func namesLink(_ query: String) -> Bool {
        query.utf8.split(separator: UInt8(ascii: "&")).contains { piece in
            piece.starts(with: "link".utf8) && [nil, UInt8(ascii: "=")].contains(piece.dropFirst(4).first)
        }
    }

    /// Whether a piece is one of the query's pieces.
    private static func has(_ piece: String, in query: String) -> Bool {
        query.utf8.split(separator: UInt8(ascii: "&")).contains { $0.elementsEqual(piece.utf8) }
    }

    /// The query for a URL of ours: bytes that browsers would repair are percent-encoded, the mark is left out.
    private static func withoutMark(_ query: String) -> String {
        let query = LinkResolution.contained(query[...])
        guard has(LinkResolution.askedMark, in: query) else { return query }
        return query.utf8.split(separator: UInt8(ascii: "&")).map { Substring($0) }
            .filter { !$0.utf8.elementsEqual(LinkResolution.askedMark.utf8) }.joined(separator: "&")
    }
}

extension DynamicLinkParameters.Campaign {
    /// Takes what came behind a short link in the place of what the link itself says.
    fileprivate mutating func take(_ passed: PassedParameters) {
        guard passed != .none else { return }
        source = passed["utm_source"] ?? source
        medium = passed["utm_medium"] ?? medium
        campaign = passed["utm_campaign"] ?? campaign
        term = passed["utm_term"] ?? term
        content = passed["utm_content"] ?? content
        clickID = passed["gclid"] ?? clickID
    }
}
