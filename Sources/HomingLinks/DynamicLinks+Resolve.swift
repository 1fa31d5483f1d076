// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

public import Foundation
internal import HomingClient
internal import HomingWire

extension DynamicLinks {
    /// The link in a universal link: a long one, and one that a link domain has wrapped for a mail, at once, a short
    /// one from the server.
    ///
    /// - Returns: nil when the URL is no dynamic link of this app.
    /// - Throws: ``DynamicLinksError`` when the server does not know the short link or cannot be reached.
    public func handleUniversalLink(_ url: URL) async throws(DynamicLinksError) -> DynamicLink? {
        let reading = read(url)
        report(reading)
        guard case .short(let short) = reading else { return reading.link }
        return try await resolved(short).link
    }

    /// The link in a long universal link, or in one that a link domain has wrapped for a mail.
    ///
    /// - Throws: ``DynamicLinksError`` with code 1 for every other URL; ``handleUniversalLink(_:)`` takes short links
    ///   too.
    public func dynamicLink(fromUniversalLink url: URL) async throws(DynamicLinksError) -> DynamicLink {
        let reading = read(url)
        guard let link = reading.link else { throw .notALink }
        report(reading)
        return link
    }

    /// What a short link stands for, as the URL that ``dynamicLink(fromCustomSchemeURL:)`` reads.
    ///
    /// - Returns: `{scheme}://google/link/?deep_link_id=…` with the first of the app's schemes.
    /// - Throws: ``DynamicLinksError`` when the server does not know the link or cannot be reached, and when the app
    ///   has no scheme.
    public func resolveShortLink(_ url: URL) async throws(DynamicLinksError) -> URL {
        guard let scheme = domains.schemes.first, CustomSchemeLink.isScheme(scheme) else {
            throw DynamicLinksError(
                code: 0,
                "The app has no URL scheme to write the answer with: set HomingApp.linkDomains, or call "
                    + "handleUniversalLink, which needs none.")
        }
        guard let url = try await resolved(url).url(scheme: scheme) else { throw .unreadable }
        return url
    }

    /// The link that a person had tapped before the app was installed.
    ///
    /// The app hands over a text that it was given: what a person pasted with a paste button (`UIPasteControl`,
    /// `PasteButton`), typed, or scanned. Only a link on the app's own domains is sent to the server; any other text
    /// stays on the device. Nothing is read from the pasteboard, and nothing about the device is sent: a link is found
    /// exactly or not at all. Call it once, at the first launch.
    ///
    /// - Parameter text: spaces and line ends around the link do not count.
    /// - Returns: nil when the text is no link of this app, or one that the server does not know.
    /// - Throws: ``DynamicLinksError`` when the server refuses or cannot be reached; the text may be tried again.
    public func checkForPendingDynamicLink(in text: String) async throws(DynamicLinksError) -> DynamicLink? {
        let text = Self.withoutMark(text.trimmingCharacters(in: .whitespacesAndNewlines))
        guard let url = URL(string: text) else { return nil }
        switch read(url) {
        // Its code is nobody else's business, and the server would know no more.
        case .wrapped(let link): return link
        case .none: return nil
        case .long, .short: break
        }
        let answer = try await post("installAttribution", [("uniqueMatchLinkToCheck", .string(text))])
        guard answer["attributionConfidence"]?.stringValue == "UNIQUE" else { return nil }
        guard let resolved = ResolvedLink(answer, versionName: "appMinimumVersion") else { throw .unreadable }
        return resolved.link
    }

    /// Firebase's pages put `_icp=1` at the end of what they copied.
    private static func withoutMark(_ text: String) -> String {
        for mark in ["?_icp=1", "&_icp=1"] where text.hasSuffix(mark) { return String(text.dropLast(mark.count)) }
        return text
    }

    private func resolved(_ url: URL) async throws(DynamicLinksError) -> ResolvedLink {
        let answer = try await post("reopenAttribution", [("requestedLink", .string(url.absoluteString))])
        guard let resolved = ResolvedLink(answer, versionName: "iosMinAppVersion") else { throw .unreadable }
        return resolved
    }

    private func post(
        _ operation: String, _ members: [(String, JSON?)]
    ) async throws(DynamicLinksError) -> JSON.Object {
        do throws(EndpointFault) {
            return try await endpoint.post(Self.path(operation), members)
        } catch {
            throw DynamicLinksError(error)
        }
    }
}

extension DynamicLinksError {
    fileprivate static var unreadable: DynamicLinksError {
        DynamicLinksError(.unreadable("the link that it names leads nowhere"))
    }
}
