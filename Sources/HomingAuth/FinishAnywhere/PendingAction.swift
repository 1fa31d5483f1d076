// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

public import Foundation
internal import HomingClient
internal import HomingWire

/// Where a mail may be answered that this app asks for.
public enum Finishing: Sendable {
    /// Here, by opening the link or typing the code of the mail, or on any other device, by the number that this one
    /// shows; and by nobody who knows neither.
    case anywhere
}

/// A mail that this app has asked for and that waits to be answered.
///
/// Show ``matchNumber`` while it waits: whoever opens the mail on another device types it there. It outlives the
/// process: after a relaunch ``Auth/pendingActions`` has it again.
public final class PendingAction: Sendable {
    let auth: Auth
    let request: PendingRequest
    let backend: Backend
    let progress = Locked(Progress())

    /// How it goes on.
    public enum State: Sendable {
        /// Nobody has answered the mail yet.
        case pending
        /// The sign-in is done, and here: this is who has signed in.
        case signedIn(AuthDataResult)
        /// The action is done; nil where the server does not tell in which way.
        case done(by: Way?)
        /// Whoever opened the mail did not ask for it, or typed three wrong numbers.
        case declined
        /// The mail's time is over, or a newer one has replaced it.
        case expired
        /// The server does not know the request, or the session could not be kept.
        case failed(HomingAuthError)

        /// Whether nothing comes after it.
        public var isFinal: Bool {
            if case .pending = self { false } else { true }
        }
    }

    /// In which way an action was finished.
    public enum Way: Sendable {
        /// By this app, with the link of the mail.
        case here
        /// On the web page, by whoever knew the number.
        case elsewhere
        /// By this app, with the code of the mail, typed.
        case typed

        init?(wire word: String?) {
            switch word {
            case "here": self = .here
            case "elsewhere": self = .elsewhere
            case "typed": self = .typed
            default: return nil
            }
        }
    }

    /// What ``finish(typed:)`` has done.
    public enum Finish: Sendable {
        /// It has signed in.
        case signedIn(AuthDataResult)
        /// It has verified the address, or changed it.
        case done
        /// Nothing yet: the code for ``Auth/confirmPasswordReset(withCode:newPassword:)``.
        case code(String)
    }

    /// What is known of it, and who wants to know.
    struct Progress: Sendable {
        var state = State.pending
        var isCancelled = false
        var observers: [UUID: AsyncStream<State>.Continuation] = [:]
        var watch: Task<Void, Never>?
        /// How many calls of this app may be finishing it now.
        var calls = 0
        /// What the server has told meanwhile: the answer of such a call says more.
        var told: State?
    }

    init(_ request: PendingRequest, auth: Auth) {
        self.request = request
        self.auth = auth
        backend = auth.backend
    }

    /// The two digits that the page asks for on another device. Show them large.
    public var matchNumber: String { request.matchNumber }

    /// The server's id of the request, with which its page that waits opens: `/__/auth/wait?request=`. It finishes
    /// nothing without what this device keeps.
    public var requestID: String { request.id }

    /// The address that the mail goes to; for a change of address the new one.
    public var email: String { request.email }

    /// What the mail is for.
    public var operation: ActionCodeOperation { ActionCodeOperation(requestType: request.type.name) }

    /// Where the link of the mail leads in the end, with its state: the ``ActionCodeSettings/url`` that the mail was asked
    /// for with, or what a link of yours there leads to, as in ``ActionCodeURL/continueURL``. It is the place to show when
    /// the action is done, also after a relaunch.
    public var continueURL: URL? { request.continueURL.flatMap(auth.destination) }

    /// When the mail's time is over.
    public var expiresAt: Date { request.expires }

    /// How it stands, as far as is known; only ``states`` and ``result()`` ask the server.
    public var state: State { progress.withLock(\.state) }

    /// How it stands now, and how it ends. The sequence ends after a final state, and without one after ``cancel()``.
    ///
    /// While somebody reads it the server is asked, also after a connection was lost or the server restarted. Every
    /// loop needs a sequence of its own: ask here for each.
    public var states: AsyncStream<State> {
        AsyncStream { continuation in
            let id = UUID()
            continuation.onTermination = { [weak self] _ in
                self?.progress.withLock { _ = $0.observers.removeValue(forKey: id) }
            }
            let isOver = progress.withLock { progress in
                continuation.yield(progress.state)
                guard !progress.state.isFinal, !progress.isCancelled else { return true }
                progress.observers[id] = continuation
                if progress.watch == nil { progress.watch = Task { await self.watch() } }
                return false
            }
            if isOver { continuation.finish() }
        }
    }

    /// Waits until the mail is answered.
    ///
    /// - Returns: who has signed in; nil for an action that is no sign-in and is done.
    /// - Throws: ``AuthErrorCode/actionDeclined``, ``AuthErrorCode/expiredActionCode``, and
    ///   ``AuthErrorCode/waitCancelled`` after ``cancel()`` and when the task is cancelled.
    @discardableResult
    public func result() async throws(HomingAuthError) -> AuthDataResult? {
        var last = State.pending
        for await state in states { last = state }
        switch last {
        case .signedIn(let result): return result
        case .done where operation != .emailLink: return nil
        default: throw error(of: last)
        }
    }

    /// Stops waiting and forgets the request: the link of its mail then works on no device without the number.
    public func cancel() {
        stop()
        auth.forget(self)
    }

    /// Ends every sequence, whatever comes.
    func stop() {
        let (observers, watch) = progress.withLock { progress in
            progress.isCancelled = true
            defer { progress.observers = [:] }
            return (Array(progress.observers.values), progress.watch)
        }
        watch?.cancel()
        for observer in observers { observer.finish() }
    }

    /// Why a call that wants it finished has failed.
    func error(of state: State) -> HomingAuthError {
        switch state {
        case .pending: HomingAuthError(.waitCancelled, AuthErrorCode.waitCancelled.message)
        case .signedIn, .done:
            HomingAuthError(.invalidActionCode, "The mail was answered already, and nobody has signed in here by it.")
        case .declined: HomingAuthError(.actionDeclined, AuthErrorCode.actionDeclined.message)
        case .expired: HomingAuthError(.expiredActionCode, AuthErrorCode.expiredActionCode.message)
        case .failed(let error): error
        }
    }
}

extension PendingAction: CustomStringConvertible, CustomReflectable {
    /// What it is for, and neither address nor number: what is printed ends up in logs.
    public var description: String { "PendingAction(operation: \(operation))" }

    /// The same for `dump`.
    public var customMirror: Mirror { Mirror(self, children: ["operation": operation]) }
}
