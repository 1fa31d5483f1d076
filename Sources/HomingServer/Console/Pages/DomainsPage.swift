// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingTexts
import HomingWire
import Hummingbird

/// `…/domains`: the authorised domains, to which continue URLs may lead.
enum DomainsPage {
    static func show(_ context: ConsoleContext) async throws -> Response { try page(context) }

    private static func page(_ context: ConsoleContext, typed: String = "", fault: String? = nil) throws -> Response {
        let project = try context.project
        let rows = project.authorizedDomains.map(\.text).map { domain -> [HTML] in
            let removal: HTML =
                context.mayEdit
                ? context.confirmation(
                    "Remove",
                    "Links that lead to \(domain) are refused from then on, and mailed ones stop at our page.",
                    hidden: [("remove", domain)], button: "Remove \(domain)") : ""
            return ["<code>\(domain)</code>", removal]
        }
        let list: HTML =
            rows.isEmpty
            ? "<p>None yet: every request with a continue URL is refused.</p>"
            : ConsoleTable("Authorised domains", ["Domain", ""], rows).html
        let field = ConsoleField(
            "Domain", "add", value: typed,
            hint: """
                A host such as <code>www.example.com</code>, all hosts below one as <code>*.example.com</code>, or \
                <code>localhost</code> and any port of it while you build.
                """, fault: fault, isRequired: true)
        return ConsolePage(
            .domains,
            """
            <p>A continue URL says where a person goes when the action is done. It may lead to these domains only, so that \
            nobody can make your mails lead elsewhere.</p>
            <section>\(list)</section>
            \(context.mayEdit ? "<section><h2>Add a domain</h2>\(context.form(field.html(), button: "Add the domain"))</section>" as HTML : "")
            """, status: fault == nil ? .ok : .badRequest
        ).answer(in: context)
    }

    static func change(_ form: ConsoleForm) async throws -> Response {
        let project = try form.context.project.id
        if form.fields["remove"] != nil {
            try await form.homing.projects.removeDomain(form.text("remove"), from: project, by: form.author)
            return form.saved(nil, .removed)
        }
        do {
            try await form.homing.projects.addDomain(form.text("add"), to: project, by: form.author)
            return form.saved()
        } catch let refusal as Refusal {
            return try page(form.context, typed: form.text("add"), fault: refusal.consoleSentence)
        }
    }
}
