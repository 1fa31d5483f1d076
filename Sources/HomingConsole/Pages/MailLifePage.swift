// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingShortLinks
import HomingStore
import HomingTexts
import HomingWire
import Hummingbird

/// `…/mail/{mail}`: the timeline of one email. Never a code.
enum MailLifePage {
    static func show(_ context: ConsoleContext) async throws -> Response {
        let mail = try await mail(context)
        let timeline = MailTimeline(mail)
        let steps = timeline.events.map { event -> HTML in
            let note: HTML =
                event.note.map { "<p class=\"hint\"><bdi>\(context.shown($0, about: mail.recipient))</bdi></p>" } ?? ""
            let time = timeline.handoverWords(of: event).map { " \($0)" } ?? ""
            return """
                <li><span class="tag \(event.step.shade)">\(event.step.words)</span><div>\(ConsoleTime(event.at).html)\
                \(time)\(note)</div></li>
                """
        }
        var facts: [(String, HTML)] = [
            ("To", "<bdi>\(context.shown(mail.recipient))</bdi>"), ("Status", mail.tag),
            ("Kind", "\(mail.kindTitle) <code>\(mail.kind)</code>"), ("Language", "\(mail.language)"),
            ("Requested", ConsoleTime(mail.createdAt).html), ("Attempts", "\(mail.attempts)"),
            ("Id", "<code>\(mail.id)</code> \(CopyButton(mail.id, "the id").html)"),
        ]
        if let bound = mail.bound { facts.append(("Request", "\(bound.words)")) }
        let isOpen = mail.state == .queued || mail.state == .failed
        return ConsolePage(
            mail.kindTitle, in: .mail, back: ("All emails", context.path(of: .mail)),
            actions: """
                <a class="button quiet" href="\(context.path)">\(ConsoleIcon.refresh.html)Refresh</a>
                """,
            """
            \(outcome(mail, context))
            <div class="columns"><div>
            <section><h2>Timeline</h2><ol class="steps">\(HTML(joining: steps))</ol>
            <p class="hint">Opened and returned are known when a browser says so, within ten seconds; where the app handles \
            the code, applied is the end.</p></section>
            </div><aside>
            <section><h2>Email</h2><dl>\(facts.map { "<dt>\($0.0)</dt><dd>\($0.1)</dd>" as HTML })</dl></section>
            \(context.mayEdit && isOpen ? retry(context) : "")
            </aside></div>
            """
        ).answer(in: context)
    }

    /// Of a test mail, what whoever sent it wants to know.
    private static func outcome(_ mail: Outbox.Entry, _ context: ConsoleContext) -> HTML {
        guard mail.kind.utf8.elementsEqual(MailKind.test.rawValue.utf8) else { return "" }
        let transport = MailStateLines.state(context)?.transport ?? "the relay"
        let (sentence, shade) =
            switch mail.state {
            case .sent: ("\(transport) has taken this test email", "saved")
            case .queued where mail.lastReply == nil: ("this test email is under way: no answer yet", "note")
            case .queued: ("this test email has not been taken yet; it is tried again", "note")
            case .failed: ("this test email was not taken", "problem")
            case .expired: ("this test email was not taken within an hour", "problem")
            }
        let words = mail.lastReply.map {
            " Last response: <bdi>\(context.shown($0, about: mail.recipient))</bdi>" as HTML
        }
        return "<p class=\"\(shade)\" role=\"status\">\(sentence.asSentence)\(words ?? "")</p>"
    }

    private static func retry(_ context: ConsoleContext) -> HTML {
        """
        <section><h2>Try again</h2><p>The email goes to the head of the queue, even if its address is suppressed. An email \
        whose link has died is not sent.</p>\(context.form(button: "Try again", .quiet))</section>
        """
    }

    static func retry(_ sent: SentForm) async throws -> Response {
        let mail = try await mail(sent.context)
        try await sent.homing.outbox.retry(mail.id, in: sent.context.project, by: sent.author)
        return sent.saved(nil, .retried)
    }

    private static func mail(_ context: ConsoleContext) async throws -> Outbox.Entry {
        do {
            return try await context.homing.outbox.show(context.parameter("mail"), in: context.project)
        } catch Refusal.Code.notFound {
            throw ConsoleRefusal.notFound
        }
    }
}

extension MailTimeline.Step {
    fileprivate var shade: String {
        switch self {
        case .accepted, .retried: ""
        case .handedOver, .delivered, .opened, .applied, .returned: "good"
        case .due, .deferred: "warn"
        case .failed, .expired, .bounced, .complained: "bad"
        }
    }
}
