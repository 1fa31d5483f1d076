// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingLinkRules
import HomingStore
import HomingWire

extension LinkCounts {
    /// Where a person came from: the host of the page, and the campaign. Of the page's address nothing else is kept.
    package struct Origin: Sendable, Hashable {
        /// In lower case, without `www.`; empty where none is known, `other` where there were too many.
        package let referrer: String
        /// `utm_campaign`; empty where there is none, `other` where there were too many.
        package let campaign: String

        /// Whether the link itself names the campaign: nobody who clicks can invent one of those.
        let isLinksOwn: Bool

        package static let other = "other"
        private static let longestCampaign = 100

        /// - Parameters:
        ///   - referrer: the header Referer.
        ///   - campaign: of the link, or of the URL that was clicked.
        ///   - isLinksOwn: whether it is the link's campaign, and not the URL's.
        ///   - host: the link's own, which is no referrer.
        package init?(referrer: String?, campaign: String?, isLinksOwn: Bool = false, on host: String) {
            let found = referrer.flatMap { Self.host(of: $0) }.flatMap { ASCII.areEqual($0, host) ? nil : $0 }
            let name = campaign.map { Self.name($0) } ?? ""
            guard found != nil || !name.isEmpty else { return nil }
            self.referrer = found ?? ""
            self.campaign = name
            self.isLinksOwn = isLinksOwn && !name.isEmpty
        }

        package init(stored referrer: String, campaign: String, isLinksOwn: Bool = false) {
            self.referrer = referrer
            self.campaign = campaign
            self.isLinksOwn = isLinksOwn
        }

        /// As it is in the database, which does not say who named the campaign.
        package var stored: Origin { Origin(stored: referrer, campaign: campaign) }

        /// Without the names that whoever clicks can invent.
        var leastNamed: Origin {
            guard !isLinksOwn else { return withoutReferrer }
            return Origin(stored: referrer.isEmpty ? "" : Self.other, campaign: campaign.isEmpty ? "" : Self.other)
        }

        var withoutReferrer: Origin {
            Origin(stored: referrer.isEmpty ? "" : Self.other, campaign: campaign, isLinksOwn: isLinksOwn)
        }

        /// The host of a referrer by https or http, or the app of one that names an app.
        private static func host(of referrer: String) -> String? {
            guard let scheme = ["https://", "http://", "android-app://"].first(where: { begins(referrer, $0) }) else {
                return nil
            }
            let ends = [UInt8]("/?#".utf8)
            let authority = referrer.utf8.dropFirst(scheme.utf8.count).prefix { !ends.contains($0) }
            // Whoever writes a name and a password there is no browser.
            guard !authority.contains(UInt8(ascii: "@")),
                let host = WebHost(parsing: Substring(authority.prefix { $0 != UInt8(ascii: ":") }))
            else { return nil }
            return begins(host.text, "www.") ? String(host.text.dropFirst(4)) : host.text
        }

        private static func begins(_ text: String, _ start: String) -> Bool {
            text.utf8.count > start.utf8.count && zip(text.utf8, start.utf8).allSatisfy { ASCII.folded($0) == $1 }
        }

        private static func name(_ campaign: String) -> String {
            guard campaign.utf8.count <= longestCampaign, !campaign.utf8.contains(where: ASCII.isControl) else {
                return other
            }
            return campaign
        }
    }
}

extension IncomingLink {
    /// `utm_campaign`, of the link or of the URL that was clicked.
    package var campaign: String? { parsed.parameters.campaign.campaign }

    /// Whether ``campaign`` is the short link's own, and not that of the URL that was clicked.
    package var hasCampaignOfItsOwn: Bool { suffix != nil && campaign != nil && parsed.passed["utm_campaign"] == nil }
}
