// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

public import Foundation
public import HomingClient
internal import HomingWire

/// Incoming dynamic links: the twin of FirebaseDynamicLinks' `DynamicLinks`.
///
/// Which domains and schemes are the app's own stands in its `Info.plist` or is set with `HomingApp.linkDomains`. Long
/// links, and those that a link domain has wrapped for a mail, are read on the device, short ones by the app's Homing
/// server. Nothing about the device is sent, and nothing is
/// read that the app has not handed over.
public final class DynamicLinks: Sendable {
    let endpoint: Endpoint
    private let doors: LinkDoors

    private init(_ app: HomingApp) {
        endpoint = app.endpoint
        doors = app.linkDoors
    }

    /// The one of `HomingApp.configure(endpoint:apiKey:)`. Without an app long links are read all the same, and every
    /// request throws what is missing.
    public static func dynamicLinks() -> DynamicLinks { dynamicLinks(app: HomingApp.app() ?? .unconfigured) }

    /// The one of an app.
    public static func dynamicLinks(app: HomingApp) -> DynamicLinks { app.part(DynamicLinks.init) }

    var domains: LinkDomains { doors.domains }

    // MARK: Links through the app's own scheme

    /// Whether a URL came through the app's own scheme for this library, `{scheme}://google/link…`; true also for the
    /// message that nothing matched.
    public func shouldHandleDynamicLink(fromCustomSchemeURL url: URL) -> Bool {
        let text = url.absoluteString
        let scheme = text.utf8.prefix { $0 != UInt8(ascii: ":") }
        return CustomSchemeLink.matches(text)
            && domains.schemes.contains { $0.lowercased() == String(Substring(scheme)).lowercased() }
    }

    /// The link in a URL that came through the app's own scheme.
    ///
    /// - Returns: nil for every other URL. A link without a ``DynamicLink/url`` says that nothing matched.
    public func dynamicLink(fromCustomSchemeURL url: URL) -> DynamicLink? {
        CustomSchemeLink(parsing: url.absoluteString, schemes: domains.schemes).map(DynamicLink.init)
    }

    // MARK: Links by their shape

    /// Whether a server has to be asked what a universal link says, by the rules of Firebase's client.
    ///
    /// Those rules count long links too, `https://example.com/links/?link=…`, where the domain's prefix has a path;
    /// ``handleUniversalLink(_:completion:)`` reads them without asking.
    public func matchesShortLinkFormat(_ url: URL) -> Bool {
        DynamicLinkShape.matchesShortLinkFormat(url.absoluteString, customDomains: domains.prefixes)
    }

    /// The link in a long universal link, or in one that a link domain has wrapped for a mail, read on the device.
    ///
    /// - Returns: nil for a short link and for every URL that is no dynamic link of this app.
    public func dynamicLink(fromUniversalLink url: URL) -> DynamicLink? {
        let reading = read(url)
        report(reading)
        return reading.link
    }

    /// The link that a person had tapped before the app was installed from the Play Store, in what the store's Install
    /// Referrer API says, read on the device.
    ///
    /// Whoever links to the store writes the referrer: treat the link's URL as any URL from outside, and go to your own
    /// hosts.
    ///
    /// - Parameter referrer: as the API gives it, or decoded once more: the link alone, or `utm_source=…&link=…`.
    /// - Returns: nil where the person came without a link.
    public func dynamicLink(fromInstallReferrer referrer: String) -> DynamicLink? {
        InstallReferrer(referrer).flatMap(DynamicLink.init)
    }

    package enum Reading {
        /// A long link, and its URL.
        case long(DynamicLink, URL)
        /// What `/__/auth/links?link=` of a link domain is around, which is no dynamic link: the link of an email
        /// action, or where one continues.
        case wrapped(DynamicLink)
        /// The URL of a short link.
        case short(URL)
        case none

        /// The link, where no server has to be asked about it.
        var link: DynamicLink? {
            switch self {
            case .long(let link, _), .wrapped(let link): link
            case .short, .none: nil
            }
        }
    }

    package func read(_ url: URL) -> Reading { read(url, layers: 3) }

    private func read(_ url: URL, layers: Int) -> Reading {
        let text = url.absoluteString
        guard layers > 0, text.utf8.count <= IncomingAction.mostBytes else { return .none }
        switch LinkDomainURL(text, domains: domains.prefixes, wrappers: [endpoint.url]) {
        case .long(let parameters): return DynamicLink(parameters).map { .long($0, url) } ?? .none
        case .short: return .short(url)
        case .wrapper(let inner):
            guard let link = DynamicLink(wrapped: inner), let innerURL = link.url else { return .none }
            guard LinkDomainURL(inner, domains: domains.prefixes, wrappers: [endpoint.url]) == nil else {
                return read(innerURL, layers: layers - 1)
            }
            return .wrapped(link)
        case .unreadable, nil: return .none
        }
    }

    /// Tells the server's statistics when a long link has opened the app. Nobody waits for it, and its failure is
    /// nobody's: the link has been read already.
    func report(_ reading: Reading) {
        guard case .long(_, let url) = reading else { return }
        let endpoint = endpoint
        let link = url.absoluteString
        Task { _ = try? await endpoint.post(Self.path("reopenAttribution"), [("requestedLink", .string(link))]) }
    }

    static func path(_ operation: String) -> String { "firebasedynamiclinks.googleapis.com/v1/\(operation)" }
}
