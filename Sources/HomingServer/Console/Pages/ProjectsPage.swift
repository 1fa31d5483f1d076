// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingTexts
import Hummingbird

/// `/console/`: the projects, and a form for a new one.
enum ProjectsPage {
    static func show(_ context: ConsoleContext) async throws -> Response { page(context) }

    private static func page(_ context: ConsoleContext, _ draft: Draft = Draft(), fault: String? = nil) -> Response {
        let projects = context.homing.projects.all().filter { context.person.sees($0.id) }
        let rows = projects.map { project -> [HTML] in
            let overview = ConsoleSection.overview.path(in: project)
            return [
                "<a href=\"\(overview)\"><bdi>\(project.name)</bdi></a>", "<code>\(project.id)</code>",
                "\(project.authorizedDomains.count)", "\(project.apps.count)", "\(project.linkDomains.count)",
            ]
        }
        let list: HTML =
            rows.isEmpty
            ? "<p>There is no project yet. A project is one app family: its apps, domains, accounts and mails.</p>"
            : ConsoleTable("Projects", ["Name", "Id", "Domains", "Apps", "Link domains"], rows).html
        return ConsolePage(
            .projects,
            """
            <section>\(list)</section>
            \(context.isOwner ? creation(context, draft, fault) : "")
            """, status: fault == nil ? .ok : .badRequest
        ).answer(in: context)
    }

    private struct Draft {
        var id = ""
        var name = ""
        var domain = ""
    }

    private static func creation(_ context: ConsoleContext, _ draft: Draft, _ fault: String?) -> HTML {
        let fields = [
            ConsoleField(
                "Project id", "id", value: draft.id,
                hint: "1 to 63 of a-z, 0-9 and -; it stays. It stands in tokens and paths.", fault: fault,
                isRequired: true),
            ConsoleField("Name", "name", value: draft.name, hint: "What mails and pages call your app."),
            ConsoleField(
                "First authorised domain", "domain", value: draft.domain,
                hint: "Where people may return to, such as <code>www.example.com</code> or <code>localhost</code>."),
        ]
        return """
            <section><h2>New project</h2>
            \(context.form(to: "/console/", hidden: [], HTML(joining: fields.map { $0.html() }), button: "Create the project"))
            </section>
            """
    }

    static func create(_ form: ConsoleForm) async throws -> Response {
        let draft = Draft(id: form.text("id"), name: form.text("name"), domain: form.text("domain"))
        do {
            let project = try await form.homing.projects.create(
                id: draft.id, name: draft.name.isEmpty ? nil : draft.name, apiKey: nil,
                authorizedDomains: draft.domain.isEmpty ? [] : [draft.domain], linkDomains: [], language: nil,
                by: form.author)
            return form.saved(ConsoleSection.overview.path(in: project))
        } catch let refusal as Refusal {
            return page(form.context, draft, fault: refusal.consoleSentence)
        }
    }
}
