// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
internal import HomingClient
internal import HomingWire

extension Auth {
    /// What this app has asked for and can still be finished, the newest first; five at most, also after a relaunch.
    ///
    /// On this device alone, where sessions are kept, and for one server: like ``currentUser``.
    public var pendingActions: [PendingAction] {
        let now = now()
        return waiting.filter { now < $0.request.expires }
    }

    /// The same, and those besides whose time has just run out.
    private var waiting: [PendingAction] {
        state.withLock { state in
            loadRequests(&state)
            return state.pending
        }
    }

    /// More than anybody has mails open.
    private static let mostPending = 5

    /// Asks the store, until it has answered once, and forgets what is over.
    private func loadRequests(_ state: inout State) {
        var isNews = false
        if !state.hasLoadedRequests {
            do {
                let kept = try vault.loadRequests()
                isNews = !state.pending.isEmpty
                state.pending += kept.map { PendingAction($0, auth: self) }
                state.knownRequests.formUnion(kept.map(\.id))
                state.hasLoadedRequests = true
            } catch {
                // A locked device is asked again; of a store that cannot be read nothing is expected.
                state.hasLoadedRequests = !(error is SessionStoreLocked)
            }
        }
        let now = now()
        let left = state.pending.filter { now < $0.request.end }
        isNews = isNews || left.count < state.pending.count
        state.pending = left
        if isNews { keepRequests(state) }
    }

    /// Where they cannot be kept they are finished all the same, until the process ends.
    private func keepRequests(_ state: State) {
        guard state.hasLoadedRequests else { return }
        try? vault.save(state.pending.map(\.request), besides: state.knownRequests, at: now())
    }

    /// Asks for a mail whose code nobody can use without this device or its number.
    ///
    /// - Parameters:
    ///   - settings: the members of its ``ActionCodeSettings``.
    ///   - email: whom the mail is for, where the answer does not say so.
    ///   - send: makes the request of those members and a verifier's challenge.
    func begin(
        _ type: ActionRequestType, _ settings: [(String, JSON?)], for email: String?, in tenant: String?,
        _ send: (_ members: [(String, JSON?)]) async throws(HomingAuthError) -> JSON.Object
    ) async throws(HomingAuthError) -> PendingAction {
        let verifier = CodeVerifier()
        let answer = try await send(settings + verifier.challenge)
        let address = email ?? answer["email"]?.stringValue ?? ""
        let continueURL = settings.first { $0.0 == "continueUrl" }?.1?.stringValue
        guard
            let request = PendingRequest(
                answer, verifier, type, email: address, tenant: tenant, continueURL: continueURL, at: now())
        else {
            throw HomingAuthError(
                .internalError,
                "The mail is sent, but this server lets nobody finish elsewhere: its link works as without `finishing`. "
                    + "Update the server, or leave `finishing` out.")
        }
        let action = PendingAction(request, auth: self)
        state.withLock { state in
            loadRequests(&state)
            state.knownRequests.insert(request.id)
            // A newer mail of one kind to one address takes the place of the older one.
            state.pending.removeAll { $0.request.type == type && $0.isFor(address) && $0.request.tenant == tenant }
            state.pending = Array(([action] + state.pending).prefix(Self.mostPending))
            keepRequests(state)
        }
        return action
    }

    /// Forgets one that is finished, or that nobody waits for any more.
    func forget(_ action: PendingAction) {
        state.withLock { state in
            guard let index = state.pending.firstIndex(where: { $0 === action }) else { return }
            state.pending.remove(at: index)
            keepRequests(state)
        }
    }

    // MARK: Using codes

    /// What a code was used for.
    struct Use<Answer: Sendable> {
        let answer: Answer
        /// Whose code it was.
        let email: String?
        let state: PendingAction.State
    }

    /// Uses a code as the one who has asked for it, where this device has.
    ///
    /// A link does not say to which request it belongs: the newest of these kinds is tried first, and the next one when
    /// the server says that the code is another's. A code that is bound to no request needs none of them.
    func asAsking<Answer: Sendable>(
        for operations: Set<ActionCodeOperation>, passing: Set<AuthErrorCode> = [.missingCodeVerifier],
        _ use: (PendingAction?) async throws(HomingAuthError) -> Use<Answer>
    ) async throws(HomingAuthError) -> Answer {
        var refusal: HomingAuthError?
        for action in operations.isEmpty ? [] : waiting where operations.contains(action.operation) {
            action.beginCall()
            do throws(HomingAuthError) {
                let used = try await use(action)
                // An unbound code of somebody else works with any verifier.
                action.endCall(used.email.map(action.isFor) == true ? used.state : nil)
                return used.answer
            } catch {
                action.endCall(nil)
                guard passing.contains(error.code) else { throw error }
                refusal = error
            }
        }
        if let refusal { throw refusal }
        return try await use(nil).answer
    }

    /// The verifier of a request as a member of another one.
    static func member(_ action: PendingAction?) -> (String, JSON?) {
        ("codeVerifier", action.map { .string($0.request.verifier) })
    }
}

extension PendingAction {
    /// Whether the mail went to an address: the case of ASCII letters does not count.
    func isFor(_ address: String) -> Bool {
        ASCII.areEqual(ASCII.lowercased(email), ASCII.lowercased(address))
    }
}
