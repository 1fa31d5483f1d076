// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingStore
package import HomingWire

/// A parameter of a dynamic link to which somebody may be sent.
struct LinkTarget: Sendable {
    let name: String
    /// Whether apps get this parameter.
    let isPayload: Bool
    let notURL: DynamicLinkWarning.Code?
    let badScheme: DynamicLinkWarning.Code?
    /// How a check says that this fallback is left out, because nobody may be sent there.
    var leftOut: LinkVerdict = []
    let value: @Sendable (DynamicLinkParameters) -> String?

    static let all = [
        LinkTarget(name: "link", isPayload: true, notURL: nil, badScheme: nil, value: { $0.link }),
        LinkTarget(
            name: "afl", isPayload: false, notURL: .notURIAndroidFallbackLink,
            badScheme: .badURISchemeAndroidFallbackLink, leftOut: .leavesOutAndroidFallback,
            value: { $0.android.fallbackLink }),
        LinkTarget(
            name: "ifl", isPayload: false, notURL: .notURIIOSFallbackLink, badScheme: .badURISchemeIOSFallbackLink,
            leftOut: .leavesOutIOSFallback, value: { $0.ios.fallbackLink }),
        LinkTarget(
            name: "ipfl", isPayload: false, notURL: .notURIIPadFallbackLink, badScheme: .badURISchemeIPadFallbackLink,
            leftOut: .leavesOutIPadFallback, value: { $0.ios.ipadFallbackLink }),
        LinkTarget(
            name: "ofl", isPayload: false, notURL: nil, badScheme: nil, leftOut: .leavesOutDesktopFallback,
            value: { $0.desktopFallbackLink }),
    ]

    static let fallbacks = all.filter { !$0.isPayload }

    /// The image of a preview: nobody is sent there, but the same codes name it.
    static let image = LinkTarget(
        name: "si", isPayload: false, notURL: .notURISocialImageLink, badScheme: .badURISchemeSocialImageLink,
        value: { $0.social.imageLink })

    /// Firebase's code for a fault, which tells a wrong scheme from a text that is no URL at all.
    func code(for fault: WebURLFault, in text: String) -> DynamicLinkWarning.Code? {
        switch fault {
        case .insecureScheme: badScheme
        case .unknownScheme: Self.hasScheme(text) ? badScheme : notURL
        default: notURL
        }
    }

    /// Whether a scheme comes first: a letter, then letters, digits, `+`, `-`, `.`, a colon (RFC 3986 section 3.1).
    static func hasScheme(_ text: String) -> Bool {
        guard let first = text.utf8.first, ASCII.isLetter(first) else { return false }
        let end = text.utf8.first { !ASCII.isLetterOrDigit($0) && !"+-.".utf8.contains($0) }
        return end == UInt8(ascii: ":")
    }
}

extension DynamicLinkParameters {
    /// The URLs to which somebody may be sent.
    package var targets: [String] { LinkTarget.all.compactMap { $0.value(self) } }

    /// Whether a parameter that is no URL is longer than `maximum`. Every click asks, so nothing is copied.
    func hasText(longerThan maximum: Int) -> Bool {
        func isLong(_ text: String?) -> Bool { text.map { $0.utf8.count > maximum } ?? false }
        return isLong(android.packageName) || isLong(android.minimumVersion) || isLong(ios.bundleID)
            || isLong(ios.customScheme) || isLong(ios.ipadBundleID) || isLong(ios.appStoreID)
            || isLong(ios.minimumVersion) || isLong(social.title) || isLong(social.description)
            || isLong(campaign.source) || isLong(campaign.medium) || isLong(campaign.campaign)
            || isLong(campaign.term) || isLong(campaign.content) || isLong(campaign.clickID)
            || isLong(appStore.affiliateToken) || isLong(appStore.campaignToken) || isLong(appStore.mediaType)
            || isLong(appStore.providerToken)
    }

    /// The parameters that are no URLs, by their names in the long link.
    var texts: [(name: String, text: String)] {
        let texts = [
            ("apn", android.packageName), ("amv", android.minimumVersion), ("ibi", ios.bundleID),
            ("ius", ios.customScheme), ("ipbi", ios.ipadBundleID), ("isi", ios.appStoreID),
            ("imv", ios.minimumVersion), ("st", social.title), ("sd", social.description),
            ("utm_source", campaign.source), ("utm_medium", campaign.medium), ("utm_campaign", campaign.campaign),
            ("utm_term", campaign.term), ("utm_content", campaign.content), ("gclid", campaign.clickID),
            ("at", appStore.affiliateToken), ("ct", appStore.campaignToken), ("mt", appStore.mediaType),
            ("pt", appStore.providerToken),
        ]
        return texts.compactMap { name, text in text.map { (name, $0) } }
    }
}
