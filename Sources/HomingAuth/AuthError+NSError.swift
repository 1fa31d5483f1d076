// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

public import Foundation

// `Error` stands in a file that sees Foundation: elsewhere its domain would be the name of the type.
extension AuthErrorCode: Error, CustomNSError {
    /// `FIRAuthErrorDomain`.
    public static var errorDomain: String { AuthErrors.domain }

    /// The number of the code.
    public var errorCode: Int { rawValue }

    /// The name of the code, the message, and what else is known.
    public var errorUserInfo: [String: Any] {
        var info: [String: Any] = [AuthErrors.userInfoNameKey: name, NSLocalizedDescriptionKey: message]
        info[NSLocalizedFailureReasonErrorKey] = failureReason
        info[AuthErrors.userInfoEmailKey] = email
        info[AuthErrors.userInfoTriesLeftKey] = triesLeft
        info[NSUnderlyingErrorKey] = underlyingError
        return info
    }
}

// What Swift makes of an error enumeration of Objective-C, which `AuthErrorCode` is in FirebaseAuth 9 and 10.
extension AuthErrorCode {
    /// The ``errorUserInfo``.
    public var userInfo: [String: Any] { errorUserInfo }

    /// An error from a code and what `userInfo` of an `NSError` says, for the tests of an app.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.init(
            code, userInfo[NSLocalizedDescriptionKey] as? String ?? code.message,
            failureReason: userInfo[NSLocalizedFailureReasonErrorKey] as? String,
            email: userInfo[AuthErrors.userInfoEmailKey] as? String,
            underlying: userInfo[NSUnderlyingErrorKey] as? any Error)
        details?.triesLeft = userInfo[AuthErrors.userInfoTriesLeftKey] as? Int
    }

    /// The error that an `NSError` stands for, by its number.
    ///
    /// One of another domain becomes ``internalError`` with it inside: a number means nothing without its domain.
    public init(_nsError error: NSError) {
        guard error.domain == Self.errorDomain else {
            self.init(.internalError, error.localizedDescription, underlying: error)
            return
        }
        self.init(AuthErrorCode(error.code), userInfo: error.userInfo)
    }
}

extension AuthErrorCode: _ObjectiveCBridgeableError {
    /// Lets `error as? AuthErrorCode` find the error in an `NSError` that Objective-C has handed on. Apple's platforms
    /// ask for it.
    ///
    /// - Returns: nil for another domain than ``errorDomain``.
    public init?(_bridgedNSError error: NSError) {
        guard error.domain == Self.errorDomain else { return nil }
        self.init(_nsError: error)
    }
}
