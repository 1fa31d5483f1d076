// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// The kind of a URL on one of an app's link domains, by its shape; no server is asked.
package enum LinkDomainURL: Sendable, Equatable {
    /// `{prefix}/__/auth/links?link=…`: the URL that was wrapped.
    case wrapper(String)
    /// `{prefix}/?link=…`: a dynamic link with all its parameters.
    case long(DynamicLinkParameters)
    /// A dynamic link whose parameters only a server knows.
    case short
    /// A URL on a link domain that cannot be read.
    case unreadable

    /// Reads a URL.
    ///
    /// A long link under a prefix with a path is a long link here; Firebase's client takes the path for a short link's
    /// ending (``DynamicLinkShape/matchesShortLinkFormat(_:customDomains:)``).
    ///
    /// - Parameters:
    ///   - url: the URL as it came.
    ///   - domains: the app's link domains as full prefixes.
    ///   - wrappers: further prefixes that only have `/__/auth/links`.
    /// - Returns: nil for a URL that is on none of them.
    package init?(_ url: String, domains: [String], wrappers: [String] = []) {
        let parts = URLParts(url)
        let ways = domains.compactMap { Self.way(of: parts.base, under: $0) }
        let wrapperWays = wrappers.compactMap { Self.way(of: parts.base, under: $0) }
        func isWrapper(_ way: Substring) -> Bool {
            ["/__/auth/links", "/__/auth/links/"].contains { $0.utf8.elementsEqual(way.utf8) }
        }
        func isRoot(_ way: Substring) -> Bool { way.utf8.isEmpty || way.utf8.elementsEqual("/".utf8) }
        if ways.contains(where: isWrapper) || wrapperWays.contains(where: isWrapper) {
            let query = QueryString(parsing: parts.query ?? "")
            guard let query, !query.repeats("link"), let link = query["link"], !link.utf8.isEmpty else {
                self = .unreadable
                return
            }
            self = .wrapper(link)
        } else if ways.contains(where: isRoot) {
            self.init(long: parts.query)
        } else if DynamicLinkShape.isParsable(url, customDomains: domains) {
            guard DynamicLinkShape.matchesShortLinkFormat(url, customDomains: domains) else {
                self.init(long: parts.query)
                return
            }
            self = .short
        } else {
            return nil
        }
    }

    /// Nil without a web URL in `link`.
    private init?(long query: Substring?) {
        do throws(DynamicLinkFault) {
            let parameters = try DynamicLinkParameters(query: query ?? "")
            guard WebLocation(parameters.link) != nil else { return nil }
            self = .long(parameters)
        } catch .missingLink {
            return nil
        } catch {
            self = .unreadable
        }
    }

    /// The path behind a prefix, from the slash on; nil where the URL is not under the prefix.
    private static func way(of base: Substring, under prefix: String) -> Substring? {
        let prefix = prefix.utf8.last == UInt8(ascii: "/") ? prefix.dropLast() : Substring(prefix)
        guard base.hasPrefixFoldingASCII(prefix),
            prefix.hasPrefixFoldingASCII("https://") || prefix.hasPrefixFoldingASCII("http://")
        else { return nil }
        let way = Substring(base.utf8.dropFirst(prefix.utf8.count))
        return way.utf8.isEmpty || way.utf8.first == UInt8(ascii: "/") ? way : nil
    }
}
