// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingWire

/// A URL on a link domain, found and read: what it says, and whose it is.
package struct IncomingLink: Sendable {
    package let site: LinkSite
    let parsed: ParsedLink

    package var project: Project { site.project }
    package var domain: LinkDomain { site.domain }
    /// The last segment of a short link; nil for a long one.
    package var suffix: String? { parsed.suffix }
    package var parameters: DynamicLinkParameters { parsed.parameters }
    /// What there is to warn of besides the parameters.
    package var findings: LinkRules.Findings { parsed.findings }
    /// `d=1`: explain, do nothing.
    package var isDebug: Bool { parsed.isDebug }
    /// `_open=1`: it comes back from our own page, whose button found no app.
    package var wasAsked: Bool { parsed.wasAsked }
    /// The link as it was parsed, on its domain, without that mark.
    package var url: String { parsed.url }

    /// Refuses the link when it leads anywhere that its project does not allow as it is now.
    package func check() throws(LinkFault) {
        try parsed.check(at: site)
    }

    /// Whether it is allowed and its payload is for apps only.
    package var isForAppsOnly: Bool { (try? parsed.check(at: site)) ?? false }

    /// What the link does for a visitor.
    package var resolution: LinkResolution {
        LinkResolution(
            parsed, at: url, rules: site.rules, isForAppsOnly: isForAppsOnly, hasPageHost: site.hasPageHost,
            wasAsked: wasAsked)
    }
}
