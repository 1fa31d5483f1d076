// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

public import Foundation
internal import HomingClient
internal import HomingWire

/// Makes a dynamic link: a long one on the device, a short one on the app's Homing server.
///
/// Its parts are read once, when ``url`` is asked for or a call is made; what is changed afterwards counts for the
/// next.
public final class DynamicLinkComponents {
    /// The deep link: where the link leads. The server follows https, and http on loopback names, on the project's
    /// authorised domains only.
    public var link: URL
    /// The link domain as a full prefix.
    public let domain: String?
    /// Where a click came from.
    public var analyticsParameters: DynamicLinkGoogleAnalyticsParameters?
    /// What messengers show.
    public var socialMetaTagParameters: DynamicLinkSocialMetaTagParameters?
    /// The Apple app.
    public var iOSParameters: DynamicLinkIOSParameters?
    /// What the App Store is told.
    public var iTunesConnectParameters: DynamicLinkItunesConnectAnalyticsParameters?
    /// The Android app.
    public var androidParameters: DynamicLinkAndroidParameters?
    /// How a browser goes on.
    public var navigationInfoParameters: DynamicLinkNavigationInfoParameters?
    /// Where everything else leads.
    public var otherPlatformParameters: DynamicLinkOtherPlatformParameters?
    /// How a short link is made.
    public var options: DynamicLinkComponentsOptions?

    /// A link on a domain.
    ///
    /// - Parameters:
    ///   - link: the deep link.
    ///   - domainURIPrefix: one of the project's link domains as a full prefix, `https://links.example.com` or
    ///     `https://example.com/links`.
    /// - Returns: nil when the prefix is no https URL; http is taken on loopback names, for development.
    public init?(link: URL, domainURIPrefix: String) {
        guard let prefix = URL(string: domainURIPrefix), Self.isLinkDomain(prefix) else { return nil }
        self.link = link
        domain = domainURIPrefix
    }

    private static func isLinkDomain(_ url: URL) -> Bool {
        guard let host = url.host?.lowercased(), url.query == nil, url.fragment == nil else { return false }
        let isLoopback = host == "localhost" || host.hasSuffix(".localhost") || host == "127.0.0.1" || host == "::1"
        let scheme = url.scheme?.lowercased()
        return scheme == "https" || (scheme == "http" && isLoopback)
    }

    /// The long link: every parameter in a fixed order, every value percent-encoded once. Empty texts are left out.
    public var url: URL? {
        guard let domain else { return nil }
        var parameters = DynamicLinkParameters(link: link.absoluteString)
        analyticsParameters?.write(to: &parameters)
        socialMetaTagParameters?.write(to: &parameters)
        iOSParameters?.write(to: &parameters)
        iTunesConnectParameters?.write(to: &parameters)
        androidParameters?.write(to: &parameters)
        navigationInfoParameters?.write(to: &parameters)
        otherPlatformParameters?.write(to: &parameters)
        return URL(string: DynamicLinkURL(base: domain, parameters: parameters).url)
    }
}
