// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingMail
import HomingProjects
import HomingShortLinks
import HomingStore
import HomingTexts
import Hummingbird

/// `…/links/webhook`: who hears of clicks on the project's links, and whether they take what they are told.
enum LinkWebhookPage {
    enum Action: String, ConsoleAction {
        case set, renew, remove
    }

    static func show(_ context: ConsoleContext) async throws -> Response { try await page(context) }

    private static func form(_ project: Project) -> ConsoleForm<String> {
        ConsoleForm(
            "URL", "url", holding: project.linkWebhook?.url ?? "",
            hint: "https on an authorised domain of the project. Requests are signed as Standard Webhooks says.",
            .line("url"))
    }

    /// - Parameter secret: the one that was made just now.
    private static func page(
        _ context: ConsoleContext, _ sent: ConsoleForm<String>? = nil, secret: String? = nil
    ) async throws -> Response {
        let project = try context.project
        let form = sent ?? Self.form(project)
        let shown: HTML =
            secret.map { secret in
                """
                <section class="note" role="status"><h2>The secret, shown this once</h2>
                <p>Give it to the receiver, which checks signatures with it. It is kept encrypted.</p>
                \(ConsoleLines("secret", secret).html)</section>
                """
            } ?? ""
        let setting: HTML =
            context.mayEdit
            ? """
            <section><h2>\(project.linkWebhook == nil ? "Add a webhook" : "Change the URL")</h2>
            \(context.form(hidden: [Action.set.hidden], form.html, button: "Save"))</section>
            """ : ""
        return ConsolePage(
            "Link webhook", in: .links, back: ("All links", context.path(of: .links)),
            lead: "A server of yours hears of each click by a person, and of each app that a link has opened.",
            """
            \(shown)\(try await state(project, context))\(setting)
            """, of: form
        ).answer(in: context)
    }

    private static func state(_ project: Project, _ context: ConsoleContext) async throws -> HTML {
        guard let webhook = project.linkWebhook,
            let state = try await context.homing.links.events.state(of: project.scope)
        else {
            return """
                <section>\(EmptyState(
                    .webhook, "No webhook yet", "Clicks are counted here alone until a server of yours is told.").html)</section>
                """
        }
        let facts: [(String, HTML?)] = [
            ("URL", "<bdi>\(context.mayEdit ? webhook.url : webhook.shownURL)</bdi>"),
            ("Last delivered", state.sentAt.map { ConsoleTime($0).html } ?? "never"),
            ("Queued events", "\(ChartNumber.whole(Int64(state.waiting)))"),
            ("Failing since", state.failingSince.map { ConsoleTime($0).html }),
            ("Why", state.problem.map { "<bdi>\($0)</bdi>" }),
            ("Next try", state.failingSince == nil ? nil : ConsoleTime(state.nextAt).html),
            ("Dropped events", state.dropped == 0 ? nil : "\(String(state.dropped))"),
        ]
        let status: HTML =
            state.failingSince != nil
            ? "<span class=\"tag bad\">failing</span>"
            : state.sentAt == nil
                ? "<span class=\"tag plain\">nothing sent yet</span>"
                : "<span class=\"tag good\">delivering</span>"
        let lines = facts.compactMap { name, value in value.map { "<dt>\(name)</dt><dd>\($0)</dd>" as HTML } }
        let changes: HTML =
            context.mayEdit
            ? context.confirmation(
                "New secret", "Requests are signed with another secret from then on, which is shown once.",
                hidden: [Action.renew.hidden], button: "Make a new secret", .primary)
                + context.confirmation(
                    "Remove", "Nobody hears of clicks any more, and what waits is dropped.",
                    hidden: [Action.remove.hidden], button: "Remove the webhook") : ""
        return """
            <section><div class="head"><h2>Webhook</h2>\(status)</div><dl>\(lines)</dl>\
            \(changes.isEmpty ? "" : "<div class=\"row\">\(changes)</div>" as HTML)
            <p class="hint"><code>homing link webhook test \(project.projectID.text)</code> sends it a request that tells of \
            nothing.</p></section>
            """
    }

    static func change(_ action: Action, _ sent: SentForm) async throws -> Response {
        let (homing, project) = (sent.homing, try sent.context.project)
        var form = Self.form(project)
        switch action {
        case .remove:
            try await homing.projects.removeLinkWebhook(of: project.projectID, by: sent.author)
            return sent.saved(nil, .removed)
        case .set: guard try form.take(sent) else { return try await page(sent.context, form) }
        case .renew: break
        }
        // The same place keeps its secret, unless another one is wanted.
        let isSame = project.linkWebhook.map { $0.url.utf8.elementsEqual(form.value.utf8) } ?? false
        let secret = action == .set && isSame ? nil : WebhookSignature.newSecret(homing.system)
        do {
            try await homing.projects.setLinkWebhook(
                form.value, secret: secret, of: project.projectID,
                reachesPrivateAddresses: homing.serverMail.value.reachesPrivateAddresses, by: sent.author)
        } catch let refusal as Refusal where refusal.databaseReason == nil {
            form.faults["url"] = refusal.consoleSentence
            return try await page(sent.context, form)
        }
        guard secret != nil else { return sent.saved() }
        return try await page(await sent.context.renewed(), secret: secret)
    }
}
