// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingClient
internal import HomingWire

extension Auth {
    // MARK: Asking for mails

    /// Mails a link that signs in, on this device, wherever the mail is opened.
    ///
    /// - Returns: what to show and wait for.
    /// - Throws: ``AuthErrorCode/internalError`` without a request when ``ActionCodeSettings/handleCodeInApp`` is
    ///   false.
    public func sendSignInLink(
        toEmail email: String, actionCodeSettings: ActionCodeSettings, finishing: Finishing
    ) async throws(HomingAuthError) -> PendingAction {
        let settings = try Self.signInSettings(actionCodeSettings)
        return try await begin(.emailSignIn, email, settings, in: tenantID)
    }

    /// Mails a link that sets a new password, wherever the mail is opened. Whether the address has an account is not
    /// told.
    ///
    /// - Returns: what to show and wait for.
    public func sendPasswordReset(
        withEmail email: String, actionCodeSettings: ActionCodeSettings? = nil, finishing: Finishing
    ) async throws(HomingAuthError) -> PendingAction {
        let settings = try actionCodeSettings?.members() ?? []
        return try await begin(.passwordReset, email, settings, in: tenantID)
    }

    private func begin(
        _ type: ActionRequestType, _ email: String, _ settings: [(String, JSON?)], in tenant: String?
    ) async throws(HomingAuthError) -> PendingAction {
        try await begin(type, settings, for: email, in: tenant) { members async throws(HomingAuthError) in
            try await send(type, [("email", .string(email)), Self.member(tenant)] + members)
        }
    }

    // MARK: Using links

    /// Signs in with a sign-in link that this app has asked for: nobody has to say the address again.
    ///
    /// - Throws: ``AuthErrorCode/missingEmail`` without a request when no sign-in is pending here: ask for the address,
    ///   then ``signIn(withEmail:link:)-(_,String)``. ``AuthErrorCode/invalidActionCode`` as there.
    @discardableResult
    public func signIn(withLink link: String) async throws(HomingAuthError) -> AuthDataResult {
        guard case .action(let action) = IncomingAction(link) else { throw .notASignInLink }
        return try await signIn(withLink: ActionCodeURL(action))
    }

    /// Signs in with a sign-in link that this app has asked for: nobody has to say the address again.
    ///
    /// - Throws: ``AuthErrorCode/missingEmail`` without a request when no sign-in is pending here: ask for the address,
    ///   then ``signIn(withEmail:link:)-(_,ActionCodeURL)``. ``AuthErrorCode/invalidActionCode`` as there.
    @discardableResult
    public func signIn(withLink url: ActionCodeURL) async throws(HomingAuthError) -> AuthDataResult {
        let code = try code(of: url)
        guard url.operation == .emailLink else { throw .notASignInLink }
        // Each request knows its own address: a code of another one fits neither.
        return try await asAsking(for: [.emailLink], passing: [.missingCodeVerifier, .invalidEmail]) {
            action async throws(HomingAuthError) in
            guard let action else {
                throw HomingAuthError(
                    .missingEmail,
                    "No sign-in is pending here. Ask for the address and call signIn(withEmail:link:).")
            }
            let credential = AuthCredential(
                provider: EmailAuthProvider.id,
                proof: .code(email: action.email, code: code, tenant: url.tenantID))
            return try await signIn(credential.request(linkingTo: nil, in: nil, by: self), of: credential, as: action)
        }
    }

    // MARK: After the app was installed

    /// What the signed-in user was about to do when a mailed link was opened in a browser of a device without the app,
    /// and did not finish. The server tells it once, and for a day.
    ///
    /// - Throws: ``AuthErrorCode/nullUser`` when nobody is signed in.
    public func pendingAction() async throws(HomingAuthError) -> UnfinishedAction? {
        guard let user = currentUser else {
            throw HomingAuthError(.nullUser, "Nobody is signed in. Ask again after a sign-in.")
        }
        let answer = try await user.authorized { idToken async throws(HomingAuthError) in
            try await self.backend.call("pendingAction", [("idToken", .string(idToken))])
        }
        guard let mode = answer["mode"]?.stringValue else { return nil }
        return UnfinishedAction(
            operation: ActionMode(rawValue: mode).map(ActionCodeOperation.init) ?? .unknown,
            continueURL: answer["continueUrl"]?.stringValue.flatMap(destination))
    }
}

extension Auth {
    /// ``sendSignInLink(toEmail:actionCodeSettings:finishing:)`` with a completion handler.
    public func sendSignInLink(
        toEmail email: String, actionCodeSettings: ActionCodeSettings, finishing: Finishing,
        completion: @escaping (PendingAction?, (any Error)?) -> Void
    ) {
        let tenant = tenantID
        let settings = read { () throws(HomingAuthError) in try Self.signInSettings(actionCodeSettings) }
        deliver(to: completion) { () async throws(HomingAuthError) in
            try await self.begin(.emailSignIn, email, settings.get(), in: tenant)
        }
    }

    /// ``sendPasswordReset(withEmail:actionCodeSettings:finishing:)`` with a completion handler.
    public func sendPasswordReset(
        withEmail email: String, actionCodeSettings: ActionCodeSettings? = nil, finishing: Finishing,
        completion: @escaping (PendingAction?, (any Error)?) -> Void
    ) {
        let tenant = tenantID
        let settings = read { () throws(HomingAuthError) in try actionCodeSettings?.members() ?? [] }
        deliver(to: completion) { () async throws(HomingAuthError) in
            try await self.begin(.passwordReset, email, settings.get(), in: tenant)
        }
    }

    /// ``signIn(withLink:)-(String)`` with a completion handler.
    public func signIn(withLink link: String, completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil) {
        deliver(to: completion) { () async throws(HomingAuthError) in try await self.signIn(withLink: link) }
    }

    /// ``signIn(withLink:)-(ActionCodeURL)`` with a completion handler.
    public func signIn(withLink url: ActionCodeURL, completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil) {
        deliver(to: completion) { () async throws(HomingAuthError) in try await self.signIn(withLink: url) }
    }

    /// ``pendingAction()`` with a completion handler: neither an action nor an error where there is none.
    public func pendingAction(completion: @escaping (UnfinishedAction?, (any Error)?) -> Void) {
        deliver(to: { (action: UnfinishedAction??, error) in completion(action ?? nil, error) }) {
            () async throws(HomingAuthError) in try await self.pendingAction()
        }
    }
}
