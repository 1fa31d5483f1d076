// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingStore
import HomingTexts
import HomingWire

/// What an operator does to an account at the press of a button.
enum AccountActions {
    enum Action: String, ConsoleAction {
        case profile, claims, enable, disable, reset, verify, end, delete, erase
    }

    static var erasure: ConsoleForm<String> {
        ConsoleForm("Type the address to erase it", "erased", .line("email"), scope: "erase-")
    }

    static func section(_ account: Account, _ erasure: ConsoleForm<String>, _ context: ConsoleContext) -> HTML {
        """
        <section><h2>Actions</h2>
        \(mails(to: account, context))\(toggle(account, context))\(removal(account, erasure, context))</section>
        """
    }

    private static func mails(to account: Account, _ context: ConsoleContext) -> HTML {
        guard let address = account.email?.text, let project = context.ofProject, context.homing.store.mails(project)
        else { return "" }
        let reset = context.confirmation(
            "Send a password reset",
            """
            A link to choose a new password is mailed to <bdi>\(address)</bdi>. The present password works until then.
            """,
            hidden: [Action.reset.hidden], button: "Send the reset", .primary)
        let verification: HTML =
            account.isEmailVerified
            ? ""
            : context.confirmation(
                "Send a verification email", "A link that verifies the address is mailed to <bdi>\(address)</bdi>.",
                hidden: [Action.verify.hidden], button: "Send the verification", .primary)
        return reset + verification
    }

    private static func toggle(_ account: Account, _ context: ConsoleContext) -> HTML {
        account.isDisabled
            ? context.form(hidden: [Action.enable.hidden], button: "Enable the account", .quiet)
            : context.confirmation(
                "Disable the account",
                """
                Its owner can neither sign in nor refresh a session until you enable it. ID tokens that your back ends \
                verify by themselves stay good for their hour.
                """,
                hidden: [Action.disable.hidden], button: "Disable the account")
    }

    private static func removal(
        _ account: Account, _ erasure: ConsoleForm<String>, _ context: ConsoleContext
    ) -> HTML {
        let deletion = context.confirmation(
            "Delete the account",
            "The account is removed for ever, with its sessions and mailed links. The address may sign up again.",
            hidden: [Action.delete.hidden], button: "Delete the account")
        guard let address = account.email else { return deletion }
        let erasing = context.confirmation(
            "Erase the address",
            """
            The account is removed for ever, and so is everything else that is kept about <bdi>\(address.text)</bdi>: \
            emails, codes, and that other accounts had it before. The audit log and a suppression keep a digest in its \
            place.
            """,
            hidden: [Action.erase.hidden], erasure.html, button: "Erase the address", isOpen: erasure.isRefused)
        return deletion + erasing
    }

    // MARK: Doing it

    /// Does what needs nothing but the press of a button.
    static func run(_ action: Action, _ account: Account, _ sent: SentForm) async throws -> ConsoleDone {
        let (homing, project, author) = (sent.homing, try sent.context.project, sent.author)
        switch action {
        case .disable, .enable:
            var change = AccountChange()
            change.isDisabled = action == .disable
            _ = try await homing.accounts.change(account.id, change, in: project, by: author)
            return .saved
        case .reset:
            try await homing.actionCodes.sendReset(to: account, in: project, by: author)
            return .sent
        case .verify:
            try await homing.actionCodes.sendVerification(to: account, in: project, by: author)
            return .sent
        case .end:
            _ = try await homing.accounts.endSessions(of: account.id, in: project, by: author)
            return .ended
        case .profile, .claims, .delete, .erase: throw ConsoleRefusal.notFound
        }
    }

    /// Erases the account's address, which its author has typed.
    ///
    /// - Returns: whether that was done.
    static func erase(
        _ account: Account, _ form: inout ConsoleForm<String>, _ sent: SentForm
    ) async throws -> Bool {
        guard try form.take(sent) else { return false }
        guard let address = account.email, let typed = try? EmailAddress(parsing: form.value), typed == address else {
            form.faults["erased"] = "This is not the address of the account."
            return false
        }
        _ = try await sent.homing.accounts.erase(address, in: try sent.context.project, by: sent.author)
        return true
    }
}
