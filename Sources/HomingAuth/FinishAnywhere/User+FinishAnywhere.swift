// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingClient
internal import HomingWire

extension User {
    /// Mails a link that verifies the address, wherever the mail is opened.
    ///
    /// - Returns: what to show and wait for. When it is done, ``reload()`` tells that the address is verified.
    public func sendEmailVerification(
        with actionCodeSettings: ActionCodeSettings? = nil, finishing: Finishing
    ) async throws(HomingAuthError) -> PendingAction {
        let settings = try actionCodeSettings?.members() ?? []
        return try await begin(.verifyEmail, settings, for: nil)
    }

    /// Mails a link to a new address, which becomes the user's when the link is followed, wherever that is.
    ///
    /// - Returns: what to show and wait for. When it is done this session is over: sign in again.
    /// - Throws: ``AuthErrorCode/requiresRecentLogin`` when the sign-in is too long ago.
    public func sendEmailVerification(
        beforeUpdatingEmail newEmail: String, actionCodeSettings: ActionCodeSettings? = nil, finishing: Finishing
    ) async throws(HomingAuthError) -> PendingAction {
        let settings = try actionCodeSettings?.members() ?? []
        return try await begin(.verifyAndChangeEmail, settings, for: newEmail)
    }

    private func begin(
        _ type: ActionRequestType, _ settings: [(String, JSON?)], for newEmail: String?
    ) async throws(HomingAuthError) -> PendingAction {
        try await auth.begin(type, settings, for: newEmail, in: tenantID) { members async throws(HomingAuthError) in
            try await send(type, [("newEmail", newEmail.map { .string($0) })] + members)
        }
    }

    /// ``sendEmailVerification(with:finishing:)`` with a completion handler.
    public func sendEmailVerification(
        with actionCodeSettings: ActionCodeSettings? = nil, finishing: Finishing,
        completion: @escaping (PendingAction?, (any Error)?) -> Void
    ) {
        let settings = read { () throws(HomingAuthError) in try actionCodeSettings?.members() ?? [] }
        deliver(to: completion) { () async throws(HomingAuthError) in
            try await self.begin(.verifyEmail, settings.get(), for: nil)
        }
    }

    /// ``sendEmailVerification(beforeUpdatingEmail:actionCodeSettings:finishing:)`` with a completion handler.
    public func sendEmailVerification(
        beforeUpdatingEmail newEmail: String, actionCodeSettings: ActionCodeSettings? = nil, finishing: Finishing,
        completion: @escaping (PendingAction?, (any Error)?) -> Void
    ) {
        let settings = read { () throws(HomingAuthError) in try actionCodeSettings?.members() ?? [] }
        deliver(to: completion) { () async throws(HomingAuthError) in
            try await self.begin(.verifyAndChangeEmail, settings.get(), for: newEmail)
        }
    }
}
