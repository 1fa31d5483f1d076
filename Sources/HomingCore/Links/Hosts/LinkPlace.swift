// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// A link domain as clicks meet it: whose it is, and the rules there. Made once per change of a project, not per click.
package final class LinkPlace: Sendable {
    package let domain: LinkDomain
    package let project: Project
    package let rules: LinkRules
    /// Whether pages can stand on another host than the links. On the same one iOS opens no app.
    package let hasPageHost: Bool
    /// Counts the changes of projects: what was allowed under another number is looked at again.
    let edition: Int

    init(_ domain: LinkDomain, of project: Project, rules: LinkRules, publicURL: String, edition: Int) {
        self.edition = edition
        self.domain = domain
        self.project = project
        self.rules = rules
        hasPageHost = (try? WebURL(parsing: publicURL)).map { $0.host != domain.host } ?? false
    }
}
