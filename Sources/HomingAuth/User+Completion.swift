// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingClient
internal import HomingWire

extension User {
    /// ``reload()`` with a completion handler.
    public func reload(completion: (((any Error)?) -> Void)? = nil) {
        deliver(to: completion) { () async throws(HomingAuthError) in try await self.reload() }
    }

    /// ``getIDToken(forcingRefresh:)`` without force, with a completion handler.
    public func getIDToken(completion: ((String?, (any Error)?) -> Void)?) {
        getIDTokenForcingRefresh(false, completion: completion)
    }

    /// ``getIDToken(forcingRefresh:)`` with a completion handler.
    public func getIDTokenForcingRefresh(_ forceRefresh: Bool, completion: ((String?, (any Error)?) -> Void)?) {
        deliver(to: completion) { () async throws(HomingAuthError) in
            try await self.getIDToken(forcingRefresh: forceRefresh)
        }
    }

    /// ``sendEmailVerification()`` with a completion handler.
    public func sendEmailVerification(completion: (((any Error)?) -> Void)? = nil) {
        deliver(to: completion) { () async throws(HomingAuthError) in try await self.sendEmailVerification() }
    }

    /// ``sendEmailVerification(with:)`` with a completion handler.
    public func sendEmailVerification(
        with actionCodeSettings: ActionCodeSettings?, completion: (((any Error)?) -> Void)? = nil
    ) {
        let settings = read { () throws(HomingAuthError) in try actionCodeSettings?.members() ?? [] }
        deliver(to: completion) { () async throws(HomingAuthError) in
            try await self.mail(.verifyEmail, settings.get())
        }
    }

    /// ``sendEmailVerification(beforeUpdatingEmail:actionCodeSettings:)`` with a completion handler.
    public func sendEmailVerification(
        beforeUpdatingEmail newEmail: String, actionCodeSettings: ActionCodeSettings? = nil,
        completion: (((any Error)?) -> Void)? = nil
    ) {
        let settings = read { () throws(HomingAuthError) in try actionCodeSettings?.members() ?? [] }
        deliver(to: completion) { () async throws(HomingAuthError) in
            try await self.mail(.verifyAndChangeEmail, [("newEmail", .string(newEmail))] + settings.get())
        }
    }

    /// ``updatePassword(to:)`` with a completion handler.
    public func updatePassword(to password: String, completion: (((any Error)?) -> Void)? = nil) {
        deliver(to: completion) { () async throws(HomingAuthError) in try await self.updatePassword(to: password) }
    }

    /// ``reauthenticate(with:)`` with a completion handler.
    public func reauthenticate(
        with credential: AuthCredential, completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
    ) {
        deliver(to: completion) { () async throws(HomingAuthError) in try await self.reauthenticate(with: credential) }
    }

    /// ``link(with:)`` with a completion handler.
    public func link(with credential: AuthCredential, completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil) {
        deliver(to: completion) { () async throws(HomingAuthError) in try await self.link(with: credential) }
    }

    /// ``delete()`` with a completion handler.
    public func delete(completion: (((any Error)?) -> Void)? = nil) {
        deliver(to: completion) { () async throws(HomingAuthError) in try await self.delete() }
    }
}
