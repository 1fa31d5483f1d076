// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingPasswords
import HomingProjects
import HomingStore
import HomingTexts
import HomingWire
import Hummingbird

/// `…/accounts/new`: an account with a password, with an email in which its person sets one, or without any.
enum AccountCreatePage {
    enum Way: String, CaseIterable {
        case email, password, none

        var label: String {
            switch self {
            case .email: "Send an email to set a password"
            case .password: "Set a password here"
            case .none: "Passwordless"
            }
        }
    }

    private struct Draft {
        var address = ""
        var name = ""
        var way = Way.password.rawValue
        var password = ""
        var isVerified = false
    }

    private static func form(in project: Project, _ homing: Homing) -> ConsoleForm<Draft> {
        // A server for links only mails nothing.
        let ways = Way.allCases.filter { $0 != .email || homing.store.mails(project) }
        var draft = Draft()
        draft.way = (ways.first ?? .none).rawValue
        let rules = project.settings.passwordPolicy.rules.map { "\($0.sentence)." }.joined(separator: " ")
        var password = ConsoleField<Draft>(
            "New password", "password", \.password, hint: "\(rules)", .line("password"), autocomplete: "new-password")
        password.shownFor = [Way.password.rawValue]
        return ConsoleForm(
            draft, scope: "new-",
            ConsoleField(
                "Address", "email", \.address, .line("email"), isRequired: true,
                check: { _ = try EmailAddress(parsing: $0) }),
            ConsoleField(
                "Name", "displayName", \.name, hint: "Optional.",
                check: { try AccountProfile.check(.displayName, $0) }),
            ConsoleField("Password", "way", \.way, .choice(ways.map { ($0.rawValue, $0.label) })),
            password,
            ConsoleField(
                "Email is verified", "emailVerified", \.isVerified,
                hint: "Tick it when you know that the address is this person's."))
    }

    static func show(_ context: ConsoleContext) async throws -> Response {
        try page(context, form(in: try context.project, context.homing))
    }

    private static func page(_ context: ConsoleContext, _ form: ConsoleForm<Draft>) throws -> Response {
        ConsolePage(
            "Create an account", in: .accounts, back: ("All accounts", context.path(of: .accounts)),
            "<section>\(context.form(form.html, button: "Create the account"))</section>", of: form
        ).answer(in: context)
    }

    static func create(_ sent: SentForm) async throws -> Response {
        let (context, project) = (sent.context, try sent.context.project)
        var form = form(in: project, context.homing)
        _ = try form.take(sent)
        let draft = form.value
        let way = Way(rawValue: draft.way) ?? .none
        if way == .password {
            do throws(Refusal) {
                try project.check(newPassword: draft.password, of: try? EmailAddress(parsing: draft.address))
            } catch {
                form.faults["password"] = error.consoleSentence
            }
        }
        guard !form.isRefused else { return try page(context, form) }
        do {
            if way == .email {
                try await sent.homing.actionCodes.allowMail(from: "console \(sent.author.text)", in: project)
            }
            let account = try await sent.homing.accounts.create(
                try wanted(draft, way), id: nil, in: project, by: sent.author)
            let isMailed = way == .email ? try await mails(account, sent) : true
            return sent.saved(
                AccountPage.path(of: account.id, in: context.ofProject), isMailed ? .created : .createdUnmailed)
        } catch Refusal.emailExists {
            form.faults["email"] = "An account has this address already: search for it under Accounts."
        } catch let refusal as Refusal where refusal.databaseReason == nil {
            form.faults["email"] = refusal.consoleSentence
        }
        return try page(context, form)
    }

    private static func wanted(_ draft: Draft, _ way: Way) throws -> AccountChange {
        var change = AccountChange()
        change.email = .set(try EmailAddress(parsing: draft.address))
        change.isEmailVerified = draft.isVerified
        if !draft.name.isEmpty { change.displayName = .set(draft.name) }
        if way == .password { change.password = .set(draft.password) }
        return change
    }

    /// Whether the email is on its way: the account is there in any case.
    private static func mails(_ account: Account, _ sent: SentForm) async throws -> Bool {
        do {
            try await sent.homing.actionCodes.sendReset(to: account, in: try sent.context.project, by: sent.author)
            return true
        } catch is Refusal {
            return false
        }
    }
}
