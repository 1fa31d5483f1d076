// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingLinkRules
package import HomingStore
package import HomingWire

/// A URL on a link domain, found and parsed, with its site.
package struct IncomingLink: Sendable {
    package let site: LinkSite
    let parsed: ParsedLink

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
    package var isForAppsOnly: Bool { (try? parsed.check(by: site.rules, in: site.edition)) ?? false }

    /// What the link does for a visitor.
    package var resolution: LinkResolution {
        LinkResolution(
            parsed, at: url, rules: site.rules, isForAppsOnly: isForAppsOnly, hasPageHost: site.hasPageHost,
            wasAsked: wasAsked)
    }
}
