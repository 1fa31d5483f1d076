// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

extension Links {
    /// A link that is in memory as it is asked for; nil when ``open(_:query:at:)`` has to look for it.
    package func kept(_ part: LinkPath, query: String?, at place: LinkPlace) -> IncomingLink? {
        let link: OpenedLink? =
            switch part {
            case .nowhere, .authLinks: nil
            case .root: query.flatMap { longLinks.link(LinkCache.Key(domain: place.domain.text, name: $0)) }
            case .suffix(let suffix):
                if let query, !query.isEmpty {
                    nil
                } else {
                    keptLink(String(suffix), on: place.domain, of: place.project)
                }
            }
        return link.map { IncomingLink(place: place, opened: $0) }
    }

    /// Finds the link behind a path and a query on a domain; nil when there is none.
    ///
    /// - Throws: ``DynamicLinkFault`` for a long link that cannot be read.
    package func open(_ part: LinkPath, query: String?, at place: LinkPlace) async throws -> IncomingLink? {
        switch part {
        case .nowhere, .authLinks: return nil
        case .root:
            guard let query, let link = try longLink(query, at: place) else { return nil }
            return IncomingLink(place: place, opened: link)
        case .suffix(let suffix):
            guard let link = try await link(String(suffix), on: place.domain, of: place.project) else { return nil }
            guard let query, !query.isEmpty else { return IncomingLink(place: place, opened: link) }
            var parameters = link.parameters
            Self.takeCampaign(from: query, into: &parameters)
            let tail = Self.withoutMark(query)
            return IncomingLink(
                place: place,
                opened: OpenedLink(
                    link, parameters: parameters, url: tail.isEmpty ? link.url : "\(link.url)?\(tail)",
                    isDebug: Self.has("d=1", in: query), wasAsked: Self.has(LinkResolution.askedMark, in: query)))
        }
    }

    /// A long link, parsed once while it is in the cache.
    private func longLink(_ query: String, at place: LinkPlace) throws(DynamicLinkFault) -> OpenedLink? {
        let key = LinkCache.Key(domain: place.domain.text, name: query)
        if let link = longLinks.link(key) { return link }
        guard Self.namesLink(query) else { return nil }
        let parsed = try DynamicLinkQuery(parsing: query)
        let link = OpenedLink(
            parsed, url: "\(place.domain.baseURL)/?\(Self.withoutMark(query))",
            wasAsked: Self.has(LinkResolution.askedMark, in: query))
        // What is refused, or carries junk, is not worth a place that a link could have.
        if query.utf8.count <= Self.longestKeptQuery, parsed.unknown.isEmpty, (try? link.check(at: place)) != nil {
            longLinks.keep(link, as: key)
        }
        return link
    }

    /// Whether a parameter `link` is there, said or empty.
    private static func namesLink(_ query: String) -> Bool {
        query.utf8.split(separator: UInt8(ascii: "&")).contains { piece in
            piece.starts(with: "link".utf8) && [nil, UInt8(ascii: "=")].contains(piece.dropFirst(4).first)
        }
    }

    /// Whether this is one of the query's pieces.
    private static func has(_ piece: String, in query: String) -> Bool {
        query.utf8.split(separator: UInt8(ascii: "&")).contains { $0.elementsEqual(piece.utf8) }
    }

    /// As it may stand in a URL of ours: what browsers would repair is percent-encoded, the mark is left out.
    private static func withoutMark(_ query: String) -> String {
        let query = LinkResolution.contained(query[...])
        guard has(LinkResolution.askedMark, in: query) else { return query }
        return query.utf8.split(separator: UInt8(ascii: "&")).map { Substring($0) }
            .filter { !$0.utf8.elementsEqual(LinkResolution.askedMark.utf8) }.joined(separator: "&")
    }

    /// A click may say where it came from; everything else in a short link's query is left alone.
    private static func takeCampaign(from query: String, into parameters: inout DynamicLinkParameters) {
        guard query.utf8.starts(with: "utm_".utf8) || query.contains("&utm_"),
            let query = QueryString(parsing: query)
        else { return }
        func value(_ name: String) -> String? {
            guard let value = query[name], !value.isEmpty, value.utf8.count <= 256 else { return nil }
            return value
        }
        parameters.campaign.source = value("utm_source") ?? parameters.campaign.source
        parameters.campaign.medium = value("utm_medium") ?? parameters.campaign.medium
        parameters.campaign.campaign = value("utm_campaign") ?? parameters.campaign.campaign
        parameters.campaign.term = value("utm_term") ?? parameters.campaign.term
        parameters.campaign.content = value("utm_content") ?? parameters.campaign.content
    }
}
