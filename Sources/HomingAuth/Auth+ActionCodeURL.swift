// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingClient
internal import HomingWire

/// Codes as links bring them: the same calls, which also see whether the link is this project's.
extension Auth {
    /// What the code of a link does, without using it up.
    ///
    /// - Throws: ``AuthErrorCode/invalidActionCode`` without a request for a link of another project.
    public func checkActionCode(_ url: ActionCodeURL) async throws(HomingAuthError) -> ActionCodeInfo {
        try await check(try code(of: url), url.tenant)
    }

    /// The address whose password the code of a link sets, without using it up.
    ///
    /// - Throws: ``AuthErrorCode/invalidActionCode`` without a request for a link of another project.
    public func verifyPasswordResetCode(_ url: ActionCodeURL) async throws(HomingAuthError) -> String {
        try await address(of: try code(of: url), url.tenant)
    }

    /// Sets a new password with the code of a link. It ends every session of the account.
    ///
    /// - Throws: ``AuthErrorCode/invalidActionCode`` without a request for a link of another project.
    public func confirmPasswordReset(with url: ActionCodeURL, newPassword: String) async throws(HomingAuthError) {
        try await reset(try code(of: url), url.tenant, to: newPassword)
    }

    /// Does what the code of a link is for: verifies an address, changes it, or takes a change back.
    ///
    /// The signed-in user learns of it with ``User/reload()``.
    ///
    /// - Throws: ``AuthErrorCode/invalidActionCode`` without a request for a link of another project.
    public func applyActionCode(_ url: ActionCodeURL) async throws(HomingAuthError) {
        try await apply(try code(of: url), url.tenant)
    }

    /// Signs in with the link that was mailed to an address; an address without an account gets one.
    ///
    /// - Throws: ``AuthErrorCode/invalidActionCode`` without a request for a link of another project, or one that does
    ///   something else.
    @discardableResult
    public func signIn(withEmail email: String, link url: ActionCodeURL) async throws(HomingAuthError) -> AuthDataResult
    {
        let code = try code(of: url)
        guard url.operation == .emailLink else { throw .notASignInLink }
        return try await signIn(
            with: AuthCredential(
                provider: EmailAuthProvider.id, proof: .code(email: email, code: code, tenant: url.tenantID)))
    }

    func code(of url: ActionCodeURL) throws(HomingAuthError) -> String {
        guard let code = url.code else { throw .damagedLink }
        try check(apiKey: url.apiKey)
        return code
    }
}

extension ActionCodeURL {
    /// ``tenantID`` as a member of a request.
    fileprivate var tenant: (String, JSON?) { Auth.member(tenantID) }
}

extension Auth {
    /// ``checkActionCode(_:)-(ActionCodeURL)`` with a completion handler.
    public func checkActionCode(_ url: ActionCodeURL, completion: @escaping (ActionCodeInfo?, (any Error)?) -> Void) {
        deliver(to: completion) { () async throws(HomingAuthError) in try await self.checkActionCode(url) }
    }

    /// ``verifyPasswordResetCode(_:)-(ActionCodeURL)`` with a completion handler.
    public func verifyPasswordResetCode(_ url: ActionCodeURL, completion: @escaping (String?, (any Error)?) -> Void) {
        deliver(to: completion) { () async throws(HomingAuthError) in try await self.verifyPasswordResetCode(url) }
    }

    /// ``confirmPasswordReset(with:newPassword:)`` with a completion handler.
    public func confirmPasswordReset(
        with url: ActionCodeURL, newPassword: String, completion: @escaping ((any Error)?) -> Void
    ) {
        deliver(to: completion) { () async throws(HomingAuthError) in
            try await self.confirmPasswordReset(with: url, newPassword: newPassword)
        }
    }

    /// ``applyActionCode(_:)-(ActionCodeURL)`` with a completion handler.
    public func applyActionCode(_ url: ActionCodeURL, completion: @escaping ((any Error)?) -> Void) {
        deliver(to: completion) { () async throws(HomingAuthError) in try await self.applyActionCode(url) }
    }

    /// ``signIn(withEmail:link:)-(_,ActionCodeURL)`` with a completion handler.
    public func signIn(
        withEmail email: String, link url: ActionCodeURL, completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
    ) {
        deliver(to: completion) { () async throws(HomingAuthError) in try await self.signIn(withEmail: email, link: url)
        }
    }
}
