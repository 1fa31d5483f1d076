// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
internal import HomingWire

extension User {
    /// An ID token for the app's own back end. It is refreshed five minutes before its end, once for everybody who asks
    /// at that time.
    ///
    /// - Throws: ``AuthErrorCode/networkError`` when it has to be refreshed and the server is not reached; the user
    ///   stays signed in. When the session is over the user is signed out, and the error says why.
    public func getIDToken(forcingRefresh: Bool = false) async throws(HomingAuthError) -> String {
        try await tokens(forcingRefresh: forcingRefresh, isChange: false).id
    }

    /// ``getIDToken(forcingRefresh:)``, as FirebaseAuth also calls it.
    public func idTokenForcingRefresh(_ forceRefresh: Bool) async throws(HomingAuthError) -> String {
        try await getIDToken(forcingRefresh: forceRefresh)
    }

    /// - Parameter isChange: whether the caller is itself what others would wait for.
    func tokens(forcingRefresh: Bool, isChange: Bool) async throws(HomingAuthError) -> SessionTokens {
        // A refresh token must never go to another server than it came from.
        guard server.utf8.elementsEqual(auth.backend.endpoint.url.utf8) else {
            throw HomingAuthError(
                .nullUser, "This user is of another server: useEmulator(withHost:port:) was called since.")
        }
        let held = state.withLock(\.tokens)
        if !forcingRefresh, held.isFresh(at: auth.now()) { return held }
        switch await refreshed() {
        case .success(let tokens): return tokens
        case .failure(let error):
            return try await recover(from: error, of: held, isChange: isChange)
        }
    }

    /// One refresh for all who wait. It signs nobody out: whoever waits judges the failure.
    private func refreshed() async -> Result<SessionTokens, HomingAuthError> {
        let task = state.withLock { state in
            if let refresh = state.refresh { return refresh }
            let held = state.tokens
            let task = Task { await self.refresh(held) }
            state.refresh = task
            return task
        }
        return await task.value
    }

    private func refresh(_ held: SessionTokens) async -> Result<SessionTokens, HomingAuthError> {
        let result = await outcome { () async throws(HomingAuthError) in
            try await self.auth.backend.refresh(held.refresh, of: self.uid, at: self.auth.now())
        }
        let settled = state.withLock { state in
            state.refresh = nil
            // A new password brought newer tokens meanwhile: those count, whatever came back for the old ones.
            guard state.tokens == held else { return Result<SessionTokens, HomingAuthError>.success(state.tokens) }
            if case .success(let tokens) = result { state.tokens = tokens }
            return result
        }
        // The token is good also where it cannot be kept: the next start refreshes again.
        if case .success = settled { auth.keep(self) }
        return settled
    }

    /// Newer tokens when a failure was about old ones. Otherwise signs out if the session is over, and throws.
    private func recover(
        from error: HomingAuthError, of used: SessionTokens, isChange: Bool
    ) async throws(HomingAuthError) -> SessionTokens {
        guard error.endsSession else { throw error }
        if !isChange, let change = state.withLock(\.change) { await change.value }
        let held = state.withLock(\.tokens)
        guard held == used else { return held }
        if let newer = await tokensOfOthers(than: held) { return newer }
        auth.forget(self, because: error)
        throw error
    }

    /// The tokens that another process has got: a new password there has ended the ones held here. Its own may be on
    /// their way to the store that a group shares.
    private func tokensOfOthers(than held: SessionTokens) async -> SessionTokens? {
        for wait in auth.userAccessGroup == nil ? [0] : [0, 1, 2] {
            if wait > 0 { try? await auth.pause(TimeInterval(wait)) }
            if let theirs = auth.vault.foreignTokens(of: uid, held, kept) {
                note(kept: theirs, insteadOf: held)
                return theirs
            }
        }
        return nil
    }

    var kept: SessionTokens? { state.withLock(\.kept) }

    /// Notes what stands in the store; tokens of another process are this one's from then on.
    func note(kept: SessionTokens, insteadOf held: SessionTokens? = nil) {
        state.withLock { state in
            state.kept = kept
            if let held, state.tokens.isSame(as: held), !kept.isSame(as: held) { state.tokens = kept }
        }
    }

    /// Makes a call with the user's ID token.
    ///
    /// A token that the server does not take is replaced once: the device's clock may have been put back while it ran
    /// out. Only when that fails too is the session over.
    func authorized<Answer: Sendable>(
        isChange: Bool = false, _ call: @Sendable (_ idToken: String) async throws(HomingAuthError) -> Answer
    ) async throws(HomingAuthError) -> Answer {
        let used = try await tokens(forcingRefresh: false, isChange: isChange)
        do throws(HomingAuthError) {
            return try await call(used.id)
        } catch {
            guard error.endsSession else { throw error }
            let next =
                if error.code == .invalidUserToken, state.withLock(\.tokens) == used {
                    try await tokens(forcingRefresh: true, isChange: isChange)
                } else {
                    try await recover(from: error, of: used, isChange: isChange)
                }
            do throws(HomingAuthError) {
                return try await call(next.id)
            } catch {
                guard error.endsSession else { throw error }
                auth.forget(self, because: error)
                throw error
            }
        }
    }

    /// Runs what ends the present tokens and brings new ones, one after the other. Once begun it goes on when its
    /// caller is cancelled: the server may have done it, and without its answer the user would be signed out.
    func changing<Answer: Sendable>(
        _ body: @escaping @Sendable () async throws(HomingAuthError) -> Answer
    ) async throws(HomingAuthError) -> Answer {
        let task = state.withLock { state in
            let earlier = state.change
            let task = Task { () async -> Result<Answer, HomingAuthError> in
                await earlier?.value
                return await outcome(of: body)
            }
            state.change = Task { _ = await task.value }
            return task
        }
        return try await task.value.get()
    }

    /// Takes over the new tokens of an answer, and what a lookup with them tells.
    ///
    /// The tokens first: when the lookup fails the old ones are dead all the same.
    func renew(_ answer: JSON.Object) async throws(HomingAuthError) {
        guard let tokens = SessionTokens(answer, at: auth.now()) else {
            throw HomingAuthError.unexpectedAnswer("a change without new tokens")
        }
        guard answer["localId"]?.stringValue.map({ $0 == uid }) ?? true else {
            throw HomingAuthError.unexpectedAnswer("tokens of somebody else")
        }
        state.withLock { $0.tokens = tokens }
        auth.keep(self)
        try learn(try await auth.profile(tokens.id))
    }

    func learn(_ profile: UserProfile) throws(HomingAuthError) {
        try state.withLock { state throws(HomingAuthError) in
            guard profile.uid == state.profile.uid else {
                throw HomingAuthError.unexpectedAnswer("a lookup of somebody else")
            }
            state.profile = profile
        }
        auth.keep(self)
    }
}

extension SessionTokens {
    /// The token members of a sign-in's answer.
    init?(_ answer: JSON.Object, at now: Date) {
        self.init(id: answer["idToken"], refresh: answer["refreshToken"], seconds: answer["expiresIn"], at: now)
    }
}

/// A call's answer or its error, for a task that several wait for.
func outcome<Answer>(of call: () async throws(HomingAuthError) -> Answer) async -> Result<Answer, HomingAuthError> {
    do throws(HomingAuthError) {
        return .success(try await call())
    } catch {
        return .failure(error)
    }
}
