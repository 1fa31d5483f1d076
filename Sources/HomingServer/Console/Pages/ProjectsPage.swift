// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingTexts
import Hummingbird

/// `/console/`: the projects, and a form for a new one.
enum ProjectsPage {
    static func show(_ context: ConsoleContext) async throws -> Response { page(context) }

    private static func page(_ context: ConsoleContext, _ draft: ConsoleDraft = ConsoleDraft()) -> Response {
        let projects = context.homing.projects.all().filter { context.person.sees($0.id) }
        let rows = projects.flatMap { project -> [[HTML]] in
            let overview = ConsoleSection.overview.path(in: project)
            let own: [HTML] = [
                "<a href=\"\(overview)\"><bdi>\(project.name)</bdi></a>", "<code>\(project.id)</code>",
                "\(project.authorizedDomains.count)", "\(project.apps.count)", "\(project.linkDomains.count)",
            ]
            // A tenant has those of its project.
            let tenants = context.homing.projects.tenants(of: project).map { tenant -> [HTML] in
                let accounts = ConsoleSection.accounts.path(in: tenant)
                return [
                    "<a href=\"\(accounts)\"><bdi>\(tenant.shownName)</bdi></a> <span class=\"tag\">tenant</span>",
                    "<code>\(tenant.id)</code>", "", "", "",
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
            \(context.isOwner ? creation(context, draft) : "")
            """, status: draft.status
        ).answer(in: context)
    }

    private static func creation(_ context: ConsoleContext, _ draft: ConsoleDraft) -> HTML {
        let fields = [
            draft.field(
                "Project id", "id", hint: "1 to 63 of a-z, 0-9 and -; it stays. It stands in tokens and paths.",
                isRequired: true),
            draft.field("Name", "name", hint: "What mails and pages call your app."),
            draft.field(
                "First authorised domain", "domain",
                hint: "Where people may return to, such as <code>www.example.com</code> or <code>localhost</code>."),
        ]
        return """
            <section><h2>New project</h2>
            \(context.form(to: "/console/", hidden: [], HTML(joining: fields.map { $0.html() }), button: "Create the project"))
            </section>
            """
    }

    static func create(_ form: ConsoleForm) async throws -> Response {
        var draft = ConsoleDraft(form)
        draft.check("id") { text throws(Refusal) in try Projects.check(id: text) }
        if draft.given("name") != nil {
            draft.check("name") { text throws(Refusal) in try Projects.checkedName(text) }
        }
        if draft.given("domain") != nil {
            draft.check("domain") { text throws(Refusal) in try AuthorizedDomain(parsing: text) }
        }
        guard !draft.isRefused else { return page(form.context, draft) }
        do {
            let project = try await form.homing.projects.create(
                id: draft["id"], name: draft.given("name"), apiKey: nil,
                authorizedDomains: draft.given("domain").map { [$0] } ?? [], linkDomains: [], language: nil,
                by: form.author)
            return form.saved(ConsoleSection.overview.path(in: project))
        } catch Refusal.Code.alreadyExists {
            draft.faults["id"] = "There is a project with this id already. Choose another one."
            return page(form.context, draft)
        }
    }
}
