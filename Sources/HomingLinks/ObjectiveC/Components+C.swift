// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
internal import HomingClient
internal import HomingWire

/// The long link of parts: a JSON object that has an object of texts for each kind, under the names of
/// `FIRDynamicLinkComponents`.
@_cdecl("homing_links_long")
package func homingLinksLong(
    _ link: UnsafePointer<CChar>?, _ prefix: UnsafePointer<CChar>?, _ parts: UnsafePointer<CChar>?
) -> UnsafeMutablePointer<CChar>? {
    guard let link = url(link), let components = DynamicLinkComponents(link: link, domainURIPrefix: text(prefix)) else {
        return nil
    }
    let parts = (try? JSON.parse(Data(text(parts).utf8)))?.objectValue ?? JSON.Object()
    components.take(parts)
    return copied(components.url?.absoluteString)
}

extension DynamicLinkComponents {
    fileprivate func take(_ parts: JSON.Object) {
        if let part = Part(parts["analyticsParameters"]) {
            analyticsParameters = DynamicLinkGoogleAnalyticsParameters(
                source: part["source"] ?? "", medium: part["medium"] ?? "", campaign: part["campaign"] ?? "")
            analyticsParameters?.term = part["term"]
            analyticsParameters?.content = part["content"]
        }
        if let part = Part(parts["socialMetaTagParameters"]) {
            socialMetaTagParameters = DynamicLinkSocialMetaTagParameters()
            socialMetaTagParameters?.title = part["title"]
            socialMetaTagParameters?.descriptionText = part["descriptionText"]
            socialMetaTagParameters?.imageURL = part.url("imageURL")
        }
        takeApps(parts)
        if let part = Part(parts["iTunesConnectParameters"]) {
            iTunesConnectParameters = DynamicLinkItunesConnectAnalyticsParameters()
            iTunesConnectParameters?.affiliateToken = part["affiliateToken"]
            iTunesConnectParameters?.campaignToken = part["campaignToken"]
            iTunesConnectParameters?.providerToken = part["providerToken"]
        }
        if let part = Part(parts["navigationInfoParameters"]) {
            navigationInfoParameters = DynamicLinkNavigationInfoParameters()
            navigationInfoParameters?.isForcedRedirectEnabled = part["forcedRedirectEnabled"] == "1"
        }
        if let part = Part(parts["otherPlatformParameters"]) {
            otherPlatformParameters = DynamicLinkOtherPlatformParameters()
            otherPlatformParameters?.fallbackUrl = part.url("fallbackUrl")
        }
    }

    private func takeApps(_ parts: JSON.Object) {
        if let part = Part(parts["iOSParameters"]) {
            let parameters = DynamicLinkIOSParameters(bundleID: part["bundleID"] ?? "")
            parameters.appStoreID = part["appStoreID"]
            parameters.fallbackURL = part.url("fallbackURL")
            parameters.customScheme = part["customScheme"]
            parameters.iPadBundleID = part["iPadBundleID"]
            parameters.iPadFallbackURL = part.url("iPadFallbackURL")
            parameters.minimumAppVersion = part["minimumAppVersion"]
            iOSParameters = parameters
        }
        if let part = Part(parts["androidParameters"]) {
            let parameters = DynamicLinkAndroidParameters(packageName: part["packageName"] ?? "")
            parameters.fallbackURL = part.url("fallbackURL")
            if let version = part["minimumVersion"].flatMap({ Int($0) }) { parameters.minimumVersion = version }
            androidParameters = parameters
        }
    }
}

/// The texts of one kind of parts.
private struct Part {
    private let object: JSON.Object

    init?(_ value: JSON?) {
        guard let object = value?.objectValue else { return nil }
        self.object = object
    }

    subscript(name: String) -> String? { object[name]?.stringValue }

    func url(_ name: String) -> URL? { self[name].flatMap { URL(string: $0) } }
}
