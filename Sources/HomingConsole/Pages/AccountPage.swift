// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingStore
import HomingTexts
import Hummingbird

/// `…/accounts/{account}`: one account, its sessions and mails, and what an operator can do for its owner.
enum AccountPage {
    private static let mails = 50

    enum Action: String, ConsoleAction {
        case enable, disable, reset, end, delete
    }

    static func show(_ context: ConsoleContext) async throws -> Response {
        let (account, project) = (try await account(context), try context.project)
        let sessions = try await context.homing.accounts.openSessions(of: account.id, in: project)
        let mails =
            if let address = account.email {
                try await context.homing.outbox.list(to: address, in: project, limit: Self.mails)
            } else { [Outbox.Entry]() }
        let address = account.email.map { context.shown($0.text) } ?? "An account without an address"
        return ConsolePage(
            address, in: .accounts,
            """
            <section>\(facts(account))</section>
            \(context.mayEdit ? actions(account, context) : "")
            \(sessionList(sessions, context))
            \(account.email == nil ? "" : mailList(mails, context))
            <p><a href="\(context.path(of: .accounts))">All accounts</a></p>
            """
        ).answer(in: context)
    }

    private static func account(_ context: ConsoleContext) async throws -> Account {
        let found = try await context.homing.accounts.find(
            id: AccountID(try context.parameter("account")), in: try context.project)
        guard let found else { throw ConsoleRefusal.notFound }
        return found
    }

    private static func facts(_ account: Account) -> HTML {
        func time(_ moment: Moment?) -> HTML { moment.map { "<time>\($0.inWords)</time>" } ?? "never" }
        let facts: [(String, HTML)] = [
            ("Id", "<code>\(account.id.text)</code>"), ("State", AccountsPage.state(of: account)),
            ("Address proven", account.isEmailVerified ? "yes" : "no"),
            (
                "Password",
                account.passwordHash == nil ? "none" : "set \(time(account.passwordUpdatedAt ?? account.createdAt))"
            ),
            ("Signs in by link", account.usesEmailLink ? "yes" : "no"), ("Since", time(account.createdAt)),
            ("Last sign-in", time(account.lastLoginAt)), ("Last seen", time(account.lastRefreshAt)),
        ]
        return "<dl>\(facts.map { "<dt>\($0.0)</dt><dd>\($0.1)</dd>" as HTML })</dl>"
    }

    private static func actions(_ account: Account, _ context: ConsoleContext) -> HTML {
        let toggle =
            account.isDisabled
            ? context.form(hidden: [Action.enable.hidden], button: "Enable the account", .quiet)
            : context.confirmation(
                "Disable the account",
                """
                Its owner can neither sign in nor refresh a session until you enable it. ID tokens that your back ends \
                verify by themselves stay good for their hour.
                """,
                hidden: [Action.disable.hidden], button: "Disable the account")
        let reset: HTML =
            account.email.map { address in
                context.confirmation(
                    "Send a reset",
                    """
                    A link to choose a new password is mailed to <bdi>\(address.text)</bdi>. The present password works \
                    until then.
                    """,
                    hidden: [Action.reset.hidden], button: "Send the reset", .primary)
            } ?? ""
        return """
            <section><h2>What you can do</h2>
            \(reset)\(toggle)
            \(context.confirmation(
                "Delete the account",
                "The account is removed for ever, with its sessions and mailed links. The address may sign up again.",
                hidden: [Action.delete.hidden], button: "Delete the account"))</section>
            """
    }

    private static func sessionList(_ sessions: [Accounts.OpenSession], _ context: ConsoleContext) -> HTML {
        let rows = sessions.map { ["<time>\($0.startedAt.inWords)</time>", "\($0.provider)"] as [HTML] }
        let end: HTML =
            context.mayEdit && !sessions.isEmpty
            ? context.confirmation(
                "End all sessions", "Every device is signed out; whoever knows the password signs in again.",
                hidden: [Action.end.hidden], button: "End all sessions") : ""
        return """
            <section><h2>Sessions</h2>
            \(rows.isEmpty ? "<p>Signed in nowhere.</p>" as HTML : ConsoleTable("Open sessions", ["Since", "By"], rows).html)
            \(end)</section>
            """
    }

    private static func mailList(_ mails: [Outbox.Entry], _ context: ConsoleContext) -> HTML {
        let rows = mails.map { mail -> [HTML] in
            [
                "<a href=\"\(context.path(of: .mail))/\(mail.id)\">\(mail.createdAt.inWords)</a>", mail.tag,
                "<code>\(mail.kind)</code>",
                "<bdi>\(context.shown(mail.bounce ?? mail.lastReply ?? "", about: mail.recipient))</bdi>",
            ]
        }
        return """
            <section><h2>Mails</h2>
            \(rows.isEmpty
                ? "<p>None in the last 30 days.</p>" as HTML
                : ConsoleTable("Mails, the newest first", ["Asked for", "State", "Kind", "Last words"], rows).html)
            </section>
            """
    }

    static func change(_ action: Action, _ sent: SentForm) async throws -> Response {
        let context = sent.context
        let (account, project) = (try await account(context), try context.project)
        let accounts = context.homing.accounts
        switch action {
        case .disable, .enable:
            var change = AccountChange()
            change.isDisabled = action == .disable
            _ = try await accounts.change(account.id, change, in: project, by: sent.author)
            return sent.saved()
        case .reset:
            try await context.homing.actionCodes.sendReset(to: account, in: project, by: sent.author)
            return sent.saved(nil, .sent)
        case .end:
            _ = try await accounts.endSessions(of: account.id, in: project, by: sent.author)
            return sent.saved(nil, .ended)
        case .delete:
            try await accounts.delete(account.id, in: project, by: sent.author)
            return sent.saved(context.path(of: .accounts), .deleted)
        }
    }
}
