// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingStore
import HomingTexts
import Hummingbird

/// `…/settings`: what a project is called, by what it is named elsewhere, and the way to its end.
enum ProjectSettingsPage {
    static func path(of project: Project) -> String { "\(ConsoleSection.overview.path(in: project))settings" }

    static func show(_ context: ConsoleContext) async throws -> Response {
        try page(context, form(of: try context.project))
    }

    private static let displayName = "displayName"

    private static func form(of project: Project) -> ConsoleForm<String> {
        ConsoleForm(
            project.name, remembersSeen: true,
            ConsoleField(
                "Name", displayName, \.self, hint: "What emails and pages call your app.", isRequired: true,
                check: { _ = try Projects.checkedName($0) }))
    }

    private static func page(_ context: ConsoleContext, _ form: ConsoleForm<String>) throws -> Response {
        let project = try context.project
        let name: HTML =
            context.mayEdit
            ? "<section><h2>Name</h2>\(context.form(form.html, button: "Rename"))</section>" : ""
        let deletion: HTML =
            context.isOwner
            ? """
            <section><h2>Delete the project</h2><p>Its accounts, links and settings go with it, and cannot be brought \
            back.</p><p><a class="button danger" href="\(ProjectDeletePage.path(of: project))">Delete the project</a></p>\
            </section>
            """ : ""
        return ConsolePage(
            "Project settings", in: .projects, back: ("All projects", ConsoleSection.projects.path(in: nil)),
            "\(name)\(facts(of: project))\(deletion)", of: form
        ).answer(in: context)
    }

    private static func facts(of project: Project) -> HTML {
        func fact(_ name: String, _ value: String, _ what: String) -> HTML {
            "<dt>\(name)</dt><dd><code>\(value)</code> \(CopyButton(value, what).html)</dd>"
        }
        return """
            <section><h2>What it is named elsewhere</h2><dl>
            \(fact("Project id", project.projectID.text, "the project id"))
            \(fact("Project number", project.number, "the project number"))
            \(fact("API key in links", project.linkKey, "the API key"))
            </dl></section>
            """
    }

    static func change(_ sent: SentForm) async throws -> Response {
        var form = form(of: try sent.context.project)
        guard try form.take(sent) else { return try page(sent.context, form) }
        do {
            let changes = form.changes.map { SettingChange($0.name, to: $0.text, expected: $0.seen) }
            try await sent.homing.projects.set(changes, of: try sent.context.project.projectID, by: sent.author)
            return sent.saved()
        } catch Refusal.Code.changedMeanwhile {
            let context = try await sent.context.renewed()
            form.isOvertaken(
                by: try context.project.name,
                """
                Somebody else has renamed the project meanwhile. Your name is in the form, and nothing is saved yet: \
                saving again replaces theirs.
                """)
            return try page(context, form)
        }
    }
}
