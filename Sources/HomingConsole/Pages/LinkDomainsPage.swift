// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
import HomingProjects
import HomingShortLinks
import HomingStore
import HomingTexts
import HomingWire
import Hummingbird

/// `…/link-domains`: the hosts whose links open the project's apps.
enum LinkDomainsPage {
    static func show(_ context: ConsoleContext) async throws -> Response { try page(context) }

    enum Action: String, ConsoleAction {
        case add, remove, standard, ignore, match

        static let unnamed: Action? = .add
    }

    private static var addition: ConsoleForm<String> {
        ConsoleForm(
            "Link domain", "add",
            hint: """
                A host of yours such as <code>links.example.com</code>, and if you like a path on it, such as \
                <code>links.example.com/shop</code>. Its DNS leads to this server, which answers for it over https.
                """)
    }

    /// - Parameter note: what there is to know of what was done just now.
    private static func page(
        _ context: ConsoleContext, _ form: ConsoleForm<String> = addition, note: HTML = ""
    ) throws -> Response {
        let project = try context.project
        let cards = project.linkDomains.map { card($0, of: project, context) }
        let list: HTML =
            cards.isEmpty
            ? """
            <section>\(EmptyState(
                .linkDomains, "No link domains yet",
                "Mailed links lead to pages only. With a host of yours they open the app where it is installed.").html)\
            </section>
            """
            : HTML(joining: cards)
        let addition: HTML =
            context.mayEdit
            ? """
            <aside><section><h2>Add a link domain</h2>\
            \(context.form(form.html, button: "Add the link domain"))</section></aside>
            """ : ""
        return ConsolePage(
            .linkDomains,
            lead: "A link on one of these domains opens the app where it is installed, else the store or a page.",
            actions: context.mayExamine && !cards.isEmpty
                ? context.form(
                    to: context.path(of: .linkDomains) + "/check", button: "Check them as the world sees them", .quiet)
                : nil,
            """
            \(note)<div class="columns"><div>\(list)</div>\(addition)</div>
            \(DoctorFindings.section(context, .linkDomains))
            """, of: form
        ).answer(in: context)
    }

    private static func card(_ domain: LinkDomain, of project: Project, _ context: ConsoleContext) -> HTML {
        let (isMain, ignoresCase) = (domain == project.defaultLinkDomain, project.ignoresCase(on: domain.text))
        let host = String(domain.baseURL.dropLast(domain.prefix.count))
        let files = [
            "/.well-known/apple-app-site-association", "/.well-known/assetlinks.json",
        ].map { "<div><a href=\"\(host)\($0)\" rel=\"noreferrer\">\($0)</a></div>" as HTML }
        return """
            <section><div class="head"><h2>\(domain.text) \(CopyButton(domain.text, domain.text).html)</h2>\
            \(isMain ? "<span class=\"tag\">default</span>" as HTML : "")</div>
            <dl><dt>Case of endings</dt><dd>\(ignoresCase
                ? "does not count: <code>/SPRING</code> is <code>/spring</code>" as HTML
                : "counts")</dd><dt>Association files</dt><dd>\(files)</dd></dl>
            \(context.mayEdit ? changes(domain, isMain: isMain, ignoresCase: ignoresCase, context) : "")</section>
            """
    }

    private static func changes(
        _ domain: LinkDomain, isMain: Bool, ignoresCase: Bool, _ context: ConsoleContext
    ) -> HTML {
        func button(_ action: Action, _ label: String) -> HTML {
            context.form(hidden: [action.hidden(to: domain.text)], button: label, .quiet)
        }
        let removal = context.confirmation(
            "Remove", "Every link on \(domain.text) stops working, mailed ones as well.",
            hidden: [Action.remove.hidden(to: domain.text)], button: "Remove \(domain.text)")
        return """
            <div class="row">\(isMain || domain.isGoogles ? "" : button(.standard, "Make it the default"))\
            \(ignoresCase ? button(.match, "Let case count") : button(.ignore, "Ignore case"))\(removal)</div>
            """
    }

    // MARK: Changing

    static func change(_ action: Action, _ sent: SentForm) async throws -> Response {
        let (homing, project) = (sent.homing, try sent.context.project.projectID)
        let name = sent.text(action.rawValue)
        switch action {
        case .add: return try await add(sent)
        case .remove:
            let question = DeathsQuestion(
                title: "Remove \(name)?", section: .linkDomains, button: "Remove \(name)",
                hidden: [Action.remove.hidden(to: name)])
            if let page = try await question.page(beforeRemoving: .linkDomain(name), sent) { return page }
            try await homing.projects.removeLinkDomain(name, from: project, by: sent.author)
            return sent.saved(nil, .removed)
        case .standard:
            try await homing.projects.setDefaultLinkDomain(name, of: project, by: sent.author)
            return sent.saved()
        case .ignore, .match:
            let (_, collisions) = try await homing.setCase(
                of: name, in: project, isIgnored: action == .ignore, by: sent.author)
            guard !collisions.isEmpty else { return sent.saved() }
            return try page(await sent.context.renewed(), note: Self.note(of: collisions))
        }
    }

    /// The endings that are the same but for their case.
    private static func note(of collisions: [[LinkSuffix]]) -> HTML {
        let groups = collisions.map { "<li><code>\($0.map(\.text).joined(separator: " "))</code></li>" as HTML }
        return """
            <section class="note" role="status"><h2>Saved. These endings are the same but for their case</h2>
            <p>Each of them is found in its own case only.</p><ul>\(groups)</ul></section>
            """
    }

    private static func add(_ sent: SentForm) async throws -> Response {
        let (homing, project) = (sent.homing, try sent.context.project)
        var form = addition
        _ = try form.take(sent)
        do {
            // People put links on their main host: existing links may lead there.
            let landing = try await homing.links.landing(
                on: LinkDomain(typed: form.value), of: project, at: homing.projects)
            let question = DeathsQuestion(
                title: "Add \(form.value)?", section: .linkDomains, button: "Add \(form.value)",
                hidden: [(Action.add.rawValue, form.value)])
            if let page = question.page(about: landing.deaths, sent) { return page }
            let added = try await homing.projects.addLinkDomain(
                form.value, to: project.projectID, mayShareHost: sent.context.isOwner, isWebsite: landing.leading > 0,
                by: sent.author)
            guard landing.leading > 0 else { return sent.saved() }
            return try page(
                await sent.context.renewed(),
                note: "<p class=\"note\" role=\"status\">Saved. \(landing.sentence(on: added).asSentence)</p>")
        } catch let refusal as Refusal {
            form.faults["add"] = refusal.consoleSentence
            return try page(sent.context, form)
        }
    }
}
