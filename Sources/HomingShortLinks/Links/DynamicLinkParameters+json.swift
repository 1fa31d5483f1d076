// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingStore
package import HomingWire

extension DynamicLinkParameters {
    /// `dynamicLinkInfo` of the Dynamic Links API: the long link as JSON.
    package func info(on domain: LinkDomain) -> JSON {
        let store = appStore
        return .object([
            ("domainUriPrefix", .string(domain.baseURL)), ("link", .string(link)),
            (
                "androidInfo",
                group([
                    ("androidPackageName", android.packageName), ("androidFallbackLink", android.fallbackLink),
                    ("androidMinPackageVersionCode", android.minimumVersion), ("androidLink", android.link),
                ])
            ),
            (
                "iosInfo",
                group([
                    ("iosBundleId", ios.bundleID), ("iosFallbackLink", ios.fallbackLink),
                    ("iosCustomScheme", ios.customScheme), ("iosIpadFallbackLink", ios.ipadFallbackLink),
                    ("iosIpadBundleId", ios.ipadBundleID), ("iosAppStoreId", ios.appStoreID),
                    ("iosMinimumVersion", ios.minimumVersion),
                ])
            ),
            ("desktopInfo", group([("desktopFallbackLink", desktopFallbackLink)])),
            (
                "navigationInfo",
                forcesRedirect ? .object([("enableForcedRedirect", .bool(true))]) : nil
            ),
            (
                "socialMetaTagInfo",
                group([
                    ("socialTitle", social.title), ("socialDescription", social.description),
                    ("socialImageLink", social.imageLink),
                ])
            ),
            (
                "analyticsInfo",
                JSON.nonEmpty([
                    (
                        "googlePlayAnalytics",
                        group([
                            ("utmSource", campaign.source), ("utmMedium", campaign.medium),
                            ("utmCampaign", campaign.campaign), ("utmTerm", campaign.term),
                            ("utmContent", campaign.content), ("gclid", campaign.clickID),
                        ])
                    ),
                    (
                        "itunesConnectAnalytics",
                        group([
                            ("at", store.affiliateToken), ("ct", store.campaignToken), ("mt", store.mediaType),
                            ("pt", store.providerToken),
                        ])
                    ),
                ])
            ),
        ])
    }

    private func group(_ pairs: [(String, String?)]) -> JSON? {
        JSON.nonEmpty(pairs.map { name, value in (name, value.map { .string($0) }) })
    }
}

extension JSON {
    /// An object of the members that have a value; nil when none has.
    fileprivate static func nonEmpty(_ pairs: [(String, JSON?)]) -> JSON? {
        pairs.contains { $0.1 != nil } ? .object(pairs) : nil
    }
}
