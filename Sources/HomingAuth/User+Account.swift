// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingWire

extension User {
    /// Asks the server what has changed: whether the address is verified, above all.
    public func reload() async throws(HomingAuthError) {
        let profile = try await authorized { idToken async throws(HomingAuthError) in
            try await self.auth.profile(idToken)
        }
        try learn(profile)
    }

    /// Sets a new password. It ends every other session.
    ///
    /// - Throws: ``AuthErrorCode/requiresRecentLogin`` when the sign-in is too long ago.
    public func updatePassword(to password: String) async throws(HomingAuthError) {
        guard !password.isEmpty else { throw HomingAuthError(.weakPassword, "The new password is empty. Ask for one.") }
        try await changing { () async throws(HomingAuthError) in
            let language = self.auth.languageCode
            let answer = try await self.authorized(isChange: true) { idToken async throws(HomingAuthError) in
                try await self.auth.backend.call(
                    "update",
                    [("idToken", .string(idToken)), ("password", .string(password)), ("returnSecureToken", true)],
                    language: language)
            }
            try await self.renew(answer)
        }
    }

    /// Proves again who this is, for the calls that need a fresh sign-in.
    ///
    /// - Throws: ``AuthErrorCode/userMismatch`` when the credential is somebody else's; the user stays who it was.
    @discardableResult
    public func reauthenticate(with credential: AuthCredential) async throws(HomingAuthError) -> AuthDataResult {
        let (operation, members) = try credential.request(linkingTo: nil, in: tenantID, by: auth)
        return try await changing { () async throws(HomingAuthError) in
            let (profile, tokens) = try await self.auth.asAsking(for: credential.operations) {
                action async throws(HomingAuthError) in
                Auth.Use(
                    answer: try await self.auth.proof(
                        operation, members + [Auth.member(action)], email: credential.email),
                    email: credential.email, state: .done(by: .here))
            }
            // A back end chooses ids within a tenant: two may be alike.
            guard profile.uid == self.uid, profile.tenantID == self.tenantID else {
                throw HomingAuthError(
                    .userMismatch, "The credential belongs to another account. Ask the signed-in user for theirs.")
            }
            self.state.withLock { $0.tokens = tokens }
            try self.learn(profile)
            return AuthDataResult(
                user: self,
                additionalUserInfo: AdditionalUserInfo(providerID: credential.provider, isNewUser: false))
        }
    }

    /// Gives an anonymous user an address to sign in with, a password or a mailed link. The ``uid`` stays.
    ///
    /// - Throws: ``AuthErrorCode/providerAlreadyLinked``, ``AuthErrorCode/emailAlreadyInUse``.
    @discardableResult
    public func link(with credential: AuthCredential) async throws(HomingAuthError) -> AuthDataResult {
        guard !state.withLock(\.profile.hasEmailProvider) else {
            throw HomingAuthError(.providerAlreadyLinked, "This user has an address to sign in with already.")
        }
        _ = try credential.request(linkingTo: "", in: nil, by: auth)
        return try await changing { () async throws(HomingAuthError) in
            let language = self.auth.languageCode
            let answer: JSON.Object
            do throws(HomingAuthError) {
                answer = try await self.authorized(isChange: true) { idToken async throws(HomingAuthError) in
                    let (operation, members) = try credential.request(linkingTo: idToken, in: nil, by: self.auth)
                    return try await self.auth.asAsking(for: credential.operations) {
                        action async throws(HomingAuthError) in
                        Auth.Use(
                            answer: try await self.auth.backend.call(
                                operation, members + [("returnSecureToken", true), Auth.member(action)],
                                language: language),
                            email: credential.email, state: .done(by: .here))
                    }
                }
            } catch {
                var error = error
                error.email = credential.email
                throw error
            }
            try await self.renew(answer)
            return AuthDataResult(
                user: self,
                additionalUserInfo: AdditionalUserInfo(providerID: credential.provider, isNewUser: false))
        }
    }

    /// Deletes the account and signs out.
    ///
    /// - Throws: ``AuthErrorCode/requiresRecentLogin`` when the sign-in is too long ago.
    public func delete() async throws(HomingAuthError) {
        _ = try await authorized { idToken async throws(HomingAuthError) in
            try await self.auth.backend.call("delete", [("idToken", .string(idToken))])
        }
        auth.forget(self)
    }
}
