// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingClient
internal import HomingWire

extension Auth {
    /// Makes an account with an address and a password, and signs in.
    @discardableResult
    public func createUser(withEmail email: String, password: String) async throws(HomingAuthError) -> AuthDataResult {
        try await createUser(email, password, tenant)
    }

    func createUser(
        _ email: String, _ password: String, _ tenant: (String, JSON?)
    ) async throws(HomingAuthError) -> AuthDataResult {
        try await signIn(
            "signUp", [("email", .string(email)), ("password", .string(password)), tenant], email: email,
            isNewUser: true)
    }

    /// Signs in with an address and its password.
    @discardableResult
    public func signIn(withEmail email: String, password: String) async throws(HomingAuthError) -> AuthDataResult {
        try await signIn(with: EmailAuthProvider.credential(withEmail: email, password: password))
    }

    /// Signs in with the link that was mailed to an address; an address without an account gets one.
    ///
    /// - Throws: ``AuthErrorCode/invalidActionCode`` without a request when it is no sign-in link, or one of another
    ///   project.
    @discardableResult
    public func signIn(withEmail email: String, link: String) async throws(HomingAuthError) -> AuthDataResult {
        try await signIn(with: EmailAuthProvider.credential(withEmail: email, link: link))
    }

    /// Signs in with a credential.
    @discardableResult
    public func signIn(with credential: AuthCredential) async throws(HomingAuthError) -> AuthDataResult {
        try await signIn(with: credential, in: tenantID)
    }

    func signIn(with credential: AuthCredential, in tenant: String?) async throws(HomingAuthError) -> AuthDataResult {
        let request = try credential.request(linkingTo: nil, in: tenant, by: self)
        return try await asAsking(for: credential.operations) { action async throws(HomingAuthError) in
            try await signIn(request, of: credential, as: action)
        }
    }

    func signIn(
        _ request: AuthCredential.Request, of credential: AuthCredential, as action: PendingAction?
    ) async throws(HomingAuthError) -> Use<AuthDataResult> {
        let result = try await signIn(
            request.operation, request.members + [Self.member(action)], email: credential.email)
        return Use(answer: result, email: credential.email, state: .signedIn(result))
    }

    /// Signs in with a token that the app's own back end has made with a service account of the server. Somebody of
    /// whom the server has not heard gets an account with the token's id.
    ///
    /// - Throws: ``AuthErrorCode/invalidCustomToken``, and ``AuthErrorCode/customTokenMismatch`` for a token of another
    ///   project.
    @discardableResult
    public func signIn(withCustomToken token: String) async throws(HomingAuthError) -> AuthDataResult {
        try await signIn(withCustomToken: token, tenant)
    }

    func signIn(
        withCustomToken token: String, _ tenant: (String, JSON?)
    ) async throws(HomingAuthError) -> AuthDataResult {
        try await signIn("signInWithCustomToken", [("token", .string(token)), tenant], provider: "custom")
    }

    /// Signs in as nobody in particular. An anonymous user who is signed in stays the same one.
    ///
    /// - Throws: ``AuthErrorCode/keychainError`` while the device is locked and nobody knows who is signed in.
    @discardableResult
    public func signInAnonymously() async throws(HomingAuthError) -> AuthDataResult {
        try await signInAnonymously(in: tenantID)
    }

    func signInAnonymously(in tenant: String?) async throws(HomingAuthError) -> AuthDataResult {
        guard let known = knownUser else { throw SessionVault.fault("read", SessionStoreLocked()) }
        if let user = known, user.isAnonymous, user.tenantID == tenant {
            return AuthDataResult(
                user: user, additionalUserInfo: AdditionalUserInfo(providerID: "anonymous", isNewUser: false))
        }
        // Whoever asks meanwhile gets the same account.
        let task = state.withLock { state in
            if let task = state.anonymous { return task }
            let task = Task { () async -> Result<AuthDataResult, HomingAuthError> in
                let result = await outcome { () async throws(HomingAuthError) in
                    try await self.signIn("signUp", [Self.member(tenant)], provider: "anonymous", isNewUser: true)
                }
                self.state.withLock { $0.anonymous = nil }
                return result
            }
            state.anonymous = task
            return task
        }
        return try await task.value.get()
    }

    /// Once begun it goes on when its caller is cancelled: a mailed link works once, and without the answer nobody
    /// would be signed in.
    private func signIn(
        _ operation: String, _ members: [(String, JSON?)], email: String? = nil,
        provider: String = EmailAuthProvider.id, isNewUser: Bool = false
    ) async throws(HomingAuthError) -> AuthDataResult {
        let task = Task { () async -> Result<AuthDataResult, HomingAuthError> in
            await outcome { () async throws(HomingAuthError) in
                let answer = try await self.ask(operation, members, email: email)
                return try await self.adopt(answer, provider: provider, isNewUser: isNewUser)
            }
        }
        return try await task.value.get()
    }

    /// Signs in with the tokens of an answer.
    func adopt(
        _ answer: JSON.Object, provider: String = EmailAuthProvider.id, isNewUser: Bool = false
    ) async throws(HomingAuthError) -> AuthDataResult {
        let (profile, tokens) = try await person(of: answer)
        let user = User(profile, tokens, auth: self)
        try adopt(user)
        return AuthDataResult(
            user: user,
            additionalUserInfo: AdditionalUserInfo(
                providerID: provider, isNewUser: isNewUser || answer["isNewUser"]?.boolValue == true))
    }

    /// The tokens of a sign-in, and whose they are.
    func proof(
        _ operation: String, _ members: [(String, JSON?)], email: String?
    ) async throws(HomingAuthError) -> (UserProfile, SessionTokens) {
        try await person(of: try await ask(operation, members, email: email))
    }

    private func ask(
        _ operation: String, _ members: [(String, JSON?)], email: String?
    ) async throws(HomingAuthError) -> JSON.Object {
        do {
            return try await backend.call(
                operation, members + [("returnSecureToken", true)], language: languageCode)
        } catch {
            var error = error
            error.email = email
            throw error
        }
    }

    private func person(of answer: JSON.Object) async throws(HomingAuthError) -> (UserProfile, SessionTokens) {
        guard let tokens = SessionTokens(answer, at: now()) else {
            throw HomingAuthError.unexpectedAnswer("a sign-in without tokens")
        }
        do throws(HomingAuthError) {
            return (try await profile(tokens.id), tokens)
        } catch {
            // The sign-in stands, and a link or an account may have been used up by it: once more, then by its token.
            guard error.code == .networkError else { throw error }
            if let profile = try? await profile(tokens.id) { return (profile, tokens) }
            guard let profile = UserProfile(token: tokens.id) else { throw error }
            return (profile, tokens)
        }
    }

    /// Whose ID token it is.
    func profile(_ idToken: String) async throws(HomingAuthError) -> UserProfile {
        let answer = try await backend.call("lookup", [("idToken", .string(idToken))])
        guard let record = answer["users"]?.arrayValue?.first?.objectValue, let profile = UserProfile(record) else {
            throw HomingAuthError.unexpectedAnswer("a lookup without a user")
        }
        return profile
    }
}

extension Auth {
    /// Makes a user the current one, on this device: somebody who was signed in before
    /// ``useUserAccessGroup(_:)``, for example.
    ///
    /// - Throws: ``AuthErrorCode/nullUser`` for a user of another app or server, and whatever says that the session of
    ///   the user is over.
    public func updateCurrentUser(_ user: User) async throws(HomingAuthError) {
        guard user.auth === self else {
            throw HomingAuthError(.nullUser, "This user is of another app. Each app has its own Auth.")
        }
        try await user.reload()
        try adopt(user)
    }

    /// ``updateCurrentUser(_:)`` with a completion handler; nobody is an error, ``AuthErrorCode/nullUser``.
    public func updateCurrentUser(_ user: User?, completion: (((any Error)?) -> Void)? = nil) {
        deliver(to: completion) { () async throws(HomingAuthError) in
            guard let user else { throw HomingAuthError(.nullUser, "There is no user. Call signOut() to sign out.") }
            try await self.updateCurrentUser(user)
        }
    }
}
