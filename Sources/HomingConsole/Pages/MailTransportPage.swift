// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingMail
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

    /// What somebody types. Secrets are in no page.
    private struct Wanted {
        var url = ""
        var secret = ""
        var sender = ""
        var fallsBack = false
        var eventsKey = ""
        var hasNoEventsKey = false
        var address = ""
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
        _ context: ConsoleContext, _ form: ConsoleForm<Wanted>? = nil, note: HTML = ""
    ) throws -> Response {
        let project = try context.project
        let own = project.ownTransport.flatMap { $0.owner == project.scope ? $0 : nil }
        let form = form ?? Self.form(own)
        let isKept = context.homing.serverMail.value.url.map { $0.utf8.elementsEqual("mailbox:".utf8) } ?? false
        let rest = project.tenant == nil ? "the server's" : "its project's"
        let change: HTML =
            context.mayEdit
            ? """
            <section><h2>\(own == nil ? "Set a transport of its own" : "Change it")</h2>
            \(context.form(hidden: [Action.set.hidden], form.html, button: "Send a test email and keep"))
            <p class="hint">The test email goes through the new transport; where it is not taken nothing is changed. That \
            may take ten seconds.</p>\(Self.forms)</section>
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

    /// The forms of the address, as each provider has them.
    private static var forms: HTML {
        let relay: [HTML] = [
            "A relay", "<code>smtps://USER@HOST</code>, <code>smtp://USER@HOST:587</code>", "password",
        ]
        let rows = [relay] + MailProvider.all.map { ["\($0.name)", "<code>\($0.form)</code>", "\($0.secretName)"] }
        return """
            <details><summary>What to write for which provider</summary>\
            \(ConsoleTable("Providers", ["Provider", "Transport", "Secret"], rows).html)</details>
            """
    }

    // MARK: The form

    private static func form(_ own: OwnMailTransport?) -> ConsoleForm<Wanted> {
        let wanted = Wanted(url: own?.url ?? "", sender: own?.sender ?? "", fallsBack: own?.fallsBack ?? false)
        var fields: [ConsoleField<Wanted>] = [
            ConsoleField(
                "Transport", "url", \.url,
                hint: "Such as <code>resend:</code> or <code>smtps://user@smtp.example.net</code>.", isRequired: true),
            ConsoleField(
                "Secret", "secret", \.secret,
                hint: """
                    Password, API key or token. It is encrypted, shown to nobody, and sent to the place above alone.\
                    \(own?.sealedSecret == nil ? "" : " Empty for the one that is there, while emails go to the same place." as HTML)
                    """, .line("password"), autocomplete: "new-password"),
            ConsoleField(
                "Sender", "sender", \.sender,
                hint: "Such as <code>Shop &lt;noreply@shop.example&gt;</code>; empty for the server's.",
                check: { text in
                    guard text.isEmpty || SenderAddress(parsing: text) != nil else {
                        throw ConsoleFault("A sender is an address, or a name and an address in angle brackets.")
                    }
                }),
            ConsoleField(
                "Fall back", "fallsBack", \.fallsBack,
                hint: "While it is away emails leave through the server's own transport, with the server's sender."),
            ConsoleField(
                "Events key", "eventsKey", \.eventsKey,
                hint: "What the provider signs its events with. Empty to leave it as it is.", .line("password"),
                autocomplete: "new-password"),
        ]
        if own?.sealedEventsKey != nil {
            fields.append(
                ConsoleField(
                    "Forget the events key", "noEventsKey", \.hasNoEventsKey, hint: "Events are not taken then."))
        }
        fields.append(
            ConsoleField(
                "Send the test email to", "address", \.address, .line("email"), isRequired: true,
                check: { _ = try EmailAddress(parsing: $0) }))
        return ConsoleForm(wanted, fields)
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
        var form = Self.form(own)
        let isWhole = try form.take(sent)
        let wanted = form.value
        do throws(MailURLFault) {
            // A secret that stands in it is typed once, as one in its own field is.
            form.shows(try OwnMailURL(parsing: wanted.url, isPublicOnly: isPublicOnly).text, in: "url")
        } catch {
            // Who forgets the @ has the key where a host is.
            if !MailURL.masked(wanted.url).utf8.elementsEqual(wanted.url.utf8) { form.shows("", in: "url") }
            form.faults["url"] = error.sentence.asSentence
            return try page(sent.context, form)
        }
        guard isWhole else { return try page(sent.context, form) }
        let (draft, relay): (OwnMailTransport.Draft, MailRelay)
        do {
            draft = try OwnMailTransport.Draft(
                url: wanted.url, secret: wanted.secret.isEmpty ? nil : wanted.secret, sender: wanted.sender,
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
