// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// A link that an app gets through its own URL scheme: `{scheme}://google/link/?deep_link_id=…&match_type=…`.
///
/// The host is a name in Firebase's grammar; no request is ever sent to it.
public struct CustomSchemeLink: Sendable, Equatable {
    /// The app's scheme, by default its bundle id; in lower case.
    public let scheme: String
    /// `deep_link_id`: the payload; nil when nothing matched.
    public var deepLink: String?
    /// `match_type`: how certain it is that the payload is meant for this person.
    public var matchType: DynamicLinkMatchType
    /// `imv`: the lowest app version that understands the payload; the app compares it.
    public var minimumVersion: String?
    /// `utm_source`, `utm_medium`, `utm_campaign`, `utm_term` and `utm_content`; the click id is not carried.
    public var campaign: DynamicLinkParameters.Campaign
    /// `match_message`: a sentence for developers.
    public var matchMessage: String?

    /// A link for an app.
    ///
    /// - Returns: nil when the scheme is none that an app may claim (``isScheme(_:)``).
    public init?(
        scheme: String, deepLink: String?, matchType: DynamicLinkMatchType = .unique, minimumVersion: String? = nil,
        campaign: DynamicLinkParameters.Campaign = .init(), matchMessage: String? = nil
    ) {
        guard Self.isScheme(scheme) else { return nil }
        self.scheme = String(decoding: scheme.utf8.map(ASCII.folded), as: UTF8.self)
        self.deepLink = deepLink
        self.matchType = matchType
        self.minimumVersion = minimumVersion
        self.campaign = campaign
        self.matchMessage = matchMessage
    }

    /// The link as text, every value percent-encoded exactly once.
    public var url: String {
        let parameters = [
            ("deep_link_id", deepLink), ("match_type", matchType.rawValue), ("imv", minimumVersion),
            ("utm_source", campaign.source), ("utm_medium", campaign.medium), ("utm_campaign", campaign.campaign),
            ("utm_term", campaign.term), ("utm_content", campaign.content), ("match_message", matchMessage),
        ]
        let query = parameters.compactMap { name, value in value.map { "\(name)=\(percentEncoded($0))" } }
        return "\(scheme)://google/link/?\(query.joined(separator: "&"))"
    }
}

extension CustomSchemeLink {
    /// Reads the URL that an app was opened with. An empty value counts as absent.
    ///
    /// - Parameters:
    ///   - url: the URL as it came.
    ///   - schemes: the app's own schemes, compared in any case of ASCII letters.
    /// - Returns: nil for another scheme, host or path, and where the query cannot be decoded.
    public init?(parsing url: String, schemes: [String]) {
        guard let (scheme, rest) = Self.cut(url), schemes.contains(where: { scheme.isSameFoldingASCII($0) }),
            ["/link", "/link/"].contains(where: { $0.hasSameBytes(as: String(rest.path)) }),
            let query = QueryString(parsing: rest.query)
        else { return nil }
        func value(_ name: String) -> String? { query[name].flatMap { $0.utf8.isEmpty ? nil : $0 } }
        var campaign = DynamicLinkParameters.Campaign()
        campaign.source = value("utm_source")
        campaign.medium = value("utm_medium")
        campaign.campaign = value("utm_campaign")
        campaign.term = value("utm_term")
        campaign.content = value("utm_content")
        let deepLink = value("deep_link_id")
        self.init(
            scheme: String(scheme), deepLink: deepLink,
            matchType: DynamicLinkMatchType(value("match_type"), hasLink: deepLink != nil),
            minimumVersion: value("imv"), campaign: campaign, matchMessage: value("match_message"))
    }

    /// Whether a URL is of this kind for any app, `{scheme}://google/link…`, the dismissal `/link/dismiss` included.
    public static func matches(_ url: String) -> Bool {
        cut(url).map { $0.rest.path.utf8.starts(with: "/link".utf8) } ?? false
    }

    /// Whether an app may claim a scheme: a letter, then letters, digits, `+`, `-` and `.` (RFC 3986 section 3.1), and
    /// none that browsers and systems keep for themselves.
    public static func isScheme(_ text: String) -> Bool {
        guard let first = text.utf8.first, ASCII.isLetter(first) else { return false }
        return text.utf8.allSatisfy { ASCII.isLetterOrDigit($0) || "+-.".utf8.contains($0) }
            && !systemSchemes.contains { text.isSameFoldingASCII($0) }
    }

    private static let systemSchemes = [
        "javascript", "vbscript", "livescript", "data", "blob", "http", "https", "mailto", "facetime",
        "facetime-audio", "about", "file", "ftp", "intent", "sms", "tel", "ws", "wss",
    ]

    /// Scheme, rest and query of a URL whose host begins with `google`; the rest is the path where it is the host.
    private static func cut(_ url: String) -> (scheme: Substring, rest: (path: Substring, query: Substring))? {
        let parts = URLParts(url)
        guard let colon = parts.base.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let rest = parts.base[colon...]
        let authority = "://google"
        guard isScheme(String(parts.base[..<colon])), rest.hasPrefixFoldingASCII(authority) else { return nil }
        return (parts.base[..<colon], (Substring(rest.utf8.dropFirst(authority.utf8.count)), parts.query ?? ""))
    }
}
