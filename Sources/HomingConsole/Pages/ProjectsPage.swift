// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingServer
import HomingStore
import HomingTexts
import Hummingbird

/// `/console/`: the projects, and a form for a new one.
enum ProjectsPage {
    static func show(_ context: ConsoleContext) async throws -> Response { page(context) }

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
                "Name", "name", \.name, hint: "What mails and pages call your app.",
                check: { _ = try Projects.checkedName($0) }),
            ConsoleField(
                "First authorised domain", "domain", \.domain,
                hint: "Where people may return to, such as <code>www.example.com</code> or <code>localhost</code>.",
                check: { _ = try AuthorizedDomain(parsing: $0) }))
    }

    private static func page(_ context: ConsoleContext, _ form: ConsoleForm<NewProject> = creation) -> Response {
        let projects = context.homing.projects.all().filter { context.person.sees($0.projectID) }
        let rows = projects.flatMap { project -> [[HTML]] in
            let overview = ConsoleSection.overview.path(in: project)
            let own: [HTML] = [
                "<a href=\"\(overview)\"><bdi>\(project.name)</bdi></a>", "<code>\(project.projectID.text)</code>",
                "\(project.authorizedDomains.count)", "\(project.apps.count)", "\(project.linkDomains.count)",
            ]
            // A tenant has those of its project.
            let tenants = context.homing.projects.tenants(of: project).map { tenant -> [HTML] in
                let accounts = ConsoleSection.accounts.path(in: tenant)
                return [
                    "<a href=\"\(accounts)\"><bdi>\(tenant.shownName)</bdi></a> <span class=\"tag\">tenant</span>",
                    "<code>\(tenant.scope.text)</code>", "", "", "",
                ]
            }
            return [own] + tenants
        }
        let list: HTML =
            rows.isEmpty
            ? "<p>There is no project yet. A project is one app family: its apps, domains, accounts and mails.</p>"
            : ConsoleTable("Projects", ["Name", "Id", "Domains", "Apps", "Link domains"], rows).html
        return ConsolePage(
            .projects,
            """
            <section>\(list)</section>
            \(context.isOwner
                ? """
                <section><h2>New project</h2>
                \(context.form(to: "/console/", form.html, button: "Create the project"))
                </section>
                """ as HTML
                : "")
            """, status: form.status
        ).answer(in: context)
    }

    static func create(_ sent: SentForm) async throws -> Response {
        var form = creation
        guard try form.take(sent) else { return page(sent.context, form) }
        do {
            let project = try await sent.homing.projects.create(
                id: ProjectID(form.value.id), name: form.value.name, apiKey: nil,
                authorizedDomains: form.value.domain.map { [$0] } ?? [], linkDomains: [], language: nil,
                by: sent.author)
            return sent.saved(ConsoleSection.overview.path(in: project))
        } catch Refusal.Code.alreadyExists {
            form.faults["id"] = "There is a project with this id already. Choose another one."
            return page(sent.context, form)
        }
    }
}
