// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// What went wrong, with the names and numbers of FirebaseAuth, and for a call that has failed what happened and
/// what to do: the error itself.
///
/// As in FirebaseAuth it is both, so `error as? AuthErrorCode` finds the error of a call and ``code`` is for a
/// `switch`. Two are equal when their numbers are, whatever else they say.
///
/// It is open: a later version may have more of them, so a `switch` needs a `default`.
public struct AuthErrorCode: RawRepresentable, Sendable {
    /// The number that the error has as an `NSError`.
    public let rawValue: Int

    /// What a failed call tells besides; nil for a code alone.
    var details: Details?

    struct Details: Sendable {
        var message: String
        var failureReason: String?
        var email: String?
        var underlyingError: (any Error)?
        /// The wire's word, such as `TOKEN_EXPIRED`; nil for errors that did not come from the server.
        var wireCode: String?
        /// How often a code may still be typed.
        var triesLeft: Int?
    }

    /// Code that was written for FirebaseAuth 9 or 10 says `AuthErrorCode.Code`.
    public typealias Code = AuthErrorCode

    /// The code of a number; nil for a number that is not in the list.
    public init?(rawValue: Int) {
        guard Self.names[rawValue] != nil || Self.otherNames[rawValue] != nil else { return nil }
        self.init(rawValue)
    }

    init(_ number: Int, details: Details? = nil) {
        rawValue = number
        self.details = details
    }

    /// The code alone, without what a failed call told besides.
    public var code: Code { AuthErrorCode(rawValue) }

    /// The name as `FIRAuthErrorUserInfoNameKey` gives it, `ERROR_USER_NOT_FOUND`.
    public var name: String { "ERROR_\(Self.names[rawValue] ?? Self.otherNames[rawValue] ?? "INTERNAL_ERROR")" }

    /// Lets `catch AuthErrorCode.userNotFound` match, whether the error comes from a call or, as an `NSError`, from
    /// Objective-C.
    public static func ~= (code: AuthErrorCode, error: any Error) -> Bool {
        error._domain == errorDomain && error._code == code.rawValue
    }

    /// The same for a `switch` over a ``code``, and where the compiler knows what was thrown.
    public static func ~= (code: AuthErrorCode, error: AuthErrorCode) -> Bool { code == error }
}

extension AuthErrorCode: Hashable {
    /// Whether the numbers are the same.
    public static func == (left: AuthErrorCode, right: AuthErrorCode) -> Bool { left.rawValue == right.rawValue }

    /// Hashes the number.
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

extension AuthErrorCode: CustomStringConvertible {
    /// The name, and for the error of a call its message.
    public var description: String { details.map { "\(name): \($0.message)" } ?? name }
}

extension AuthErrorCode {
    /// The back end's token is malformed, too old, or not signed by a service account of the server.
    public static let invalidCustomToken = AuthErrorCode(17000)
    /// The back end's token is of another project.
    public static let customTokenMismatch = AuthErrorCode(17002)
    /// The address, the password or the code is wrong.
    public static let invalidCredential = AuthErrorCode(17004)
    /// The operator has disabled the account.
    public static let userDisabled = AuthErrorCode(17005)
    /// The project does not offer this way of signing in, or this change.
    public static let operationNotAllowed = AuthErrorCode(17006)
    /// Another account has the address.
    public static let emailAlreadyInUse = AuthErrorCode(17007)
    /// The address is not one, or not the one that the link was mailed to.
    public static let invalidEmail = AuthErrorCode(17008)
    /// The password is wrong.
    public static let wrongPassword = AuthErrorCode(17009)
    /// A limit was reached; try again later.
    public static let tooManyRequests = AuthErrorCode(17010)
    /// There is no such account, or it is gone.
    public static let userNotFound = AuthErrorCode(17011)
    /// The change needs a fresh sign-in: ``User/reauthenticate(with:)`` first.
    public static let requiresRecentLogin = AuthErrorCode(17014)
    /// The user has an address to sign in with already.
    public static let providerAlreadyLinked = AuthErrorCode(17015)
    /// The session is not valid; sign in again.
    public static let invalidUserToken = AuthErrorCode(17017)
    /// The server was not reached or had no time.
    public static let networkError = AuthErrorCode(17020)
    /// The session was ended, by a new password for example; sign in again.
    public static let userTokenExpired = AuthErrorCode(17021)
    /// The server does not know the key, or nothing was configured.
    public static let invalidAPIKey = AuthErrorCode(17023)
    /// The credential belongs to somebody else than the signed-in user.
    public static let userMismatch = AuthErrorCode(17024)
    /// The password is too short or too easy.
    public static let weakPassword = AuthErrorCode(17026)
    /// The code's time is over; ask for a new mail.
    public static let expiredActionCode = AuthErrorCode(17029)
    /// The code was used, replaced or damaged; ask for a new mail.
    public static let invalidActionCode = AuthErrorCode(17030)
    /// Nothing can be mailed to the address.
    public static let invalidRecipientEmail = AuthErrorCode(17033)
    /// An address is needed.
    public static let missingEmail = AuthErrorCode(17034)
    /// ``ActionCodeSettings/iOSBundleID`` is needed.
    public static let missingIosBundleID = AuthErrorCode(17036)
    /// ``ActionCodeSettings/androidPackageName`` is needed too.
    public static let missingAndroidPackageName = AuthErrorCode(17037)
    /// The continue URL's domain is not on the project's list.
    public static let unauthorizedDomain = AuthErrorCode(17038)
    /// The continue URL is not one.
    public static let invalidContinueURI = AuthErrorCode(17039)
    /// ``ActionCodeSettings/url`` is needed.
    public static let missingContinueURI = AuthErrorCode(17040)
    /// The project's quota is used up.
    public static let quotaExceeded = AuthErrorCode(17052)
    /// A user is needed.
    public static let nullUser = AuthErrorCode(17067)
    /// The project has no link domain.
    public static let dynamicLinkNotActivated = AuthErrorCode(17068)
    /// The session belongs to another tenant.
    public static let tenantIDMismatch = AuthErrorCode(17072)
    /// ``ActionCodeSettings/dynamicLinkDomain`` is not one of the project's.
    public static let invalidDynamicLinkDomain = AuthErrorCode(17074)
    /// Only the operator may do this.
    public static let adminRestrictedOperation = AuthErrorCode(17085)
    /// The new address has to be verified first.
    public static let emailChangeNeedsVerification = AuthErrorCode(17090)
    /// The project's password policy refuses the password; the message lists what is missing.
    public static let passwordDoesNotMeetRequirements = AuthErrorCode(17211)
    /// ``ActionCodeSettings/linkDomain`` is not one of the project's.
    public static let invalidHostingLinkDomain = AuthErrorCode(17214)
    /// The session could not be kept on, or removed from, this device.
    public static let keychainError = AuthErrorCode(17995)
    /// Anything else; the message says what.
    public static let internalError = AuthErrorCode(17999)

    // MARK: Of requests that are finished anywhere. FirebaseAuth has no number above 18000.

    /// Another device has asked for the code, or this app before it was installed anew.
    public static let missingCodeVerifier = AuthErrorCode(19001)
    /// The server does not know the request that is waited for.
    public static let invalidRequestID = AuthErrorCode(19002)
    /// The server does not take the challenge of a request.
    public static let invalidCodeChallenge = AuthErrorCode(19003)
    /// Whoever opened the mail did not ask for it, or typed three wrong numbers.
    public static let actionDeclined = AuthErrorCode(19004)
    /// The app itself has stopped waiting.
    public static let waitCancelled = AuthErrorCode(19005)

    private static let names = [
        17000: "INVALID_CUSTOM_TOKEN", 17002: "CUSTOM_TOKEN_MISMATCH",
        17004: "INVALID_CREDENTIAL", 17005: "USER_DISABLED", 17006: "OPERATION_NOT_ALLOWED",
        17007: "EMAIL_ALREADY_IN_USE", 17008: "INVALID_EMAIL", 17009: "WRONG_PASSWORD", 17010: "TOO_MANY_REQUESTS",
        17011: "USER_NOT_FOUND", 17014: "REQUIRES_RECENT_LOGIN", 17015: "PROVIDER_ALREADY_LINKED",
        17017: "INVALID_USER_TOKEN", 17020: "NETWORK_REQUEST_FAILED", 17021: "USER_TOKEN_EXPIRED",
        17023: "INVALID_API_KEY", 17024: "USER_MISMATCH", 17026: "WEAK_PASSWORD", 17029: "EXPIRED_ACTION_CODE",
        17030: "INVALID_ACTION_CODE", 17033: "INVALID_RECIPIENT_EMAIL", 17034: "MISSING_EMAIL",
        17036: "MISSING_IOS_BUNDLE_ID", 17037: "MISSING_ANDROID_PKG_NAME", 17038: "UNAUTHORIZED_DOMAIN",
        17039: "INVALID_CONTINUE_URI", 17040: "MISSING_CONTINUE_URI", 17052: "QUOTA_EXCEEDED", 17067: "NULL_USER",
        17068: "DYNAMIC_LINK_NOT_ACTIVATED", 17072: "TENANT_ID_MISMATCH", 17074: "INVALID_DYNAMIC_LINK_DOMAIN",
        17085: "ADMIN_RESTRICTED_OPERATION", 17090: "EMAIL_CHANGE_NEEDS_VERIFICATION",
        17211: "PASSWORD_DOES_NOT_MEET_REQUIREMENTS", 17214: "INVALID_HOSTING_LINK_DOMAIN", 17995: "KEYCHAIN_ERROR",
        17999: "INTERNAL_ERROR", 19001: "MISSING_CODE_VERIFIER", 19002: "INVALID_REQUEST_ID",
        19003: "INVALID_CODE_CHALLENGE", 19004: "ACTION_DECLINED", 19005: "WAIT_CANCELLED",
    ]
}
