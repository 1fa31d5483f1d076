// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingMail
import HomingStore
import HomingTexts
import HomingWire
import Hummingbird

/// `…/mail/transport`: the provider and the sender of a project or tenant, where they are not the server's.
struct MailTransportPage: Sendable {
    /// How long a test mail is waited for.
    let patience: Duration
    private let running = RunningChecks()

    init(patience: Duration) { self.patience = patience }

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
                own.fallsBack ? "mails leave through the server's own transport" : "mails wait until it is back"
            ),
            ("Since", "<time>\(own.changedAt.inWords)</time>"),
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
            \(context.form(hidden: [Action.set.hidden], form.html, button: "Send a test mail and keep"))
            <p class="hint">The test mail goes through the new transport; where it is not taken nothing is changed. That \
            may take ten seconds.</p>\(Self.forms)</section>
            """ : ""
        let removal: HTML =
            context.mayEdit && own != nil
            ? context.confirmation(
                "Remove", "Mails leave through \(rest) transport again, and the secret is forgotten.",
                hidden: [Action.remove.hidden], button: "Remove the transport") : ""
        return ConsolePage(
            "Transport of its own", in: .mail,
            """
            <p><a href="\(context.path(of: .mail))">All mails</a></p>\(note)\
            \(isKept ? "<p class=\"note\">This server keeps all mails in its mailbox, for development: transports are tried here, and used nowhere.</p>" as HTML : "")
            <section>\(try Self.facts(context) ?? "<p>None: mails leave through \(rest) transport.</p>")\(removal)</section>
            \(change)
            """, problem: form.problem, status: form.status
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
                    \(own?.sealedSecret == nil ? "" : " Empty for the one that is there, while mails go to the same place." as HTML)
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
                hint: "While it is away mails leave through the server's own transport, with the server's sender."),
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
                "Send the test mail to", "address", \.address, .line("email"), isRequired: true,
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
        let own = project.ownTransport.flatMap { $0.owner == project.scope ? $0 : nil }
        var form = Self.form(own)
        let isWhole = try form.take(sent)
        let wanted = form.value
        let url: OwnMailURL
        do throws(MailURLFault) {
            url = try OwnMailURL(
                parsing: wanted.url, isPublicOnly: !sent.homing.serverMail.value.reachesPrivateAddresses)
            // A secret that stood in it is typed once, as in its own field.
            form.shows(url.text, in: "url")
        } catch {
            if !SecretMask.password(inURL: wanted.url).utf8.elementsEqual(wanted.url.utf8) { form.shows("", in: "url") }
            form.faults["url"] = error.sentence.asSentence
            return try page(sent.context, form)
        }
        guard isWhole, let trial = try trial(of: url, &form, own, project, sent) else {
            return try page(sent.context, form)
        }
        do {
            let address = try EmailAddress(parsing: wanted.address)
            try await sent.homing.actionCodes.allowMail(from: "console \(sent.author.text)", in: project)
            try await sent.homing.outbox.noteTrial(to: address, in: project, by: sent.author)
            let outcome = await trial.test.mail(to: address, atMost: patience)
            guard case .accepted(let reply) = outcome else {
                form.problem = """
                    The test mail was not taken, and nothing has been changed. It was said: \
                    <bdi>\(Printable.ascii(outcome.words))</bdi>
                    """
                return try page(sent.context, form)
            }
            try await sent.homing.projects.setMailTransport(trial.draft, of: project.scope, by: sent.author)
            return try page(
                await sent.context.renewed(),
                note: """
                    <p class="saved" role="status">The test mail was taken, and all mails leave this way from now on. It was \
                    said: <bdi>\(Printable.ascii(reply))</bdi></p>
                    """)
        } catch let refusal as Refusal {
            form.problem = "\(refusal.consoleSentence)"
            return try page(sent.context, form)
        }
    }

    /// The test, and what is kept once it was passed; nil where the form says what is wrong.
    private func trial(
        of url: OwnMailURL, _ form: inout ConsoleForm<Wanted>, _ own: OwnMailTransport?, _ project: Project,
        _ sent: SentForm
    ) throws -> (test: TransportTrial, draft: OwnMailTransport.Draft)? {
        let wanted = form.value
        guard url.secret == nil || wanted.secret.isEmpty else {
            form.faults["secret"] = "The transport had a secret in it already: write it here alone."
            return nil
        }
        let typed = url.secret ?? (wanted.secret.isEmpty ? nil : wanted.secret)
        let server = sent.homing.serverMail.value.sender ?? ""
        guard let sender = SenderAddress(parsing: wanted.sender.isEmpty ? server : wanted.sender) else {
            form.faults["sender"] = "The server has no sender of its own: write one."
            return nil
        }
        let test: TransportTrial
        do {
            let secret = try typed ?? Self.kept(for: url, own, sent.homing)
            test = try TransportTrial(of: url, secret: secret, sender: sender, for: project, in: sent.homing)
        } catch let fault as MailURLFault {
            form.faults["secret"] = fault.sentence.asSentence
            return nil
        }
        let draft = OwnMailTransport.Draft(
            url: url.text, destination: url.destination, needsSecret: url.needsSecret, secret: typed,
            sender: wanted.sender, fallsBack: wanted.fallsBack,
            eventsKey: wanted.hasNoEventsKey ? "" : wanted.eventsKey.isEmpty ? nil : wanted.eventsKey)
        return (test, draft)
    }

    /// The secret that is there, for the place that it was typed for and no other.
    private static func kept(for url: OwnMailURL, _ own: OwnMailTransport?, _ homing: Homing) throws -> String? {
        guard url.needsSecret, let own, let sealed = own.sealedSecret,
            own.destination.utf8.elementsEqual(url.destination.utf8)
        else { return nil }
        let bytes = try homing.keys.ring.open(sealed, name: OwnMailTransport.label(own.owner, url.destination))
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension DeliveryOutcome {
    /// What the other side said, or why there is no answer.
    fileprivate var words: String {
        switch self {
        case .accepted(let words), .temporary(let words), .permanent(let words), .relayUnavailable(let words, _),
            .relayAsksToWait(let words, _), .relayRefusesUs(let words, _):
            words
        }
    }
}
