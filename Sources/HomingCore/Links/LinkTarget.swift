// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// A parameter of a dynamic link that holds a URL.
struct LinkTarget: Sendable {
    let name: String
    /// Whether somebody is sent there.
    let isFollowed: Bool
    let notURL: DynamicLinkWarning.Code?
    let badScheme: DynamicLinkWarning.Code?
    let value: @Sendable (DynamicLinkParameters) -> String?

    static let all = [
        LinkTarget(name: "link", isFollowed: true, notURL: nil, badScheme: nil, value: \.payload),
        LinkTarget(
            name: "afl", isFollowed: true, notURL: .notURIAndroidFallbackLink,
            badScheme: .badURISchemeAndroidFallbackLink, value: \.android.fallbackLink),
        LinkTarget(
            name: "ifl", isFollowed: true, notURL: .notURIIOSFallbackLink, badScheme: .badURISchemeIOSFallbackLink,
            value: \.ios.fallbackLink),
        LinkTarget(
            name: "ipfl", isFollowed: true, notURL: .notURIIPadFallbackLink, badScheme: .badURISchemeIPadFallbackLink,
            value: \.ios.ipadFallbackLink),
        LinkTarget(name: "ofl", isFollowed: true, notURL: nil, badScheme: nil, value: \.desktopFallbackLink),
        LinkTarget(
            name: "al", isFollowed: false, notURL: .notURIAndroidLink, badScheme: .notURIAndroidLink,
            value: \.android.link),
        LinkTarget(
            name: "si", isFollowed: false, notURL: .notURISocialImageLink, badScheme: .badURISchemeSocialImageLink,
            value: \.social.imageLink),
    ]

    /// Firebase tells a wrong scheme from what is no URL at all.
    func code(for fault: WebURLFault, in text: String) -> DynamicLinkWarning.Code? {
        switch fault {
        case .insecureScheme: badScheme
        case .unknownScheme: Self.hasScheme(text) ? badScheme : notURL
        default: notURL
        }
    }

    /// A letter, then letters, digits, `+`, `-`, `.`, then a colon (RFC 3986 section 3.1).
    private static func hasScheme(_ text: String) -> Bool {
        guard let first = text.utf8.first, ASCII.isLetter(first) else { return false }
        let end = text.utf8.first { !ASCII.isLetterOrDigit($0) && !"+-.".utf8.contains($0) }
        return end == UInt8(ascii: ":")
    }
}

extension DynamicLinkParameters {
    /// ``link`` in the shape of its optional siblings.
    fileprivate var payload: String? { link }

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
