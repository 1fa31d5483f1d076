// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingWire

extension Auth {
    // MARK: Asking for mails

    /// Mails a link that sets a new password. Whether the address has an account is not told.
    public func sendPasswordReset(withEmail email: String) async throws(HomingAuthError) {
        try await mail(.passwordReset, [("email", .string(email)), tenant])
    }

    /// Mails a link that sets a new password and brings the person back.
    public func sendPasswordReset(
        withEmail email: String, actionCodeSettings: ActionCodeSettings?
    ) async throws(HomingAuthError) {
        let settings = try actionCodeSettings?.members() ?? []
        try await mail(.passwordReset, [("email", .string(email)), tenant] + settings)
    }

    /// Mails a link that signs in.
    ///
    /// - Throws: ``AuthErrorCode/internalError`` without a request when ``ActionCodeSettings/handleCodeInApp`` is
    ///   false.
    public func sendSignInLink(
        toEmail email: String, actionCodeSettings: ActionCodeSettings
    ) async throws(HomingAuthError) {
        let settings = try Self.signInSettings(actionCodeSettings)
        try await mail(.emailSignIn, [("email", .string(email)), tenant] + settings)
    }

    static func signInSettings(_ settings: ActionCodeSettings) throws(HomingAuthError) -> [(String, JSON?)] {
        guard settings.handleCodeInApp else {
            throw HomingAuthError(
                .internalError, "A sign-in link is for the app: set handleCodeInApp of the action code settings.")
        }
        return try settings.members()
    }

    /// Asks for a mail.
    func mail(_ type: ActionRequestType, _ members: [(String, JSON?)]) async throws(HomingAuthError) {
        _ = try await send(type, members)
    }

    func send(_ type: ActionRequestType, _ members: [(String, JSON?)]) async throws(HomingAuthError) -> JSON.Object {
        try await backend.call(
            "sendOobCode", [("requestType", .string(type.name))] + members, language: languageCode)
    }

    // MARK: Using codes

    /// The address whose password a code sets, without using the code up.
    ///
    /// - Throws: ``AuthErrorCode/invalidActionCode`` also for a code that does something else.
    public func verifyPasswordResetCode(_ code: String) async throws(HomingAuthError) -> String {
        try await address(of: code, tenant)
    }

    func address(of code: String, _ tenant: (String, JSON?)) async throws(HomingAuthError) -> String {
        let info = try await check(code, tenant)
        guard info.operation == .passwordReset else {
            throw HomingAuthError(
                .invalidActionCode, "The code is good but sets no password. Ask checkActionCode(_:) what it does.")
        }
        return info.email
    }

    /// Sets a new password with a code from a mail. It ends every session of the account.
    public func confirmPasswordReset(withCode code: String, newPassword: String) async throws(HomingAuthError) {
        try await reset(code, tenant, to: newPassword)
    }

    func reset(_ code: String, _ tenant: (String, JSON?), to newPassword: String) async throws(HomingAuthError) {
        guard !newPassword.isEmpty else {
            throw HomingAuthError(.weakPassword, "The new password is empty. Ask for one.")
        }
        try await asAsking(for: [.passwordReset]) { action async throws(HomingAuthError) in
            let answer = try await backend.call(
                "resetPassword",
                [("oobCode", .string(code)), ("newPassword", .string(newPassword)), tenant, Self.member(action)],
                language: languageCode)
            return Use(answer: (), email: answer["email"]?.stringValue, state: .done(by: .here))
        }
    }

    /// What a code does, without using it up.
    public func checkActionCode(_ code: String) async throws(HomingAuthError) -> ActionCodeInfo {
        try await check(code, tenant)
    }

    func check(_ code: String, _ tenant: (String, JSON?)) async throws(HomingAuthError) -> ActionCodeInfo {
        let answer = try await backend.call("resetPassword", [("oobCode", .string(code)), tenant])
        return ActionCodeInfo(
            operation: ActionCodeOperation(requestType: answer["requestType"]?.stringValue),
            email: answer["email"]?.stringValue, newEmail: answer["newEmail"]?.stringValue)
    }

    /// Does what a code is for: verifies an address, changes it, or takes a change back.
    ///
    /// The signed-in user learns of it with ``User/reload()``.
    public func applyActionCode(_ code: String) async throws(HomingAuthError) { try await apply(code, tenant) }

    func apply(_ code: String, _ tenant: (String, JSON?)) async throws(HomingAuthError) {
        try await asAsking(for: [.verifyEmail, .verifyAndChangeEmail]) { action async throws(HomingAuthError) in
            let answer = try await apply(code, tenant, by: action)
            return Use(answer: (), email: answer["email"]?.stringValue, state: .done(by: .here))
        }
    }

    func apply(
        _ code: String, _ tenant: (String, JSON?), by action: PendingAction?
    ) async throws(HomingAuthError) -> JSON.Object {
        try await backend.call(
            "update", [("oobCode", .string(code)), tenant, Self.member(action)], language: languageCode)
    }

    /// Whether ``signIn(withEmail:link:)-(_,String)`` takes a link, wrapped or not: one that signs in, of this project.
    public func isSignIn(withEmailLink link: String) -> Bool {
        guard case .action(let action) = IncomingAction(link), action.mode == .signIn else { return false }
        return backend.has(apiKey: action.apiKey)
    }
}
