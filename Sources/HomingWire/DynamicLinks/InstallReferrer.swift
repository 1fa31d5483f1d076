// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// What Play's Install Referrer API tells an app that was installed by way of a link: the link's payload, with the pairs
/// of its campaign before it.
///
/// It is `utm_source=…&utm_medium=…&link={payload, percent-encoded}`, and without a campaign the payload alone.
package struct InstallReferrer: Sendable, Equatable {
    /// The payload.
    package let link: String
    package let campaign: DynamicLinkParameters.Campaign

    /// - Parameters:
    ///   - campaign: pairs `name=value`, encoded.
    ///   - link: the payload.
    package static func text(campaign: [String], link: String) -> String {
        guard !campaign.isEmpty else { return link }
        return (campaign + ["\(linkName)=\(percentEncoded(link))"]).joined(separator: "&")
    }

    /// Reads both forms, as the API gives them or decoded once more.
    ///
    /// - Returns: nil where there is no link in it, as in the referrer of somebody who came from the store itself.
    package init?(_ text: String) {
        guard text.utf8.count <= IncomingAction.mostBytes, let text = Self.plain(text) else { return nil }
        if Self.isWebURL(text) {
            link = text
            campaign = DynamicLinkParameters.Campaign()
            return
        }
        guard let (pairs, rest) = Self.cut(text) else { return nil }
        // A link that was decoded too early has its own parameters behind it: it is the last one, so all is its.
        let encoded = Substring(rest.utf8.prefix { $0 != UInt8(ascii: "&") })
        let inner = Self.isWebURL(rest) ? String(rest) : percentDecoded(encoded)
        guard let inner, Self.isWebURL(inner) else { return nil }
        link = inner
        let query = QueryString(readableIn: pairs)
        func value(_ name: String) -> String? { query[name].flatMap { $0.utf8.isEmpty ? nil : $0 } }
        var campaign = DynamicLinkParameters.Campaign()
        campaign.source = value("utm_source")
        campaign.medium = value("utm_medium")
        campaign.campaign = value("utm_campaign")
        campaign.term = value("utm_term")
        campaign.content = value("utm_content")
        campaign.clickID = value("gclid")
        self.campaign = campaign
    }

    private static let linkName = "link"

    private static func isWebURL(_ text: some StringProtocol) -> Bool {
        text.hasPrefixFoldingASCII("https://") || text.hasPrefixFoldingASCII("http://")
    }

    /// The text with `=` and `:` in it, of which each form has one.
    private static func plain(_ text: String) -> String? {
        text.utf8.contains { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ":") } ? text : percentDecoded(text)
    }

    /// What stands before and behind `link=`.
    private static func cut(_ text: String) -> (pairs: Substring, rest: Substring)? {
        let mark = "\(linkName)="
        var start = text.startIndex
        while true {
            let piece = text[start...]
            if piece.utf8.starts(with: mark.utf8) {
                return (text[..<start], Substring(piece.utf8.dropFirst(mark.utf8.count)))
            }
            guard let next = piece.index(ofByte: UInt8(ascii: "&")) else { return nil }
            start = text.utf8.index(after: next)
        }
    }
}
