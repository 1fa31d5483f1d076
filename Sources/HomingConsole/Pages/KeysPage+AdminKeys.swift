// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingStore
import HomingTexts
import Hummingbird

/// The admin keys that are for a project.
extension KeysPage {
    struct NewAdminKey {
        var name = ""
        var end: Moment?
    }

    static func adminKeys(_ context: ConsoleContext, _ sent: ConsoleForm<NewAdminKey>?) async throws -> HTML {
        let project = try context.project
        // Keys for all projects are no business of who sees some.
        let seesAll = context.person.projects == nil
        let keys = try await context.homing.adminKeys.list().filter {
            $0.isFor(project.projectID) && (seesAll || $0.projects != nil)
        }
        let headings = ["Name", "For", "Created", "Ends", "Last used", "Status", "Actions"]
        let list: HTML =
            keys.isEmpty
            ? "<p>None is for this project.</p>"
            : ConsoleTable("Admin keys", headings, keys.map { row(of: $0, context) }).html
        let card = section(
            "Admin keys",
            "Back ends of yours send one to the admin listener. It may do everything in the projects that it is for.",
            list)
        guard context.isOwner else { return card }
        let form = sent ?? newAdminKey(context)
        let creation = FoldedForm(
            "New admin key",
            """
            <p>It is for this project only. It is shown once.</p>
            \(context.form(hidden: [Action.createAdmin.hidden], form.html, button: "Create the admin key"))
            """, isOpen: sent != nil)
        return "\(card)\(creation.html)"
    }

    private static func row(of key: AdminKey, _ context: ConsoleContext) -> [HTML] {
        func time(_ moment: Moment?, _ none: String) -> HTML { moment.map { ConsoleTime($0).html } ?? "\(none)" }
        let state = key.state(at: context.homing.system.now())
        let revocation: HTML =
            state != .revoked && context.isOwner
            ? context.confirmation(
                "Revoke", "Back ends that send it get 401 from then on.",
                hidden: [Action.revokeAdmin.hidden, ("id", key.id)], button: "Revoke this admin key") : ""
        return [
            "<bdi>\(key.name)</bdi> <code>\(key.id)</code>",
            "\(scope(of: key, context))\(key.readsHashes ? ", reads password hashes" : "")",
            time(key.createdAt, ""), time(key.expiresAt, "when revoked"), time(key.usedAt, "never"),
            tag(state.rawValue, isInForce: state == .inForce), revocation,
        ]
    }

    /// Who sees some projects is not told of others.
    private static func scope(of key: AdminKey, _ context: ConsoleContext) -> String {
        guard let projects = key.projects else { return "all projects" }
        let seen = projects.filter { context.person.sees($0) }
        return seen.map(\.text).joined(separator: ", ") + (seen.count < projects.count ? " and others" : "")
    }

    private static func newAdminKey(_ context: ConsoleContext) -> ConsoleForm<NewAdminKey> {
        let now = context.homing.system.now()
        return ConsoleForm(
            NewAdminKey(), scope: "admin-",
            ConsoleField(
                "Name", "name", \.name, hint: "The back end that sends it.", isRequired: true,
                check: { _ = try Projects.checkedName($0, of: "an admin key") }),
            ConsoleField(
                label: "Last day", name: "expires", hint: "In UTC. Empty for a key that only a revocation ends.",
                input: .line("date"),
                text: { _ in "" },
                set: { key, text in
                    guard !text.isEmpty else { return }
                    guard let end = KeyEnd(parsing: text)?.moment(at: now) else {
                        throw ConsoleFault("The last day is a date, such as 2027-06-30.")
                    }
                    guard end > now else {
                        throw ConsoleFault("This day is over: choose a later one, or none.")
                    }
                    key.end = end
                }))
    }

    static func createAdminKey(_ sent: SentForm) async throws -> Response {
        var form = newAdminKey(sent.context)
        guard try form.take(sent) else { return try await page(sent.context, Outcome(adminKey: form)) }
        let name = form.value.name
        let (id, secret) = try await sent.homing.adminKeys.create(
            name: name, projects: [try sent.context.project.projectID], expiresAt: form.value.end, by: sent.author)
        let note: HTML = """
            <section class="note" role="status"><h2>Admin key \(id), shown this once</h2>
            <p>Copy it to where <bdi>\(name)</bdi> keeps its secrets. Homing keeps a digest only.</p>
            \(ConsoleLines("admin key", secret).html)</section>
            """
        return try await page(sent.context, Outcome(secret: note))
    }

    static func revokeAdminKey(_ sent: SentForm) async throws -> Response {
        let project = try sent.context.project.projectID
        let key = try await sent.homing.adminKeys.list().first { $0.id == sent.text("id") && $0.isFor(project) }
        guard let key else { throw ConsoleRefusal.notFound }
        try await sent.homing.adminKeys.revoke(key.id, by: sent.author)
        return sent.saved(nil, .revoked)
    }
}
