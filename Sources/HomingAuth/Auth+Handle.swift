// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

public import Foundation
internal import HomingClient
internal import HomingWire

extension Auth {
    /// Says what a URL is that the app was opened with. Call it first in `scene(_:continue:)`,
    /// `scene(_:openURLContexts:)` or `onOpenURL`.
    ///
    /// It takes every form: the mailed link itself, a link domain's around it, a custom scheme's, and those that mail
    /// scanners put around them. Nothing is asked of the server and nothing is used up.
    ///
    /// Continue URLs and dynamic links are recognised on the app's own link domains and schemes only
    /// (``HomingApp/linkDomains``), and wrapped links on the server itself; for email actions the project's key
    /// decides.
    public func handle(_ url: URL) -> IncomingURL {
        read(url.absoluteString)
    }

    /// - Throws: ``AuthErrorCode/invalidActionCode`` for the key of another project.
    func check(apiKey: String?) throws(HomingAuthError) {
        guard let apiKey, !backend.has(apiKey: apiKey) else { return }
        throw .linkOfAnotherProject
    }

    private func read(_ text: String) -> IncomingURL {
        switch IncomingAction(text) {
        case .action(let action): return read(action)
        case .damaged: return .damaged
        case .none: return destination(text, layers: 3)
        }
    }

    /// What is no email action, by where it stands.
    private func destination(_ text: String, layers: Int) -> IncomingURL {
        guard layers > 0, let text = IncomingAction.withoutScanners(text) else { return .notOurs }
        let domains = links.domains
        if CustomSchemeLink.matches(text) {
            guard let link = CustomSchemeLink(parsing: text, schemes: domains.schemes), link.matchType == .unique,
                let deepLink = link.deepLink
            else { return .notOurs }
            return payload(deepLink, layers: layers) { .dynamicLink($0) }
        }
        return switch LinkDomainURL(text, domains: domains.prefixes, wrappers: [backend.endpoint.url]) {
        case .wrapper(let link): payload(link, layers: layers) { .continueURL($0) }
        case .long(let parameters): payload(parameters.link, layers: layers) { .dynamicLink($0) }
        case .short: URL(string: text).map { .shortLink($0) } ?? .notOurs
        case .unreadable: .damaged
        case nil: .notOurs
        }
    }

    private func read(_ action: ActionLink) -> IncomingURL {
        let url = ActionCodeURL(action, continueURL: action.continueURL.flatMap(destination))
        guard !backend.has(apiKey: action.apiKey) else { return .action(url) }
        let own = backend.endpoint.apiKey
        // The key comes last in links for the web: a part of ours is a link that was cut short.
        let isCut = own.utf8.starts(with: action.apiKey.utf8) && action.language == nil
        return isCut ? .damaged : .otherProject(url)
    }

    /// Where a continue URL leads: Continue of the web page goes through a link domain where an app was named.
    func destination(_ continueURL: String) -> URL? {
        switch destination(continueURL, layers: 2) {
        case .continueURL(let url), .dynamicLink(let url): url
        default: URL(destination: continueURL)
        }
    }

    /// What is inside a link of ours; what is nothing of ours itself is where it leads.
    private func payload(_ link: String, layers: Int, _ leading: (URL) -> IncomingURL) -> IncomingURL {
        let isWebURL = IncomingAction.isWebURL(link)
        guard isWebURL || CustomSchemeLink.matches(link), let url = URL(string: link) else { return .damaged }
        // Whether there is an action in it has been looked at, layer by layer.
        let inner = destination(link, layers: layers - 1)
        return inner == .notOurs && isWebURL ? leading(url) : inner
    }
}
