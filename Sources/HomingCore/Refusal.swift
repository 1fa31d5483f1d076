// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingDatabase
package import HomingWire

/// Everything that Homing refuses to do, and why, in one closed list.
///
/// `Refusal+wire.swift` has Firebase's name and sentence for each, `WireError.swift` in the server the status and the
/// answer, `RefusalLine.swift` in the commands an operator's line; the pages have sentences of their own. The caller
/// can mend a refusal. What only we can mend is a fault, which propagates untouched.
package enum Refusal: Error, Sendable, Equatable {
    // The caller and the project.
    case apiKeyInvalid
    case apiKeyMissing
    case adminKeyInvalid
    /// An admin key after its end; the sentence names it.
    case adminKeyEnded(String)
    /// An admin key that is not for the project; the sentence says for which ones it is.
    case outsideProjects(String)
    /// The token `owner` where it is not accepted; the sentence says why.
    case ownerRefused(String)
    case loginRequired
    case insufficientPermission(String)
    case projectNotFound
    /// A `tenantId` that the project has not.
    case invalidTenantID
    /// A tenant in a back end's path that the project has not.
    case tenantNotFound
    /// A request that names one tenant, with the token of another, or of none.
    case tenantIDMismatch
    /// A tenant whose people are all kept out.
    case projectDisabled

    // The shape of the request.
    case invalidJSON(String)
    case invalidArgument(String)
    case invalidType(member: String, String)
    /// A value that is not in an enumeration; `type` is the enumeration's name in Google's discovery document.
    case invalidEnum(member: String, type: String, given: JSON)
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
    /// One list of accounts has an id twice.
    case duplicateLocalIDs(String)
    case duplicateEmail(String)
    case duplicateRawID(provider: String, id: String)
    case missingUserAccount
    /// What a project may have at most; the sentence says of what.
    case quotaExceeded(String)
    /// A `nextPageToken` that this server has not given for the list.
    case invalidPageSelection
    /// The path is known, and has these methods only.
    case methodNotAllowed([String])
    case invalidPhoneNumber
    case phoneNumberExists
    /// An identity of another provider that another account has.
    case federatedIDExists
    case missingProviderID
    case missingRawID
    case localIDListExceedsLimit
    case missingCustomToken
    /// The sentence says what is wrong with it.
    case invalidCustomToken(String)
    /// A custom token of nobody whom the project knows.
    case credentialMismatch
    case missingIDToken
    /// A session cookie that is to live too short or too long.
    case invalidDuration
    case invalidIDToken
    case tokenExpired
    case credentialTooOld
    /// An operation that the project has switched off or that Homing does not offer; the sentence names it.
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

    // Continue URLs and links.
    case missingContinueURI(member: String)
    case invalidContinueURI(String)
    case unauthorizedDomain
    case invalidAuthorizedDomain(String)
    case missingAndroidPackageName
    case missingIOSBundleID
    case invalidHostingLinkDomain
    case invalidDynamicLinkDomain
    case dynamicLinkNotActivated
    case invalidLinkDomain(String)
    /// A dynamic link that is neither made nor followed; the code is Firebase's warning code where there is one.
    case invalidDynamicLink(code: String, _ sentence: String)

    // Limits.
    case tooManyAttempts(String)
    case tooManyRequests(retryAfterSeconds: Int)
    /// `database` is the reason where that is the one that does not keep up; it is for operators.
    case overloaded(retryAfterSeconds: Int, database: DatabaseUnavailable? = nil)
    case payloadTooLarge(most: Int)

    // Refusals of an operator's command.
    case alreadyExists(String)
    /// Somebody else was faster; the sentence has both values.
    case changedMeanwhile(String)
    /// What stands against a template, and the template's name.
    case invalidTemplate([TemplateFault], in: String)
    /// Somebody else has saved the template since its author began.
    case templateChanged(newest: TemplateVersion)
    case notFound(String)
    case invalidSetting(String)
    case mailNotTaken(String)
}

extension Refusal {
    /// The database does not answer now.
    package static func databaseUnavailable(_ reason: DatabaseUnavailable) -> Refusal {
        .overloaded(retryAfterSeconds: 1, database: reason)
    }

    /// This node lacks the master key in use: another one will do it, or this one when it has got the file.
    package static let keyMissing = Refusal.overloaded(retryAfterSeconds: 2)

    /// Rules for passwords that contradict each other.
    static func impossiblePolicy(_ policy: PasswordPolicy) -> Refusal {
        .invalidSetting(
            "no password is at least \(policy.minimumLength) and at most \(policy.maximumLength) characters long: "
                + "passwordPolicyConfig.minPasswordLength and maxPasswordLength")
    }

    /// The refusal of a password where the project takes none.
    package static let noPasswords = Refusal.operationNotAllowed("Passwords are switched off in the project.")
}

/// The reasons why a code cannot be used; on the wire they are all `INVALID_OOB_CODE`, a page tells them apart.
package enum DeadCode: Sendable, Equatable {
    /// Forged, truncated, of another project or of a kind that the verb does not take.
    case malformed
    /// Used by an earlier tap.
    case used
    /// Replaced by a newer code of the same kind for the same address.
    case replaced
    /// Its account or address no longer exists.
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
    /// None of the weaknesses that ``PasswordWeakness`` finds.
    case hardToGuess
}
