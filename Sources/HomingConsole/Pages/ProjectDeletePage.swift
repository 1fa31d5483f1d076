// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingStore
import HomingTexts
import Hummingbird

/// `…/delete`: says what goes with a project, asks for its id, and deletes it.
enum ProjectDeletePage {
    static func path(of project: Project) -> String { "\(ConsoleSection.overview.path(in: project))delete" }

    static func show(_ context: ConsoleContext) async throws -> Response {
        try await page(context, form(of: try context.project))
    }

    private static func form(of project: Project) -> ConsoleForm<String> {
        let id = project.projectID.text
        return ConsoleForm(
            "Type the project's id", "id", hint: "It is <code>\(id)</code>.",
            check: { text in
                guard text.utf8.elementsEqual(id.utf8) else { throw ConsoleFault("Type \(id), the project's id.") }
            })
    }

    private static func page(_ context: ConsoleContext, _ form: ConsoleForm<String>) async throws -> Response {
        let project = try context.project
        let losses = try await losses(project, context).map { "<li>\($0)</li>" as HTML }
        return ConsolePage(
            "Delete \(project.name)?", in: .projects,
            back: ("Project settings", ProjectSettingsPage.path(of: project)),
            """
            <section><p>These go with the project, for good:</p>
            <ul>\(losses)</ul>
            <p>Whoever opens one of its links, in an email or on paper, finds nothing; apps that send its API keys are \
            refused. Entries of the audit log stay, without what they say of people.</p>
            \(context.form(form.html, buttons: "<button type=\"submit\" class=\"solid\">Delete the project</button>"))
            <p><a class="button quiet" href="\(ProjectSettingsPage.path(of: project))">Keep it</a></p></section>
            """, of: form
        ).answer(in: context)
    }

    /// Where counting ends: what is more is as many to whoever deletes it.
    private static let most = 10_001

    private static func losses(_ project: Project, _ context: ConsoleContext) async throws -> [String] {
        let projects = context.homing.projects
        let tenants = projects.tenants(of: project)
        let contents = try await projects.contents(of: [project] + tenants, upTo: most)
        let senderDomains = Set(project.senderDomainKeys.map(\.domain)).count
        let counts: [(number: Int, one: String, several: String)] = [
            (contents.reduce(0) { $0 + $1.accounts }, "account", "accounts"),
            (contents.reduce(0) { $0 + $1.links }, "link", "links"),
            (tenants.count, "tenant", "tenants"), (project.apps.count, "app", "apps"),
            (project.linkDomains.count, "link domain", "link domains"),
            (project.authorizedDomains.count, "authorised domain", "authorised domains"),
            (project.templates.inForce.count, "template", "templates"),
            (senderDomains, "sender domain with its keys", "sender domains with their keys"),
            (project.apiKeys.count, "API key", "API keys"),
        ]
        return counts.filter { $0.number > 0 }.map { number, one, several in
            number >= most ? "more than \(most - 1) \(several)" : "\(number) \(number == 1 ? one : several)"
        } + ["settings, brand, service accounts, and emails that are queued"]
    }

    static func delete(_ sent: SentForm) async throws -> Response {
        let project = try sent.context.project
        var form = form(of: project)
        guard try form.take(sent) else { return try await page(sent.context, form) }
        try await sent.homing.deleteProject(project.projectID, by: sent.author)
        return sent.saved(ConsoleSection.projects.path(in: nil), .deleted)
    }
}
