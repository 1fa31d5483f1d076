// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// A refusal in Firebase's words.
extension Refusal {
    /// The word before the sentence, such as `EMAIL_EXISTS`; the status's name where there is none.
    package var wireCode: String {
        let word = wireMessage.prefix { $0 != " " }
        let isCode = word.utf8.allSatisfy { ASCII.isUppercaseLetter($0) || $0 == UInt8(ascii: "_") }
        return isCode && word.utf8.contains(UInt8(ascii: "_")) ? String(word) : wireStatus ?? "INVALID_ARGUMENT"
    }

    /// The name of the status; only typed errors carry one.
    package var wireStatus: String? {
        switch self {
        case .apiKeyInvalid, .invalidJSON, .invalidArgument, .invalidType, .invalidEnum, .invalidDynamicLink,
            .payloadTooLarge:
            "INVALID_ARGUMENT"
        case .apiKeyMissing, .outsideProjects: "PERMISSION_DENIED"
        case .adminKeyInvalid, .adminKeyEnded, .ownerRefused, .loginRequired: "UNAUTHENTICATED"
        case .alreadyExists: "ALREADY_EXISTS"
        case .changedMeanwhile, .templateChanged: "ABORTED"
        case .projectNotFound, .tenantNotFound, .notFound: "NOT_FOUND"
        case .tooManyRequests: "RESOURCE_EXHAUSTED"
        case .overloaded: "UNAVAILABLE"
        default: nil
        }
    }

    /// Codes and texts as Firebase's clients know them; a detail follows ` : ` with a space on either side.
    package var wireMessage: String {
        switch self {
        case .apiKeyInvalid: "API key not valid. Please pass a valid API key."
        case .apiKeyMissing: "The request is missing a valid API key."
        case .adminKeyInvalid:
            "Request had invalid authentication credentials. Expected an admin key: homing admin-key create."
        case .adminKeyEnded(let reason), .ownerRefused(let reason):
            "Request had invalid authentication credentials. \(reason)"
        case .outsideProjects(let sentence): "INSUFFICIENT_PERMISSION : \(sentence)"
        case .loginRequired: "Login Required."
        case .insufficientPermission(let detail):
            detail.isEmpty ? "INSUFFICIENT_PERMISSION" : "INSUFFICIENT_PERMISSION : \(detail)"
        case .projectNotFound: "PROJECT_NOT_FOUND"
        case .invalidTenantID: "INVALID_TENANT_ID : The project has no tenant of this tenantId."
        case .tenantNotFound: "TENANT_NOT_FOUND"
        case .tenantIDMismatch: "TENANT_ID_MISMATCH"
        case .projectDisabled: "PROJECT_DISABLED"
        case .invalidJSON(let detail): "Invalid JSON payload received. \(detail)"
        case .invalidArgument(let sentence): "INVALID_ARGUMENT : \(sentence)"
        case .invalidType(let member, let type): "Invalid JSON payload received. /\(member) must be \(type)"
        case .invalidEnum(let member, let type, let given):
            "Invalid value at '\(member)' (type.googleapis.com/google.cloud.identitytoolkit.v1.\(type)), "
                + Self.quoted(given)
        case .missingRequestType: "MISSING_REQ_TYPE"
        case .invalidRequestType(let name): name.isEmpty ? "INVALID_REQ_TYPE" : "INVALID_REQ_TYPE : \(name)"
        case .unsupportedParameters: "INVALID_REQ_TYPE : Unsupported request parameters."
        case .unexpectedParameter(let name): "UNEXPECTED_PARAMETER : \(name)"
        case .missingEmail: "MISSING_EMAIL"
        case .invalidEmail: "INVALID_EMAIL"
        case .missingNewEmail: "MISSING_NEW_EMAIL"
        case .invalidNewEmail: "INVALID_NEW_EMAIL"
        case .emailNotFound: "EMAIL_NOT_FOUND"
        case .emailExists: "EMAIL_EXISTS"
        case .missingPassword: "MISSING_PASSWORD"
        case .invalidPassword: "INVALID_PASSWORD"
        case .invalidLoginCredentials: "INVALID_LOGIN_CREDENTIALS"
        case .weakPassword(let weakness): weakness.sentence.map { "WEAK_PASSWORD : \($0)" } ?? "WEAK_PASSWORD"
        case .passwordTooLong: "WEAK_PASSWORD : Password should be at most \(PasswordPolicy.mostBytes) bytes"
        case .passwordRequirements(let rules):
            "PASSWORD_DOES_NOT_MEET_REQUIREMENTS : Missing password requirements: ["
                + rules.map(\.sentence).joined(separator: ", ") + "]"
        case .signInEmailMismatch: "INVALID_EMAIL : The email provided does not match the sign-in email address."
        case .emailChangeNeedsVerification:
            "OPERATION_NOT_ALLOWED : Please verify the new email before changing email."
        case .userNotFound: "USER_NOT_FOUND"
        case .userDisabled: "USER_DISABLED"
        case .missingLocalID: "MISSING_LOCAL_ID"
        case .duplicateLocalID: "DUPLICATE_LOCAL_ID"
        case .duplicateLocalIDs(let id): "DUPLICATE_LOCAL_ID : \(id)"
        case .duplicateEmail(let address): "DUPLICATE_EMAIL : \(address)"
        case .duplicateRawID(let provider, let id): "DUPLICATE_RAW_ID : Provider id(\(provider)), Raw id(\(id))"
        case .missingUserAccount: "MISSING_USER_ACCOUNT"
        case .quotaExceeded(let sentence): "QUOTA_EXCEEDED : \(sentence)"
        case .invalidPageSelection: "INVALID_PAGE_SELECTION : nextPageToken is not one that this list has given."
        case .methodNotAllowed(let methods): "METHOD_NOT_ALLOWED : This path takes \(methods.joined(separator: ", "))."
        case .localIDListExceedsLimit: "LOCAL_ID_LIST_EXCEEDS_LIMIT"
        case .missingCustomToken: "MISSING_CUSTOM_TOKEN"
        case .invalidCustomToken(let detail): "INVALID_CUSTOM_TOKEN : \(detail)"
        case .credentialMismatch: "CREDENTIAL_MISMATCH"
        case .invalidPhoneNumber: "INVALID_PHONE_NUMBER : Invalid format."
        case .phoneNumberExists: "PHONE_NUMBER_EXISTS"
        case .federatedIDExists:
            "FEDERATED_USER_ID_ALREADY_LINKED : This credential is already associated with a different user account."
        case .missingProviderID: "MISSING_PROVIDER_ID"
        case .missingRawID: "MISSING_RAW_ID"
        case .missingIDToken: "MISSING_ID_TOKEN"
        case .invalidDuration: "INVALID_DURATION"
        case .invalidIDToken: "INVALID_ID_TOKEN"
        case .tokenExpired: "TOKEN_EXPIRED"
        case .credentialTooOld: "CREDENTIAL_TOO_OLD_LOGIN_AGAIN"
        case .operationNotAllowed(let sentence): "OPERATION_NOT_ALLOWED : \(sentence)"
        case .passwordLoginDisabled: "PASSWORD_LOGIN_DISABLED"
        case .adminOnlyOperation: "ADMIN_ONLY_OPERATION"
        case .invalidClaims: "INVALID_CLAIMS"
        case .claimsTooLarge: "CLAIMS_TOO_LARGE"
        case .forbiddenClaim(let name): "FORBIDDEN_CLAIM : \(name)"
        case .missingIdentifier: "MISSING_IDENTIFIER"
        case .invalidIdentifier: "INVALID_IDENTIFIER"
        case .invalidProfileAttribute(let sentence): "INVALID_PROFILE_ATTRIBUTE : \(sentence)"
        case .missingClientType: "MISSING_CLIENT_TYPE"
        case .missingRecaptchaVersion: "MISSING_RECAPTCHA_VERSION"
        case .missingGrantType: "MISSING_GRANT_TYPE"
        case .invalidGrantType: "INVALID_GRANT_TYPE"
        case .missingRefreshToken: "MISSING_REFRESH_TOKEN"
        case .invalidRefreshToken: "INVALID_REFRESH_TOKEN"
        case .missingCode: "MISSING_OOB_CODE"
        case .codeInvalid: "INVALID_OOB_CODE"
        case .codeExpired: "EXPIRED_OOB_CODE"
        case .missingContinueURI(let member):
            "MISSING_CONTINUE_URI : \(member) is needed: the URL of a page or app of yours, where the person goes on."
        case .invalidContinueURI(let sentence): "INVALID_CONTINUE_URI : \(sentence)"
        case .unauthorizedDomain: "UNAUTHORIZED_DOMAIN : Domain not allowlisted by project"
        case .invalidAuthorizedDomain(let sentence): "INVALID_AUTHORIZED_DOMAIN : \(sentence)"
        case .missingAndroidPackageName:
            "MISSING_ANDROID_PACKAGE_NAME : androidPackageName is needed with androidInstallApp and "
                + "androidMinimumVersion."
        case .missingIOSBundleID: "MISSING_IOS_BUNDLE_ID : iOSBundleId is needed with iOSAppStoreId."
        case .invalidHostingLinkDomain:
            "INVALID_HOSTING_LINK_DOMAIN : The provided hosting link domain is not configured for the project."
        case .invalidDynamicLinkDomain:
            "INVALID_DYNAMIC_LINK_DOMAIN : The provided dynamic link domain is not configured for the project."
        case .dynamicLinkNotActivated:
            "DYNAMIC_LINK_NOT_ACTIVATED : add a link domain: homing link-domain add"
        case .invalidLinkDomain(let sentence): "INVALID_LINK_DOMAIN : \(sentence)"
        case .invalidDynamicLink(let code, let sentence): "\(code) : \(sentence)"
        case .tooManyAttempts(let sentence): "TOO_MANY_ATTEMPTS_TRY_LATER : \(sentence)"
        case .tooManyRequests(let seconds):
            seconds > 60
                ? "QUOTA_EXCEEDED : The quota is used up. Try again later."
                : "TOO_MANY_ATTEMPTS_TRY_LATER : Too many requests from this address. Try again in a moment."
        case .overloaded: "UNAVAILABLE : The server is busy. Try again in a moment."
        case .payloadTooLarge(let most):
            "PAYLOAD_TOO_LARGE : The body of this request has at most \(most >> 10) KiB."
        case .alreadyExists(let sentence): "ALREADY_EXISTS : \(sentence)"
        case .changedMeanwhile(let sentence): "ABORTED : \(sentence)"
        case .invalidTemplate(let faults, let name):
            "INVALID_TEMPLATE : \(name): " + faults.map(\.line).joined(separator: "; ")
        case .templateChanged(let newest):
            "ABORTED : version \(newest.number) of \(newest.kind.rawValue) \(newest.language) is the newest by now, saved by "
                + "\(newest.author): look at it, then save yours again"
        case .notFound(let sentence): "NOT_FOUND : \(sentence)"
        case .invalidSetting(let sentence): "INVALID_ARGUMENT : \(sentence)"
        case .mailNotTaken(let sentence): "MAIL_NOT_TAKEN : \(sentence)"
        }
    }
}

extension Refusal {
    /// A value as Google's production quotes it.
    private static func quoted(_ value: JSON) -> String {
        switch value {
        case .string(let text): "\"\(String(decoding: text.utf8.prefix(60), as: UTF8.self))\""
        case .int(let number): String(number)
        default: "a value of another type"
        }
    }
}

extension PasswordRule {
    /// The rule as clients show it.
    package var sentence: String {
        switch self {
        case .minimumLength(let length): "Password must contain at least \(length) characters"
        case .maximumLength(let length): "Password may contain at most \(length) characters"
        case .lowercase: "Password must contain a lower case character"
        case .uppercase: "Password must contain an upper case character"
        case .digit: "Password must contain a numeric character"
        case .symbol: "Password must contain a non-alphanumeric character"
        case .hardToGuess: "Password must be hard to guess"
        }
    }
}
