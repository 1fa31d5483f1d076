// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingStore
package import HomingWire

/// The rules for the targets of a dynamic link, checked when the link is created and again at every click, since the
/// lists may have changed between.
///
/// `link`, `afl`, `ifl`, `ipfl` and `ofl` lead to an authorised domain of the project, to the host of its action page,
/// or to the store page of a registered app; never to another link. A link whose payload does not is refused; a fallback
/// that does not is left out. The action page counts as a payload, never as a continue URL. A payload under a link
/// domain of the project that is itself no link is for apps only, unless the domain is the project's website, too:
/// there it is a page, as any target is.
package struct LinkRules: Sendable {
    /// The greatest length of a created link: in an `intent:` URL a longer one would outgrow servers and mail clients.
    /// Links that Homing mails are not measured, because their continue URL was.
    package static let maximumLength = 7_168

    /// The greatest length of a payload that is the action page: the longest continue URL, encoded, and the code.
    package static let maximumActionLinkLength = 7_168

    /// The greatest length of every parameter that is no URL.
    package static let maximumTextLength = 1_024

    let project: any LinkOwner
    let handler: ActionHandler
    private let classifier: LinkClassifier

    /// - Parameters:
    ///   - publicURL: scheme, host and port of the public listener, without a slash at the end.
    ///   - domains: the link domains of **all** projects on a host (``LinkDomain/hostKey``), in any order of prefixes.
    package init(
        project: any LinkOwner, publicURL: String, domains: @escaping @Sendable (_ hostKey: String) -> [LinkDomain]
    ) {
        self.project = project
        handler = ActionHandler(project: project, publicURL: publicURL)
        classifier = LinkClassifier(publicURL: publicURL, own: project, domains: domains)
    }

    /// Refuses a long link that is longer than ``maximumLength``.
    package static func check(lengthOf longLink: String) throws(LinkFault) {
        guard longLink.utf8.count <= maximumLength else {
            throw LinkFault(parameter: nil, code: .linkLengthTooLong, reason: .tooLong(maximum: maximumLength))
        }
    }

    /// Refuses a link with a payload that is not allowed or with a text that is too long. ``Links/check(_:_:by:of:)``
    /// looks up whether one of those that ``shortLinkAddresses(in:_:)`` names is a short link that exists.
    ///
    /// - Returns: what is left out of the link, among others.
    @discardableResult
    package func check(_ parameters: DynamicLinkParameters) throws(LinkFault) -> LinkVerdict {
        var verdict: LinkVerdict = isForAppsOnly(parameters.link) ? .isForAppsOnly : []
        for target in LinkTarget.all {
            if let fault = fault(of: target, in: parameters) {
                guard !target.isPayload else { throw fault }
                // No link of that length is made, and none is built only to be refused.
                try Self.check(lengthOf: target.value(parameters) ?? "")
                verdict.insert(target.leftOut)
            } else if target.value(parameters).flatMap(shortLinkAddress(of:)) != nil {
                verdict.insert(.mayLeadToLink)
            }
        }
        guard parameters.hasText(longerThan: Self.maximumTextLength) else { return verdict }
        for (name, text) in parameters.texts where text.utf8.count > Self.maximumTextLength {
            throw LinkFault(parameter: name, code: .tooLongParam, reason: .tooLong(maximum: Self.maximumTextLength))
        }
        return verdict
    }

    /// Why fallbacks of a link are left out.
    package func faults(ofFallbacksIn parameters: DynamicLinkParameters) -> [LinkFault] {
        LinkTarget.fallbacks.compactMap { fault(of: $0, in: parameters) }
    }

    /// Why nobody may be sent to a target of a link; nil where people may be, and where the link has none.
    private func fault(of target: LinkTarget, in parameters: DynamicLinkParameters) -> LinkFault? {
        guard let text = target.value(parameters) else { return nil }
        do throws(LinkFault) {
            try checkDestination(text, of: target)
            return nil
        } catch {
            return error
        }
    }

    func checkDestination(_ text: String, of target: LinkTarget) throws(LinkFault) {
        if handler.covers(text) { return try checkActionLink(text, of: target) }
        let url = try parse(text, of: target)
        switch classifier.kind(of: url) {
        case .own where target.isPayload: return
        case .own, .link: throw fault(.linkToLink, target)
        case .page, .website: break
        }
        guard !isAuthorized(url) else { return }
        if StorePage.isInStore(url) {
            guard let page = StorePage(url), page.isRegistered(in: project) else { throw fault(.storePage, target) }
        } else {
            guard handler.isOnHost(url) else { throw fault(.unauthorizedDomain, target) }
            try checkContinueURL(in: text, of: target)
        }
    }

    /// Parses a target. A code never travels over plain `http`.
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
        guard WebURL.holdsOnlyAllowedBytes(text) else { throw fault(.malformed(.forbiddenCharacter), target) }
        guard !handler.isPlainHTTP else { throw fault(.malformed(.insecureScheme), target) }
        try checkContinueURL(in: text, of: target)
    }

    /// Checks the continue URL in a link to the action page. Our page follows the continue URL of the code's row, but
    /// the operator's own page may trust the one in the link.
    private func checkContinueURL(in text: String, of target: LinkTarget) throws(LinkFault) {
        guard let urls = ActionHandler.continueURLs(of: text), urls.count <= 1, urls.allSatisfy(isContinueURL) else {
            throw fault(.continueURL, target)
        }
    }

    private func isContinueURL(_ text: String) -> Bool {
        guard !text.isEmpty, !handler.covers(text) else { return text.isEmpty }
        return continueRule.allows(text)
    }

    /// The rule for continue URLs, which knows the link domains of all projects.
    package var continueRule: ContinueRule { ContinueRule(project: project, classifier: classifier) }

    /// Whether a URL is a web page, and under no link domain of any project.
    package func isPage(_ url: String, outside domain: LinkDomain) -> Bool {
        (try? WebURL(parsing: url)).map { classifier.isPage($0) && !domain.claims($0) } ?? false
    }

    /// Whether a payload lies under a link domain of the project, so that an app gets it and no browser is sent there.
    package func isForAppsOnly(_ link: String) -> Bool {
        if case .own = kind(of: link) { true } else { false }
    }

    /// The short links of the project that targets may be, by the names of the parameters: of those that a link cannot
    /// do without, or that are the operator's own. A fallback that is one is left out at the click.
    package func shortLinkAddresses(
        in parameters: DynamicLinkParameters, _ details: LinkDetails? = nil
    ) -> [(parameter: String, address: LinkClassifier.ShortLinkAddress)] {
        var targets = LinkTarget.all.filter(\.isPayload).map { (name: $0.name, url: $0.value(parameters)) }
        if let details {
            targets += details.languageLinks.map { ("languageLinks.\($0.tag)", $0.link) }
            targets.append(("afterEnd", details.afterEnd))
        }
        return targets.compactMap { name, url in url.flatMap(shortLinkAddress(of:)).map { (name, $0) } }
    }

    /// The address of the short link of the project that a target may be; nil where it can be none.
    package func shortLinkAddress(of link: String) -> LinkClassifier.ShortLinkAddress? {
        switch kind(of: link) {
        case .own(let address), .website(let address): address
        case .page, .link, nil: nil
        }
    }

    private func kind(of link: String) -> LinkClassifier.Kind? {
        guard !handler.covers(link), let url = try? WebURL(parsing: link, takesHTTP: true) else { return nil }
        return classifier.kind(of: url)
    }

    private func isAuthorized(_ url: WebURL) -> Bool { project.lists(url) }

    private func fault(_ reason: LinkFault.Reason, _ target: LinkTarget) -> LinkFault {
        LinkFault(parameter: target.name, code: nil, reason: reason)
    }
}
