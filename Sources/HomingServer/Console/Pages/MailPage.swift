// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCore
import HomingTexts
import HomingWire
import Hummingbird

/// `…/mail`: what became of the project's mails, addresses that get none, and a test.
enum MailPage {
    private static let pageLength = 50

    static func show(_ context: ConsoleContext) async throws -> Response { try await page(context) }

    private static func page(
        _ context: ConsoleContext, typed: String = "", fault: String? = nil
    ) async throws -> Response {
        let project = try context.project
        let wanted = (context.query?["q"] ?? "").trimmingCharacters(in: .whitespaces)
        if let mail = try await named(wanted, project, context) {
            return PageAnswer.redirect(to: context.path(of: .mail) + "/\(mail.id)", status: .seeOther)
        }
        let found = try await mails(wanted, project, context)
        let suppressed = try await context.homing.suppressions.list(in: project, limit: pageLength)
        let search = ConsoleField(
            "Address or id of a mail", "q", value: wanted, fault: found.fault, kind: .line("search"))
        return ConsolePage(
            .mail,
            """
            <p><a class="button quiet" href="\(context.path(of: .mail))/funnel">How far mails came</a></p>
            <section><form method="get" action="\(context.path(of: .mail))" class="row">\(search.html())\
            <button type="submit" class="quiet">Search</button></form></section>
            <section>\(table(found.mails, isSearch: !wanted.isEmpty, context))\(older(found.mails, wanted, context))</section>
            \(context.mayEdit ? test(context, typed, fault) : "")
            <section><h2>Addresses that get no mail</h2>\(suppressions(suppressed, context))</section>
            """, status: fault == nil ? .ok : .badRequest
        ).answer(in: context)
    }

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
                    to: context.path(of: .mail), hidden: [("do", "lift"), ("address", entry.address)],
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

    private static func test(_ context: ConsoleContext, _ typed: String, _ fault: String?) -> HTML {
        let field = ConsoleField(
            "Send to", "address", value: typed,
            hint: """
                The mail goes through the relay of the server's settings, and nowhere else: a page cannot change where its \
                password is sent.
                """, fault: fault, kind: .line("email"), isRequired: true)
        let form = context.form(
            to: context.path(of: .mail), hidden: [("do", "test")], field.html(), button: "Send a test mail")
        return "<section><h2>Test the relay</h2>\(form)</section>"
    }

    static func change(_ form: ConsoleForm) async throws -> Response {
        let project = try form.context.project
        let address: EmailAddress
        do {
            address = try EmailAddress(parsing: form.text("address"))
        } catch {
            return try await page(form.context, typed: form.text("address"), fault: error.consoleSentence)
        }
        switch form.text("do") {
        case "lift":
            try await form.homing.suppressions.lift(address, in: project, by: form.author)
            return form.saved(nil, .lifted)
        case "test":
            do {
                try await form.homing.actionCodes.allowMail(from: "console \(form.author.text)", in: project)
            } catch let refusal as Refusal {
                return try await page(form.context, typed: address.text, fault: refusal.consoleSentence)
            }
            let mail = try await form.homing.outbox.enqueueTest(to: address, in: project, by: form.author)
            return PageAnswer.redirect(to: form.context.path(of: .mail) + "/\(mail)", status: .seeOther)
        default: throw ConsoleRefusal.notFound
        }
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
