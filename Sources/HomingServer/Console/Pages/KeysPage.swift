// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingTexts
import Hummingbird

/// `…/keys`: the API keys of a project, and the admin keys that are for it.
enum KeysPage {
    static func show(_ context: ConsoleContext) async throws -> Response { try await page(context) }

    private static func page(
        _ context: ConsoleContext, _ draft: ConsoleDraft = ConsoleDraft(), note: HTML = ""
    ) async throws -> Response {
        ConsolePage(
            .keys,
            """
            \(note)
            <h2>API keys</h2>
            <p>Apps send one to say which project they are about. It is no secret, and stands in every link.</p>
            \(apiKeys(try context.project, context, draft))
            <h2>Admin keys</h2>
            <p>Back ends of yours send one to the admin listener. It may do everything in the projects that it is for.</p>
            \(try await adminKeys(context, draft))
            """, status: draft.status
        ).answer(in: context)
    }

    // MARK: API keys

    private static func apiKeys(_ project: Project, _ context: ConsoleContext, _ draft: ConsoleDraft) -> HTML {
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
                        context.form(hidden: [("do", "use"), ("key", key.text)], button: "Use in links", .quiet))
                }
                if !isLast {
                    actions.append(
                        context.confirmation(
                            "Revoke",
                            """
                            Every app and page that still sends this key is locked out at once. Links that were mailed \
                            with it still open Homing's page.
                            """,
                            hidden: [("do", "revoke"), ("key", key.text)], button: "Revoke this key"))
                }
            }
            return [
                "<code>\(key.text)</code>", "<bdi>\(key.name ?? "")</bdi>", "<time>\(key.createdAt.inWords)</time>",
                state, actions,
            ]
        }
        let key = draft.field(
            "Key", "key", in: "create", hint: "One of your own, such as Firebase's; empty for a new one.")
        let fields =
            [draft.field("Name", "name", in: "create", hint: "What you call it, such as Autumn apps.")]
            + (mayBringKey(context) ? [key] : [])
        let creation: HTML =
            context.mayEdit
            ? """
            <section><h3>New API key</h3>
            \(context.form(
                hidden: [("do", "create")], HTML(joining: fields.map { $0.html(scope: "api-") }),
                button: "Create the API key"))</section>
            """ : ""
        return """
            <section>\(ConsoleTable("API keys", ["Key", "Name", "Created", "State", ""], rows).html)</section>
            \(creation)
            """
    }

    /// Whether a key is taken tells of other projects: a key of one's own is for who sees them all.
    private static func mayBringKey(_ context: ConsoleContext) -> Bool { context.person.projects == nil }

    // MARK: Admin keys

    private static func adminKeys(_ context: ConsoleContext, _ draft: ConsoleDraft) async throws -> HTML {
        let project = try context.project
        let now = context.homing.system.now()
        // Keys for all projects are no business of who sees some.
        let seesAll = context.person.projects == nil
        let keys = try await context.homing.adminKeys.list().filter {
            $0.isFor(project.id) && (seesAll || $0.projects != nil)
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
                    hidden: [("do", "revoke-admin"), ("id", key.id)], button: "Revoke this admin key") : ""
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
        return "<section>\(list)</section>\(context.isOwner ? adminCreation(context, draft) : "")"
    }

    /// Who sees some projects is not told of others.
    private static func scope(of key: AdminKey, _ context: ConsoleContext) -> String {
        guard let projects = key.projects else { return "all projects" }
        let seen = projects.filter { context.person.sees($0) }
        return seen.joined(separator: ", ") + (seen.count < projects.count ? " and others" : "")
    }

    private static func adminCreation(_ context: ConsoleContext, _ draft: ConsoleDraft) -> HTML {
        let fields = [
            draft.field(
                "Name", "name", in: "create-admin", hint: "The back end that sends it.", isRequired: true),
            draft.field(
                "Last day", "expires", in: "create-admin",
                hint: "In UTC. Empty for a key that only a revocation ends.", kind: .line("date")),
        ]
        return """
            <section><h3>New admin key</h3>
            <p>It is for this project only. It is shown once.</p>
            \(context.form(
                hidden: [("do", "create-admin")], HTML(joining: fields.map { $0.html(scope: "admin-") }),
                button: "Create the admin key"))</section>
            """
    }

    // MARK: Changing

    static func change(_ form: ConsoleForm) async throws -> Response {
        let context = form.context
        let (homing, project) = (context.homing, try context.project.id)
        let action = form.text("do")
        if action.hasSuffix("-admin"), !context.isOwner { throw ConsoleRefusal.needs(.owner) }
        switch action {
        case "create": return try await createAPIKey(form)
        case "use": try await homing.projects.useAPIKey(form.text("key"), in: project, by: form.author)
        case "revoke":
            try await homing.projects.revokeAPIKey(form.text("key"), in: project, by: form.author)
            return form.saved(nil, .revoked)
        case "create-admin": return try await createAdminKey(form)
        case "revoke-admin":
            let key = try await homing.adminKeys.list().first { $0.id == form.text("id") && $0.isFor(project) }
            guard let key else { throw ConsoleRefusal.notFound }
            try await homing.adminKeys.revoke(key.id, by: form.author)
            return form.saved(nil, .revoked)
        default: throw ConsoleRefusal.notFound
        }
        return form.saved()
    }

    private static func createAPIKey(_ form: ConsoleForm) async throws -> Response {
        var draft = ConsoleDraft(form, form: "create")
        if draft.given("key") != nil {
            guard mayBringKey(form.context) else {
                throw ConsoleRefusal.needsAllProjects("Whether a key of your own is free tells of other projects")
            }
            draft.check("key") { text throws(Refusal) in try APIKey.check(text) }
        }
        if draft.given("name") != nil {
            draft.check("name") { text throws(Refusal) in try Projects.checkedName(text, of: "an API key") }
        }
        guard !draft.isRefused else { return try await page(form.context, draft) }
        do {
            _ = try await form.homing.projects.createAPIKey(
                named: draft.given("name"), text: draft.given("key"), in: try form.context.project.id, by: form.author)
            return form.saved()
        } catch Refusal.Code.alreadyExists {
            draft.faults["key"] =
                "A project has this key already, perhaps as a revoked one. Leave it empty for a new one."
            return try await page(form.context, draft)
        }
    }

    private static func createAdminKey(_ form: ConsoleForm) async throws -> Response {
        let homing = form.homing
        let now = homing.system.now()
        var draft = ConsoleDraft(form, form: "create-admin")
        let name = draft.check("name") { text throws(Refusal) in
            try Projects.checkedName(text, of: "an admin key")
        }
        let end = draft.given("expires").flatMap { KeyEnd(parsing: $0)?.moment(at: now) }
        if draft.given("expires") != nil {
            if let end {
                if end <= now { draft.faults["expires"] = "This day is over: choose a later one, or none." }
            } else {
                draft.faults["expires"] = "The last day is a date, such as 2027-06-30."
            }
        }
        guard let name, !draft.isRefused else { return try await page(form.context, draft) }
        let (id, secret) = try await homing.adminKeys.create(
            name: name, projects: [try form.context.project.id], expiresAt: end, by: form.author)
        return try await page(
            form.context,
            note: """
                <section class="note" role="status"><h2>Admin key \(id), shown this once</h2>
                <p>Copy it to where <bdi>\(name)</bdi> keeps its secrets. Homing keeps a digest only.</p>
                \(ConsoleLines("admin key", secret).html)</section>
                """)
    }
}
