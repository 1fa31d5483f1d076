// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// The plans for iPhones and iPads.
extension LinkResolution {
    /// Universal links came with iOS 9; on older systems an app is opened by its own scheme.
    private static let firstSystemWithUniversalLinks = 9

    func apple(isIPad: Bool, system: Int?, isInApp: Bool) -> LinkPlan {
        let fallback = appleFallback(isIPad: isIPad)
        // Without a destination, the page is all that remains.
        guard let app = appleApp(isIPad: isIPad), !link.parameters.forcesRedirect || fallback == nil, !wasAsked else {
            return plan(fallback)
        }
        if let system, system < Self.firstSystemWithUniversalLinks {
            return scheme(of: app, else: app.id).map { .redirect(to: schemeURL($0), .customScheme) } ?? plan(fallback)
        }
        if hasPageHost, !isInApp, app.clipBundleID == nil {
            let mark = (url.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + Self.askedMark
            return .page(page(button: url + mark, .universalLink, fallback: fallback, app: app))
        }
        let place: OpenPage.Place = isInApp ? .appleAppWindow : .browser
        if let scheme = scheme(of: app, else: app.customScheme) {
            return .page(page(button: schemeURL(scheme), .customScheme, fallback: fallback, app: app, in: place))
        }
        guard !isInApp else { return .page(page(button: url, .words, fallback: fallback, app: app, in: place)) }
        guard let fallback else { return .appOnly }
        return .page(page(button: fallback.url, .destination(fallback.kind), fallback: fallback, app: app))
    }

    /// The registered app for the device: on an iPad `ipbi` goes before `ibi`.
    func appleApp(isIPad: Bool) -> RegisteredApp? {
        let id = (isIPad ? link.parameters.ios.ipadBundleID : nil) ?? link.parameters.ios.bundleID
        return id.flatMap { project.app(.apple, $0) }
    }

    /// The destination where the app is absent: `ipfl` (iPad), `ifl`, the App Store of `isi`, `link`.
    private func appleFallback(isIPad: Bool) -> Destination? {
        let ios = link.parameters.ios
        let ipad = isIPad ? usable(ios.ipadFallbackLink, unless: .leavesOutIPadFallback) : nil
        if let link = ipad ?? usable(ios.fallbackLink, unless: .leavesOutIOSFallback) { return fallback(link) }
        guard let app = appleApp(isIPad: isIPad), let store = app.appStoreID, let named = ios.appStoreID,
            ASCII.areEqual(store, named)
        else { return payload }
        return Destination(url: appStoreURL(store), kind: .store)
    }

    private func appStoreURL(_ id: String) -> String {
        let campaign = link.parameters.appStore
        let values = [
            ("pt", campaign.providerToken), ("at", campaign.affiliateToken), ("ct", campaign.campaignToken),
            ("mt", campaign.mediaType),
        ]
        let query = values.compactMap { name, value in value.map { "\(name)=\(percentEncoded($0))" } }
        return "https://apps.apple.com/app/id\(id)" + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }

    /// The scheme that the link names, when it is the app's. Any app may claim a scheme, so no code ever goes there
    /// (RFC 8252 section 8.1).
    func scheme(of app: RegisteredApp, else standard: String?) -> AppScheme? {
        guard !handler.carriesCode(link.parameters.link) else { return nil }
        return (link.parameters.ios.customScheme ?? standard).flatMap { AppScheme($0, of: app) }
    }

    /// The URL that Firebase's iOS client reads, with the payload and the campaign beside it.
    func schemeURL(_ scheme: AppScheme) -> String {
        var values = [(name: "deep_link_id", value: appPayload), (name: "match_type", value: "unique")]
        if let version = link.parameters.ios.minimumVersion { values.append((name: "imv", value: version)) }
        values += link.parameters.campaign.parameters.filter { $0.name.hasPrefix("utm_") }
        let query = values.map { "\($0.name)=\(percentEncoded($0.value))" }.joined(separator: "&")
        return "\(scheme.text)://google/link/?\(query)"
    }
}
