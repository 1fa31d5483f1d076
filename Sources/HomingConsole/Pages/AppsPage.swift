// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import HomingLinkRules
import HomingProjects
import HomingShortLinks
import HomingStore
import HomingTexts
import Hummingbird

/// `…/apps`: the apps that links may open.
enum AppsPage {
    static func show(_ context: ConsoleContext) async throws -> Response { try page(context) }

    enum Action: String, ConsoleAction {
        case apple, android, remove, edit

        static let field = "form"
    }

    /// A form of the page that was refused.
    private enum Refused {
        case adding(ConsoleForm<RegisteredApp>)
        case editing(ConsoleForm<RegisteredApp>)

        var form: ConsoleForm<RegisteredApp> {
            switch self {
            case .adding(let form), .editing(let form): form
            }
        }

        /// The form that adds an app of a platform.
        func adds(_ platform: RegisteredApp.Platform) -> ConsoleForm<RegisteredApp>? {
            if case .adding(let form) = self, form.value.platform == platform { form } else { nil }
        }

        /// The form that changes an app.
        func edits(_ app: RegisteredApp) -> ConsoleForm<RegisteredApp>? {
            guard case .editing(let form) = self, form.value.platform == app.platform,
                form.value.id.utf8.elementsEqual(app.id.utf8)
            else { return nil }
            return form
        }
    }

    private static func page(_ context: ConsoleContext, _ refused: Refused? = nil) throws -> Response {
        let project = try context.project
        let cards = project.apps.enumerated().map { index, app in
            card(app, project, context, form: refused?.edits(app), scope: scope(index))
        }
        let list: HTML =
            cards.isEmpty
            ? "<section>\(EmptyState(.apps, "No apps yet", "Links lead to pages only.").html)</section>"
            : HTML(joining: cards)
        return ConsolePage(
            .apps, lead: "The apps that links may open.",
            """
            \(list)\(context.mayEdit ? additions(project, context, refused) : "")
            \(webPages(project, context))
            \(cards.isEmpty || !project.linkDomains.isEmpty ? "" : withoutDomain(project))
            \(DoctorFindings.section(context, .apps))
            """, of: refused?.form
        ).answer(in: context)
    }

    private static func withoutDomain(_ project: Project) -> HTML {
        """
        <p>The project has no link domain: a mailed link opens a page first, and the page leads to the app.
        With <a href="\(ConsoleSection.linkDomains.path(in: project))">a link domain</a> it opens the app at once.</p>
        """
    }

    /// Pages are registered nowhere: a card that only says what they need.
    private static func webPages(_ project: Project, _ context: ConsoleContext) -> HTML {
        let lines = AppLines(AppConfiguration(ofWebPagesIn: project, publicURL: context.homing.publicURL))
        return """
            <section><h2>Web pages</h2><p>They need no registration, but a host among
            <a href="\(ConsoleSection.domains.path(in: project))">the domains</a>.</p>
            <details><summary>Setup snippets</summary>\(lines.html)</details></section>
            """
    }

    // MARK: An app

    private static func card(
        _ app: RegisteredApp, _ project: Project, _ context: ConsoleContext, form: ConsoleForm<RegisteredApp>?,
        scope: String
    ) -> HTML {
        let completing = form.flatMap { app.gaps.contains(.teamID) && AppForm.completes($0) ? $0 : nil }
        let editing = completing == nil ? form : nil
        let lines = AppLines(AppConfiguration(of: app, in: project, publicURL: context.homing.publicURL))
        return """
            <section><h2><bdi>\(app.id)</bdi> <span class="tag">\(app.platform == .apple ? "Apple" : "Android")</span>\
            \(app.problem == nil ? "" : " <span class=\"tag bad\">incomplete</span>" as HTML)</h2>
            \(HTML(joining: app.gaps.map { notice($0, of: app, context, completing ?? AppForm.completing(app, scope: scope)) }))
            <dl>\(facts(of: app))</dl>
            \(context.mayEdit ? edition(of: app, context, editing ?? AppForm.editing(app, scope: scope)) : "")
            <details><summary>Setup snippets</summary>\(lines.html)</details>
            \(context.mayEdit ? removal(of: app, context) : "")</section>
            """
    }

    private static func facts(of app: RegisteredApp) -> [HTML] {
        let stores = app.storeValues.map { store, value in "\(store.title) \(value)" }
        let facts: [(String, String)] = [
            ("Team id", app.text(of: .teamID)), ("App Store id", app.text(of: .appStoreID)),
            ("Custom URL scheme", app.text(of: .customScheme)), ("App Clip", app.text(of: .clip)),
            ("Stores", stores.joined(separator: "\n")), ("SHA-256", app.sha256.joined(separator: "\n")),
            ("SHA-1", app.sha1.joined(separator: "\n")),
        ]
        return facts.filter { !$0.1.isEmpty }.map { name, value in "<dt>\(name)</dt><dd><code>\(value)</code></dd>" }
    }

    /// What is missing and what comes of it; of a team id with the field that mends it.
    private static func notice(
        _ gap: RegisteredApp.Gap, of app: RegisteredApp, _ context: ConsoleContext,
        _ form: ConsoleForm<RegisteredApp>
    ) -> HTML {
        switch gap {
        case .appStoreID:
            return "<p class=\"soft\">App Store id missing: iPhones without the app are sent to the web.</p>"
        case .fingerprint:
            return """
                <p class="problem">SHA-256 fingerprint missing: \(gap.consequence). The association file of your link \
                domains leaves it out, so that Android opens the browser.</p>
                """
        case .teamID:
            let hidden = hidden(.edit, app) + [(part, part)]
            return """
                <p class="problem">Team id missing: \(gap.consequence). The association file of your link domains leaves \
                it out, so that universal links and App Clips stay in the browser.</p>
                \(context.mayEdit ? context.form(hidden: hidden, form.html, button: "Save the team id") : "")
                """
        }
    }

    private static func edition(
        of app: RegisteredApp, _ context: ConsoleContext, _ form: ConsoleForm<RegisteredApp>
    ) -> HTML {
        """
        <details\(form.isRefused ? " open" as HTML : "")><summary>Edit</summary>\
        \(context.form(hidden: hidden(.edit, app), form.html, button: "Save"))</details>
        """
    }

    private static func removal(of app: RegisteredApp, _ context: ConsoleContext) -> HTML {
        context.confirmation(
            "Remove", "No link opens \(app.id) any more, and no association file names it.",
            hidden: [Action.remove.hidden(to: app.id)], button: "Remove \(app.id)")
    }

    private static func hidden(_ action: Action, _ app: RegisteredApp) -> [(String, String)] {
        [action.hidden(to: app.id), ("platform", app.platform.rawValue)]
    }

    // MARK: A new app

    private static func additions(_ project: Project, _ context: ConsoleContext, _ refused: Refused?) -> HTML {
        func addition(_ platform: RegisteredApp.Platform, _ action: Action, _ title: String) -> HTML {
            let form = refused?.adds(platform) ?? AppForm.adding(platform)
            let content = context.form(hidden: [action.hidden], form.html, button: "Add the \(title)")
            // One app of a kind is what most projects have: another one is a click away.
            let isFirst = !project.apps.contains { $0.platform == platform }
            return FoldedForm("Add an \(title)", content, isOpen: isFirst || form.isRefused).html
        }
        let (apple, android) = (
            addition(.apple, .apple, "Apple app"), addition(.android, .android, "Android app")
        )
        // Two open forms stand side by side.
        return project.apps.isEmpty
            ? "<div class=\"columns even\"><div>\(apple)</div><div>\(android)</div></div>" : apple + android
    }

    // MARK: Changing

    static func change(_ action: Action, _ sent: SentForm) async throws -> Response {
        switch action {
        case .apple: try await add(.apple, sent)
        case .android: try await add(.android, sent)
        case .edit: try await edit(sent)
        case .remove: try await remove(sent)
        }
    }

    private static func add(_ platform: RegisteredApp.Platform, _ sent: SentForm) async throws -> Response {
        var form = AppForm.adding(platform)
        guard try form.take(sent) else { return try page(sent.context, .adding(form)) }
        do {
            try await sent.homing.projects.addApp(form.value, to: try sent.context.project.projectID, by: sent.author)
            return sent.saved()
        } catch let refusal as Refusal where refusal.code == .invalidSetting {
            // Together with the fingerprints that the app has already there may be too many.
            form.faults[platform == .apple ? "bundle" : "fingerprints"] = refusal.sentence.asSentence
            return try page(sent.context, .adding(form))
        }
    }

    private static func edit(_ sent: SentForm) async throws -> Response {
        guard var form = try edition(sent, sent.context) else { throw ConsoleRefusal.notFound }
        guard try form.take(sent) else { return try page(sent.context, .editing(form)) }
        do {
            try await sent.homing.projects.setApp(
                form.value.platform, form.value.id, to: AppForm.changes(form),
                in: try sent.context.project.projectID, by: sent.author)
            return sent.saved()
        } catch Refusal.Code.changedMeanwhile {
            let context = try await sent.context.renewed()
            guard let current = try edition(sent, context)?.value else { throw ConsoleRefusal.notFound }
            form.isOvertaken(
                by: current,
                """
                Somebody else has changed this app meanwhile. What you typed is in the form, and nothing is saved yet: \
                saving again replaces theirs.
                """)
            return try page(context, .editing(form))
        } catch let refusal as Refusal where refusal.code == .invalidSetting {
            form.problem = "\(refusal.consoleSentence)"
            return try page(sent.context, .editing(form))
        }
    }

    /// The form of the app that was sent, with what the app is now; nil where there is no such app.
    private static func edition(_ sent: SentForm, _ context: ConsoleContext) throws -> ConsoleForm<RegisteredApp>? {
        let (id, platform) = (sent.text(Action.edit.rawValue), sent.text("platform"))
        let apps = try context.project.apps
        let index = apps.firstIndex {
            $0.id.utf8.elementsEqual(id.utf8) && $0.platform.rawValue.utf8.elementsEqual(platform.utf8)
        }
        let isPart = !sent.text(part).isEmpty
        return index.map {
            isPart
                ? AppForm.completing(apps[$0], scope: scope($0)) : AppForm.editing(apps[$0], scope: scope($0))
        }
    }

    /// The field of a form that sends the team id alone.
    private static let part = "part"

    private static func scope(_ index: Int) -> String { "app\(index)-" }

    private static func remove(_ sent: SentForm) async throws -> Response {
        let app = sent.text(Action.remove.rawValue)
        let question = DeathsQuestion(
            title: "Remove \(app)?", section: .apps, button: "Remove \(app)",
            hidden: [Action.remove.hidden(to: app)])
        if let page = try await question.page(beforeRemoving: .app(app), sent) { return page }
        try await sent.homing.projects.removeApp(app, from: try sent.context.project.projectID, by: sent.author)
        return sent.saved(nil, .removed)
    }
}
