// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import HomingProjects
import HomingServer
import HomingStore
import HomingTexts
import Hummingbird

/// `/console/`: the projects, and a form for a new one.
enum ProjectsPage {
    static func show(_ context: ConsoleContext) async throws -> Response { try await page(context) }

    private struct NewProject {
        var id = ""
        var name: String?
        var domain: String?
    }

    private static var creation: ConsoleForm<NewProject> {
        ConsoleForm(
            NewProject(),
            ConsoleField(
                "Project id", "id", \.id,
                hint: "1 to 63 of a-z, 0-9 and -; it stays. It stands in tokens and paths.",
                isRequired: true, check: { try Projects.check(id: ProjectID($0)) }),
            ConsoleField(
                "Name", "name", \.name, hint: "What emails and pages call your app. Optional.",
                check: { _ = try Projects.checkedName($0) }),
            ConsoleField(
                "First authorised domain", "domain", \.domain,
                hint: """
                    Where people may return to, such as <code>www.example.com</code> or <code>localhost</code>. Optional.
                    """,
                check: { _ = try AuthorizedDomain(parsing: $0) }))
    }

    /// The most projects of which the list has numbers, and where counting accounts ends: people wait for it.
    private static let (mostCounted, mostAccounts) = (60, 1001)

    private static func page(
        _ context: ConsoleContext, _ form: ConsoleForm<NewProject> = creation
    ) async throws -> Response {
        let projects = context.homing.projects.all().filter { context.person.sees($0.projectID) }
        let counted = try await context.homing.projects.contents(
            of: Array(projects.prefix(mostCounted)), upTo: mostAccounts)
        let cards = projects.enumerated().map { index, project in
            card(project, index < counted.count ? counted[index] : nil, context)
        }
        let list: HTML =
            cards.isEmpty
            ? "<section>\(nothing(context).html)</section>" : "<ul class=\"grid\">\(cards)</ul>"
        let new: HTML =
            context.isOwner
            ? FoldedForm(
                "New project", context.form(to: "/console/", form.html, button: "Create the project"),
                isOpen: projects.isEmpty || form.isRefused
            ).html : ""
        return ConsolePage(
            .projects, lead: "A project is one app family: its apps, domains, accounts and emails.",
            "\(new)\(list)", of: form
        ).answer(in: context)
    }

    private static func nothing(_ context: ConsoleContext) -> EmptyState {
        EmptyState(
            .projects, "No projects yet",
            context.isOwner
                ? "Create the first one above: an id is enough."
                : "An owner creates them, and says which ones you see.")
    }

    // MARK: A project

    private static func card(_ project: Project, _ contents: ProjectContents?, _ context: ConsoleContext) -> HTML {
        let tenants = context.homing.projects.tenants(of: project)
        let problems = problems(of: project, context)
        let state: HTML =
            problems.isEmpty
            ? ""
            : """
            <p><span class="tag bad">\(problems.count) to fix</span> <span class="soft">\(problems.joined(separator: "; "))\
            </span></p>
            """
        return """
            <li class="card"><h2><a href="\(ConsoleSection.overview.path(in: project))"><bdi>\(project.name)</bdi></a></h2>
            <p class="soft"><code>\(project.projectID.text)</code></p>
            <p>\(numbers(project, contents))</p>
            \(state)\(tenants.isEmpty ? "" : list(of: tenants))
            <p><a href="\(ProjectSettingsPage.path(of: project))" aria-label="Settings of \(project.name)">Settings</a></p>\
            </li>
            """
    }

    private static func numbers(_ project: Project, _ contents: ProjectContents?) -> String {
        func words(_ number: Int, _ one: String, _ several: String) -> String {
            number >= mostAccounts
                ? "more than \(mostAccounts - 1) \(several)" : "\(number) \(number == 1 ? one : several)"
        }
        var parts = [words(project.apps.count, "app", "apps")]
        if let contents {
            parts += [
                words(contents.accounts, "account", "accounts"), words(contents.links, "link", "links"),
                "\(contents.emailsToday) \(contents.emailsToday == 1 ? "email" : "emails") today",
            ]
        }
        return parts.joined(separator: " · ")
    }

    /// Tenants have accounts and emails; everything else is their project's.
    private static func list(of tenants: [Project]) -> HTML {
        let links = tenants.map { tenant -> HTML in
            """
            <li><a href="\(ConsoleSection.accounts.path(in: tenant))"><bdi>\(tenant.shownName)</bdi></a> \
            <span class="tag plain">tenant</span> <code>\(tenant.scope.text)</code></li>
            """
        }
        return "<ul>\(links)</ul>"
    }

    /// What keeps links and emails of a project from working, as far as the server knows it without a look outside.
    private static func problems(of project: Project, _ context: ConsoleContext) -> [String] {
        let isMailAway = context.homing.outbox.mailState(of: project)?.away != nil
        let isDead = !project.linkDomains.isEmpty && project.linkDomains.allSatisfy(\.isGoogles)
        return project.apps.compactMap(\.problem)
            + (project.authorizedDomains.isEmpty ? ["no authorised domain, so that no continue URL is taken"] : [])
            + (isDead ? ["its link domains are Google's, and no link on them arrives"] : [])
            + (isMailAway ? ["its emails are queued, because the relay takes none"] : [])
    }

    static func create(_ sent: SentForm) async throws -> Response {
        var form = creation
        guard try form.take(sent) else { return try await page(sent.context, form) }
        do {
            let project = try await sent.homing.projects.create(
                id: ProjectID(form.value.id), name: form.value.name, apiKey: nil,
                authorizedDomains: form.value.domain.map { [$0] } ?? [], linkDomains: [], language: nil,
                by: sent.author)
            return sent.saved(ConsoleSection.overview.path(in: project))
        } catch Refusal.Code.alreadyExists {
            form.faults["id"] = "There is a project with this id already. Choose another one."
            return try await page(sent.context, form)
        }
    }
}
