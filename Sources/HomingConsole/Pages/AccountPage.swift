// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingStore
import HomingTexts
import HomingWire
import Hummingbird

/// `…/accounts/{account}`: one account, its profile, claims, sessions and emails, and what an operator can do for its
/// owner.
enum AccountPage {
    private static let mails = 20
    private static let entries = 20

    /// Pages beside those of accounts, whose names an account's id may have as well.
    private static let otherPages = ["new", "import", "export"]

    /// The path of an account's page.
    static func path(of id: AccountID, in project: Project?) -> String {
        let isTaken = otherPages.contains { $0.utf8.elementsEqual(id.text.utf8) }
        // The router reads the path as it is sent; the page reads it decoded.
        let name =
            isTaken
            ? id.text.utf8.map { "%" + String($0, radix: 16, uppercase: true) }.joined() : percentEncoded(id.text)
        return "\(ConsoleSection.accounts.path(in: project))/\(name)"
    }

    static func show(_ context: ConsoleContext) async throws -> Response {
        let account = try await account(context)
        return try await page(
            account, AccountProfile.profile(of: account), AccountProfile.claims(of: account), context)
    }

    private static func account(_ context: ConsoleContext) async throws -> Account {
        let found = try await context.homing.accounts.find(
            id: AccountID(try context.parameter("account")), in: try context.project)
        guard let found else { throw ConsoleRefusal.notFound }
        return found
    }

    private static func page(
        _ account: Account, _ profile: ConsoleForm<AccountProfile.Edited>,
        _ claims: ConsoleForm<AccountProfile.Edited>, erasure: ConsoleForm<String> = AccountActions.erasure,
        _ context: ConsoleContext
    ) async throws -> Response {
        let address = account.email.map { context.shown($0.text) } ?? "An account without an address"
        let shown = [profile, claims].first { $0.isRefused } ?? profile
        return ConsolePage(
            address, in: .accounts, back: ("All accounts", context.path(of: .accounts)),
            """
            <div class="columns"><div>
            <section>\(facts(account, context))</section>
            \(context.mayEdit ? edits(profile, claims, context) : "")
            \(identities(account, context))
            </div><aside>
            \(context.mayEdit ? AccountActions.section(account, erasure, context) : "")
            \(try await sessions(account, context))
            </aside></div>
            \(try await mailList(account, context))
            \(try await log(account, context))
            """, of: erasure.isRefused ? erasure : shown
        ).answer(in: context)
    }

    // MARK: The parts

    private static func facts(_ account: Account, _ context: ConsoleContext) -> HTML {
        func time(_ moment: Moment?) -> HTML { moment.map { ConsoleTime($0).html } ?? "Never" }
        func word(_ flag: Bool) -> HTML { flag ? "Yes" : "No" }
        var facts: [(String, HTML)] = [
            ("Id", "<code>\(account.id.text)</code> \(CopyButton(account.id.text, "the id").html)"),
            ("Status", AccountsPage.state(of: account)),
            ("Email verified", word(account.isEmailVerified)), ("Sign-in", AccountsPage.ways(account)),
        ]
        if context.mayEdit, let name = account.displayName { facts.insert(("Name", "<bdi>\(name)</bdi>"), at: 1) }
        if account.passwordHash != nil {
            facts.append(("Password set", time(account.passwordUpdatedAt ?? account.createdAt)))
        }
        facts += [
            ("Signs in by link", word(account.usesEmailLink)), ("Created", time(account.createdAt)),
            ("Last sign-in", time(account.lastLoginAt)), ("Last seen", time(account.lastRefreshAt)),
        ]
        return "<dl>\(facts.map { "<dt>\($0.0)</dt><dd>\($0.1)</dd>" as HTML })</dl>"
    }

    private static func edits(
        _ profile: ConsoleForm<AccountProfile.Edited>, _ claims: ConsoleForm<AccountProfile.Edited>,
        _ context: ConsoleContext
    ) -> HTML {
        """
        <section><h2>Profile</h2>
        \(context.form(hidden: [AccountActions.Action.profile.hidden], profile.html, button: "Save the profile"))</section>
        <section><h2>Custom claims</h2>
        \(context.form(hidden: [AccountActions.Action.claims.hidden], claims.html, button: "Save the claims"))</section>
        """
    }

    private static func identities(_ account: Account, _ context: ConsoleContext) -> HTML {
        guard !account.identities.isEmpty else { return "" }
        let rows = account.identities.map { identity -> [HTML] in
            [
                "\(identity.provider)", "<code>\(context.mayEdit ? identity.id : "•••")</code>",
                "<bdi>\(context.shown(identity.email ?? ""))</bdi>",
            ]
        }
        return """
            <section><h2>Linked identities</h2>
            <p>They came with an import. They are data: nobody signs in with them here.</p>
            \(ConsoleTable("Linked identities", ["Provider", "Id there", "Address there"], rows).html)</section>
            """
    }

    private static func sessions(_ account: Account, _ context: ConsoleContext) async throws -> HTML {
        let sessions = try await context.homing.accounts.openSessions(of: account.id, in: try context.project)
        let rows = sessions.map { [ConsoleTime($0.startedAt).html, "\($0.provider)"] as [HTML] }
        let end: HTML =
            context.mayEdit && !sessions.isEmpty
            ? context.confirmation(
                "End all sessions", "Every device is signed out; whoever knows the password signs in again.",
                hidden: [AccountActions.Action.end.hidden], button: "End all sessions") : ""
        return """
            <section><h2>Sessions</h2>
            \(rows.isEmpty
                ? "<p>No active sessions.</p>" as HTML : ConsoleTable("Active sessions", ["Since", "By"], rows).html)
            \(end)</section>
            """
    }

    private static func mailList(_ account: Account, _ context: ConsoleContext) async throws -> HTML {
        guard let address = account.email else { return "" }
        let mails = try await context.homing.outbox.list(to: address, in: try context.project, limit: Self.mails)
        let rows = mails.map { mail -> [HTML] in
            [
                "<a href=\"\(context.path(of: .mail))/\(mail.id)\">\(mail.kindTitle)</a>", mail.tag,
                "<bdi>\(context.shown(mail.bounce ?? mail.lastReply ?? "", about: mail.recipient))</bdi>",
                ConsoleTime(mail.createdAt).html,
            ]
        }
        let all: HTML =
            context.mayEdit && !mails.isEmpty
            ? "<p><a href=\"\(context.path(of: .mail))?q=\(percentEncoded(address.text))\">All emails to this address</a></p>"
            : ""
        return """
            <section><h2>Emails</h2>
            \(rows.isEmpty
                ? "<p>None in the last 30 days.</p>" as HTML
                : ConsoleTable("Emails, the newest first", ["Email", "Status", "Last response", "Requested"], rows).html)
            \(all)</section>
            """
    }

    /// Who changed the account: for those who may read the audit log.
    private static func log(_ account: Account, _ context: ConsoleContext) async throws -> HTML {
        guard context.isOwner else { return "" }
        let project = try context.project
        let entries = try await context.homing.audit.list(
            about: project.named(account.id.text), in: project.projectID, limit: Self.entries)
        return """
            <section><h2>Changes by operators</h2>
            \(entries.isEmpty ? "<p>None.</p>" as HTML : "<ul class=\"list\">\(entries.map(AuditPage.item))</ul>")
            </section>
            """
    }

    // MARK: Changes

    static func change(_ action: AccountActions.Action, _ sent: SentForm) async throws -> Response {
        let account = try await account(sent.context)
        var (profile, claims) = (AccountProfile.profile(of: account), AccountProfile.claims(of: account))
        var erasure = AccountActions.erasure
        switch action {
        case .profile: if try await AccountProfile.save(&profile, sent) { return sent.saved() }
        case .claims: if try await AccountProfile.save(&claims, sent) { return sent.saved() }
        case .erase: if try await AccountActions.erase(account, &erasure, sent) { return gone(sent, .erased) }
        case .delete:
            try await sent.homing.accounts.delete(account.id, in: try sent.context.project, by: sent.author)
            return gone(sent, .deleted)
        default: return sent.saved(nil, try await AccountActions.run(action, account, sent))
        }
        return try await page(account, profile, claims, erasure: erasure, sent.context)
    }

    private static func gone(_ sent: SentForm, _ done: ConsoleDone) -> Response {
        sent.saved(sent.context.path(of: .accounts), done)
    }
}
