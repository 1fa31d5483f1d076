// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingWire

extension HomingAuthError {
    /// The error of an answer's `message`: `CODE` or `CODE : detail`, or a sentence where the gate refused.
    init(wire text: String, status: Int) {
        // What Homing says is short; something else in its place may say anything.
        let message = String(decoding: text.utf8.prefix(500), as: UTF8.self)
        let end = message.utf8.firstIndex(of: UInt8(ascii: ":")) ?? message.endIndex
        let word = String(ASCII.trimmed(message[..<end]))
        let detail = end == message.endIndex ? "" : String(ASCII.trimmed(message[message.utf8.index(after: end)...]))
        let code = Self.codes[word] ?? Self.code(ofSentence: message, status: status)
        let isKnown = Self.codes[word] != nil
        let advice = Self.advice[code] ?? "The server refused: \(message)"
        let details = Details(
            message: isKnown && !detail.isEmpty ? "\(advice) The server says: \(detail)" : advice,
            failureReason: detail.isEmpty ? nil : detail, wireCode: isKnown ? word : nil)
        self.init(code.rawValue, details: details)
    }

    private static func code(ofSentence message: String, status: Int) -> AuthErrorCode {
        if message.hasPrefix("API key not valid") || message.hasPrefix("The request is missing a valid API key") {
            return .invalidAPIKey
        }
        switch status {
        case 429: return .tooManyRequests
        case 502...504: return .networkError
        default: return .internalError
        }
    }

    /// Facts: identity-toolkit 3.3.
    private static let codes: [String: AuthErrorCode] = [
        "INVALID_LOGIN_CREDENTIALS": .invalidCredential, "USER_DISABLED": .userDisabled,
        "OPERATION_NOT_ALLOWED": .operationNotAllowed, "PASSWORD_LOGIN_DISABLED": .operationNotAllowed,
        "EMAIL_EXISTS": .emailAlreadyInUse, "INVALID_EMAIL": .invalidEmail, "INVALID_NEW_EMAIL": .invalidEmail,
        "INVALID_PASSWORD": .wrongPassword, "TOO_MANY_ATTEMPTS_TRY_LATER": .tooManyRequests,
        "RESET_PASSWORD_EXCEED_LIMIT": .tooManyRequests, "USER_NOT_FOUND": .userNotFound,
        "EMAIL_NOT_FOUND": .userNotFound, "CREDENTIAL_TOO_OLD_LOGIN_AGAIN": .requiresRecentLogin,
        "INVALID_ID_TOKEN": .invalidUserToken, "INVALID_REFRESH_TOKEN": .invalidUserToken,
        "MISSING_ID_TOKEN": .invalidUserToken, "TOKEN_EXPIRED": .userTokenExpired, "WEAK_PASSWORD": .weakPassword,
        "MISSING_PASSWORD": .weakPassword, "EXPIRED_OOB_CODE": .expiredActionCode,
        "INVALID_OOB_CODE": .invalidActionCode, "MISSING_OOB_CODE": .invalidActionCode,
        "INVALID_RECIPIENT_EMAIL": .invalidRecipientEmail, "MISSING_EMAIL": .missingEmail,
        "MISSING_NEW_EMAIL": .missingEmail, "MISSING_IOS_BUNDLE_ID": .missingIosBundleID,
        "MISSING_ANDROID_PACKAGE_NAME": .missingAndroidPackageName, "UNAUTHORIZED_DOMAIN": .unauthorizedDomain,
        "INVALID_CONTINUE_URI": .invalidContinueURI, "MISSING_CONTINUE_URI": .missingContinueURI,
        "QUOTA_EXCEEDED": .quotaExceeded, "DYNAMIC_LINK_NOT_ACTIVATED": .dynamicLinkNotActivated,
        "TENANT_ID_MISMATCH": .tenantIDMismatch, "INVALID_DYNAMIC_LINK_DOMAIN": .invalidDynamicLinkDomain,
        "ADMIN_ONLY_OPERATION": .adminRestrictedOperation,
        "EMAIL_CHANGE_NEEDS_VERIFICATION": .emailChangeNeedsVerification,
        "PASSWORD_DOES_NOT_MEET_REQUIREMENTS": .passwordDoesNotMeetRequirements,
        "INVALID_HOSTING_LINK_DOMAIN": .invalidHostingLinkDomain, "INVALID_CUSTOM_TOKEN": .invalidCustomToken,
        "MISSING_CUSTOM_TOKEN": .invalidCustomToken, "CREDENTIAL_MISMATCH": .customTokenMismatch,
        "MISSING_CODE_VERIFIER": .missingCodeVerifier, "INVALID_REQUEST_ID": .invalidRequestID,
        "INVALID_CODE_CHALLENGE": .invalidCodeChallenge,
    ]

    static let advice: [AuthErrorCode: String] = [
        .invalidCustomToken:
            "The custom token is not good, or not any more. Let the back end make one with its service account.",
        .customTokenMismatch: "The custom token is of another project's service account than this app's.",
        .invalidCredential: "The address or the password is wrong. Let the person try again or reset the password.",
        .userDisabled: "The account has been disabled. Only the operator of the service can enable it.",
        .operationNotAllowed: "The project does not allow this. Change it in the project's settings on the server.",
        .emailAlreadyInUse: "Another account has this address. Sign in with it instead.",
        .invalidEmail: "The address is malformed, or is not the one that the link was mailed to. Ask for it again.",
        .wrongPassword: "The password is wrong. Let the person try again or reset the password.",
        .tooManyRequests: "Too many requests. Wait before the next one.",
        .userNotFound: "There is no account for this. It may have been deleted; sign in again.",
        .requiresRecentLogin: "This needs a fresh sign-in. Call reauthenticate(with:) and repeat the call.",
        .invalidUserToken: "The session is not valid. Sign in again.",
        .userTokenExpired: "The session was ended on the server, by a new password for example. Sign in again.",
        .invalidAPIKey: "The server does not know the API key. Give HomingApp.configure a key of the project.",
        .weakPassword: "The password is too weak. Ask for a better one.",
        .expiredActionCode: "The link has expired. Ask for a new mail.",
        .invalidActionCode: "The link is damaged, was used already or was replaced by a newer one. Ask for a new mail.",
        .invalidRecipientEmail: "Nothing can be mailed to this address. Ask for another one.",
        .missingEmail: "An email address is needed.",
        .missingIosBundleID: "Set iOSBundleID of the action code settings.",
        .missingAndroidPackageName: "The Android package name is needed too: setAndroidPackageName(_:…).",
        .unauthorizedDomain:
            "The continue URL's domain is not authorised. Add it to the project: homing domain add.",
        .invalidContinueURI: "The continue URL is not an absolute http or https URL.",
        .missingContinueURI: "Set url of the action code settings: a code handled in the app needs it.",
        .quotaExceeded: "The project's quota is used up. Try again tomorrow or raise it.",
        .dynamicLinkNotActivated: "The project has no link domain. Add one: homing link-domain add.",
        .tenantIDMismatch: "The session belongs to another tenant. Sign in again.",
        .invalidDynamicLinkDomain: "dynamicLinkDomain is not a link domain of the project: homing link-domain add.",
        .adminRestrictedOperation: "Only the operator may do this in this project.",
        .emailChangeNeedsVerification:
            "A new address has to be verified: call sendEmailVerification(beforeUpdatingEmail:).",
        .passwordDoesNotMeetRequirements: "The password breaks the project's policy. Ask for a better one.",
        .invalidHostingLinkDomain: "linkDomain is not a link domain of the project: homing link-domain add.",
        .networkError: "The server is busy or not there. Try again in a moment.",
        .missingCodeVerifier:
            "The mail was asked for on another device, or by this app before it was installed anew. Open its link in a "
            + "browser and type the number that the asking device shows, or ask for a new mail here.",
        .invalidRequestID:
            "The server does not know the request: it is another server's or project's, or keys were changed since. "
            + "Ask for a new mail.",
        .invalidCodeChallenge: "The server does not take the challenge of the request. Update Homing's SDK.",
        .actionDeclined:
            "Whoever opened the mail did not ask for it, or typed three wrong numbers. Ask for a new mail.",
        .waitCancelled: "The app has stopped waiting for the mail to be answered.",
    ]
}
