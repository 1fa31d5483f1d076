// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingClient
internal import HomingWire

/// Tenant and settings as they were when the call was made, or why they were refused.
func read(_ settings: () throws(HomingAuthError) -> [(String, JSON?)]) -> Result<[(String, JSON?)], HomingAuthError> {
    do throws(HomingAuthError) {
        return .success(try settings())
    } catch {
        return .failure(error)
    }
}

extension Auth {
    /// ``createUser(withEmail:password:)`` with a completion handler.
    public func createUser(
        withEmail email: String, password: String, completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
    ) {
        let tenant = tenant
        deliver(to: completion) { () async throws(HomingAuthError) in
            try await self.createUser(email, password, tenant)
        }
    }

    /// ``signIn(withEmail:password:)`` with a completion handler.
    public func signIn(
        withEmail email: String, password: String, completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
    ) {
        signIn(with: EmailAuthProvider.credential(withEmail: email, password: password), completion: completion)
    }

    /// ``signIn(withEmail:link:)-(_,String)`` with a completion handler.
    public func signIn(
        withEmail email: String, link: String, completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
    ) {
        signIn(with: EmailAuthProvider.credential(withEmail: email, link: link), completion: completion)
    }

    /// ``signIn(with:)`` with a completion handler.
    public func signIn(with credential: AuthCredential, completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil) {
        let tenant = tenantID
        deliver(to: completion) { () async throws(HomingAuthError) in
            try await self.signIn(with: credential, in: tenant)
        }
    }

    /// ``signIn(withCustomToken:)`` with a completion handler.
    public func signIn(withCustomToken token: String, completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil) {
        let tenant = tenant
        deliver(to: completion) { () async throws(HomingAuthError) in
            try await self.signIn(withCustomToken: token, tenant)
        }
    }

    /// ``signInAnonymously()`` with a completion handler.
    public func signInAnonymously(completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil) {
        let tenant = tenantID
        deliver(to: completion) { () async throws(HomingAuthError) in try await self.signInAnonymously(in: tenant) }
    }

    /// ``sendPasswordReset(withEmail:)`` with a completion handler.
    public func sendPasswordReset(withEmail email: String, completion: (((any Error)?) -> Void)? = nil) {
        sendPasswordReset(withEmail: email, actionCodeSettings: nil, completion: completion)
    }

    /// ``sendPasswordReset(withEmail:actionCodeSettings:)`` with a completion handler.
    public func sendPasswordReset(
        withEmail email: String, actionCodeSettings: ActionCodeSettings?, completion: (((any Error)?) -> Void)? = nil
    ) {
        let settings = read { () throws(HomingAuthError) in [tenant] + (try actionCodeSettings?.members() ?? []) }
        deliver(to: completion) { () async throws(HomingAuthError) in
            try await self.mail(.passwordReset, [("email", .string(email))] + settings.get())
        }
    }

    /// ``sendSignInLink(toEmail:actionCodeSettings:)`` with a completion handler.
    public func sendSignInLink(
        toEmail email: String, actionCodeSettings: ActionCodeSettings, completion: (((any Error)?) -> Void)? = nil
    ) {
        let settings = read { () throws(HomingAuthError) in [tenant] + (try Self.signInSettings(actionCodeSettings)) }
        deliver(to: completion) { () async throws(HomingAuthError) in
            try await self.mail(.emailSignIn, [("email", .string(email))] + settings.get())
        }
    }

    /// ``verifyPasswordResetCode(_:)-(String)`` with a completion handler.
    public func verifyPasswordResetCode(_ code: String, completion: @escaping (String?, (any Error)?) -> Void) {
        let tenant = tenant
        deliver(to: completion) { () async throws(HomingAuthError) in try await self.address(of: code, tenant) }
    }

    /// ``confirmPasswordReset(withCode:newPassword:)`` with a completion handler.
    public func confirmPasswordReset(
        withCode code: String, newPassword: String, completion: @escaping ((any Error)?) -> Void
    ) {
        let tenant = tenant
        deliver(to: completion) { () async throws(HomingAuthError) in
            try await self.reset(code, tenant, to: newPassword)
        }
    }

    /// ``checkActionCode(_:)-(String)`` with a completion handler.
    public func checkActionCode(_ code: String, completion: @escaping (ActionCodeInfo?, (any Error)?) -> Void) {
        let tenant = tenant
        deliver(to: completion) { () async throws(HomingAuthError) in try await self.check(code, tenant) }
    }

    /// ``applyActionCode(_:)-(String)`` with a completion handler.
    public func applyActionCode(_ code: String, completion: @escaping ((any Error)?) -> Void) {
        let tenant = tenant
        deliver(to: completion) { () async throws(HomingAuthError) in try await self.apply(code, tenant) }
    }
}
