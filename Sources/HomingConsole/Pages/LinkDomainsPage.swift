// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingStore
import HomingTexts
import HomingWire
import Hummingbird

/// `…/link-domains`: the hosts whose links open the project's apps.
enum LinkDomainsPage {
    static func show(_ context: ConsoleContext) async throws -> Response { try page(context) }

    private static var addition: ConsoleForm<String> {
        ConsoleForm(
            "Link domain", "add",
            hint: """
                A host of yours such as <code>links.example.com</code>, and if you like a path on it, such as \
                <code>links.example.com/shop</code>. Its DNS leads to this server, which answers for it over https.
                """)
    }

    private static func page(_ context: ConsoleContext, _ form: ConsoleForm<String> = addition) throws -> Response {
        let project = try context.project
        let main = project.defaultLinkDomain
        let cards = project.linkDomains.map { domain in
            Self.card(domain, isMain: domain == main, context)
        }
        return ConsolePage(
            .linkDomains,
            """
            <p>A link on one of these domains opens the app where it is installed, else the store or a page.</p>
            \(context.mayExamine && !cards.isEmpty
                ? context.form(
                    to: context.path(of: .linkDomains) + "/check", button: "Check them as the world sees them", .quiet)
                : "")
            \(cards.isEmpty ? "<p>None yet: mailed links lead to pages only.</p>" as HTML : HTML(joining: cards))
            \(context.mayEdit ? "<section><h2>Add a link domain</h2>\(context.form(form.html, button: "Add the link domain"))</section>" as HTML : "")
            """, status: form.status
        ).answer(in: context)
    }

    private static func card(_ domain: LinkDomain, isMain: Bool, _ context: ConsoleContext) -> HTML {
        let host = String(domain.baseURL.dropLast(domain.prefix.count))
        let files = [
            "/.well-known/apple-app-site-association", "/.well-known/assetlinks.json",
        ].map { "<li><a href=\"\(host)\($0)\" rel=\"noreferrer\">\($0)</a></li>" as HTML }
        let removal: HTML =
            context.mayEdit
            ? context.confirmation(
                "Remove", "Every link on \(domain.text) stops working, mailed ones as well.",
                hidden: [DomainsPage.Action.remove.hidden(to: domain.text)], button: "Remove \(domain.text)") : ""
        return """
            <section><h2>\(domain.text)\(isMain ? " <span class=\"tag\">default</span>" as HTML : "")</h2>
            <p>Association files, as the phones fetch them:</p><ul>\(files)</ul>
            \(removal)</section>
            """
    }

    static func change(_ action: DomainsPage.Action, _ sent: SentForm) async throws -> Response {
        let (projects, project) = (sent.homing.projects, try sent.context.project.projectID)
        switch action {
        case .remove:
            try await projects.removeLinkDomain(sent.text("remove"), from: project, by: sent.author)
            return sent.saved(nil, .removed)
        case .add:
            var form = addition
            _ = try form.take(sent)
            do {
                try await projects.addLinkDomain(
                    form.value, to: project, mayShareHost: sent.context.isOwner, by: sent.author)
                return sent.saved()
            } catch let refusal as Refusal {
                form.faults["add"] = refusal.consoleSentence
                return try page(sent.context, form)
            }
        }
    }
}
