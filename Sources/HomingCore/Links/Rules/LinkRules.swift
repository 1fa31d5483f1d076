// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingWire

/// Where a dynamic link may lead, checked when it is created and again at every click, since the lists may have changed
/// between.
///
/// `link`, `afl`, `ifl`, `ipfl` and `ofl` lead to an authorised domain of the project, to the host of its action page, or
/// to the store page of an app that it has registered; never to another link. The action page counts as a payload, never
/// as a continue URL. A payload under a link domain of the project that is itself no link is for apps only.
package struct LinkRules: Sendable {
    /// A link longer than this is not created: encoded and in an `intent:` URL it would outgrow what servers and mail
    /// clients take. Links that Homing mails are not measured, because their continue URL was.
    package static let maximumLength = 7_168

    /// For a payload that is the action page: a continue URL of the longest kind, encoded, and the code.
    package static let maximumActionLinkLength = 7_168

    /// For every parameter that is no URL.
    package static let maximumTextLength = 1_024

    let project: Project
    let handler: ActionHandler
    private let places: LinkPlaces

    /// - Parameters:
    ///   - publicURL: scheme, host and port of the public listener, without a slash at the end.
    ///   - domains: the link domains of **all** projects on a host (``LinkDomain/hostKey``), longest prefix first or not.
    package init(
        project: Project, publicURL: String, domains: @escaping @Sendable (_ hostKey: String) -> [LinkDomain]
    ) {
        self.project = project
        handler = ActionHandler(project: project, publicURL: publicURL)
        places = LinkPlaces(publicURL: publicURL, own: project.linkDomains, domains: domains)
    }

    /// Refuses a long link that is longer than ``maximumLength``.
    package static func check(lengthOf longLink: String) throws(LinkFault) {
        guard longLink.utf8.count <= maximumLength else {
            throw LinkFault(parameter: nil, code: .linkLengthTooLong, reason: .tooLong(maximum: maximumLength))
        }
    }

    /// Refuses a link that leads anywhere it must not, or that says more than anybody reads. Whether the payload is a
    /// short link that exists is for ``Links/check(_:by:)``, which can look.
    package func check(_ parameters: DynamicLinkParameters) throws(LinkFault) {
        for target in LinkTarget.all {
            guard let text = target.value(parameters) else { continue }
            try checkPlace(text, of: target)
        }
        guard parameters.hasText(longerThan: Self.maximumTextLength) else { return }
        for (name, text) in parameters.texts where text.utf8.count > Self.maximumTextLength {
            throw LinkFault(parameter: name, code: .tooLongParam, reason: .tooLong(maximum: Self.maximumTextLength))
        }
    }

    private func checkPlace(_ text: String, of target: LinkTarget) throws(LinkFault) {
        if handler.covers(text) { return try checkActionLink(text, of: target) }
        let url = try parse(text, of: target)
        switch places.kind(of: url) {
        case .own where target.isPayload: return
        case .own, .link: throw fault(.linkToLink, target)
        case .page: break
        }
        guard !isAuthorized(url) else { return }
        if StorePage.isInStore(url) {
            guard let page = StorePage(url), page.isRegistered(in: project) else { throw fault(.storePage, target) }
        } else {
            guard handler.isOnHost(url) else { throw fault(.unauthorizedDomain, target) }
            try checkContinueURL(in: text, of: target)
        }
    }

    /// A code never travels over plain `http`.
    private func parse(_ text: String, of target: LinkTarget) throws(LinkFault) -> WebURL {
        do throws(WebURLFault) {
            return try WebURL(parsing: text, takesHTTP: !handler.carriesCode(text))
        } catch .tooLong {
            throw LinkFault(
                parameter: target.name, code: .tooLongParam, reason: .tooLong(maximum: WebURL.maximumLength))
        } catch {
            throw LinkFault(parameter: target.name, code: target.code(for: error, in: text), reason: .malformed(error))
        }
    }

    private func checkActionLink(_ text: String, of target: LinkTarget) throws(LinkFault) {
        guard text.utf8.count <= Self.maximumActionLinkLength else {
            throw LinkFault(
                parameter: target.name, code: .tooLongParam, reason: .tooLong(maximum: Self.maximumActionLinkLength))
        }
        guard text.utf8.allSatisfy(WebURL.mayHold) else { throw fault(.malformed(.forbiddenCharacter), target) }
        guard !handler.isPlainHTTP else { throw fault(.malformed(.insecureScheme), target) }
        try checkContinueURL(in: text, of: target)
    }

    /// The page follows the continue URL of the code's row; the one in the link is checked all the same, for the
    /// operator's own page may believe it.
    private func checkContinueURL(in text: String, of target: LinkTarget) throws(LinkFault) {
        guard let urls = ActionHandler.continueURLs(of: text), urls.count <= 1, urls.allSatisfy(isContinueURL) else {
            throw fault(.continueURL, target)
        }
    }

    /// An authorised URL, or a link of this project around one.
    private func isContinueURL(_ text: String) -> Bool {
        guard !text.isEmpty, !handler.covers(text) else { return text.isEmpty }
        if let url = try? WebURL(parsing: text), isAuthorized(url) { return true }
        let forms = project.linkDomains.flatMap { domain in
            ["/__/auth/links?", "/?", "?"].map { domain.baseURL + $0 }
        }
        guard forms.contains(where: { text.utf8.starts(with: $0.utf8) }), text.utf8.allSatisfy(WebURL.mayHold),
            let query = ActionHandler.query(of: text).flatMap({ QueryString(parsing: $0) }), query["link"] != nil
        else { return false }
        let names = LinkTarget.all.map(\.name)
        return query.parameters.allSatisfy { parameter in
            guard names.contains(where: { ASCII.areEqual($0, parameter.name) }) else { return true }
            guard let url = try? WebURL(parsing: parameter.value) else { return false }
            return isAuthorized(url) && places.isPage(url)
        }
    }

    /// Whether a payload lies under a link domain of the project, so that an app gets it and nobody is sent there.
    package func isForAppsOnly(_ link: String) -> Bool {
        if case .own = kind(of: link) { true } else { false }
    }

    /// Where a payload would be a short link of the project; nil where none can be.
    func shortLinkAddress(of link: String) -> LinkPlaces.ShortLinkAddress? {
        if case .own(let address) = kind(of: link) { address } else { nil }
    }

    private func kind(of link: String) -> LinkPlaces.Kind? {
        guard !handler.covers(link), let url = try? WebURL(parsing: link, takesHTTP: true) else { return nil }
        return places.kind(of: url)
    }

    private func isAuthorized(_ url: WebURL) -> Bool {
        project.authorizedDomains.contains { $0.allows(url) }
    }

    private func fault(_ reason: LinkFault.Reason, _ target: LinkTarget) -> LinkFault {
        LinkFault(parameter: target.name, code: nil, reason: reason)
    }
}
