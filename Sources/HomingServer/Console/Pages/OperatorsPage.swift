// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingTexts
import HomingWire
import Hummingbird

/// `/console/operators`: the people who may use the console.
enum OperatorsPage {
    static func show(_ context: ConsoleContext) async throws -> Response { try await page(context) }

    private static func page(
        _ context: ConsoleContext, _ draft: ConsoleDraft = ConsoleDraft(), link: HTML = ""
    ) async throws -> Response {
        let people = try await context.homing.operators.list()
        let rows = people.map { person -> [HTML] in
            let projects = person.projects?.joined(separator: ", ") ?? "all"
            let credentials = [
                "mailed link", person.hasPassword ? "password" : nil, person.hasSecondFactor ? "second factor" : nil,
            ].compactMap(\.self).joined(separator: ", ")
            return [
                "<bdi>\(person.address)</bdi>", "\(person.role.rawValue)", "\(projects)", "\(credentials)",
                context.form(hidden: [("link", person.address)], button: "New link", .quiet)
                    + context.confirmation(
                        "Remove", "\(person.address) is signed out at once.", hidden: [("remove", person.address)],
                        button: "Remove \(person.address)"),
            ]
        }
        let list: HTML =
            rows.isEmpty
            ? "<p>Nobody yet. Add yourself first: from then on you sign in with a link that is mailed to you.</p>"
            : ConsoleTable("Operators", ["Address", "Role", "Projects", "Signs in with", ""], rows).html
        let required = try await context.homing.operators.requiresSecondFactor()
        let requirement = ConsoleField.check(
            "Every operator must have a second factor", "second-factor",
            isOn: required.bySettings || required.byOwners,
            hint: required.bySettings
                ? "The server's setting <code>console.requireSecondFactor</code> says so, whatever is chosen here."
                : "Who has none is led to setting one up after signing in, and sees nothing else before.")
        let fields = [
            draft.field("Address", "address", kind: .line("email"), isRequired: true),
            draft.field(
                "Role", "role", standard: "editor",
                hint: """
                    A viewer looks, and sees addresses masked. An editor changes projects. An owner also makes projects and \
                    says who the operators are.
                    """,
                kind: .choice(Operator.Role.allCases.map { ($0.rawValue, $0.rawValue) })),
            draft.field(
                "Projects", "projects",
                hint: "The ids of the only projects for this person, with spaces between them; nothing for all."),
        ]
        return ConsolePage(
            .operators,
            """
            \(link)
            <section>\(list)</section>
            <section><h2>Add somebody</h2>
            \(context.form(HTML(joining: fields.map { $0.html() }), button: "Add"))</section>
            <section><h2>Second factor</h2>
            \(context.form(hidden: [("require", "second-factor")], requirement.html(), button: "Save"))</section>
            """, status: draft.status
        ).answer(in: context)
    }

    static func change(_ form: ConsoleForm) async throws -> Response {
        let operators = form.homing.operators
        if form.fields["remove"] != nil {
            try await operators.remove(form.text("remove"), by: form.author)
            return form.saved(nil, .removed)
        }
        if form.fields["require"] != nil {
            try await operators.requireSecondFactor(form.text("second-factor") == "true", by: form.author)
            return form.saved()
        }
        if form.fields["link"] != nil {
            let address = form.text("link")
            return try await page(form.context, link: try await Self.link(for: address, form))
        }
        var draft = ConsoleDraft(form)
        let names = draft["projects"].split(separator: " ").map(String.init)
        let role = Operator.Role(rawValue: draft["role"])
        draft.check("address") { text throws(Refusal) in try EmailAddress(parsing: text) }
        if role == nil { draft.faults["role"] = "Choose owner, editor or viewer." }
        let unknown = names.filter { form.homing.projects.project($0) == nil }
        if !unknown.isEmpty {
            draft.faults["projects"] =
                "There is no project \(unknown.joined(separator: ", ")). The ids stand under Projects."
        } else if role == .owner, !names.isEmpty {
            draft.faults["projects"] = "An owner is one of all projects: leave this empty, or choose another role."
        }
        guard let role, !draft.isRefused else { return try await page(form.context, draft) }
        do {
            let added = try await operators.add(
                draft["address"], role: role, projects: names.isEmpty ? nil : names, by: form.author)
            return try await page(form.context, link: try await Self.link(for: added.address, form))
        } catch let refusal as Refusal where refusal.code == .invalidSetting {
            // Whoever is there already may be the last owner.
            draft.faults["role"] = refusal.sentence.asSentence
            return try await page(form.context, draft)
        }
    }

    /// A one-time link, shown once.
    private static func link(for address: String, _ form: ConsoleForm) async throws -> HTML {
        let secret = try await form.homing.operators.newLink(for: address, by: form.author)
        let url = (form.homing.consoleURL ?? "") + AdminSignIn.link(secret)
        return """
            <section class="note" role="status"><h2>A link for \(address), shown this once</h2>
            <p>It opens the console once, within an hour. Hand it over yourself; later links are mailed on demand.</p>
            \(ConsoleLines("one-time link", url).html)</section>
            """
    }
}
