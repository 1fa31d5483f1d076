// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingServer
import HomingStore
import HomingTexts
import HomingWire
import Hummingbird

/// `/console/operators`: the people who may use the console.
enum OperatorsPage {
    static func show(_ context: ConsoleContext) async throws -> Response { try await page(context) }

    enum Action: String, ConsoleAction {
        case add, edit, invite, remove, require, link

        static let unnamed: Action? = .add
    }

    /// What a form of the page has done or was refused.
    private struct Outcome {
        var addition: ConsoleForm<OperatorDraft>?
        var edition: ConsoleForm<OperatorDraft>?
        /// A link, shown once.
        var link: HTML = ""

        var sent: (any ConsoleFormOutcome)? { addition ?? edition }
    }

    /// What the list says of everybody.
    private struct Facts {
        let signIns: [String: Moment]
        let owners: Int
        /// Whether an invitation reaches somebody.
        let mails: Bool
    }

    private static func page(_ context: ConsoleContext, _ outcome: Outcome = Outcome()) async throws -> Response {
        let operators = context.homing.operators
        let people = try await operators.list()
        let facts = Facts(
            signIns: try await operators.lastSignIns(), owners: people.count { $0.role == .owner },
            mails: mails(context.homing))
        let items = people.enumerated().map { index, person -> HTML in
            let refused = outcome.edition.flatMap { ASCII.areEqual($0.value.address, person.address) ? $0 : nil }
            let form = refused ?? OperatorForm.editing(person, scope: scope(index), context.homing)
            return item(person, form, facts, context)
        }
        let list: HTML =
            items.isEmpty
            ? EmptyState(
                .operators, "No operators yet",
                "Add yourself first: from then on you sign in with a link that is mailed to you."
            ).html : "<ul class=\"list\">\(items)</ul>"
        let requirement = Self.requirement(try await operators.requiresSecondFactor())
        return ConsolePage(
            .operators, lead: "Who may use this console, and what for.",
            """
            \(outcome.link)
            \(invitation(outcome.addition, isOpen: items.isEmpty, facts, context))
            <section>\(list)</section>
            <section><h2>Second factor</h2>
            \(context.form(
                hidden: [Action.require.hidden(to: "second-factor")], requirement.html, button: "Save"))</section>
            """, of: outcome.sent
        ).answer(in: context)
    }

    private static func scope(_ index: Int) -> String { "person\(index)-" }

    /// Whether an invitation reaches somebody. In the mailbox for development nobody is shown its link.
    private static func mails(_ homing: Homing) -> Bool {
        guard homing.store.mails(.console), homing.consoleURL != nil else { return false }
        return homing.outbox.mailState.map { $0.host != nil && $0.away == nil } ?? true
    }

    // MARK: The list

    private static func item(
        _ person: Operator, _ form: ConsoleForm<OperatorDraft>, _ facts: Facts, _ context: ConsoleContext
    ) -> HTML {
        let projects: HTML =
            person.projects.map { $0.isEmpty ? "no project" : "\($0.map(\.text).joined(separator: ", "))" }
            ?? "all projects"
        let signIn: HTML =
            facts.signIns[person.address].map { "last sign-in \(ConsoleTime($0).html)" } ?? "no sign-in lately"
        let isSelf = ASCII.areEqual(person.address, context.person.address)
        let factor: HTML =
            person.hasSecondFactor
            ? "<span class=\"tag good\">second factor on</span>"
            : "<span class=\"tag plain\">second factor off</span>"
        return """
            <li><div><p><strong><bdi>\(person.address)</bdi></strong> <span class="tag">\(person.role.rawValue)</span> \
            \(factor)\(isSelf ? " <span class=\"tag plain\">you</span>" as HTML : "")</p>
            <p class="soft">\(projects) · signs in with a mailed link\(person.hasPassword ? " or a password" : "") · \
            \(signIn)</p></div>
            <div class="actions">\(actions(person, isSelf: isSelf, form, facts, context))</div></li>
            """
    }

    private static func actions(
        _ person: Operator, isSelf: Bool, _ form: ConsoleForm<OperatorDraft>, _ facts: Facts, _ context: ConsoleContext
    ) -> HTML {
        let isLastOwner = person.role == .owner && facts.owners == 1
        var actions: HTML = ""
        if form.isRefused || !isSelf && !isLastOwner {
            actions.append(
                """
                <details class="act"\(form.isRefused ? " open" as HTML : "")><summary>Edit</summary>\
                \(context.form(hidden: [Action.edit.hidden(to: person.address)], form.html, button: "Save"))</details>
                """)
        }
        if facts.mails, !isSelf, facts.signIns[person.address] == nil {
            actions.append(
                context.form(
                    hidden: [Action.invite.hidden(to: person.address)], button: "Resend the invitation", .quiet))
        }
        actions.append(
            context.form(hidden: [Action.link.hidden(to: person.address)], button: "One-time link", .quiet))
        guard !isLastOwner else { return "\(actions)<span class=\"soft\">the last owner stays</span>" }
        let sentence = "\(isSelf ? "You are" : "\(person.address) is") signed out at once."
        return actions
            + context.confirmation(
                "Remove", "\(sentence)", hidden: [Action.remove.hidden(to: person.address)],
                button: "Remove \(person.address)")
    }

    private static func invitation(
        _ sent: ConsoleForm<OperatorDraft>?, isOpen: Bool, _ facts: Facts, _ context: ConsoleContext
    ) -> HTML {
        let form = sent ?? OperatorForm.inviting(context.homing)
        let what: HTML =
            facts.mails
            ? "A link is mailed to them. It opens the console once, within a day."
            : "No mail leaves this server now: you get a one-time link to hand over."
        let fields = context.form(form.html, button: facts.mails ? "Invite" : "Add")
        return FoldedForm(
            "Invite somebody", "<p>\(what)</p>\(fields)", isOpen: isOpen || sent != nil
        ).html
    }

    private static func requirement(_ required: (bySettings: Bool, byOwners: Bool)) -> ConsoleForm<Bool> {
        ConsoleForm(
            required.bySettings || required.byOwners,
            ConsoleField(
                "Every operator must have a second factor", "second-factor", \.self,
                hint: required.bySettings
                    ? "The server's setting <code>console.requireSecondFactor</code> says so, whatever is chosen here."
                    : "Who has none is led to setting one up after signing in, and sees nothing else before."))
    }

    // MARK: Changing

    static func change(_ action: Action, _ sent: SentForm) async throws -> Response {
        let operators = sent.homing.operators
        switch action {
        case .add: return try await add(sent)
        case .edit: return try await edit(sent)
        case .invite:
            try await operators.inviteAgain(sent.text("invite"), by: sent.author)
            return sent.saved(nil, .invited)
        case .remove:
            try await operators.remove(sent.text("remove"), by: sent.author)
            return sent.saved(nil, .removed)
        case .require:
            var form = requirement((false, false))
            _ = try form.take(sent)
            try await operators.requireSecondFactor(form.value, by: sent.author)
            return sent.saved()
        case .link:
            let address = sent.text("link")
            let secret = try await operators.newLink(for: address, by: sent.author)
            return try await page(sent.context, Outcome(link: link(secret, for: address, sent)))
        }
    }

    private static func add(_ sent: SentForm) async throws -> Response {
        let operators = sent.homing.operators
        var form = OperatorForm.inviting(sent.homing)
        guard try form.take(sent), let rights = form.value.rights else {
            return try await page(sent.context, Outcome(addition: form))
        }
        do {
            guard !mails(sent.homing) else {
                _ = try await operators.invite(form.value.address, rights, by: sent.author)
                return sent.saved(nil, .invited)
            }
            let (added, secret) = try await operators.addWithLink(form.value.address, rights, by: sent.author)
            return try await page(sent.context, Outcome(link: link(secret, for: added.address, sent)))
        } catch Refusal.Code.alreadyExists {
            form.faults["address"] = "This person is an operator already. Change what they may do in the list."
            return try await page(sent.context, Outcome(addition: form))
        }
    }

    private static func edit(_ sent: SentForm) async throws -> Response {
        let (operators, address) = (sent.homing.operators, sent.text("edit"))
        var form = try await edition(of: address, sent)
        let isTaken = try form.take(sent)
        do {
            // Before any fault: what was typed may fit what its author saw, and not what is in force by now.
            if form.meetsOthers { throw Refusal.changedMeanwhile("\(address) has another role by now") }
            guard isTaken, let rights = form.value.rights else {
                return try await page(sent.context, Outcome(edition: form))
            }
            let ended = try await operators.set(address, to: rights, seen: OperatorForm.seen(sent), by: sent.author)
            return sent.saved(nil, ended > 0 ? .invitationEnded : .saved)
        } catch Refusal.Code.changedMeanwhile {
            form.isOvertaken(
                by: try await edition(of: address, sent).value,
                """
                Somebody else has changed what \(address) may do meanwhile. What you chose is in the form, and nothing is \
                saved yet: saving again replaces theirs.
                """)
            return try await page(sent.context, Outcome(edition: form))
        } catch let refusal as Refusal where refusal.code == .invalidSetting {
            form.faults["role"] = refusal.consoleSentence
            return try await page(sent.context, Outcome(edition: form))
        }
    }

    /// The form of an operator as they are now.
    private static func edition(of address: String, _ sent: SentForm) async throws -> ConsoleForm<OperatorDraft> {
        let people = try await sent.homing.operators.list()
        guard let index = people.firstIndex(where: { ASCII.areEqual($0.address, address) }) else {
            throw ConsoleRefusal.notFound
        }
        return OperatorForm.editing(people[index], scope: scope(index), sent.homing)
    }

    /// A one-time link, shown once.
    private static func link(_ secret: String, for address: String, _ sent: SentForm) -> HTML {
        let url = (sent.homing.consoleURL ?? "") + AdminSignIn.link(secret)
        return """
            <section class="note" role="status"><h2>A link for \(address), shown this once</h2>
            <p>It opens the console once, within an hour. Hand it over yourself; later links are mailed on demand.</p>
            \(ConsoleLines("one-time link", url).html)</section>
            """
    }
}
