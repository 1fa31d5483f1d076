// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingStore
package import HomingWire

/// What a link that ``LinkRules/check(_:)`` has let through does for each visitor. Pure: nothing is looked up and
/// nothing is written.
///
/// An app counts only when the project has registered it; a link that names another one treats its platform as a
/// browser. So whatever the query contains, a plan leads to a target of the rules, to the store page of a registered
/// app, or to a registered app itself.
package struct LinkResolution: Sendable {
    let link: ParsedLink
    /// The link's own URL on its domain, without the mark ``askedMark``.
    let url: String
    let project: any LinkOwner
    let handler: ActionHandler
    let verdict: LinkVerdict
    let hasPageHost: Bool
    let wasAsked: Bool
    /// The target for browsers in the visitor's language, in the place of `link`; nil where there is none.
    let languageLink: String?

    /// The mark that the page's button adds to the link's own query. No app took a link that comes back with the mark.
    package static let askedMark = "_open=1"

    /// - Parameters:
    ///   - url: the link as it was opened, scheme and host from the link domain, without ``askedMark``.
    ///   - hasPageHost: whether pages can stand on another host than the link's. From the same host iOS opens no app.
    ///   - wasAsked: whether the link came with ``askedMark``.
    package init(
        _ parameters: DynamicLinkParameters, at url: String, rules: LinkRules, hasPageHost: Bool,
        wasAsked: Bool = false, languageLink: String? = nil
    ) {
        self.init(
            ParsedLink(parameters), at: url, rules: rules, verdict: (try? rules.check(parameters)) ?? [],
            hasPageHost: hasPageHost, wasAsked: wasAsked, languageLink: languageLink)
    }

    package init(
        _ link: ParsedLink, at url: String, rules: LinkRules, verdict: LinkVerdict, hasPageHost: Bool, wasAsked: Bool,
        languageLink: String? = nil
    ) {
        self.languageLink = languageLink
        self.link = link
        self.verdict = verdict
        self.url = url
        project = rules.project
        handler = rules.handler
        self.hasPageHost = hasPageHost
        self.wasAsked = wasAsked
    }

    package func plan(for visitor: Visitor) -> LinkPlan {
        switch visitor {
        case .iPhone(let system, let isInApp): apple(isIPad: false, system: system, isInApp: isInApp)
        case .iPad(let system, let isInApp): apple(isIPad: true, system: system, isInApp: isInApp)
        case .android(let isWebView, let store): android(isWebView: isWebView, store: store)
        case .desktopSafariOnMac: macOrIPad
        case .desktop, .robot: plan(desktop)
        case .crawler: crawler
        }
    }

    // MARK: Everywhere else

    /// `ofl`, or else `link`.
    private var desktop: Destination? {
        usable(link.parameters.desktopFallbackLink, unless: .leavesOutDesktopFallback).map {
            Destination(url: withPassed($0), kind: .fallback)
        } ?? payload
    }

    /// A fallback that the link names, unless nobody may be sent there.
    func usable(_ fallback: String?, unless leftOut: LinkVerdict) -> String? {
        verdict.isDisjoint(with: leftOut) ? fallback : nil
    }

    /// The destination of a fallback that the link names for a phone: a web page, or the app's page in the store, to
    /// which nothing is handed on.
    func fallback(_ link: String) -> Destination {
        isInStore(link) ? Destination(url: link, kind: .store) : Destination(url: withPassed(link), kind: .fallback)
    }

    private func isInStore(_ link: String) -> Bool {
        (try? WebURL(parsing: link, takesHTTP: true)).map(StorePage.isInStore) ?? false
    }

    /// A target with what came behind the link: not one that carries a code, nor one in a store.
    private func withPassed(_ target: String) -> String {
        guard link.passed != .none, !handler.carriesCode(target), !isInStore(target) else { return target }
        return link.passed.added(to: target)
    }

    /// `link` for the app, with what came behind a short link.
    package var appPayload: String { withPassed(link.parameters.link) }

    /// `link` for a browser, or the target in the visitor's language, with the campaign that the link brings; nil when
    /// it is for apps only.
    var payload: Destination? {
        if let languageLink { return Destination(url: withCampaign(languageLink), kind: .payload) }
        return verdict.contains(.isForAppsOnly) ? nil : Destination(url: webPayload, kind: .payload)
    }

    func plan(_ destination: Destination?) -> LinkPlan {
        destination.map { .redirect(to: $0.url, $0.kind) } ?? .appOnly
    }

    /// The plan for a crawler. A link without preview parameters is shown as the page that it leads to, where the
    /// crawler reads the tags itself: a plain page with https, never one that carries a code.
    private var crawler: LinkPlan {
        guard link.parameters.social == DynamicLinkParameters.Social(), let desktop,
            desktop.url.utf8.starts(with: "https://".utf8), !handler.carriesCode(desktop.url)
        else { return .preview(preview) }
        return plan(desktop)
    }

    private var preview: LinkPreview {
        let social = link.parameters.social
        let image = social.imageLink.flatMap { try? WebURL(parsing: $0) }
        return LinkPreview(
            title: social.title, description: social.description,
            imageLink: image.flatMap { $0.scheme == .https ? $0.text : nil }, url: url, destination: desktop?.url,
            apps: previewApps)
    }

    /// Facebook's apps open what these tags name as they are told, so a code is in none of them.
    private var previewApps: PreviewApps? {
        guard !handler.carriesCode(link.parameters.link) else { return nil }
        let apple = appleApp(isIPad: false)
        let url = apple.flatMap { scheme(of: $0, else: $0.customScheme) }.map(schemeURL)
        let apps = PreviewApps(
            iOSURL: url, appStoreID: url == nil ? nil : apple?.appStoreID, androidPackage: androidApp?.id)
        return apps.iOSURL == nil && apps.androidPackage == nil ? nil : apps
    }

    /// Both plans, until the page has looked at the device; no page is needed where both are the same.
    private var macOrIPad: LinkPlan {
        let pad = apple(isIPad: true, system: nil, isInApp: false)
        // The button that led back here is shown on iPads only.
        if wasAsked, appleApp(isIPad: true) != nil { return pad }
        guard let desktop else { return pad }
        switch pad {
        case .page(let page): return .macOrIPad(page: page, desktop: desktop.url)
        case .redirect(let url, let kind):
            guard !ASCII.areEqual(url, desktop.url) else { return plan(desktop) }
            let there = Destination(url: url, kind: kind)
            return .macOrIPad(
                page: page(button: url, .destination(kind), fallback: there, app: appleApp(isIPad: true)),
                desktop: desktop.url)
        case .appOnly, .preview, .macOrIPad: return plan(desktop)
        }
    }

    /// The payload for an install referrer and, in all languages that have no target of their own, a browser. What came
    /// behind the link and its campaign go into the payload only where the payload has none of its own, and never into
    /// an action link.
    var webPayload: String { withCampaign(link.parameters.link) }

    private func withCampaign(_ target: String) -> String {
        let payload = withPassed(target)
        let campaign = link.parameters.campaign.parameters
        guard !campaign.isEmpty, !handler.carriesCode(payload) else { return payload }
        guard let query = QueryString(parsing: ActionHandler.query(of: payload) ?? "") else { return payload }
        let missing = campaign.filter { query[$0.name] == nil }
        return missing.isEmpty ? payload : QueryString.merging(parameters: missing, into: payload)
    }

    /// - Parameter app: the Apple app, for Safari's banner.
    func page(
        button: String, _ kind: OpenPage.Button, fallback: Destination?, app: RegisteredApp?,
        in place: OpenPage.Place = .browser
    ) -> OpenPage {
        OpenPage(
            button: button, buttonKind: kind, fallback: fallback?.url, fallbackKind: fallback?.kind,
            title: link.parameters.social.title, description: link.parameters.social.description, place: place,
            url: url, banner: AppBanner(app))
    }

    /// A URL and its kind.
    struct Destination: Equatable {
        let url: String
        let kind: LinkDestination
    }
}

extension DynamicLinkParameters.Campaign {
    /// The parameters that have a value, by their names in a URL.
    var parameters: [(name: String, value: String)] {
        let all = [
            ("utm_source", source), ("utm_medium", medium), ("utm_campaign", campaign), ("utm_term", term),
            ("utm_content", content), ("gclid", clickID),
        ]
        return all.compactMap { name, value in value.map { (name: name, value: $0) } }
    }
}
