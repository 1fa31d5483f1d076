// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

public import Foundation

/// Why a call failed. As an `NSError` it has FirebaseAuth's domain, number and `userInfo` keys.
public struct AuthError: Error, Sendable {
    /// What went wrong.
    public let code: AuthErrorCode
    /// What happened and what to do next.
    public let message: String
    /// The server's own detail, such as the rules that a password breaks.
    public let failureReason: String?
    /// The address that the error is about.
    public internal(set) var email: String?
    /// What was underneath, such as an `URLError`.
    public let underlyingError: (any Error)?

    /// The wire's word, such as `TOKEN_EXPIRED`; nil for errors that did not come from the server.
    let wireCode: String?

    /// An error from its parts, for the tests of an app.
    public init(
        _ code: AuthErrorCode, _ message: String, failureReason: String? = nil, email: String? = nil,
        underlying: (any Error)? = nil
    ) {
        self.init(
            code: code, message: message, failureReason: failureReason, email: email, underlying: underlying,
            wireCode: nil)
    }

    init(
        code: AuthErrorCode, message: String, failureReason: String?, email: String?, underlying: (any Error)?,
        wireCode: String?
    ) {
        self.code = code
        self.message = message
        self.failureReason = failureReason
        self.email = email
        underlyingError = underlying
        self.wireCode = wireCode
    }

    /// Whether a call with the user's token failed because the session is over (facts: identity-toolkit, trap 24).
    var endsSession: Bool {
        guard let wireCode else { return false }
        return ["USER_NOT_FOUND", "TOKEN_EXPIRED", "USER_DISABLED", "INVALID_ID_TOKEN", "INVALID_REFRESH_TOKEN"]
            .contains(wireCode)
    }
}

extension AuthError: LocalizedError {
    /// The message.
    public var errorDescription: String? { message }
}

extension AuthError: CustomNSError {
    /// `FIRAuthErrorDomain`.
    public static var errorDomain: String { AuthErrors.domain }

    /// The number of the code.
    public var errorCode: Int { code.rawValue }

    /// The name of the code, the message, and what else is known.
    public var errorUserInfo: [String: Any] {
        var info: [String: Any] = [AuthErrors.userInfoNameKey: code.name, NSLocalizedDescriptionKey: message]
        info[NSLocalizedFailureReasonErrorKey] = failureReason
        info[AuthErrors.userInfoEmailKey] = email
        info[NSUnderlyingErrorKey] = underlyingError
        return info
    }
}

/// The domain and the `userInfo` keys of errors.
public enum AuthErrors {
    /// The domain of every ``AuthError``.
    public static let domain = "FIRAuthErrorDomain"
    /// Under which `userInfo` has the name, such as `ERROR_USER_NOT_FOUND`.
    public static let userInfoNameKey = "FIRAuthErrorUserInfoNameKey"
    /// Under which `userInfo` has the address that the error is about.
    public static let userInfoEmailKey = "FIRAuthErrorUserInfoEmailKey"
}
