// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

public import HomingClient
internal import HomingWire

extension User {
    /// ``reload()`` with a completion handler.
    public func reload(completion: ErrorHandler? = nil) {
        deliver(to: completion) { () async throws(AuthError) in try await self.reload() }
    }

    /// ``getIDToken(forcingRefresh:)`` without force, with a completion handler.
    public func getIDToken(completion: AnswerHandler<String>?) {
        getIDTokenForcingRefresh(false, completion: completion)
    }

    /// ``getIDToken(forcingRefresh:)`` with a completion handler.
    public func getIDTokenForcingRefresh(_ forceRefresh: Bool, completion: AnswerHandler<String>?) {
        deliver(to: completion) { () async throws(AuthError) in
            try await self.getIDToken(forcingRefresh: forceRefresh)
        }
    }

    /// ``sendEmailVerification()`` with a completion handler.
    public func sendEmailVerification(completion: ErrorHandler? = nil) {
        deliver(to: completion) { () async throws(AuthError) in try await self.sendEmailVerification() }
    }

    /// ``sendEmailVerification(with:)`` with a completion handler.
    public func sendEmailVerification(
        with actionCodeSettings: ActionCodeSettings?, completion: ErrorHandler? = nil
    ) {
        let settings = read { () throws(AuthError) in try actionCodeSettings?.members() ?? [] }
        deliver(to: completion) { () async throws(AuthError) in
            try await self.mail(.verifyEmail, settings.get())
        }
    }

    /// ``sendEmailVerification(beforeUpdatingEmail:actionCodeSettings:)`` with a completion handler.
    public func sendEmailVerification(
        beforeUpdatingEmail newEmail: String, actionCodeSettings: ActionCodeSettings? = nil,
        completion: ErrorHandler? = nil
    ) {
        let settings = read { () throws(AuthError) in try actionCodeSettings?.members() ?? [] }
        deliver(to: completion) { () async throws(AuthError) in
            try await self.mail(.verifyAndChangeEmail, [("newEmail", .string(newEmail))] + settings.get())
        }
    }

    /// ``updatePassword(to:)`` with a completion handler.
    public func updatePassword(to password: String, completion: ErrorHandler? = nil) {
        deliver(to: completion) { () async throws(AuthError) in try await self.updatePassword(to: password) }
    }

    /// ``reauthenticate(with:)`` with a completion handler.
    public func reauthenticate(with credential: AuthCredential, completion: AnswerHandler<AuthDataResult>? = nil) {
        deliver(to: completion) { () async throws(AuthError) in try await self.reauthenticate(with: credential) }
    }

    /// ``link(with:)`` with a completion handler.
    public func link(with credential: AuthCredential, completion: AnswerHandler<AuthDataResult>? = nil) {
        deliver(to: completion) { () async throws(AuthError) in try await self.link(with: credential) }
    }

    /// ``delete()`` with a completion handler.
    public func delete(completion: ErrorHandler? = nil) {
        deliver(to: completion) { () async throws(AuthError) in try await self.delete() }
    }
}
