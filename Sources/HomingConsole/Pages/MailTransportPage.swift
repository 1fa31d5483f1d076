// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingMail
import HomingProjects
import HomingStore
import HomingTexts
import HomingWire
import Hummingbird
import Logging

/// `…/mail/transport`: the provider and the sender of a project or tenant, where they are not the server's.
struct MailTransportPage: Sendable {
    private let running = RunningChecks()

    private static let logger = Logger(label: "homing.console")

    enum Action: String, ConsoleAction {
        case set, remove
    }

    // MARK: The page

    func show(_ context: ConsoleContext) async throws -> Response { try page(context) }

    /// What is set now, as this person may read it.
    ///
    /// - Returns: nil where mails leave through the server's own transport.
    static func facts(_ context: ConsoleContext) throws -> HTML? {
        let project = try context.project
        guard let own = project.ownTransport else { return nil }
        var facts: [(String, HTML)] = [
            ("Transport", "<code>\(own.url)</code>"),
            ("Secret", own.sealedSecret == nil ? "none" : "set, and shown to nobody"),
            ("Sender", own.sender.map { "<bdi>\($0)</bdi>" as HTML } ?? "the server's"),
            (
                "While it is away",
                own.fallsBack ? "emails leave through the server's own transport" : "emails are queued until it is back"
            ),
            ("Since", ConsoleTime(own.changedAt).html),
        ]
        let isInherited = own.owner != project.scope
        if isInherited { facts.append(("Set for", "the project <code>\(own.owner.text)</code>")) }
        // Who knows the path and has the key can say what became of a mail.
        let takesEvents = context.mayEdit && !isInherited && MailProvider.of(own.url) != nil
        if takesEvents {
            facts.append(("Events key", own.sealedEventsKey == nil ? "none: events are not taken" : "set"))
        }
        let events: HTML =
            takesEvents
            ? """
            <p>Where the provider is to send its events (delivered, bounced, complained):</p>
            \(ConsoleLines("the URL for events", context.homing.mailEventsURL(of: own)).html)
            """ : ""
        return "<dl>\(facts.map { "<dt>\($0.0)</dt><dd>\($0.1)</dd>" as HTML })</dl>\(events)"
    }

    /// - Parameter note: what a form has done.
    private func page(
        _ context: ConsoleContext, _ form: ConsoleForm<MailTransportDraft>? = nil, note: HTML = ""
    ) throws -> Response {
        let project = try context.project
        let own = project.ownTransport.flatMap { $0.owner == project.scope ? $0 : nil }
        let form = form ?? MailTransportForm.form(own)
        let isKept = context.homing.serverMail.value.url.map { $0.utf8.elementsEqual("mailbox:".utf8) } ?? false
        let rest = project.tenant == nil ? "the server's" : "its project's"
        let change: HTML =
            context.mayEdit
            ? """
            <section><h2>\(own == nil ? "Set a transport of its own" : "Change it")</h2>
            \(context.form(
                hidden: [Action.set.hidden], MailTransportForm.html(form, own: own), button: "Send a test email and keep"))
            <p class="hint">The test email goes through the new transport, within ten seconds. Unless it is taken, nothing \
            is changed.</p></section>
            """ : ""
        let removal: HTML =
            context.mayEdit && own != nil
            ? context.confirmation(
                "Remove", "Emails leave through \(rest) transport again, and the secret is forgotten.",
                hidden: [Action.remove.hidden], button: "Remove the transport") : ""
        return ConsolePage(
            "Transport of its own", in: .mail, back: ("All emails", context.path(of: .mail)),
            lead: "The provider and the sender of this project alone, where they are not the server's.",
            """
            \(note)\
            \(isKept ? "<p class=\"note\">This server keeps all emails in its mailbox, for development: transports are tried here, and used nowhere.</p>" as HTML : "")
            <section>\(try Self.facts(context) ?? "<p>None: emails leave through \(rest) transport.</p>")\(removal)</section>
            \(change)
            """, of: form
        ).answer(in: context)
    }

    // MARK: Changing

    func change(_ action: Action, _ sent: SentForm) async throws -> Response {
        let project = try sent.context.project
        switch action {
        case .remove:
            try await sent.homing.projects.removeMailTransport(of: project.scope, by: sent.author)
            return sent.saved(nil, .removed)
        case .set:
            try running.begin(of: project.projectID)
            defer { running.end(of: project.projectID) }
            return try await set(sent, project)
        }
    }

    private func set(_ sent: SentForm, _ project: Project) async throws -> Response {
        let homing = sent.homing
        let own = project.ownTransport.flatMap { $0.owner == project.scope ? $0 : nil }
        let isPublicOnly = !homing.serverMail.value.reachesPrivateAddresses
        var form = MailTransportForm.form(own)
        let isWhole = try form.take(sent)
        let url = MailTransportForm.url(of: &form, isPublicOnly: isPublicOnly)
        guard isWhole, !form.isRefused, let url else { return try page(sent.context, form) }
        let wanted = form.value
        let (draft, relay): (OwnMailTransport.Draft, MailRelay)
        do {
            draft = try OwnMailTransport.Draft(
                url: url, secret: wanted.secret.isEmpty ? nil : wanted.secret, sender: wanted.sender,
                fallsBack: wanted.fallsBack,
                eventsKey: wanted.hasNoEventsKey ? "" : wanted.eventsKey.isEmpty ? nil : wanted.eventsKey,
                isPublicOnly: isPublicOnly)
            relay = try draft.relay(replacing: own, ring: homing.keys.ring, isPublicOnly: isPublicOnly)
        } catch let refusal as Refusal {
            form.faults["secret"] = refusal.consoleSentence
            return try page(sent.context, form)
        }
        do {
            let address = try EmailAddress(parsing: wanted.address)
            try await homing.actionCodes.allowMail(from: "console \(sent.author.text)", in: project)
            let trial = MailTrial(
                homing: homing, project: project, relay: relay, sender: draft.sender, logger: Self.logger)
            let result = try await trial.send(to: address, by: sent.author)
            guard result.isTaken else {
                form.problem = """
                    The test email was not taken, and nothing has been changed. Response of \(result.transport): \
                    <bdi>\(result.reply)</bdi>\(result.advice.map { ". \($0.asSentence)" } ?? "")
                    """
                return try page(sent.context, form)
            }
            try await homing.projects.setMailTransport(draft, of: project.scope, by: sent.author)
            return try page(await sent.context.renewed(), note: Self.note(result, draft, relay, sent.context))
        } catch let refusal as Refusal {
            form.problem = "\(refusal.consoleSentence)"
            return try page(sent.context, form)
        }
    }

    /// What was done, and what is left to do.
    private static func note(
        _ result: MailTrial.Result, _ draft: OwnMailTransport.Draft, _ relay: MailRelay, _ context: ConsoleContext
    ) throws -> HTML {
        let domain = try MailTrial.unsignedDomain(of: draft.sender, in: context.project, by: relay)
        let unsigned: HTML =
            domain.map { domain in
                """
                <p class="note">Nothing here signs emails from \(domain). Unless the other side does, add it under \
                <a href="\(ConsoleSection.mail.path(in: context.ofProject))/domains">Sender domains</a>.</p>
                """
            } ?? ""
        return """
            <p class="saved" role="status">The test email was taken, and all emails leave this way from now on. Response of \
            \(result.transport): <bdi>\(result.reply)</bdi></p>\(unsigned)
            """
    }
}
