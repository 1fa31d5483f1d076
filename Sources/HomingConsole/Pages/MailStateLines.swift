// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingStore
import HomingTexts

/// Whether mail works: told on the overview and the page of emails, and above every page of a project while it does not.
enum MailStateLines {
    /// Of the transport through which the mails of a page's project leave; nil where none do.
    static func state(_ context: ConsoleContext) -> MailState? {
        context.ofProject.flatMap { context.homing.outbox.mailState(of: $0) }
    }

    /// Nothing where no mail of the project leaves the server.
    static func section(_ context: ConsoleContext) -> HTML {
        guard let state = state(context) else { return "" }
        var facts: [(String, HTML)] = [
            ("Transport", "\(state.transport)\(state.host.map { " at <code>\($0)</code>" as HTML } ?? "")"),
            ("Sender", "<bdi>\(state.sender)</bdi>"),
            ("Status", tag(state)),
        ]
        if let away = state.away {
            facts.append(("Since", ConsoleTime(away.since).html))
            facts.append(("Last response", "<bdi>\(context.shown(away.reason, about: ""))</bdi>"))
            if state.fallsBack { facts.append(("Meanwhile", "Emails leave through the server's own transport.")) }
            facts.append(("What to do", whatToDo(away, of: state.owner)))
        }
        return """
            <section><h2>Status</h2>
            <dl>\(facts.map { "<dt>\($0.0)</dt><dd>\($0.1)</dd>" as HTML })</dl>
            <p class="hint">As this server has seen it since its start.</p></section>
            """
    }

    /// The status in a sentence of which the transport is the subject.
    static func words(_ state: MailState) -> String { status(state).words }

    /// Since when, why, and what to do; nothing while mail works.
    static func why(_ state: MailState, _ context: ConsoleContext) -> HTML {
        guard let away = state.away else { return "" }
        let words: HTML = "<bdi>\(context.shown(away.reason, about: ""))</bdi>"
        let fallback: HTML = state.fallsBack ? " Meanwhile emails leave through the server's own transport." : ""
        return """
            Since \(ConsoleTime(away.since).html). Last response: \(words). \(whatToDo(away, of: state.owner))\(fallback)
            """
    }

    /// Nothing while mail works.
    static func banner(_ context: ConsoleContext) -> HTML {
        guard let state = state(context), let away = state.away else { return "" }
        let name = state.transport
        let sentence =
            switch away.fault {
            case .silent: "\(name) has not answered since \(away.since.inWords)"
            case .refuses: "\(name) has refused this server since \(away.since.inWords)"
            case .asksToWait(let end): "\(name) asks to wait until \(end.inWords)"
            }
        return """
            <p class="problem" role="alert">\(state.fallsBack ? "Emails leave through the server's transport." : "Emails are queued.") \
            \(sentence.asSentence) \
            <a href="\(context.path(of: .mail))">Why, and what to do</a></p>

            """
    }

    private static func tag(_ state: MailState) -> HTML {
        let (words, shade) = status(state)
        return "<span class=\"tag \(shade)\">\(words)</span>"
    }

    private static func status(_ state: MailState) -> (words: String, shade: String) {
        switch state.away?.fault {
        case .silent: ("does not answer", "bad")
        case .refuses: ("refuses this server", "bad")
        case .asksToWait: ("asks to wait", "warn")
        case nil: state.hasAnswered ? ("works", "good") : ("has taken no email yet since the start", "plain")
        }
    }

    private static func whatToDo(_ away: MailState.Away, of owner: Scope?) -> HTML {
        if let advice = away.advice { return "\(advice)" }
        return switch away.fault {
        case .silent:
            """
            Emails go by themselves once it answers. <code>homing doctor</code> tries the way to a relay; a provider's page \
            of incidents may know more.
            """
        case .refuses where owner != nil:
            "Set the transport again, with its secret; then send a test email."
        case .refuses:
            """
            Correct <code>mail.url</code>, its secret or the sender, and run <code>homing reload</code>; then send a test \
            email.
            """
        case .asksToWait(let end): "Nothing: emails go on by themselves at \(ConsoleTime(end).html)."
        }
    }
}
