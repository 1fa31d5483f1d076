// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingAuth

extension AuthFlow {
    /// Waits until the mail of ``Screen/checkMail(_:)`` is answered, or the task is cancelled.
    public func wait() async {
        // Another one after each mail that was sent again.
        var last: PendingAction?
        while let pending, pending !== last {
            last = pending
            for await step in pending.states {
                guard self.pending === pending else { break }
                guard case .checkMail = state.screen else { return }
                await take(step, of: pending)
            }
        }
    }

    private func take(_ step: PendingAction.State, of action: PendingAction) async {
        switch step {
        case .pending: break
        case .signedIn: enter(at: action.continueURL)
        case .done: await conclude(action)
        case .declined: fail(.declinedTitle, .declined)
        case .expired: fail(.expiredTitle, .expired)
        case .failed(let error): say(problem: words.problem(error), error)
        }
    }

    /// Uses the eight digits of the mail.
    public func typeCode() async {
        guard let pending, !state.isBusy else { return }
        say()
        state.isBusy = true
        defer { state.isBusy = false }
        do throws(AuthErrorCode) {
            switch try await pending.finish(typed: fields.code) {
            case .signedIn: enter(at: pending.continueURL)
            case .done: await conclude(pending)
            case .code(let code): ask(for: pending, code)
            }
        } catch {
            say(problem: problem(ofCode: error), error)
        }
    }

    private func problem(ofCode error: AuthErrorCode) -> String {
        if let left = error.triesLeft { return words.wrongCode(triesLeft: left) }
        return error.code == .invalidActionCode ? words(.codeMissing) : words.problem(error)
    }

    private func ask(for action: PendingAction, _ code: String) {
        resetCode = code
        link = nil
        fields.code = ""
        state.screen = .newPassword(email: action.email)
    }

    /// Mails the same once more. The number is another one then.
    public func resend() async {
        guard case .checkMail(let mail) = state.screen, !state.isBusy else { return }
        fields.email = mail.email
        switch mail.operation {
        case .passwordReset: await sendPasswordReset()
        case .emailLink: await sendSignInLink()
        default: await sendVerification()
        }
        if state.problem == nil { say(notice: words(.resent)) }
    }

    /// Asks the server whether the address is verified by now: for mails that are bound to nothing, and for an app that
    /// comes back to the front.
    public func lookAgain() async {
        guard let user, state.screen == .verify || isWaitingForVerification else { return }
        await attempt { () async throws(AuthErrorCode) in
            try await user.reload()
            if isVerified { end() }
        }
    }

    private var isWaitingForVerification: Bool {
        if case .checkMail(let mail) = state.screen { mail.operation == .verifyEmail } else { false }
    }

    /// Goes on without the verification, where it is not required.
    public func skipVerification() {
        if isThrough { end() }
    }

    // MARK: How it ends

    /// Goes on after an action that was done here by its code, or elsewhere.
    private func conclude(_ action: PendingAction) async {
        switch action.operation {
        case .verifyEmail:
            // That it is verified is known. What cannot be read now is read later.
            try? await user?.reload()
            if isThrough { end(at: action.continueURL) } else { state.screen = .verify }
        case .passwordReset:
            back(to: action.email, .passwordChanged, .passwordChangedNext)
        case .verifyAndChangeEmail:
            back(to: action.email, .changed, .changedNext)
        default:
            if isThrough { end(at: action.continueURL) } else { fail(.declinedTitle, .deadLink) }
        }
    }

    /// To the sign-in, with the good news.
    func back(to email: String, _ title: Sentence, _ sentence: Sentence) {
        fields.email = email
        fields.password = ""
        state.screen = .signIn
        say(notice: "\(words(title)). \(words(sentence, email: email))")
    }

    func fail(_ title: Sentence, _ sentence: Sentence) {
        pending = nil
        state.screen = .message(Message(title: words(title), sentence: words(sentence), isGood: false))
    }
}
