// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingLinkRules
package import HomingStore

/// A link domain with its project and rules, as clicks need it. Made once per change of a project, not per click.
package final class LinkSite: Sendable {
    package let domain: LinkDomain
    package let project: Project
    package let rules: LinkRules
    /// Whether pages can stand on another host than the links. From a page on the same host iOS opens no app.
    package let hasPageHost: Bool
    /// Whether the case of endings does not count.
    package let ignoresCase: Bool
    /// Whether all parameters behind a short link are handed on, and not only those of campaigns.
    package let passesAllParameters: Bool
    /// Where `/` and what is no link lead; nil for a page of ours. Never on this link domain, which would lead on for
    /// ever.
    package let home: String?
    /// The number of the last change of projects: a link that was allowed under another number is checked again.
    package let edition: Int

    package init(_ domain: LinkDomain, of project: Project, rules: LinkRules, publicURL: String, edition: Int) {
        self.edition = edition
        self.domain = domain
        self.project = project
        self.rules = rules
        ignoresCase = project.ignoresCase(on: domain.text)
        passesAllParameters = project.settings.passesAllParameters
        home = project.settings.linksHome.flatMap { rules.isPage($0, outside: domain) ? $0 : nil }
        hasPageHost = (try? WebURL(parsing: publicURL)).map { $0.host != domain.host } ?? false
    }
}
