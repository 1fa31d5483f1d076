// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingShortLinks
import HomingStore
import HomingTexts
import HomingWire
import Hummingbird

/// `…/domains`: the authorised domains, to which continue URLs may lead.
enum DomainsPage {
    static func show(_ context: ConsoleContext) async throws -> Response { try page(context) }

    enum Action: String, ConsoleAction {
        case add, remove

        static let unnamed: Action? = .add
    }

    private static var addition: ConsoleForm<String> {
        ConsoleForm(
            "Domain", "add",
            hint: """
                A host such as <code>www.example.com</code>, all hosts below one as <code>*.example.com</code>, or \
                <code>localhost</code> and any port of it while you build.
                """)
    }

    private static func page(_ context: ConsoleContext, _ form: ConsoleForm<String> = addition) throws -> Response {
        let project = try context.project
        let items = project.authorizedDomains.map(\.text).map { item($0, context) }
        let list: HTML =
            items.isEmpty
            ? EmptyState(
                .domains, "No domains yet",
                "Every request with a continue URL is refused until the URL's domain stands here."
            ).html
            : "<h2>Authorised domains</h2><ul class=\"list\">\(items)</ul>"
        let addition: HTML =
            context.mayEdit
            ? "<aside><section><h2>Add a domain</h2>\(context.form(form.html, button: "Add the domain"))</section></aside>"
            : ""
        return ConsolePage(
            .domains,
            lead: """
                A continue URL says where a person goes when the action is done. It may lead to these domains only, so \
                that nobody can make your emails lead elsewhere.
                """,
            "<div class=\"columns\"><section>\(list)</section>\(addition)</div>", of: form
        ).answer(in: context)
    }

    private static func item(_ domain: String, _ context: ConsoleContext) -> HTML {
        let removal: HTML =
            context.mayEdit
            ? context.confirmation(
                "Remove", "Links that lead to \(domain) are refused from then on, and mailed ones stop at our page.",
                hidden: [Action.remove.hidden(to: domain)], button: "Remove \(domain)") : ""
        return "<li><div><code>\(domain)</code> \(CopyButton(domain, domain).html)</div>\(removal)</li>"
    }

    static func change(_ action: Action, _ sent: SentForm) async throws -> Response {
        let (projects, project) = (sent.homing.projects, try sent.context.project.projectID)
        switch action {
        case .remove:
            let domain = sent.text(action.rawValue)
            let question = DeathsQuestion(
                title: "Remove \(domain)?", section: .domains, button: "Remove \(domain)",
                hidden: [Action.remove.hidden(to: domain)])
            if let page = try await question.page(beforeRemoving: .authorizedDomain(domain), sent) { return page }
            try await projects.removeDomain(domain, from: project, by: sent.author)
            return sent.saved(nil, .removed)
        case .add:
            var form = addition
            _ = try form.take(sent)
            do {
                try await projects.addDomain(form.value, to: project, by: sent.author)
                return sent.saved()
            } catch let refusal as Refusal {
                form.faults["add"] = refusal.consoleSentence
                return try page(sent.context, form)
            }
        }
    }
}
