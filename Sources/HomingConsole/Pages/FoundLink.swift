// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
import HomingProjects
import HomingShortLinks
import HomingStore

/// The short link that a path of the console names, and where it is.
struct FoundLink {
    let link: StoredLink
    let site: LinkSite
    /// The link's page in the console.
    let path: String

    var domain: LinkDomain { site.domain }
    var url: String { "\(domain.baseURL)/\(link.suffix)" }
    /// Its name, or else its ending.
    var title: String { link.name ?? link.suffix.text }

    var subject: LinkStatistics.Subject { .link(domain: domain.text, suffix: link.suffix) }

    /// - Throws: ``ConsoleRefusal/notFound`` where there is none, or its domain is the project's no more.
    init(_ context: ConsoleContext) async throws {
        let (project, name) = (try context.project, try context.parameter("domain"))
        guard let domain = project.linkDomains.first(where: { $0.text.utf8.elementsEqual(name.utf8) }),
            let site = context.homing.projects.linkSite(on: domain, of: project),
            let link = try await context.homing.links.stored(
                LinkSuffix(try context.parameter("ending")), on: domain, of: project)
        else { throw ConsoleRefusal.notFound }
        self.link = link
        self.site = site
        path = LinkPage.path(of: link, in: project)
    }
}
