// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingClient

/// Somebody with an account: who is signed in, or was.
public final class User: Sendable {
    let auth: Auth
    let state: Locked<State>

    struct State: Sendable {
        var profile: UserProfile
        var tokens: SessionTokens
        /// The refresh that is under way: whoever needs a token waits for the same one.
        var refresh: Task<Result<SessionTokens, AuthError>, Never>?
        /// The last call that gets new tokens while the server may already have ended the old ones.
        var change: Task<Void, Never>?
    }

    init(_ profile: UserProfile, _ tokens: SessionTokens, auth: Auth) {
        self.auth = auth
        state = Locked(State(profile: profile, tokens: tokens))
    }

    /// The account's id, the same for ever.
    public var uid: String { state.withLock(\.profile.uid) }

    /// The address; nil for an anonymous user.
    public var email: String? { state.withLock(\.profile.email) }

    /// Whether a mail to the address was answered, as of the last ``reload()``.
    public var isEmailVerified: Bool { state.withLock(\.profile.isEmailVerified) }

    /// Whether the account has nothing to sign in with.
    public var isAnonymous: Bool { state.withLock(\.profile.isAnonymous) }

    var snapshot: (UserProfile, SessionTokens) { state.withLock { ($0.profile, $0.tokens) } }
}
