// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingServer
import HomingStore
import HomingTexts
import HomingWire
import Hummingbird

/// `…/mail`: what became of the project's mails, addresses that get none, and a test.
enum MailPage {
    private static let pageLength = 50

    static func show(_ context: ConsoleContext) async throws -> Response { try await page(context) }

    enum Action: String, ConsoleAction {
        case test, lift
    }

    private static var addressee: ConsoleForm<String> {
        ConsoleForm(
            "Send to", "address",
            hint: "The mail goes the way of all mails, which stands above.", .line("email"))
    }

    private static func page(
        _ context: ConsoleContext, _ form: ConsoleForm<String> = addressee
    ) async throws -> Response {
        let project = try context.project
        var search = ConsoleForm("Address or id of a mail", "q", .line("search"), isRequired: false)
        try search.take(query: context.query)
        let wanted = search.value
        if let mail = try await named(wanted, project, context) {
            return PageAnswer.redirect(to: context.path(of: .mail) + "/\(mail.id)", status: .seeOther)
        }
        let found = try await mails(wanted, project, context)
        let suppressed = try await context.homing.suppressions.list(in: project, limit: pageLength)
        search.faults["q"] = found.fault
        return ConsolePage(
            .mail,
            """
            <p><a class="button quiet" href="\(context.path(of: .mail))/funnel">How far mails came</a>\
            \(project.tenant == nil ? ownPages(context) : "")</p>
            \(MailStateLines.section(context))
            \(try transport(context))
            <section>\(search.search(at: context.path(of: .mail)))</section>
            <section>\(table(found.mails, isSearch: !wanted.isEmpty, context))\(older(found.mails, wanted, context))</section>
            \(context.homing.store.mails(project) ? context.mayEdit ? test(context, form) : "" : nothingLeaves)
            <section><h2>Addresses that get no mail</h2>\(suppressions(suppressed, context))</section>
            """, status: form.status
        ).answer(in: context)
    }

    /// Pages that a project has and a tenant has not.
    private static func ownPages(_ context: ConsoleContext) -> HTML {
        """
         <a class="button quiet" href="\(context.path(of: .mail))/domains">Sender domains</a> \
        \(ArrivedLetterPage.link(context))
        """
    }

    private static func transport(_ context: ConsoleContext) throws -> HTML {
        let rest = try context.project.tenant == nil ? "the server's" : "its project's"
        return """
            <section><h2>Transport of its own</h2>\
            \(try MailTransportPage.facts(context) ?? "<p>None: mails leave through \(rest) transport.</p>")
            <p><a class="button quiet" href="\(context.path(of: .mail))/transport">\
            \(context.mayEdit ? "Provider, sender and secret" : "More about it")</a></p></section>
            """
    }

    /// Said where the server is one for links only.
    static let nothingLeaves: HTML = """
        <section><h2>This server sends no mail</h2><p>Its setting <code>mail.url</code> is <code>none</code>: it serves \
        links, and refuses requests that would have to mail somebody. A back end can still ask for links with \
        <code>returnOobLink</code>.</p></section>
        """

    // MARK: The list

    /// The mail whose id was typed.
    private static func named(
        _ wanted: String, _ project: Project, _ context: ConsoleContext
    ) async throws -> Outbox.Entry? {
        guard wanted.utf8.count == 22, wanted.utf8.allSatisfy({ ASCII.isLetterOrDigit($0) }) else { return nil }
        do {
            return try await context.homing.outbox.show(wanted, in: project)
        } catch Refusal.Code.notFound {
            return nil
        }
    }

    private static func mails(
        _ wanted: String, _ project: Project, _ context: ConsoleContext
    ) async throws -> (mails: [Outbox.Entry], fault: String?) {
        guard !wanted.isEmpty else {
            let mails = try await context.homing.outbox.newest(
                in: project, before: context.query?["before"], limit: pageLength)
            return (mails, nil)
        }
        guard let address = try? EmailAddress(parsing: wanted) else {
            return ([], "This is neither a whole address nor the id of a mail of this project.")
        }
        return (try await context.homing.outbox.list(to: address, in: project, limit: pageLength), nil)
    }

    private static func table(_ mails: [Outbox.Entry], isSearch: Bool, _ context: ConsoleContext) -> HTML {
        guard !mails.isEmpty else {
            return isSearch ? "<p>No mail of the last thirty days is to this address.</p>" : "<p>No mail yet.</p>"
        }
        let rows = mails.map { mail -> [HTML] in
            [
                "<a href=\"\(context.path(of: .mail))/\(mail.id)\">\(mail.createdAt.inWords)</a>",
                mail.tag, "<code>\(mail.kind)</code>", "<bdi>\(context.shown(mail.recipient))</bdi>",
                "<bdi>\(context.shown(mail.bounce ?? mail.lastReply ?? "", about: mail.recipient))</bdi>",
            ]
        }
        return ConsoleTable("Mails, the newest first", ["Asked for", "State", "Kind", "To", "Last words"], rows).html
    }

    private static func older(_ mails: [Outbox.Entry], _ wanted: String, _ context: ConsoleContext) -> HTML {
        guard wanted.isEmpty, mails.count == pageLength, let last = mails.last else { return "" }
        return """
            <p><a class="button quiet" href="\(context.path(of: .mail))?before=\(last.id)">Older mails</a></p>
            """
    }

    // MARK: Suppressions

    private static func suppressions(_ entries: [Suppressions.Entry], _ context: ConsoleContext) -> HTML {
        guard !entries.isEmpty else { return "<p>None: no mail has come back for good.</p>" }
        let rows = entries.map { entry -> [HTML] in
            let lift: HTML =
                context.mayEdit
                ? context.confirmation(
                    "Lift", "Mails go to \(entry.address) again, and that mails came back is forgotten.",
                    to: context.path(of: .mail), hidden: [Action.lift.hidden, ("address", entry.address)],
                    button: "Send there again", .primary) : ""
            return [
                "<bdi>\(context.shown(entry.address))</bdi>", "\(entry.until.inWords)",
                "<bdi>\(context.shown(entry.reason, about: entry.address))</bdi>", lift,
            ]
        }
        return """
            <p>Mails to these addresses came back. Their accounts work; they get no mail until the time given.</p>
            \(ConsoleTable("Suppressed addresses", ["Address", "Until", "Reason", ""], rows).html)
            """
    }

    // MARK: The test

    private static func test(_ context: ConsoleContext, _ form: ConsoleForm<String>) -> HTML {
        """
        <section><h2>Test the relay</h2>\(context.form(
            to: context.path(of: .mail), hidden: [Action.test.hidden], form.html, button: "Send a test mail"))\
        <p class="hint">What the relay answers is shown next; that may take ten seconds.</p></section>
        """
    }

    /// - Parameter patience: how long a test mail is waited for. Its page then says what has become of it.
    static func change(_ action: Action, _ sent: SentForm, patience: Duration) async throws -> Response {
        let project = try sent.context.project
        switch action {
        case .lift:
            let address = try EmailAddress(parsing: sent.text("address"))
            try await sent.homing.suppressions.lift(address, in: project, by: sent.author)
            return sent.saved(nil, .lifted)
        case .test:
            var form = addressee
            guard let address = try await sent.addressee(&form) else { return try await page(sent.context, form) }
            let mail = try await sent.homing.outbox.enqueueTest(to: address, in: project, by: sent.author)
            return try await sent.outcome(of: mail, atMost: patience)
        }
    }
}

extension SentForm {
    /// The page of a test mail, once it says what became of it, or the time is over.
    func outcome(of mail: String, atMost patience: Duration) async throws -> Response {
        _ = try await homing.outbox.awaitOutcome(of: mail, atMost: patience)
        return PageAnswer.redirect(to: context.path(of: .mail) + "/\(mail)", status: .seeOther)
    }
}

extension Outbox.Entry {
    /// The state, in the colour of what it means.
    var tag: HTML {
        let shade =
            switch state {
            case .queued: "warn"
            case .sent: "good"
            case .failed, .expired: "bad"
            }
        return "<span class=\"tag \(shade)\">\(state.name)</span>"
    }
}

extension ConsoleContext {
    /// A text of another server, which may name the address of a mail, as this person may read it.
    func shown(_ text: String, about address: String) -> String {
        guard person.role == .viewer else { return text }
        // Another server names the address in ways of its own; its numbers say what happened.
        let numbers = text.prefix { $0.isASCII && ($0.isNumber || ".- ".contains($0)) }
        return numbers.isEmpty ? "(words that may name the address)" : "\(numbers)…"
    }
}
