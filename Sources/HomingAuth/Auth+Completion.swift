// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

public import HomingClient
internal import HomingWire

/// Settings as they were when the call was made, or why they were refused.
func read(_ settings: () throws(AuthError) -> [(String, JSON?)]) -> Result<[(String, JSON?)], AuthError> {
    do throws(AuthError) {
        return .success(try settings())
    } catch {
        return .failure(error)
    }
}

extension Auth {
    /// ``createUser(withEmail:password:)`` with a completion handler.
    public func createUser(
        withEmail email: String, password: String, completion: AnswerHandler<AuthDataResult>? = nil
    ) {
        deliver(to: completion) { () async throws(AuthError) in
            try await self.createUser(withEmail: email, password: password)
        }
    }

    /// ``signIn(withEmail:password:)`` with a completion handler.
    public func signIn(
        withEmail email: String, password: String, completion: AnswerHandler<AuthDataResult>? = nil
    ) {
        deliver(to: completion) { () async throws(AuthError) in
            try await self.signIn(withEmail: email, password: password)
        }
    }

    /// ``signIn(withEmail:link:)-(_,String)`` with a completion handler.
    public func signIn(
        withEmail email: String, link: String, completion: AnswerHandler<AuthDataResult>? = nil
    ) {
        deliver(to: completion) { () async throws(AuthError) in
            try await self.signIn(withEmail: email, link: link)
        }
    }

    /// ``signIn(with:)`` with a completion handler.
    public func signIn(with credential: AuthCredential, completion: AnswerHandler<AuthDataResult>? = nil) {
        deliver(to: completion) { () async throws(AuthError) in try await self.signIn(with: credential) }
    }

    /// ``signInAnonymously()`` with a completion handler.
    public func signInAnonymously(completion: AnswerHandler<AuthDataResult>? = nil) {
        deliver(to: completion) { () async throws(AuthError) in try await self.signInAnonymously() }
    }

    /// ``sendPasswordReset(withEmail:)`` with a completion handler.
    public func sendPasswordReset(withEmail email: String, completion: ErrorHandler? = nil) {
        sendPasswordReset(withEmail: email, actionCodeSettings: nil, completion: completion)
    }

    /// ``sendPasswordReset(withEmail:actionCodeSettings:)`` with a completion handler.
    public func sendPasswordReset(
        withEmail email: String, actionCodeSettings: ActionCodeSettings?, completion: ErrorHandler? = nil
    ) {
        let settings = read { () throws(AuthError) in try actionCodeSettings?.members() ?? [] }
        deliver(to: completion) { () async throws(AuthError) in
            try await self.mail(.passwordReset, [("email", .string(email))] + settings.get())
        }
    }

    /// ``sendSignInLink(toEmail:actionCodeSettings:)`` with a completion handler.
    public func sendSignInLink(
        toEmail email: String, actionCodeSettings: ActionCodeSettings, completion: ErrorHandler? = nil
    ) {
        let settings = read { () throws(AuthError) in try Self.signInSettings(actionCodeSettings) }
        deliver(to: completion) { () async throws(AuthError) in
            try await self.mail(.emailSignIn, [("email", .string(email))] + settings.get())
        }
    }

    /// ``verifyPasswordResetCode(_:)-(String)`` with a completion handler.
    public func verifyPasswordResetCode(_ code: String, completion: @escaping AnswerHandler<String>) {
        deliver(to: completion) { () async throws(AuthError) in try await self.verifyPasswordResetCode(code) }
    }

    /// ``confirmPasswordReset(withCode:newPassword:)`` with a completion handler.
    public func confirmPasswordReset(
        withCode code: String, newPassword: String, completion: @escaping ErrorHandler
    ) {
        deliver(to: completion) { () async throws(AuthError) in
            try await self.confirmPasswordReset(withCode: code, newPassword: newPassword)
        }
    }

    /// ``checkActionCode(_:)-(String)`` with a completion handler.
    public func checkActionCode(_ code: String, completion: @escaping AnswerHandler<ActionCodeInfo>) {
        deliver(to: completion) { () async throws(AuthError) in try await self.checkActionCode(code) }
    }

    /// ``applyActionCode(_:)-(String)`` with a completion handler.
    public func applyActionCode(_ code: String, completion: @escaping ErrorHandler) {
        deliver(to: completion) { () async throws(AuthError) in try await self.applyActionCode(code) }
    }
}
