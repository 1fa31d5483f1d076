// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

public import Foundation

/// Why a call failed: a code that says what happened and what to do next. Calls throw nothing else.
///
/// As an `NSError` it has FirebaseAuth's domain, number and `userInfo` keys.
public typealias HomingAuthError = AuthErrorCode

extension AuthErrorCode {
    /// An error from its parts, for the tests of an app.
    public init(
        _ code: Code, _ message: String, failureReason: String? = nil, email: String? = nil,
        underlying: (any Error)? = nil
    ) {
        self.init(
            code.rawValue,
            details: Details(
                message: message, failureReason: failureReason, email: email, underlyingError: underlying))
    }

    /// What happened and what to do next.
    public var message: String { details?.message ?? Self.advice[self] ?? name }

    /// The server's own detail, such as the rules that a password breaks.
    public var failureReason: String? { details?.failureReason }

    /// The address that the error is about.
    public internal(set) var email: String? {
        get { details?.email }
        set {
            var told = details ?? Details(message: message)
            told.email = newValue
            details = told
        }
    }

    /// How often the code of a mail may still be typed, when one that was typed is wrong. At none the link of the mail
    /// is as good as before.
    public var triesLeft: Int? { details?.triesLeft }

    /// What was underneath, such as an `URLError`.
    public var underlyingError: (any Error)? { details?.underlyingError }

    /// Says that it was a typed code that is wrong, which the wire's word leaves open.
    mutating func tell(triesLeft: Int) {
        var told = details ?? Details(message: message)
        told.triesLeft = triesLeft
        told.message = "The typed code is wrong. Tries left: \(triesLeft); the link of the mail works in any case."
        details = told
    }

    /// Whether a call with the user's token failed because the session is over (Identity Toolkit v1).
    var endsSession: Bool {
        guard let wireCode = details?.wireCode else { return false }
        return ["USER_NOT_FOUND", "TOKEN_EXPIRED", "USER_DISABLED", "INVALID_ID_TOKEN", "INVALID_REFRESH_TOKEN"]
            .contains(wireCode)
    }
}

extension AuthErrorCode: LocalizedError {
    /// The message.
    public var errorDescription: String? { message }
}
