// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors
// swift-format-ignore-file

import Foundation
import HomingAuth
import HomingLinks

// shape: a dynamic link through the app's scheme
@MainActor final class Links1 {
    func application(open url: URL) -> Bool {
        if let dynamicLink = DynamicLinks.dynamicLinks().dynamicLink(fromCustomSchemeURL: url) {
            handle(dynamicLink)
            return true
        }
        return false
    }
    func handle(_ link: DynamicLink) { print(link.url?.absoluteString ?? "", link.matchType.rawValue) }
}

// shape: a universal link
func links2(_ userActivity: NSUserActivity) -> Bool {
    let handled = DynamicLinks.dynamicLinks().handleUniversalLink(userActivity.webpageURL!) { dynamiclink, error in
        guard error == nil else { return print(error!.localizedDescription) }
        if let url = dynamiclink?.url { print(url) }
    }
    return handled
}

// shape: a universal link whose answer is not needed
func links3(_ url: URL) { DynamicLinks.dynamicLinks().handleUniversalLink(url) { (link, error) in print(link as Any, error as Any) } }

// shape: a universal link in a class with a weak self
final class Links4: @unchecked Sendable {
    var pending: URL?
    func open(_ url: URL) {
        _ = DynamicLinks.dynamicLinks().handleUniversalLink(url) { [weak self] link, error in
            guard let self = self, let deepLink = link?.url else { return }
            self.pending = deepLink
        }
    }
}

// shape: a universal link with async
func links5(_ url: URL) async throws -> URL? { try await DynamicLinks.dynamicLinks().dynamicLink(fromUniversalLink: url).url }

// shape: a universal link with a handler
func links6(_ url: URL) {
    DynamicLinks.dynamicLinks().dynamicLink(fromUniversalLink: url) { dynamicLink, error in print(dynamicLink?.url as Any) }
}

// shape: a short link is resolved
func links7(_ url: URL) {
    DynamicLinks.dynamicLinks().resolveShortLink(url) { url, error in print(url as Any, error as Any) }
}

// shape: a short link is told by its form
func links8(_ url: URL) -> Bool { DynamicLinks.dynamicLinks().matchesShortLinkFormat(url) }

// shape: a scheme's link is told by its form
func links9(_ url: URL) -> Bool { DynamicLinks.dynamicLinks().shouldHandleDynamicLink(fromCustomSchemeURL: url) }

// shape: the deep link's query is read
func links10(_ link: DynamicLink) -> String? {
    guard let url = link.url, let components = URLComponents(url: url, resolvingAgainstBaseURL: false) else { return nil }
    return components.queryItems?.first(where: { $0.name == "referrer" })?.value
}

// shape: the confidence and the version of a link are looked at
func links11(_ link: DynamicLink) {
    switch link.matchType {
    case .unique, .default, .weak: print(link.minimumAppVersion ?? "")
    case .none: break
    @unknown default: break
    }
}

// shape: a long link of components
func links12() -> URL? {
    guard let link = URL(string: "https://www.example.com/?id=1") else { return nil }
    let linkBuilder = DynamicLinkComponents(link: link, domainURIPrefix: "https://example.page.link")
    linkBuilder?.iOSParameters = DynamicLinkIOSParameters(bundleID: "com.example.ios")
    linkBuilder?.androidParameters = DynamicLinkAndroidParameters(packageName: "com.example.android")
    return linkBuilder?.url
}

// shape: a short link of components
func links13(_ link: URL) {
    guard let components = DynamicLinkComponents(link: link, domainURIPrefix: "https://example.page.link") else { return }
    components.iOSParameters = DynamicLinkIOSParameters(bundleID: Bundle.main.bundleIdentifier ?? "")
    components.iOSParameters?.appStoreID = "123456789"
    components.iOSParameters?.minimumAppVersion = "1.2"
    components.androidParameters = DynamicLinkAndroidParameters(packageName: "com.example.android")
    components.androidParameters?.minimumVersion = 123
    components.shorten { url, warnings, error in
        if let error { return print(error) }
        for warning in warnings ?? [] { print(warning) }
        print(url?.absoluteString ?? "")
    }
}

// shape: a short link of components with async
func links14(_ components: DynamicLinkComponents) async throws -> URL {
    let (url, warnings) = try await components.shorten()
    print(warnings)
    return url
}

// shape: a link with a picture and a campaign
func links15(_ components: DynamicLinkComponents) {
    components.socialMetaTagParameters = DynamicLinkSocialMetaTagParameters()
    components.socialMetaTagParameters?.title = "A title"
    components.socialMetaTagParameters?.descriptionText = "A text"
    components.socialMetaTagParameters?.imageURL = URL(string: "https://www.example.com/a.png")
    components.analyticsParameters = DynamicLinkGoogleAnalyticsParameters(source: "orkut", medium: "social", campaign: "promo")
    components.iTunesConnectParameters = DynamicLinkItunesConnectAnalyticsParameters()
    components.iTunesConnectParameters?.campaignToken = "promo"
    components.navigationInfoParameters = DynamicLinkNavigationInfoParameters()
    components.navigationInfoParameters?.isForcedRedirectEnabled = true
    components.otherPlatformParameters = DynamicLinkOtherPlatformParameters()
    components.otherPlatformParameters?.fallbackUrl = URL(string: "https://www.example.com")
}

// shape: a link with options for its path
func links16(_ components: DynamicLinkComponents) {
    let options = DynamicLinkComponentsOptions()
    options.pathLength = .short
    components.options = options
    components.shorten(completion: { (shortURL, warnings, error) in print(shortURL as Any) })
}

// shape: a long link is shortened
func links17(_ url: URL) {
    DynamicLinkComponents.shortenURL(url, options: nil) { url, warnings, error in print(url as Any, warnings as Any, error as Any) }
}

// shape: an email link that is read
func links18(_ text: String) {
    guard let url = ActionCodeURL(link: text) else { return }
    switch url.operation {
    case .passwordReset: print(url.code ?? "")
    case .verifyEmail: print(url.continueURL?.absoluteString ?? "", url.languageCode ?? "", url.apiKey ?? "")
    default: break
    }
}

// shape: a link in a scene with an await
@MainActor func links19(_ activity: NSUserActivity) {
    guard let url = activity.webpageURL else { return }
    Task {
        if let link = try? await DynamicLinks.dynamicLinks().dynamicLink(fromUniversalLink: url) { print(link) }
    }
}

// shape: a link's minimum version against the app's
func links20(_ link: DynamicLink) -> Bool { (link.minimumAppVersion ?? "0").compare("2", options: .numeric) == .orderedAscending }
