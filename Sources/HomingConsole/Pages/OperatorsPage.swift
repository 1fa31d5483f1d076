// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingServer
import HomingStore
import HomingTexts
import HomingWire
import Hummingbird

/// `/console/operators`: the people who may use the console.
enum OperatorsPage {
    static func show(_ context: ConsoleContext) async throws -> Response { try await page(context) }

    enum Action: String, ConsoleAction {
        case add, remove, require, link

        static let unnamed: Action? = .add
    }

    private struct NewOperator {
        var address = ""
        var role: Operator.Role? = .editor
        /// Empty for one of all projects.
        var projects: [ProjectID] = []
    }

    private static func addition(_ homing: Homing) -> ConsoleForm<NewOperator> {
        ConsoleForm(
            NewOperator(),
            ConsoleField(
                "Address", "address", \.address, .line("email"), isRequired: true,
                check: { _ = try EmailAddress(parsing: $0) }),
            ConsoleField(
                label: "Role", name: "role",
                hint: """
                    A viewer looks, and sees addresses masked. An editor changes projects. An owner also makes projects \
                    and says who the operators are.
                    """,
                input: .choice(Operator.Role.allCases.map { ($0.rawValue, $0.rawValue) }),
                text: { $0.role?.rawValue ?? "" },
                set: { value, text in
                    value.role = Operator.Role(rawValue: text)
                    if value.role == nil { throw ConsoleFault("Choose owner, editor or viewer.") }
                }),
            ConsoleField(
                label: "Projects", name: "projects",
                hint: "The ids of the only projects for this person, with spaces between them; nothing for all.",
                text: { $0.projects.map(\.text).joined(separator: " ") },
                set: { value, text in
                    value.projects = text.split(separator: " ").map { ProjectID(String($0)) }
                    let unknown = value.projects.filter { homing.projects.project($0) == nil }.map(\.text)
                    guard unknown.isEmpty else {
                        throw ConsoleFault(
                            "There is no project \(unknown.joined(separator: ", ")). The ids stand under Projects."
                        )
                    }
                    guard value.role != .owner || value.projects.isEmpty else {
                        throw ConsoleFault(
                            "An owner is one of all projects: leave this empty, or choose another role.")
                    }
                }))
    }

    private static func requirement(_ required: (bySettings: Bool, byOwners: Bool)) -> ConsoleForm<Bool> {
        ConsoleForm(
            required.bySettings || required.byOwners,
            ConsoleField(
                "Every operator must have a second factor", "second-factor", \.self,
                hint: required.bySettings
                    ? "The server's setting <code>console.requireSecondFactor</code> says so, whatever is chosen here."
                    : "Who has none is led to setting one up after signing in, and sees nothing else before."))
    }

    private static func page(
        _ context: ConsoleContext, _ sent: ConsoleForm<NewOperator>? = nil, link: HTML = ""
    ) async throws -> Response {
        let people = try await context.homing.operators.list()
        let rows = people.map { person -> [HTML] in
            let projects = person.projects?.map(\.text).joined(separator: ", ") ?? "all"
            let credentials = [
                "mailed link", person.hasPassword ? "password" : nil, person.hasSecondFactor ? "second factor" : nil,
            ].compactMap(\.self).joined(separator: ", ")
            return [
                "<bdi>\(person.address)</bdi>", "\(person.role.rawValue)", "\(projects)", "\(credentials)",
                context.form(hidden: [Action.link.hidden(to: person.address)], button: "New link", .quiet)
                    + context.confirmation(
                        "Remove", "\(person.address) is signed out at once.",
                        hidden: [Action.remove.hidden(to: person.address)],
                        button: "Remove \(person.address)"),
            ]
        }
        let list: HTML =
            rows.isEmpty
            ? "<p>Nobody yet. Add yourself first: from then on you sign in with a link that is mailed to you.</p>"
            : ConsoleTable("Operators", ["Address", "Role", "Projects", "Signs in with", ""], rows).html
        let requirement = Self.requirement(try await context.homing.operators.requiresSecondFactor())
        let addition = sent ?? Self.addition(context.homing)
        return ConsolePage(
            .operators,
            """
            \(link)
            <section>\(list)</section>
            <section><h2>Add somebody</h2>
            \(context.form(addition.html, button: "Add"))</section>
            <section><h2>Second factor</h2>
            \(context.form(
                hidden: [Action.require.hidden(to: "second-factor")], requirement.html, button: "Save"))</section>
            """, status: addition.status
        ).answer(in: context)
    }

    static func change(_ action: Action, _ sent: SentForm) async throws -> Response {
        let operators = sent.homing.operators
        switch action {
        case .remove:
            try await operators.remove(sent.text("remove"), by: sent.author)
            return sent.saved(nil, .removed)
        case .require:
            var form = requirement((false, false))
            _ = try form.take(sent)
            try await operators.requireSecondFactor(form.value, by: sent.author)
            return sent.saved()
        case .link:
            return try await page(sent.context, link: try await link(for: sent.text("link"), sent))
        case .add:
            var form = addition(sent.homing)
            guard try form.take(sent), let role = form.value.role else { return try await page(sent.context, form) }
            do {
                let projects = form.value.projects
                let added = try await operators.add(
                    form.value.address, role: role, projects: projects.isEmpty ? nil : projects, by: sent.author)
                return try await page(sent.context, link: try await link(for: added.address, sent))
            } catch let refusal as Refusal where refusal.code == .invalidSetting {
                // Whoever is there already may be the last owner.
                form.faults["role"] = refusal.sentence.asSentence
                return try await page(sent.context, form)
            }
        }
    }

    /// A one-time link, shown once.
    private static func link(for address: String, _ sent: SentForm) async throws -> HTML {
        let secret = try await sent.homing.operators.newLink(for: address, by: sent.author)
        let url = (sent.homing.consoleURL ?? "") + AdminSignIn.link(secret)
        return """
            <section class="note" role="status"><h2>A link for \(address), shown this once</h2>
            <p>It opens the console once, within an hour. Hand it over yourself; later links are mailed on demand.</p>
            \(ConsoleLines("one-time link", url).html)</section>
            """
    }
}
