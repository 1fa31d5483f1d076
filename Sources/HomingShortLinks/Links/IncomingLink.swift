// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingLinkRules
package import HomingProjects
package import HomingStore
package import HomingWire

/// A URL on a link domain, found and parsed, with its site.
package struct IncomingLink: Sendable {
    package let site: LinkSite
    let parsed: ParsedLink
    /// The targets that were found to be short links themselves (``Links/settled(_:acceptLanguage:)``).
    fileprivate var linksAmongTargets: [String] = []

    package init(site: LinkSite, parsed: ParsedLink) {
        self.site = site
        self.parsed = parsed
    }

    package var project: Project { site.project }
    package var domain: LinkDomain { site.domain }
    /// The last segment of a short link; nil for a long one.
    package var suffix: LinkSuffix? { parsed.suffix }
    package var parameters: DynamicLinkParameters { parsed.parameters }
    /// The reader's findings besides the parameters, for warnings.
    package var findings: LinkRules.Findings { parsed.findings }
    /// `d=1`: explain, do nothing.
    package var isDebug: Bool { parsed.isDebug }
    /// `_open=1`: the visitor comes back from our own page, whose button found no app.
    package var wasAsked: Bool { parsed.wasAsked }
    /// The link as it was parsed, on its domain, without the mark `_open=1`.
    package var url: String { parsed.url }

    /// Refuses the link when it leads anywhere that its project does not allow as it is now.
    package func check() throws(LinkFault) {
        try parsed.check(by: site.rules, in: site.edition)
    }

    /// Whether the link is allowed and its payload is for apps only.
    package var isForAppsOnly: Bool { verdict.contains(.isForAppsOnly) }

    /// Whether the link is allowed, but a target of it may be a short link, for which somebody has to look.
    package var mayLeadToLink: Bool { verdict.contains(.mayLeadToLink) }

    /// `ifl`, unless nobody may be sent there.
    package var iosFallbackLink: String? {
        verdict.contains(.leavesOutIOSFallback) ? nil : parameters.ios.fallbackLink
    }

    private var verdict: LinkVerdict {
        let verdict = (try? parsed.check(by: site.rules, in: site.edition)) ?? .isRefused
        guard !linksAmongTargets.isEmpty else { return verdict }
        return verdict.union(LinkVerdict(leavingOut: linksAmongTargets, of: parameters))
    }

    /// What decides whether the link is opened now, besides its targets; nil for most links.
    package var life: LinkLife? { parsed.life }

    /// Whether the link does not lead to the same pages in all languages.
    package var dependsOnLanguage: Bool { life.map { !$0.details.languageLinks.isEmpty } ?? false }

    /// What the link does for a visitor.
    ///
    /// - Parameter field: `Accept-Language`, read for links that have targets by language.
    package func resolution(acceptLanguage field: @autoclosure () -> String? = nil) -> LinkResolution {
        LinkResolution(
            parsed, at: url, rules: site.rules, verdict: verdict, hasPageHost: site.hasPageHost,
            wasAsked: wasAsked, languageLink: life == nil ? nil : languageLink(field()))
    }

    /// A target that is not allowed as the project is now is left out, and so is one that is a short link.
    fileprivate func languageLink(_ field: String?) -> String? {
        guard let field, let link = life?.details.link(acceptLanguage: field), site.rules.allows(webTarget: link),
            !linksAmongTargets.contains(where: { $0.utf8.elementsEqual(link.utf8) })
        else { return nil }
        return link
    }
}

extension Links {
    /// Looks which targets of a link are short links by now. Of fallbacks and of the target in the visitor's language
    /// they are left out, as others are to which nobody may be sent.
    ///
    /// - Throws: ``Refusal/invalidDynamicLink(code:_:remedy:)`` for such a payload.
    package func settled(_ link: IncomingLink, acceptLanguage field: String? = nil) async throws -> IncomingLink {
        var targets = link.mayLeadToLink ? link.parameters.targets : []
        if let language = link.languageLink(field) { targets.append(language) }
        var settled = link
        for target in targets where try await isLink(target, by: link.site.rules, of: link.project) {
            guard !target.utf8.elementsEqual(link.parameters.link.utf8) else {
                throw LinkFault(parameter: DynamicLinkParameter.link.rawValue, code: nil, reason: .linkToLink).refusal
            }
            settled.linksAmongTargets.append(target)
        }
        return settled
    }
}
