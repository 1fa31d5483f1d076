// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingServer
import HomingStore
import HomingTexts
import Hummingbird

/// `…/keys`: the API keys of a project, and the admin keys that are for it.
enum KeysPage {
    static func show(_ context: ConsoleContext) async throws -> Response { try await page(context) }

    enum Action: String, ConsoleAction {
        case create, use, revoke
        case createAdmin = "create-admin"
        case revokeAdmin = "revoke-admin"

        var needs: Operator.Role { self == .createAdmin || self == .revokeAdmin ? .owner : .editor }
    }

    private struct NewAPIKey {
        var name: String?
        var text: String?
    }

    private struct NewAdminKey {
        var name = ""
        var end: Moment?
    }

    private static func page(
        _ context: ConsoleContext, apiKey: ConsoleForm<NewAPIKey>? = nil, adminKey: ConsoleForm<NewAdminKey>? = nil,
        note: HTML = ""
    ) async throws -> Response {
        ConsolePage(
            .keys,
            """
            \(note)
            <h2>API keys</h2>
            <p>Apps send one to say which project they are about. It is no secret, and stands in every link.</p>
            \(apiKeys(try context.project, context, apiKey ?? newAPIKey(context)))
            <h2>Admin keys</h2>
            <p>Back ends of yours send one to the admin listener. It may do everything in the projects that it is for.</p>
            \(try await adminKeys(context, adminKey ?? newAdminKey(context)))
            """, status: apiKey?.status ?? adminKey?.status ?? .ok
        ).answer(in: context)
    }

    // MARK: API keys

    private static func apiKeys(
        _ project: Project, _ context: ConsoleContext, _ form: ConsoleForm<NewAPIKey>
    ) -> HTML {
        let isLast = project.apiKeys.count == 1
        let rows = project.allKeys.map { key -> [HTML] in
            let isInLinks = key.text == project.linkKey
            let state: HTML =
                if let revokedAt = key.revokedAt {
                    "<span class=\"tag bad\">revoked</span> <time>\(revokedAt.inWords)</time>"
                } else if isInLinks {
                    "<span class=\"tag good\">in force, in links</span>"
                } else {
                    "<span class=\"tag good\">in force</span>"
                }
            var actions: HTML = ""
            if context.mayEdit, key.revokedAt == nil {
                if !isInLinks {
                    actions.append(
                        context.form(
                            hidden: [Action.use.hidden, ("key", key.text)], button: "Use in links", .quiet))
                }
                if !isLast {
                    actions.append(
                        context.confirmation(
                            "Revoke",
                            """
                            Every app and page that still sends this key is locked out at once. Links that were mailed \
                            with it still open Homing's page.
                            """,
                            hidden: [Action.revoke.hidden, ("key", key.text)], button: "Revoke this key"))
                }
            }
            return [
                "<code>\(key.text)</code>", "<bdi>\(key.name ?? "")</bdi>", "<time>\(key.createdAt.inWords)</time>",
                state, actions,
            ]
        }
        let creation: HTML =
            context.mayEdit
            ? """
            <section><h3>New API key</h3>
            \(context.form(hidden: [Action.create.hidden], form.html, button: "Create the API key"))</section>
            """ : ""
        return """
            <section>\(ConsoleTable("API keys", ["Key", "Name", "Created", "State", ""], rows).html)</section>
            \(creation)
            """
    }

    private static func newAPIKey(_ context: ConsoleContext) -> ConsoleForm<NewAPIKey> {
        let name = ConsoleField(
            "Name", "name", \NewAPIKey.name, hint: "What you call it, such as Autumn apps.",
            check: { _ = try Projects.checkedName($0, of: "an API key") })
        let key = ConsoleField(
            "Key", "key", \NewAPIKey.text, hint: "One of your own, such as Firebase's; empty for a new one.",
            check: { try APIKey.check($0) })
        return ConsoleForm(NewAPIKey(), scope: "api-", mayBringKey(context) ? [name, key] : [name])
    }

    /// Whether a key is taken tells of other projects: a key of one's own is for who sees them all.
    private static func mayBringKey(_ context: ConsoleContext) -> Bool { context.person.projects == nil }

    // MARK: Admin keys

    private static func adminKeys(
        _ context: ConsoleContext, _ form: ConsoleForm<NewAdminKey>
    ) async throws -> HTML {
        let project = try context.project
        let now = context.homing.system.now()
        // Keys for all projects are no business of who sees some.
        let seesAll = context.person.projects == nil
        let keys = try await context.homing.adminKeys.list().filter {
            $0.isFor(project.projectID) && (seesAll || $0.projects != nil)
        }
        func time(_ moment: Moment?, _ none: String) -> HTML {
            moment.map { "<time>\($0.inWords)</time>" } ?? "\(none)"
        }
        let rows = keys.map { key -> [HTML] in
            let state = key.state(at: now)
            let tag: HTML = "<span class=\"tag \(state == .inForce ? "good" : "bad")\">\(state.rawValue)</span>"
            let revocation: HTML =
                state != .revoked && context.isOwner
                ? context.confirmation(
                    "Revoke", "Back ends that send it get 401 from then on.",
                    hidden: [Action.revokeAdmin.hidden, ("id", key.id)], button: "Revoke this admin key") : ""
            return [
                "<bdi>\(key.name)</bdi> <code>\(key.id)</code>",
                "\(scope(of: key, context))\(key.readsHashes ? ", reads password hashes" : "")",
                time(key.createdAt, ""), time(key.expiresAt, "when revoked"), time(key.usedAt, "none"), tag, revocation,
            ]
        }
        let list: HTML =
            rows.isEmpty
            ? "<p>None is for this project.</p>"
            : ConsoleTable("Admin keys", ["Name", "For", "Created", "Ends", "Last use", "State", ""], rows).html
        return "<section>\(list)</section>\(context.isOwner ? adminCreation(context, form) : "")"
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

    private static func adminCreation(_ context: ConsoleContext, _ form: ConsoleForm<NewAdminKey>) -> HTML {
        """
        <section><h3>New admin key</h3>
        <p>It is for this project only. It is shown once.</p>
        \(context.form(hidden: [Action.createAdmin.hidden], form.html, button: "Create the admin key"))</section>
        """
    }

    // MARK: Changing

    static func change(_ action: Action, _ sent: SentForm) async throws -> Response {
        let context = sent.context
        let (homing, project) = (context.homing, try context.project.projectID)
        guard context.person.role >= action.needs else { throw ConsoleRefusal.needs(action.needs) }
        switch action {
        case .create: return try await createAPIKey(sent)
        case .use:
            try await homing.projects.useAPIKey(sent.text("key"), in: project, by: sent.author)
            return sent.saved()
        case .revoke:
            try await homing.projects.revokeAPIKey(sent.text("key"), in: project, by: sent.author)
            return sent.saved(nil, .revoked)
        case .createAdmin: return try await createAdminKey(sent)
        case .revokeAdmin:
            let key = try await homing.adminKeys.list().first { $0.id == sent.text("id") && $0.isFor(project) }
            guard let key else { throw ConsoleRefusal.notFound }
            try await homing.adminKeys.revoke(key.id, by: sent.author)
            return sent.saved(nil, .revoked)
        }
    }

    private static func createAPIKey(_ sent: SentForm) async throws -> Response {
        guard sent.text("key").isEmpty || mayBringKey(sent.context) else {
            throw ConsoleRefusal.needsAllProjects("Whether a key of your own is free tells of other projects")
        }
        var form = newAPIKey(sent.context)
        guard try form.take(sent) else { return try await page(sent.context, apiKey: form) }
        do {
            _ = try await sent.homing.projects.createAPIKey(
                named: form.value.name, text: form.value.text, in: try sent.context.project.projectID, by: sent.author)
            return sent.saved()
        } catch Refusal.Code.alreadyExists {
            form.faults["key"] =
                "A project has this key already, perhaps as a revoked one. Leave it empty for a new one."
            return try await page(sent.context, apiKey: form)
        }
    }

    private static func createAdminKey(_ sent: SentForm) async throws -> Response {
        var form = newAdminKey(sent.context)
        guard try form.take(sent) else { return try await page(sent.context, adminKey: form) }
        let name = form.value.name
        let (id, secret) = try await sent.homing.adminKeys.create(
            name: name, projects: [try sent.context.project.projectID], expiresAt: form.value.end, by: sent.author)
        return try await page(
            sent.context,
            note: """
                <section class="note" role="status"><h2>Admin key \(id), shown this once</h2>
                <p>Copy it to where <bdi>\(name)</bdi> keeps its secrets. Homing keeps a digest only.</p>
                \(ConsoleLines("admin key", secret).html)</section>
                """)
    }
}
