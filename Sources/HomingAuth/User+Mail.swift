// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingWire

extension User {
    /// Mails a link that verifies the address.
    public func sendEmailVerification() async throws(HomingAuthError) {
        try await mail(.verifyEmail, [])
    }

    /// Mails a link that verifies the address and brings the person back.
    public func sendEmailVerification(with actionCodeSettings: ActionCodeSettings?) async throws(HomingAuthError) {
        let settings = try actionCodeSettings?.members() ?? []
        try await mail(.verifyEmail, settings)
    }

    /// Mails a link to a new address, which becomes the user's when the link is followed.
    ///
    /// - Throws: ``AuthErrorCode/requiresRecentLogin`` when the sign-in is too long ago.
    public func sendEmailVerification(
        beforeUpdatingEmail newEmail: String, actionCodeSettings: ActionCodeSettings? = nil
    ) async throws(HomingAuthError) {
        let settings = try actionCodeSettings?.members() ?? []
        try await mail(.verifyAndChangeEmail, [("newEmail", .string(newEmail))] + settings)
    }

    /// Asks for a mail. When it goes to another address than the known one, another device has changed it.
    func mail(_ type: ActionRequestType, _ members: [(String, JSON?)]) async throws(HomingAuthError) {
        _ = try await send(type, members)
    }

    func send(_ type: ActionRequestType, _ members: [(String, JSON?)]) async throws(HomingAuthError) -> JSON.Object {
        let answer = try await authorized { idToken async throws(HomingAuthError) in
            try await self.auth.send(type, [("idToken", .string(idToken))] + members)
        }
        // The mail is on its way: what is learned besides is no reason to fail.
        if let address = answer["email"]?.stringValue, address != email { try? await reload() }
        return answer
    }
}
