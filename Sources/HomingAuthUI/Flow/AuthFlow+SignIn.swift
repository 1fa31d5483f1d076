// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
internal import HomingAuth

extension AuthFlow {
    // MARK: Going to another screen

    /// Goes to a screen that a person can choose: one of ``Screen/signIn``, ``Screen/signUp``, ``Screen/forgotten`` and
    /// ``Screen/signInByEmail``. The address is kept.
    public func go(to screen: Screen) {
        guard !state.isBusy else { return }
        say()
        fields.password = ""
        state.screen = screen
    }

    /// Goes back to where the address is typed. The mail that was asked for is forgotten: its link works on no device
    /// without the number.
    public func changeAddress() {
        pending?.cancel()
        pending = nil
        fields.code = ""
        go(to: entry)
    }

    /// Signs out, for somebody who wants another account.
    public func signOut() async {
        pending?.cancel()
        pending = nil
        if await attempt({ () async throws(AuthErrorCode) in try auth.signOut() }) { go(to: entry) }
    }

    /// Goes on from a message: to the place of a link that has done its work, or to the first screen.
    public func proceed() {
        if isThrough { end(at: link?.continueURL) } else { go(to: entry) }
    }

    // MARK: With a password

    /// Signs in with address and password.
    public func signIn() async {
        guard let email = address, let password else { return }
        await attempt { () async throws(AuthErrorCode) in
            try await auth.signIn(withEmail: email, password: password)
            enter()
        }
    }

    /// Makes an account, and mails a link that verifies its address. An anonymous user becomes that account.
    public func signUp() async {
        guard let email = address, let password else { return }
        let isDone = await attempt { () async throws(AuthErrorCode) in
            if let anonymous = auth.currentUser, anonymous.isAnonymous {
                try await anonymous.link(with: EmailAuthProvider.credential(withEmail: email, password: password))
            } else {
                try await auth.createUser(withEmail: email, password: password)
            }
        }
        guard isDone else { return }
        state.screen = .verify
        await sendVerification()
    }

    /// Goes on with whoever has signed in.
    func enter(at place: URL? = nil) {
        guard isThrough else {
            state.screen = .verify
            return
        }
        end(at: place)
    }

    // MARK: Asking for mails

    /// Mails a link that sets a new password. The answer is the same for an address without an account.
    public func sendPasswordReset() async {
        guard let email = address else { return }
        await attempt { () async throws(AuthErrorCode) in
            guard let finishing = options.finishing else {
                try await auth.sendPasswordReset(withEmail: email, actionCodeSettings: options.mailSettings)
                return show(.passwordReset, to: email)
            }
            show(
                try await auth.sendPasswordReset(
                    withEmail: email, actionCodeSettings: options.mailSettings, finishing: finishing))
        }
    }

    /// Mails a link and a code that sign in.
    public func sendSignInLink() async {
        guard let email = address else { return }
        await attempt { () async throws(AuthErrorCode) in
            guard let finishing = options.finishing else {
                try await auth.sendSignInLink(toEmail: email, actionCodeSettings: options.settings)
                return show(.emailLink, to: email)
            }
            show(
                try await auth.sendSignInLink(
                    toEmail: email, actionCodeSettings: options.settings, finishing: finishing))
        }
    }

    /// Mails a link and a code that verify the address of the signed-in user.
    public func sendVerification() async {
        guard let user else { return go(to: entry) }
        await attempt { () async throws(AuthErrorCode) in
            guard let finishing = options.finishing else {
                try await user.sendEmailVerification(with: options.mailSettings)
                return show(.verifyEmail, to: user.email ?? "")
            }
            show(try await user.sendEmailVerification(with: options.mailSettings, finishing: finishing))
        }
    }

    /// Shows that a mail is on its way.
    func show(_ action: PendingAction) {
        pending = action
        fields.code = ""
        fields.password = ""
        state.screen = .checkMail(
            Mail(operation: action.operation, email: action.email, number: action.matchNumber))
    }

    /// The same for a mail that is bound to nothing.
    private func show(_ operation: ActionCodeOperation, to email: String) {
        pending = nil
        fields.password = ""
        state.screen = .checkMail(Mail(operation: operation, email: email, number: nil))
    }
}
