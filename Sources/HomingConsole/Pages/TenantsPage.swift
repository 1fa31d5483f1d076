// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingStore
import HomingTexts
import HomingWire
import Hummingbird

/// `…/tenants`: the parts of a project that have accounts and settings of their own, and a form for a new one.
enum TenantsPage {
    static func path(in context: ConsoleContext) -> String {
        "\(context.path(of: .accounts).dropLast("accounts".utf8.count))tenants"
    }

    private struct Draft {
        var name = ""
        var id: String?
        var takesPasswords = true
        var takesLinks = false
    }

    private static func form() -> ConsoleForm<Draft> {
        ConsoleForm(
            Draft(), scope: "new-",
            ConsoleField("Name", "displayName", \.name, isRequired: true),
            ConsoleField(
                "Tenant id", "id", \.id,
                hint: """
                    Optional, such as the one that it had at Firebase: letters, digits and -. It stays, and apps name it as \
                    <code>tenantId</code>.
                    """,
                check: { try Tenant.check(id: TenantID($0)) }),
            ConsoleField("Sign in with an address and a password", "passwords", \.takesPasswords),
            ConsoleField("Sign in with an email link", "links", \.takesLinks))
    }

    static func show(_ context: ConsoleContext) async throws -> Response { try page(context, form()) }

    private static func page(_ context: ConsoleContext, _ form: ConsoleForm<Draft>) throws -> Response {
        let creation: HTML =
            context.mayEdit
            ? "<section><h2>Create a tenant</h2>\(context.form(form.html, button: "Create the tenant"))</section>" : ""
        return ConsolePage(
            "Tenants", in: .accounts, back: ("Accounts of the project", context.path(of: .accounts)),
            lead:
                "A tenant has accounts, emails and settings of its own, and the keys, domains, apps and brand of its project.",
            """
            <section>\(try list(context))</section>
            \(creation)
            """, of: form
        ).answer(in: context)
    }

    private static func list(_ context: ConsoleContext) throws -> HTML {
        let rows = context.homing.projects.tenants(of: try context.project).compactMap { project -> [HTML]? in
            guard let tenant = project.tenant else { return nil }
            let name = project.shownName
            let links = [ConsoleSection.accounts, .mail].map { section -> HTML in
                "<a href=\"\(section.path(in: project))\" aria-label=\"\(section.rawValue) of \(name)\">\(section.rawValue)</a>"
            }
            return [
                "<a href=\"\(TenantPage.path(of: tenant, context))\"><bdi>\(name)</bdi></a>",
                "<code>\(tenant.id.text)</code>", "\(ways(into: project))", "<span class=\"actions\">\(links)</span>",
            ]
        }
        return rows.isEmpty
            ? EmptyState(
                .accounts, "No tenants yet",
                "Most apps need none: they are for one app with several closed groups of users."
            ).html
            : ConsoleTable("Tenants", ["Name", "Id", "Sign-in", "Actions"], rows).html
    }

    /// How people sign in to a tenant.
    private static func ways(into tenant: Project) -> String {
        guard !tenant.isDisabled else { return "Nobody gets in" }
        let settings = tenant.settings
        let ways = [
            settings.allowsEmail ? "Password" : nil, settings.allowsEmailLink ? "Email link" : nil,
            settings.allowsAnonymous ? "Anonymous" : nil,
        ].compactMap { $0 }
        return ways.isEmpty ? "None yet" : ways.joined(separator: ", ")
    }

    static func create(_ sent: SentForm) async throws -> Response {
        var form = form()
        guard try form.take(sent) else { return try page(sent.context, form) }
        let draft = form.value
        let settings = [("allowPasswordSignup", draft.takesPasswords), ("enableEmailLinkSignin", draft.takesLinks)]
            .filter(\.1).map { SettingChange($0.0, to: "true") }
        do {
            let made = try await sent.homing.projects.createTenant(
                draft.id.map { TenantID($0) }, named: draft.name, settings: settings,
                in: try sent.context.project.projectID, by: sent.author)
            guard let tenant = made.tenant else { throw ConsoleRefusal.notFound }
            return sent.saved(TenantPage.path(of: tenant, sent.context), .created)
        } catch Refusal.Code.alreadyExists {
            form.faults["id"] = "There is a tenant with this id already. Choose another one."
        } catch Refusal.Code.invalidSetting {
            form.faults["displayName"] = "A name has 1 to 100 characters, and no control characters."
        }
        return try page(sent.context, form)
    }
}
