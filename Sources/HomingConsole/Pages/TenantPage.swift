// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingStore
import HomingTexts
import HomingWire
import Hummingbird

/// `…/tenants/{tenant}`: the name and the settings of a tenant, and its end.
enum TenantPage {
    enum Action: String, ConsoleAction {
        case save, delete
    }

    static func path(of tenant: Tenant, _ context: ConsoleContext) -> String {
        "\(TenantsPage.path(in: context))/\(percentEncoded(tenant.id.text))"
    }

    private static func tenant(_ context: ConsoleContext) throws -> Project {
        let scope = Scope(TenantID(try context.parameter("tenant")), of: try context.project.projectID)
        guard let found = context.homing.projects.projectOrTenant(scope), found.tenant != nil else {
            throw ConsoleRefusal.notFound
        }
        return found
    }

    // MARK: The forms

    private struct Edited {
        var name: String
        /// By the names of settings; empty where the project's holds.
        var values: [String: String]

        init(_ tenant: Tenant) {
            name = tenant.displayName
            values = Dictionary(
                uniqueKeysWithValues: ProjectSetting.ofTenants.map { ($0.name, tenant.value($0.name) ?? "") })
        }
    }

    private static let displayName = "displayName"

    private static func form(of tenant: Tenant, in project: Project) -> ConsoleForm<Edited> {
        let name = ConsoleField<Edited>("Name", displayName, \.name, hint: "What you call it.") { text in
            guard text.isEmpty || (try? Projects.checkedName(text)) != nil else {
                throw ConsoleFault("A name has 1 to 100 characters, and no control characters.")
            }
        }
        let settings = ProjectSetting.ofTenants.map { setting -> ConsoleField<Edited> in
            let isSwitch = setting.isTenantsOwn
            let isFlag = setting.kind == .flag
            return ConsoleField(
                label: setting.label, name: setting.name, hint: hint(setting, project),
                input: isSwitch && isFlag ? .check : input(of: setting, in: project, isFlag: isFlag),
                text: { edited in
                    let value = edited.values[setting.name] ?? ""
                    return isSwitch && isFlag ? String(value == "true") : value
                },
                set: { edited, text in
                    guard text.isEmpty || setting.isValid(text) else {
                        throw ConsoleFault("\(setting.label) takes \(setting.accepts).")
                    }
                    // A switch that nobody has set is off.
                    edited.values[setting.name] = isSwitch && text == "false" ? "" : text
                })
        }
        return ConsoleForm(Edited(tenant), scope: "tenant-", remembersSeen: true, [name] + settings)
    }

    private static func hint(_ setting: ProjectSetting, _ project: Project) -> HTML? {
        guard !setting.isTenantsOwn else { return setting.hintInWords }
        let value = setting.words(for: project.settings[setting])
        let words: HTML = setting.hintInWords.map { "\($0) " } ?? ""
        return "\(words)Empty: as in the project (\(value))."
    }

    private static func input(of setting: ProjectSetting, in project: Project, isFlag: Bool) -> ConsoleInput {
        let asProject = ("", "As in the project (\(setting.words(for: project.settings[setting])))")
        if isFlag { return .choice([asProject, ("true", "On"), ("false", "Off")]) }
        guard setting.choices.isEmpty else { return .choice([asProject] + setting.choices) }
        return switch setting.kind {
        case .number, .int64: .line("number")
        default: .line("text")
        }
    }

    private static var deletion: ConsoleForm<String> {
        ConsoleForm("Type the tenant's id to delete it", "typed", scope: "delete-")
    }

    // MARK: The page

    static func show(_ context: ConsoleContext) async throws -> Response {
        let tenant = try tenant(context)
        guard let own = tenant.tenant else { throw ConsoleRefusal.notFound }
        return page(tenant, form(of: own, in: try context.project), context)
    }

    private static func page(
        _ tenant: Project, _ form: ConsoleForm<Edited>, end: ConsoleForm<String> = deletion, _ context: ConsoleContext
    ) -> Response {
        let id = tenant.tenant?.id.text ?? ""
        let settings: HTML =
            context.mayEdit
            ? context.form(hidden: [Action.save.hidden], form.html, button: "Save")
            : "<fieldset disabled><legend>Settings</legend>\(form.html)</fieldset>"
        let deletion: HTML =
            context.mayEdit
            ? """
            <section><h2>Delete</h2>\(context.confirmation(
                "Delete the tenant", "The tenant is removed for ever, with its accounts and emails.",
                hidden: [Action.delete.hidden], end.html, button: "Delete the tenant", isOpen: end.isRefused))</section>
            """ : ""
        return ConsolePage(
            tenant.shownName, in: .accounts, back: ("All tenants", TenantsPage.path(in: context)),
            actions: """
                <a class="button quiet" href="\(ConsoleSection.mail.path(in: tenant))">Mail</a>\
                <a class="button" href="\(ConsoleSection.accounts.path(in: tenant))">Accounts</a>
                """,
            """
            <section><dl><dt>Tenant id</dt><dd><code>\(id)</code> \(CopyButton(id, "the tenant id").html)</dd></dl></section>
            <section><h2>Settings</h2>
            <p>The password rules are the project's, or all of them the tenant's: one of its own replaces those of the \
            project.</p>
            \(settings)</section>
            \(deletion)
            """, of: end.isRefused ? end : form
        ).answer(in: context)
    }

    // MARK: Changes

    static func change(_ action: Action, _ sent: SentForm) async throws -> Response {
        let tenant = try tenant(sent.context)
        guard let own = tenant.tenant else { throw ConsoleRefusal.notFound }
        switch action {
        case .save: return try await save(tenant, own, sent)
        case .delete: return try await delete(tenant, own, sent)
        }
    }

    private static func save(_ tenant: Project, _ own: Tenant, _ sent: SentForm) async throws -> Response {
        let project = try sent.context.project
        var form = form(of: own, in: project)
        guard try form.take(sent) else { return page(tenant, form, sent.context) }
        let changes = form.changes
        let named = changes.first { $0.name == displayName }
        let settings = changes.filter { $0.name != displayName }.map { change in
            SettingChange(change.name, to: form.value.values[change.name] ?? "", expected: change.seen)
        }
        do {
            try await sent.homing.projects.setTenant(
                tenant.scope, named: named?.text, seen: named?.seen, settings: settings, by: sent.author)
            return sent.saved()
        } catch Refusal.Code.changedMeanwhile {
            let context = try await sent.context.renewed()
            let tenant = try self.tenant(context)
            guard let now = tenant.tenant else { throw ConsoleRefusal.notFound }
            form.isOvertaken(
                by: Edited(now),
                """
                Somebody else has changed a setting meanwhile. Yours is in the form, and nothing is saved yet: saving \
                again replaces theirs.
                """)
            return page(tenant, form, context)
        } catch let refusal as Refusal where refusal.code == .invalidSetting {
            form.problem = "\(refusal.consoleSentence)"
            return page(tenant, form, sent.context)
        }
    }

    private static func delete(_ tenant: Project, _ own: Tenant, _ sent: SentForm) async throws -> Response {
        var end = deletion
        guard try end.take(sent), end.value.utf8.elementsEqual(own.id.text.utf8) else {
            end.faults["typed"] = "This is not the tenant's id."
            return page(tenant, form(of: own, in: try sent.context.project), end: end, sent.context)
        }
        // Counts of the tenant that are not written yet are removed with it.
        try await sent.homing.outbox.mailCounts.flush()
        try await sent.homing.projects.deleteTenant(tenant.scope, by: sent.author)
        return sent.saved(TenantsPage.path(in: sent.context), .deleted)
    }
}
