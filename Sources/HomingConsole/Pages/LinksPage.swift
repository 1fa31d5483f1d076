// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
import HomingStore
import HomingTexts
import HomingWire
import Hummingbird

/// `…/links`: the dynamic links of a project, found by name or ending.
enum LinksPage {
    private static let pageLength = 100

    private struct Wanted {
        var text = ""
        var archived = false
    }

    static func show(_ context: ConsoleContext) async throws -> Response {
        var search = ConsoleForm(
            Wanted(),
            ConsoleField(
                "Name or ending", "search", \.text, hint: "The beginning is enough; links of apps have no name.",
                .line("search")),
            ConsoleField("Archived ones, too", "archived", \.archived))
        try search.take(query: context.query)
        let (project, typed, showsArchived) = (try context.project, search.value.text, search.value.archived)
        let links =
            if typed.isEmpty {
                try await context.homing.links.list(
                    project, includingArchived: showsArchived, newestFirst: true, limit: pageLength)
            } else {
                try await context.homing.links.search(
                    typed, in: project, includingArchived: showsArchived, limit: pageLength)
            }
        let rows = links.compactMap { link in row(link, project) }
        let empty: HTML =
            typed.isEmpty
            ? "<p>No link with a name yet. Links that apps make have none; search for their ending.</p>"
            : "<p>No link has a name or an ending that begins with <bdi>\(typed)</bdi>.</p>"
        let rest: HTML =
            links.count == pageLength ? "<p class=\"soft\">There may be more: search for a longer beginning.</p>" : ""
        return ConsolePage(
            .links,
            """
            \(project.linkDomains.isEmpty
                ? "<p>Links need a domain: <a href=\"\(context.path(of: .linkDomains))\">add a link domain</a>.</p>" as HTML
                : context.mayEdit
                    ? "<p><a class=\"button\" href=\"\(LinkCreatePage.path(in: project))\">New link</a></p>" : "")
            \(search.search(at: context.path(of: .links)))
            <section>\(rows.isEmpty
                ? empty : ConsoleTable("Links", ["Link", "Name", "Leads to", "Created"], rows).html)
            \(rest)</section>
            """
        ).answer(in: context)
    }

    /// Nil for a link whose domain was removed.
    private static func row(_ link: StoredLink, _ project: Project) -> [HTML]? {
        guard let domain = project.linkDomains.first(where: { $0.text.utf8.elementsEqual(link.domain.utf8) }),
            let target = try? DynamicLinkURL(base: domain.baseURL, query: link.query).parameters.link
        else { return nil }
        let archived: HTML = link.isArchived ? " <span class=\"tag warn\">archived</span>" : ""
        return [
            "<a href=\"\(LinkPage.path(of: link, in: project))\">\(domain.baseURL)/\(link.suffix.text)</a>\(archived)",
            "<bdi>\(link.name ?? "")</bdi>", "<bdi>\(SecretMask.masked(target))</bdi>",
            "<time>\(link.createdAt.inWords)</time>",
        ]
    }
}
