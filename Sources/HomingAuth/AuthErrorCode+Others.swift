// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

// What FirebaseAuth knows besides. Nothing here gives these codes; with them a `switch` that was written for
// FirebaseAuth compiles.
extension AuthErrorCode {
    // MARK: Of other ways of signing in

    /// Firebase's code 17012, of other ways of signing in; never given here.
    public static let accountExistsWithDifferentCredential = AuthErrorCode(17012)
    /// Firebase's code 17016, of other ways of signing in; never given here.
    public static let noSuchProvider = AuthErrorCode(17016)
    /// Firebase's code 17025, of other ways of signing in; never given here.
    public static let credentialAlreadyInUse = AuthErrorCode(17025)
    /// Firebase's code 17071, of other ways of signing in; never given here.
    public static let invalidProviderID = AuthErrorCode(17071)
    /// Firebase's code 17075, of other ways of signing in; never given here.
    public static let rejectedCredential = AuthErrorCode(17075)
    /// Firebase's code 17094, of other ways of signing in; never given here.
    public static let missingOrInvalidNonce = AuthErrorCode(17094)

    // MARK: Of phone sign-in

    /// Firebase's code 17028, of phone sign-in; never given here.
    public static let appNotAuthorized = AuthErrorCode(17028)
    /// Firebase's code 17041, of phone sign-in; never given here.
    public static let missingPhoneNumber = AuthErrorCode(17041)
    /// Firebase's code 17042, of phone sign-in; never given here.
    public static let invalidPhoneNumber = AuthErrorCode(17042)
    /// Firebase's code 17043, of phone sign-in; never given here.
    public static let missingVerificationCode = AuthErrorCode(17043)
    /// Firebase's code 17044, of phone sign-in; never given here.
    public static let invalidVerificationCode = AuthErrorCode(17044)
    /// Firebase's code 17045, of phone sign-in; never given here.
    public static let missingVerificationID = AuthErrorCode(17045)
    /// Firebase's code 17046, of phone sign-in; never given here.
    public static let invalidVerificationID = AuthErrorCode(17046)
    /// Firebase's code 17047, of phone sign-in; never given here.
    public static let missingAppCredential = AuthErrorCode(17047)
    /// Firebase's code 17048, of phone sign-in; never given here.
    public static let invalidAppCredential = AuthErrorCode(17048)
    /// Firebase's code 17051, of phone sign-in; never given here.
    public static let sessionExpired = AuthErrorCode(17051)
    /// Firebase's code 17053, of phone sign-in; never given here.
    public static let missingAppToken = AuthErrorCode(17053)
    /// Firebase's code 17054, of phone sign-in; never given here.
    public static let notificationNotForwarded = AuthErrorCode(17054)
    /// Firebase's code 17055, of phone sign-in; never given here.
    public static let appNotVerified = AuthErrorCode(17055)
    /// Firebase's code 17056, of phone sign-in; never given here.
    public static let captchaCheckFailed = AuthErrorCode(17056)
    /// Firebase's code 17059, of phone sign-in; never given here.
    public static let appVerificationUserInteractionFailure = AuthErrorCode(17059)

    // MARK: Of mail templates

    /// Firebase's code 17031, of mail templates; never given here.
    public static let invalidMessagePayload = AuthErrorCode(17031)
    /// Firebase's code 17032, of mail templates; never given here.
    public static let invalidSender = AuthErrorCode(17032)

    // MARK: Of sign-in through a web page

    /// Firebase's code 17057, of sign-in through a web page; never given here.
    public static let webContextAlreadyPresented = AuthErrorCode(17057)
    /// Firebase's code 17058, of sign-in through a web page; never given here.
    public static let webContextCancelled = AuthErrorCode(17058)
    /// Firebase's code 17060, of sign-in through a web page; never given here.
    public static let invalidClientID = AuthErrorCode(17060)
    /// Firebase's code 17061, of sign-in through a web page; never given here.
    public static let webNetworkRequestFailed = AuthErrorCode(17061)
    /// Firebase's code 17062, of sign-in through a web page; never given here.
    public static let webInternalError = AuthErrorCode(17062)
    /// Firebase's code 17063, of sign-in through a web page; never given here.
    public static let webSignInUserInteractionFailure = AuthErrorCode(17063)
    /// Firebase's code 17093, of sign-in through a web page; never given here.
    public static let missingClientIdentifier = AuthErrorCode(17093)

    // MARK: Of Game Center

    /// Firebase's code 17066, of Game Center; never given here.
    public static let localPlayerNotAuthenticated = AuthErrorCode(17066)
    /// Firebase's code 17076, of Game Center; never given here.
    public static let gameKitNotLinked = AuthErrorCode(17076)

    // MARK: Of tenants

    /// Firebase's code 17073, of tenants; never given here.
    public static let unsupportedTenantOperation = AuthErrorCode(17073)

    // MARK: Of a second factor

    /// Firebase's code 17078, of a second factor; never given here.
    public static let secondFactorRequired = AuthErrorCode(17078)
    /// Firebase's code 17081, of a second factor; never given here.
    public static let missingMultiFactorSession = AuthErrorCode(17081)
    /// Firebase's code 17082, of a second factor; never given here.
    public static let missingMultiFactorInfo = AuthErrorCode(17082)
    /// Firebase's code 17083, of a second factor; never given here.
    public static let invalidMultiFactorSession = AuthErrorCode(17083)
    /// Firebase's code 17084, of a second factor; never given here.
    public static let multiFactorInfoNotFound = AuthErrorCode(17084)
    /// Firebase's code 17086, of a second factor; never given here.
    public static let unverifiedEmail = AuthErrorCode(17086)
    /// Firebase's code 17087, of a second factor; never given here.
    public static let secondFactorAlreadyEnrolled = AuthErrorCode(17087)
    /// Firebase's code 17088, of a second factor; never given here.
    public static let maximumSecondFactorCountExceeded = AuthErrorCode(17088)
    /// Firebase's code 17089, of a second factor; never given here.
    public static let unsupportedFirstFactor = AuthErrorCode(17089)

    // MARK: Of blocking functions

    /// Firebase's code 17105, of blocking functions; never given here.
    public static let blockingCloudFunctionError = AuthErrorCode(17105)

    // MARK: Of reCAPTCHA

    /// Firebase's code 17200, of reCAPTCHA; never given here.
    public static let recaptchaNotEnabled = AuthErrorCode(17200)
    /// Firebase's code 17201, of reCAPTCHA; never given here.
    public static let missingRecaptchaToken = AuthErrorCode(17201)
    /// Firebase's code 17202, of reCAPTCHA; never given here.
    public static let invalidRecaptchaToken = AuthErrorCode(17202)
    /// Firebase's code 17203, of reCAPTCHA; never given here.
    public static let invalidRecaptchaAction = AuthErrorCode(17203)
    /// Firebase's code 17204, of reCAPTCHA; never given here.
    public static let missingClientType = AuthErrorCode(17204)
    /// Firebase's code 17205, of reCAPTCHA; never given here.
    public static let missingRecaptchaVersion = AuthErrorCode(17205)
    /// Firebase's code 17206, of reCAPTCHA; never given here.
    public static let invalidRecaptchaVersion = AuthErrorCode(17206)
    /// Firebase's code 17207, of reCAPTCHA; never given here.
    public static let invalidReqType = AuthErrorCode(17207)
    /// Firebase's code 17208, of reCAPTCHA; never given here.
    public static let recaptchaSDKNotLinked = AuthErrorCode(17208)
    /// Firebase's code 17209, of reCAPTCHA; never given here.
    public static let recaptchaSiteKeyMissing = AuthErrorCode(17209)
    /// Firebase's code 17210, of reCAPTCHA; never given here.
    public static let recaptchaActionCreationFailed = AuthErrorCode(17210)

    // MARK: Of tokens that it reads itself

    /// Firebase's code 18000, of tokens that it reads itself; never given here.
    public static let malformedJWT = AuthErrorCode(18000)

    static let otherNames = [
        17012: "ACCOUNT_EXISTS_WITH_DIFFERENT_CREDENTIAL", 17016: "NO_SUCH_PROVIDER",
        17025: "CREDENTIAL_ALREADY_IN_USE", 17028: "APP_NOT_AUTHORIZED", 17031: "INVALID_MESSAGE_PAYLOAD",
        17032: "INVALID_SENDER", 17041: "MISSING_PHONE_NUMBER", 17042: "INVALID_PHONE_NUMBER",
        17043: "MISSING_VERIFICATION_CODE", 17044: "INVALID_VERIFICATION_CODE", 17045: "MISSING_VERIFICATION_ID",
        17046: "INVALID_VERIFICATION_ID", 17047: "MISSING_APP_CREDENTIAL", 17048: "INVALID_APP_CREDENTIAL",
        17051: "SESSION_EXPIRED", 17053: "MISSING_APP_TOKEN", 17054: "NOTIFICATION_NOT_FORWARDED",
        17055: "APP_NOT_VERIFIED", 17056: "CAPTCHA_CHECK_FAILED", 17057: "WEB_CONTEXT_ALREADY_PRESENTED",
        17058: "WEB_CONTEXT_CANCELLED", 17059: "APP_VERIFICATION_FAILED", 17060: "INVALID_CLIENT_ID",
        17061: "WEB_NETWORK_REQUEST_FAILED", 17062: "WEB_INTERNAL_ERROR", 17063: "WEB_USER_INTERACTION_FAILURE",
        17066: "LOCAL_PLAYER_NOT_AUTHENTICATED", 17071: "INVALID_PROVIDER_ID", 17073: "UNSUPPORTED_TENANT_OPERATION",
        17075: "REJECTED_CREDENTIAL", 17076: "GAME_KIT_NOT_LINKED", 17078: "SECOND_FACTOR_REQUIRED",
        17081: "MISSING_MULTI_FACTOR_SESSION", 17082: "MISSING_MULTI_FACTOR_INFO",
        17083: "INVALID_MULTI_FACTOR_SESSION", 17084: "MULTI_FACTOR_INFO_NOT_FOUND", 17086: "UNVERIFIED_EMAIL",
        17087: "SECOND_FACTOR_ALREADY_ENROLLED", 17088: "MAXIMUM_SECOND_FACTOR_COUNT_EXCEEDED",
        17089: "UNSUPPORTED_FIRST_FACTOR", 17093: "MISSING_CLIENT_IDENTIFIER", 17094: "MISSING_OR_INVALID_NONCE",
        17105: "BLOCKING_CLOUD_FUNCTION_RETURNED_ERROR", 17200: "RECAPTCHA_NOT_ENABLED",
        17201: "MISSING_RECAPTCHA_TOKEN", 17202: "INVALID_RECAPTCHA_TOKEN", 17203: "INVALID_RECAPTCHA_ACTION",
        17204: "MISSING_CLIENT_TYPE", 17205: "MISSING_RECAPTCHA_VERSION", 17206: "INVALID_RECAPTCHA_VERSION",
        17207: "INVALID_REQ_TYPE", 17208: "RECAPTCHA_SDK_NOT_LINKED", 17209: "RECAPTCHA_SITE_KEY_MISSING",
        17210: "RECAPTCHA_ACTION_CREATION_FAILED", 18000: "MALFORMED_JWT",
    ]
}
