// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingWire

/// A URL on a link domain, found and read: what it says, and whose it is.
package struct IncomingLink: Sendable {
    package let place: LinkPlace
    let opened: OpenedLink

    package var project: Project { place.project }
    package var domain: LinkDomain { place.domain }
    /// The last segment of a short link; nil for a long one.
    package var suffix: String? { opened.suffix }
    package var parameters: DynamicLinkParameters { opened.parameters }
    /// What there is to warn of besides the parameters.
    package var noticed: LinkRules.Noticed { opened.noticed }
    /// `d=1`: explain, do nothing.
    package var isDebug: Bool { opened.isDebug }
    /// `_open=1`: it comes back from our own page, whose button found no app.
    package var wasAsked: Bool { opened.wasAsked }
    /// The link as it was opened, on its domain, without that mark.
    package var url: String { opened.url }

    /// Refuses the link when it leads anywhere that its project does not allow as it is now.
    package func check() throws(LinkFault) {
        try opened.check(at: place)
    }

    /// Whether it is allowed and its payload is for apps only.
    package var isForAppsOnly: Bool { (try? opened.check(at: place)) ?? false }

    /// What the link does for a visitor.
    package var resolution: LinkResolution {
        LinkResolution(
            opened, at: url, rules: place.rules, isForAppsOnly: isForAppsOnly, hasPageHost: place.hasPageHost,
            wasAsked: wasAsked)
    }
}
