// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// Everything that Homing refuses to do, and why, in one closed list.
///
/// `Refusal+wire.swift` has Firebase's name and sentence for each, `WireError.swift` in the server the status and the
/// answer, `RefusalLine.swift` in the commands an operator's line; the pages have sentences of their own. The caller can
/// mend a refusal. What only we can mend is a fault, which propagates untouched.
package enum Refusal: Error, Sendable, Equatable {
    // Who is asking.
    case apiKeyInvalid
    case apiKeyMissing
    case adminKeyInvalid
    /// `owner` came where it is not taken: the sentence says why.
    case ownerRefused(String)
    case loginRequired
    case insufficientPermission(String)
    case projectNotFound
    /// A tenant where there are none.
    case invalidTenantID
    /// A tenant with a token or a code, which are of none.
    case tenantIDMismatch

    // The shape of the request.
    case invalidJSON(String)
    case invalidArgument(String)
    case invalidType(member: String, String)
    /// A value that is not in an enumeration; `type` is the enumeration's name in Google's discovery document.
    case invalidEnum(member: String, type: String, given: String)
    case missingRequestType
    case invalidRequestType(String)
    case unsupportedParameters
    case unexpectedParameter(String)

    // Addresses and passwords.
    case missingEmail
    case invalidEmail
    case missingNewEmail
    case invalidNewEmail
    case emailNotFound
    case emailExists
    case missingPassword
    case invalidPassword
    case invalidLoginCredentials
    case weakPassword(PasswordWeakness)
    case passwordTooLong
    case passwordRequirements([PasswordRule])
    case signInEmailMismatch
    case emailChangeNeedsVerification

    // Accounts and sessions.
    case userNotFound
    case userDisabled
    case missingLocalID
    case duplicateLocalID
    case missingIDToken
    case invalidIDToken
    case tokenExpired
    case credentialTooOld
    /// Switched off in the project, or not offered at all; the sentence says what.
    case operationNotAllowed(String)
    case passwordLoginDisabled
    case adminOnlyOperation
    case invalidClaims
    case claimsTooLarge
    case forbiddenClaim(String)
    case missingIdentifier
    case invalidIdentifier
    case invalidProfileAttribute(String)
    case missingClientType
    case missingRecaptchaVersion

    // Refresh.
    case missingGrantType
    case invalidGrantType
    case missingRefreshToken
    case invalidRefreshToken

    // Action codes.
    case missingCode
    case codeInvalid(DeadCode)
    case codeExpired

    // Where people come back to.
    case missingContinueURI(member: String)
    case invalidContinueURI(String)
    case unauthorizedDomain
    case invalidAuthorizedDomain(String)
    case missingAndroidPackageName
    case missingIOSBundleID
    case invalidMinimumVersion(String)
    case invalidHostingLinkDomain
    case invalidDynamicLinkDomain
    case dynamicLinkNotActivated
    case invalidLinkDomain(String)
    /// A dynamic link that is not made and not followed; the code is the warning list's where that has one.
    case invalidDynamicLink(code: String, _ sentence: String)

    // Limits.
    case tooManyAttempts(String)
    case tooManyRequests(retryAfterSeconds: Int)
    case overloaded(retryAfterSeconds: Int)
    case payloadTooLarge

    // An operator's own words.
    case alreadyExists(String)
    case notFound(String)
    case invalidSetting(String)
    case mailNotTaken(String)
}

extension Refusal {
    /// Where a client wants to set a password, and the project takes none.
    package static let noPasswords = Refusal.operationNotAllowed("Passwords are switched off in the project.")
}

/// Why a code that was once good is not good any more; on the wire they are all `INVALID_OOB_CODE`, a page says which.
package enum DeadCode: Sendable, Equatable {
    /// Forged, truncated, of another project or of a kind that the verb does not take.
    case malformed
    /// Used up by an earlier tap.
    case used
    /// A newer code of the same kind for the same address took its place.
    case replaced
    /// Its account or address is not there any more.
    case accountGone
}

/// A rule that a new password has to satisfy.
package enum PasswordRule: Sendable, Equatable {
    case minimumLength(Int)
    case maximumLength(Int)
    case lowercase
    case uppercase
    case digit
    case symbol
    /// None of what ``PasswordWeakness`` finds.
    case hardToGuess
}
