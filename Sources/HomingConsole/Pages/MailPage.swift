// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingServer
import HomingStore
import HomingTexts
import HomingWire
import Hummingbird

/// `…/mail`: the status of the project's emails, suppressed addresses, and a test.
enum MailPage {
    private static let pageLength = 50

    static func show(_ context: ConsoleContext) async throws -> Response { try await page(context) }

    enum Action: String, ConsoleAction {
        case test, lift
    }

    /// - Parameter context: of whoever sees the form, which begins with their own address.
    private static func addressee(_ context: ConsoleContext) -> ConsoleForm<String> {
        ConsoleForm(
            "Send to", "address", holding: context.person.isOfServer ? "" : context.person.address,
            .line("email"), autocomplete: "email")
    }

    /// A form that mails a test to whoever reads the page, on any page of the project.
    static func testForm(_ context: ConsoleContext) -> HTML { testForm(context, addressee(context)) }

    private static func testForm(_ context: ConsoleContext, _ form: ConsoleForm<String>) -> HTML {
        context.form(
            to: context.path(of: .mail), hidden: [Action.test.hidden], form.html, button: "Send a test email", .quiet)
    }

    private static func page(_ context: ConsoleContext, _ form: ConsoleForm<String>? = nil) async throws -> Response {
        let project = try context.project
        let list = try MailList(context)
        if let mail = try await named(list.wanted.text, project, context) {
            return PageAnswer.redirect(to: context.path(of: .mail) + "/\(mail.id)", status: .seeOther)
        }
        let suppressed = try await context.homing.suppressions.list(in: project, limit: pageLength)
        let isMailed = context.homing.store.mails(project)
        return ConsolePage(
            .mail, lead: "Every email of the last thirty days, and whether it was delivered.",
            actions: actions(context, project),
            """
            <div class="columns"><div>
            \(try await list.html(context))
            </div><aside>
            \(MailStateLines.section(context))
            \(isMailed ? context.mayEdit ? test(context, form ?? addressee(context)) : "" : nothingLeaves)
            \(try transport(context))
            </aside></div>
            <section><h2>Suppressed addresses</h2>\(suppressions(suppressed, context))</section>
            \(DoctorFindings.section(context, .mail))
            """, of: form
        ).answer(in: context)
    }

    /// The pages below this one; some of them a project has and a tenant has not.
    private static func actions(_ context: ConsoleContext, _ project: Project) -> HTML {
        let path = context.path(of: .mail)
        let ofProject: HTML =
            """
            <a class="button quiet" href="\(path)/domains">Sender domains</a>\
            \(context.reports.examination == nil ? "" : ArrivedLetterPage.link(context))
            """
        return """
            <a class="button quiet" href="\(path)/funnel">Delivery funnel</a>\(project.tenant == nil ? ofProject : "")\
            \(context.opensMailbox ? "<a class=\"button quiet\" href=\"\(AdminPage.mailbox.path)\">Open the mailbox</a>" as HTML : "")
            """
    }

    private static func transport(_ context: ConsoleContext) throws -> HTML {
        let rest = try context.project.tenant == nil ? "the server's" : "its project's"
        return """
            <section><h2>Transport of its own</h2>\
            \(try MailTransportPage.facts(context) ?? "<p>None: emails leave through \(rest) transport.</p>")
            <p><a class="button quiet" href="\(context.path(of: .mail))/transport">\
            \(context.mayEdit ? "Provider, sender and secret" : "More about it")</a></p></section>
            """
    }

    /// Said where the server is one for links only.
    static let nothingLeaves: HTML = """
        <section><h2>This server sends no email</h2><p>Its setting <code>mail.url</code> is <code>none</code>: it serves \
        links, and refuses requests that would have to email somebody. A back end can still ask for links with \
        <code>returnOobLink</code>.</p></section>
        """

    /// The mail whose id was typed.
    static func named(
        _ wanted: String, _ project: Project, _ context: ConsoleContext
    ) async throws -> Outbox.Entry? {
        guard wanted.utf8.count == 22, wanted.utf8.allSatisfy({ ASCII.isLetterOrDigit($0) }) else { return nil }
        do {
            return try await context.homing.outbox.show(wanted, in: project)
        } catch Refusal.Code.notFound {
            return nil
        }
    }

    // MARK: Suppressed addresses

    private static func suppressions(_ entries: [Suppressions.Entry], _ context: ConsoleContext) -> HTML {
        guard !entries.isEmpty else { return "<p>None: no email has bounced for good.</p>" }
        let rows = entries.map { entry -> [HTML] in
            let lift: HTML =
                context.mayEdit
                ? context.confirmation(
                    "Remove from the list",
                    "Emails go to \(entry.address) again, and that emails bounced is forgotten.",
                    to: context.path(of: .mail), hidden: [Action.lift.hidden, ("address", entry.address)],
                    button: "Remove \(entry.address) from the list", .primary) : ""
            return [
                "<bdi>\(context.shown(entry.address))</bdi>", ConsoleTime(entry.until).html,
                "<bdi>\(context.shown(entry.reason, about: entry.address))</bdi>", lift,
            ]
        }
        return """
            <p>Emails to these addresses bounced. Their accounts work; they get no email until the time given.</p>
            \(ConsoleTable("Suppressed addresses", ["Address", "Until", "Reason", "Actions"], rows).html)
            """
    }

    // MARK: The test

    private static func test(_ context: ConsoleContext, _ form: ConsoleForm<String>) -> HTML {
        """
        <section><h2>Test email</h2>\(testForm(context, form))\
        <p class="hint">It goes the way of all emails. What the relay answers is shown next; that may take ten seconds.</p>\
        </section>
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
            var form = addressee(sent.context)
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
    /// The kind in words; of one that a newer program has written, its code.
    var kindTitle: String { MailKind.title(of: kind) }

    /// The status, in the colour of what it means.
    var tag: HTML {
        let (words, shade) =
            switch state {
            case .queued: ("queued", "warn")
            case .sent where complainedAt != nil: ("complained", "bad")
            case .sent where deliveredAt != nil: ("delivered", "good")
            case .sent: (MailTimeline.Step.handedOver.words, "good")
            case .failed: (bouncedAt == nil ? "failed" : "bounced", "bad")
            case .expired: ("expired", "bad")
            }
        return "<span class=\"tag \(shade)\">\(words)</span>"
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
