// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

public import Foundation
public import HomingAuth

/// What the screens do: one for each place where somebody signs in, or one for each link that arrives.
///
/// It draws nothing. `HomingSignInView` draws it; an app with a look of its own reads ``state``, writes ``fields``, calls
/// the verbs, and is told of changes by ``onChange``.
@MainActor
public final class AuthFlow {
    /// Which screen there is, and what it says.
    public internal(set) var state = State() {
        didSet { if state != oldValue { onChange?() } }
    }

    /// What the person types.
    public var fields = Fields() {
        didSet { if fields != oldValue { onChange?() } }
    }

    /// Called after each change of ``state`` and ``fields``.
    public var onChange: (() -> Void)?

    /// Whose users sign in.
    public let auth: Auth

    /// What is offered, and where mails bring people back to.
    public let options: AuthFlowOptions

    let words: Words
    let finish: @MainActor (Outcome) -> Void
    /// The mail that waits to be answered.
    var pending: PendingAction?
    /// The link that waits for a word of the person.
    var link: ActionCodeURL?
    /// The URL that brought it.
    var linkURL: URL?
    /// The code of a reset, for whom the digits of the mail were typed.
    var resetCode: String?

    /// What people type.
    public struct Fields: Sendable, Equatable {
        /// The address.
        public var email = ""
        /// The password, or the new one.
        public var password = ""
        /// The eight digits of a mail.
        public var code = ""
    }

    /// What there is to see.
    public struct State: Sendable, Equatable {
        /// The screen.
        public internal(set) var screen = Screen.signIn
        /// Whether the server is being asked: buttons rest.
        public internal(set) var isBusy = false
        /// What is wrong, in the person's language.
        public internal(set) var problem: String?
        /// What went well, in the person's language.
        public internal(set) var notice: String?
        /// The error behind ``problem``, for developers.
        public internal(set) var error: AuthErrorCode?
    }

    /// How it ended.
    public struct Outcome: Sendable, Equatable {
        /// Who is signed in.
        public let user: User?
        /// Where the person was going: the continue URL of the link, of the mail that was waited for, or of
        /// ``AuthFlowOptions/settings``.
        ///
        /// A link's can be any URL that its sender named: go only to places of your own.
        public let place: URL?
    }

    /// - Parameters:
    ///   - auth: whose users sign in; the default app's unless given.
    ///   - finish: called when the person is through.
    public init(
        auth: Auth = .auth(), options: AuthFlowOptions = AuthFlowOptions(),
        finish: @escaping @MainActor (Outcome) -> Void = { _ in }
    ) {
        self.auth = auth
        self.options = options
        self.finish = finish
        words = Words(
            for: options.languages ?? Words.preferred(auth.languageCode),
            appName: options.appName ?? Words.nameOfTheApp)
        state.screen = entry
    }

    // MARK: Where somebody stands

    /// The signed-in user; an anonymous one has not signed in yet.
    var user: User? { auth.currentUser.flatMap { $0.isAnonymous ? nil : $0 } }

    /// Whether nothing is left to do.
    public var isThrough: Bool {
        guard let user else { return false }
        return user.isEmailVerified || !options.requiresVerifiedEmail
    }

    /// The first screen for whoever is there.
    var entry: Screen {
        guard user == nil else { return isThrough ? .finished : .verify }
        return options.offersPasswords ? .signIn : .signInByEmail
    }

    /// Goes to the first screen; after a relaunch, to the mail that still waits to be answered. Whoever is through
    /// already is let through.
    public func start() {
        guard state.screen != .finished else { return finish(Outcome(user: user, place: options.settings.url)) }
        guard state.screen == .signIn || state.screen == .signInByEmail || state.screen == .verify else { return }
        guard let waiting = auth.pendingActions.first(where: isMine) else { return state.screen = entry }
        show(waiting)
    }

    /// Whether a mail is for whoever stands here: signing in, or the address of the signed-in user.
    private func isMine(_ action: PendingAction) -> Bool {
        guard let user else { return action.operation == .emailLink || action.operation == .passwordReset }
        return action.operation == .verifyEmail && action.email.utf8.elementsEqual((user.email ?? "").utf8)
    }

    /// Follows who is signed in, until the task is cancelled: somebody may have signed in elsewhere in the app.
    public func watch() async {
        for await _ in auth.userChanges where !state.isBusy {
            switch state.screen {
            case .signIn, .signUp, .forgotten, .signInByEmail: if isThrough { end() }
            case .checkMail(let mail):
                if mail.operation == .verifyEmail, user == nil { state.screen = entry }
                if isThrough, mail.operation != .verifyEmail || isVerified { end(at: pending?.continueURL) }
            case .verify: if isThrough { end() } else { state.screen = entry }
            case .finished: if !isThrough { state.screen = entry }
            case .opening, .newPassword, .confirm, .whichAddress, .elsewhere, .message: break
            }
        }
    }

    var isVerified: Bool { user?.isEmailVerified == true }

    /// Tells the app that the person is through.
    func end(at place: URL? = nil) {
        guard state.screen != .finished else { return }
        fields.password = ""
        fields.code = ""
        state.screen = .finished
        finish(Outcome(user: user, place: place ?? options.settings.url))
    }

    // MARK: Asking the server

    /// Does something, and says what went wrong. One thing at a time: a second tap does nothing.
    @discardableResult
    func attempt(_ work: @MainActor () async throws(AuthErrorCode) -> Void) async -> Bool {
        guard !state.isBusy else { return false }
        say()
        state.isBusy = true
        defer { state.isBusy = false }
        do throws(AuthErrorCode) {
            try await work()
            return true
        } catch {
            say(problem: words.problem(error), error)
            return false
        }
    }

    func say(problem: String? = nil, _ error: AuthErrorCode? = nil, notice: String? = nil) {
        state.problem = problem
        state.error = error
        state.notice = notice
    }

    /// The address that was typed; without one it says so.
    var address: String? {
        let address = fields.email.filter { !$0.isWhitespace }
        // The server knows what an address is. This is for fields that were left empty.
        guard address.utf8.contains(UInt8(ascii: "@")) else {
            say(problem: words(.noAddress))
            return nil
        }
        return address
    }

    /// The password that was typed; without one it says so.
    var password: String? {
        guard !fields.password.isEmpty else {
            say(problem: words(.missingPassword))
            return nil
        }
        return fields.password
    }
}
