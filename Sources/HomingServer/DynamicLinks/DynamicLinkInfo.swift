// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
import HomingStore
import HomingWire

/// `dynamicLinkInfo` of a request of the Dynamic Links API: the long link as JSON.
/// `DynamicLinkParameters+json.swift` writes it.
enum DynamicLinkInfo {
    /// Reads the parameters of a request. Empty strings count as absent.
    ///
    /// - Throws: ``Refusal/invalidArgument(_:)`` for a wrong type or no `link`.
    static func parameters(_ info: Fields) throws(Refusal) -> DynamicLinkParameters {
        guard let link = try info.text("link") else {
            throw .invalidDynamicLink(code: "MISSING_LINK", "give the URL that the link leads to: dynamicLinkInfo.link")
        }
        var parameters = DynamicLinkParameters(link: link)
        if let android = try info.object("androidInfo") {
            parameters.android.packageName = try android.text("androidPackageName")
            parameters.android.fallbackLink = try android.text("androidFallbackLink")
            parameters.android.minimumVersion = try android.digits("androidMinPackageVersionCode").nonEmpty
            parameters.android.link = try android.text("androidLink")
        }
        if let ios = try info.object("iosInfo") {
            parameters.ios.bundleID = try ios.text("iosBundleId")
            parameters.ios.fallbackLink = try ios.text("iosFallbackLink")
            parameters.ios.customScheme = try ios.text("iosCustomScheme")
            parameters.ios.ipadFallbackLink = try ios.text("iosIpadFallbackLink")
            parameters.ios.ipadBundleID = try ios.text("iosIpadBundleId")
            parameters.ios.appStoreID = try ios.digits("iosAppStoreId").nonEmpty
            parameters.ios.minimumVersion = try ios.text("iosMinimumVersion")
        }
        if let desktop = try info.object("desktopInfo") {
            parameters.desktopFallbackLink = try desktop.text("desktopFallbackLink")
        }
        if let navigation = try info.object("navigationInfo") {
            parameters.forcesRedirect = try navigation.bool("enableForcedRedirect") ?? false
        }
        if let social = try info.object("socialMetaTagInfo") {
            parameters.social.title = try social.text("socialTitle")
            parameters.social.description = try social.text("socialDescription")
            parameters.social.imageLink = try social.text("socialImageLink")
        }
        if let analytics = try info.object("analyticsInfo") {
            if let play = try analytics.object("googlePlayAnalytics") {
                parameters.campaign.source = try play.text("utmSource")
                parameters.campaign.medium = try play.text("utmMedium")
                parameters.campaign.campaign = try play.text("utmCampaign")
                parameters.campaign.term = try play.text("utmTerm")
                parameters.campaign.content = try play.text("utmContent")
                parameters.campaign.clickID = try play.text("gclid")
            }
            if let store = try analytics.object("itunesConnectAnalytics") {
                parameters.appStore.affiliateToken = try store.text("at")
                parameters.appStore.campaignToken = try store.text("ct")
                parameters.appStore.mediaType = try store.text("mt")
                parameters.appStore.providerToken = try store.text("pt")
            }
        }
        return parameters
    }
}

extension String? {
    fileprivate var nonEmpty: String? { self == "" ? nil : self }
}
