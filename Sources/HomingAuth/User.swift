// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

public import Foundation
internal import HomingClient

/// Somebody with an account: who is signed in, or was.
public final class User: Sendable {
    let auth: Auth
    /// The server that the tokens are of.
    let server: String
    let state: Locked<State>

    struct State: Sendable {
        var profile: UserProfile
        var tokens: SessionTokens
        /// The tokens that this process knows to stand in the store.
        var kept: SessionTokens?
        /// The refresh that is under way: whoever needs a token waits for the same one.
        var refresh: Task<Result<SessionTokens, HomingAuthError>, Never>?
        /// The last call that gets new tokens while the server may already have ended the old ones.
        var change: Task<Void, Never>?
    }

    init(_ profile: UserProfile, _ tokens: SessionTokens, kept: SessionTokens? = nil, auth: Auth) {
        self.auth = auth
        server = auth.backend.endpoint.url
        state = Locked(State(profile: profile, tokens: tokens, kept: kept))
    }

    /// The account's id, the same for ever.
    public var uid: String { state.withLock(\.profile.uid) }

    /// The address; nil for an anonymous user, and for one of a custom token who has none.
    public var email: String? { state.withLock(\.profile.email) }

    /// Whether a mail to the address was answered, as of the last ``reload()``.
    public var isEmailVerified: Bool { state.withLock(\.profile.isEmailVerified) }

    /// Whether the account has nothing to sign in with.
    public var isAnonymous: Bool { state.withLock(\.profile.isAnonymous) }

    /// `Firebase`, as for every user of FirebaseAuth; ``providerData`` has the ways of signing in.
    public var providerID: String { "Firebase" }

    /// The name to show; ``createProfileChangeRequest()`` changes it.
    public var displayName: String? { state.withLock(\.profile.displayName) }

    /// A picture of the user; ``createProfileChangeRequest()`` changes it.
    public var photoURL: URL? { state.withLock(\.profile.photoURL).flatMap { URL(string: $0) } }

    /// The tenant of the project that the account is in; nil for one of the project itself.
    public var tenantID: String? { state.withLock(\.profile.tenantID) }

    /// When the account was made and last used.
    public var metadata: UserMetadata { state.withLock(\.profile.metadata) }

    /// The ways in which this user can sign in: `password`, or none.
    public var providerData: [any UserInfo] {
        let profile = state.withLock(\.profile)
        guard profile.hasEmailProvider, let email = profile.email else { return [] }
        return [
            EmailUserInfo(
                email: email, displayName: profile.displayName,
                photoURL: profile.photoURL.flatMap { URL(string: $0) })
        ]
    }

    /// What gets new ID tokens. It is as good as a password: keep it out of logs and off the network.
    public var refreshToken: String? { state.withLock(\.tokens.refresh) }

    var snapshot: (UserProfile, SessionTokens) { state.withLock { ($0.profile, $0.tokens) } }
}

extension User: Hashable {
    /// Whether they are one object, as for FirebaseAuth's users.
    ///
    /// ``Auth/currentUser`` is the same object until somebody signs in or out. Another sign-in is another object, also
    /// of the same person: compare ``uid`` to know whether it is the same account.
    public static func == (left: User, right: User) -> Bool { left === right }

    /// Hashes which object it is.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension User: CustomStringConvertible, CustomReflectable {
    /// The id, and neither tokens nor address: what is printed ends up in logs.
    public var description: String { "User(uid: \(uid))" }

    /// The same for `dump`.
    public var customMirror: Mirror { Mirror(self, children: ["uid": uid]) }
}
