// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingTexts
import HomingWire
import Hummingbird

/// `…/link-domains`: the hosts whose links open the project's apps.
enum LinkDomainsPage {
    static func show(_ context: ConsoleContext) async throws -> Response { try page(context) }

    private static func page(_ context: ConsoleContext, typed: String = "", fault: String? = nil) throws -> Response {
        let project = try context.project
        let main = project.defaultLinkDomain
        let cards = project.linkDomains.map { domain in
            Self.card(domain, isMain: domain == main, context)
        }
        let field = ConsoleField(
            "Link domain", "add", value: typed,
            hint: """
                A host of yours such as <code>links.example.com</code>, and if you like a path on it, such as \
                <code>links.example.com/shop</code>. Its DNS leads to this server, which answers for it over https.
                """, fault: fault, isRequired: true)
        return ConsolePage(
            .linkDomains,
            """
            <p>A link on one of these domains opens the app where it is installed, else the store or a page.</p>
            \(context.mayExamine && !cards.isEmpty
                ? context.form(
                    to: context.path(of: .linkDomains) + "/check", button: "Check them as the world sees them", .quiet)
                : "")
            \(cards.isEmpty ? "<p>None yet: mailed links lead to pages only.</p>" as HTML : HTML(joining: cards))
            \(context.mayEdit ? "<section><h2>Add a link domain</h2>\(context.form(field.html(), button: "Add the link domain"))</section>" as HTML : "")
            """, status: fault == nil ? .ok : .badRequest
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
                hidden: [("remove", domain.text)], button: "Remove \(domain.text)") : ""
        return """
            <section><h2>\(domain.text)\(isMain ? " <span class=\"tag\">default</span>" as HTML : "")</h2>
            <p>Association files, as the phones fetch them:</p><ul>\(files)</ul>
            \(removal)</section>
            """
    }

    static func change(_ form: ConsoleForm) async throws -> Response {
        let project = try form.context.project.id
        if form.fields["remove"] != nil {
            try await form.homing.projects.removeLinkDomain(form.text("remove"), from: project, by: form.author)
            return form.saved(nil, .removed)
        }
        do {
            try await form.homing.projects.addLinkDomain(
                form.text("add"), to: project, mayShareHost: form.context.isOwner, by: form.author)
            return form.saved()
        } catch let refusal as Refusal {
            return try page(form.context, typed: form.text("add"), fault: refusal.consoleSentence)
        }
    }
}
