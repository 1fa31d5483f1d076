// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// Whether a URL looks like a dynamic link, by the rules of Firebase's client for iOS.
///
/// No server is asked. An app's own link domains are given as full prefixes (`https://links.example/app`); a slash at
/// their end does not count, and entries without http or https are skipped. Hosts and prefixes are compared in any case
/// of ASCII letters.
public enum DynamicLinkShape {
    /// Whether this is a short link, a long link with an http or https `link`, or an old invitation.
    public static func isParsable(_ url: String, customDomains: [String]) -> Bool {
        guard let shape = WebShape(url) else { return false }
        return shape.isParsable(customDomains: customDomains)
    }

    /// Whether a server has to be asked for the link's parameters.
    ///
    /// Also true for a long link on a custom domain whose prefix has a path: `https://a.example/path/?link=…`.
    /// Firebase's client takes the path for a suffix.
    public static func matchesShortLinkFormat(_ url: String, customDomains: [String]) -> Bool {
        guard let shape = WebShape(url), shape.hasSegment, !shape.isDismissal else { return false }
        return shape.isParsable(customDomains: customDomains)
    }
}

/// A web URL in the pieces that the rules use; nothing in it is decoded.
private struct WebShape {
    /// Everything before the query.
    let base: Substring
    let host: Substring
    let path: Substring
    let query: Substring?
    let hasFragment: Bool

    /// Nil for anything but http and https with a host.
    init?(_ url: String) {
        let parts = URLParts(url)
        base = parts.base
        guard let scheme = ["https://", "http://"].first(where: { parts.base.hasPrefixFoldingASCII($0) }) else {
            return nil
        }
        let rest = Substring(base.utf8.dropFirst(scheme.utf8.count))
        let slash = rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
        guard slash != rest.startIndex else { return nil }
        host = rest[..<slash]
        path = rest[slash...]
        query = parts.query
        hasFragment = !parts.fragment.isEmpty
    }

    /// Whether the path holds more than slashes.
    var hasSegment: Bool { path.utf8.contains { $0 != UInt8(ascii: "/") } }

    /// Whether the URL is `/link/dismiss`, which tells an app only that a person declined.
    var isDismissal: Bool { path.hasPrefixFoldingASCII("/link/dismiss") }

    func isParsable(customDomains: [String]) -> Bool {
        isUnderApp || isOnGoogleDomain || customDomains.contains(where: isUnder)
    }

    /// The oldest form: `https://goo.gl/app/CODE`.
    private var isUnderApp: Bool {
        path.utf8.starts(with: "/app".utf8)
            && ["goo.gl", "page.link", "app.google"].contains { host.isSameFoldingASCII($0) }
    }

    /// `NAME.page.link` and its siblings; Firebase's client knows no hyphen in the name.
    private var isOnGoogleDomain: Bool {
        let isKnown = [".page.link", ".app.goo.gl", ".app.google"].contains { domain in
            let name = host.utf8.dropLast(domain.utf8.count)
            return !name.isEmpty && name.allSatisfy(ASCII.isLetterOrDigit)
                && host[name.endIndex...].isSameFoldingASCII(domain)
        }
        guard isKnown else { return false }
        guard hasSegment else { return isRoot(path) && hasWebLink }
        return path.utf8.starts(with: "/i/".utf8) || isSuffixOnGoogleDomain
    }

    /// One segment, then nothing or a query with a parameter; a slash may only precede the query.
    private var isSuffixOnGoogleDomain: Bool {
        var segment = path.utf8.dropFirst()
        if query != nil, segment.last == UInt8(ascii: "/") { segment = segment.dropLast() }
        guard isSuffix(segment) else { return false }
        return query.map { $0.utf8.contains(UInt8(ascii: "=")) } ?? !hasFragment
    }

    /// On a custom domain, behind its prefix: a segment like a suffix, also one that was damaged on the way and that only
    /// Homing's server takes (``PastedEnding``), or nothing and a link in the query.
    ///
    /// A segment without a letter or digit, as in `/__/auth/links`, is none: it belongs to the server.
    private func isUnder(_ prefix: String) -> Bool {
        guard prefix.hasPrefixFoldingASCII("https://") || prefix.hasPrefixFoldingASCII("http://") else { return false }
        let prefix = prefix.utf8.last == UInt8(ascii: "/") ? prefix.dropLast() : Substring(prefix)
        guard base.hasPrefixFoldingASCII(prefix) else { return false }
        let rest = base.utf8.dropFirst(prefix.utf8.count)
        if rest.isEmpty || rest.elementsEqual("/".utf8) { return hasWebLink }
        guard rest.first == UInt8(ascii: "/") else { return false }
        let segment = rest.dropFirst().prefix { $0 != UInt8(ascii: "/") }
        let isMeant = isSuffix(segment) || PastedEnding.mended(String(decoding: segment, as: UTF8.self)) != nil
        return isMeant && segment.contains(where: ASCII.isLetterOrDigit)
    }

    /// Whether the query has a `link` that is an http or https URL.
    private var hasWebLink: Bool {
        let pieces = (query ?? "").utf8.split(separator: UInt8(ascii: "&")).map(Substring.init)
        let link = pieces.lazy.compactMap(QueryString.parameter).first { $0.name.hasSameBytes(as: "link") }?.value
        guard let link else { return false }
        return link.hasPrefixFoldingASCII("https://") || link.hasPrefixFoldingASCII("http://")
    }

    private func isRoot(_ path: Substring) -> Bool { path.utf8.count <= 1 }
}

private func isSuffix(_ segment: some Collection<UInt8>) -> Bool {
    !segment.isEmpty
        && segment.allSatisfy { ASCII.isBase64URL($0) }
}
