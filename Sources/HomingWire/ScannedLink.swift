// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// A link around which a mail scanner or a mail page has put a link of its own, so that a tap passes by its server.
///
/// Only links that hold the inner link whole and readable in one way are opened. Opaque links, such as Mimecast's, mean
/// nothing without their server; they stay closed, and so does every wrapper that is not listed here.
package enum ScannedLink: Equatable {
    /// Not one of the wrappers that we know.
    case none
    /// The link inside, decoded once.
    case holding(String)
    /// A known wrapper without an inner link that can be read in one way only.
    case unreadable

    /// Reads one layer.
    package init(_ url: String) {
        guard let location = WebLocation(url), let scanner = Scanner(location) else {
            self = .none
            return
        }
        guard let inner = scanner.inner(of: location, in: url), WebLocation(inner) != nil else {
            self = .unreadable
            return
        }
        self = .holding(inner)
    }
}

/// Host, path and query of a web URL; nothing in it is decoded.
struct WebLocation {
    let host: Substring
    let path: Substring
    let query: Substring?

    /// Nil for anything but http and https with a host; a user in front of the host and a port are part of ``host``.
    init?(_ url: String) {
        let parts = URLParts(url)
        guard let scheme = ["https://", "http://"].first(where: { parts.base.hasPrefixFoldingASCII($0) })
        else { return nil }
        let rest = Substring(parts.base.utf8.dropFirst(scheme.utf8.count))
        let slash = rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
        guard slash != rest.startIndex else { return nil }
        host = rest[..<slash]
        path = rest[slash...]
        query = parts.query
    }

    /// Whether every reader finds the same host: no user in front of it, nothing encoded, no backslash.
    var isPlain: Bool {
        host.utf8.allSatisfy { $0 != UInt8(ascii: "@") && $0 != UInt8(ascii: "%") && $0 != UInt8(ascii: "\\") }
    }

    func isOn(_ host: String) -> Bool { self.host.isSameFoldingASCII(host) }

    func isUnder(_ domain: String) -> Bool {
        host.utf8.count > domain.utf8.count
            && Substring(host.utf8.suffix(domain.utf8.count)).isSameFoldingASCII(domain)
    }

    /// The value of the only parameter of these names, not decoded. Nil where there are several, and where parameters
    /// of ours are beside it: then the inner link was not encoded and has fallen apart.
    func onlyValue(of names: [String]) -> Substring? {
        var found: Substring?
        for piece in (query ?? "").pieces(separatedBy: UInt8(ascii: "&")) {
            let end = piece.index(ofByte: UInt8(ascii: "=")) ?? piece.endIndex
            let name = piece[..<end]
            guard !IncomingAction.isTelling(name) else { return nil }
            guard names.contains(where: { $0.utf8.elementsEqual(name.utf8) }) else { continue }
            guard found == nil, end != piece.endIndex else { return nil }
            found = piece[piece.utf8.index(after: end)...]
        }
        return found
    }
}

private enum Scanner {
    case safeLinks, proofpoint1, proofpoint2, proofpoint3, google, barracuda, cisco

    init?(_ location: WebLocation) {
        func has(_ path: String) -> Bool { location.path.utf8.elementsEqual(path.utf8) }
        if location.isUnder(".safelinks.protection.outlook.com")
            || location.isUnder(".safelinks.protection.office365.us")
        {
            self = .safeLinks
        } else if location.isOn("urldefense.proofpoint.com"), has("/v1/url") {
            self = .proofpoint1
        } else if location.isOn("urldefense.proofpoint.com"), has("/v2/url") {
            self = .proofpoint2
        } else if location.isOn("urldefense.com") || location.isOn("urldefense.us")
            || location.isOn("urldefense.proofpoint.com"), location.path.utf8.starts(with: "/v3/__".utf8)
        {
            self = .proofpoint3
        } else if location.isOn("www.google.com") || location.isOn("google.com"), has("/url") {
            self = .google
        } else if location.isOn("linkprotect.cudasvc.com"), has("/url") {
            self = .barracuda
        } else if location.isOn("secure-web.cisco.com") {
            self = .cisco
        } else {
            return nil
        }
    }

    func inner(of location: WebLocation, in url: String) -> String? {
        switch self {
        case .safeLinks: location.onlyValue(of: ["url"]).flatMap(percentDecoded)
        case .proofpoint1: location.onlyValue(of: ["u"]).flatMap(percentDecoded)
        case .proofpoint2: location.onlyValue(of: ["u"]).flatMap(Proofpoint.second)
        case .proofpoint3: Proofpoint.third(url)
        case .google: location.onlyValue(of: ["q", "url"]).flatMap(percentDecoded)
        case .barracuda: location.onlyValue(of: ["a"]).flatMap(percentDecoded)
        case .cisco: Self.cisco(location)
        }
    }

    /// `/{token}/{the link, percent-encoded whole}`
    private static func cisco(_ location: WebLocation) -> String? {
        let segments = location.path.utf8.dropFirst().split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard segments.count == 2, location.query == nil else { return nil }
        return percentDecoded(Substring(segments[1]))
    }
}
