// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingPasswords
package import HomingStore

extension Refusal {
    // Addresses and passwords.
    package static let missingEmail = Refusal("MISSING_EMAIL")
    package static let missingNewEmail = Refusal("MISSING_NEW_EMAIL")
    package static let emailNotFound = Refusal("EMAIL_NOT_FOUND")
    package static let emailChangeNeedsVerification = Refusal(
        Code("EMAIL_CHANGE_NEEDS_VERIFICATION", says: "OPERATION_NOT_ALLOWED"),
        "Please verify the new email before changing email.")
    package static let invalidPassword = Refusal("INVALID_PASSWORD")
    package static let invalidLoginCredentials = Refusal("INVALID_LOGIN_CREDENTIALS")

    /// The refusal of a password where the project takes none.
    package static let noPasswords = Refusal.operationNotAllowed("Passwords are switched off in the project.")
    package static let passwordLoginDisabled = Refusal("PASSWORD_LOGIN_DISABLED")

    // Accounts.
    package static let userNotFound = Refusal("USER_NOT_FOUND")
    package static let userDisabled = Refusal("USER_DISABLED")
    package static let invalidPhoneNumber = Refusal("INVALID_PHONE_NUMBER", "Invalid format.")
    package static let adminOnlyOperation = Refusal("ADMIN_ONLY_OPERATION")
    package static let invalidClaims = Refusal("INVALID_CLAIMS")
    package static let claimsTooLarge = Refusal("CLAIMS_TOO_LARGE")

    package static func forbiddenClaim(_ name: String) -> Refusal { Refusal(.forbiddenClaim, name) }
}

extension Refusal.Code {
    package static let forbiddenClaim: Self = "FORBIDDEN_CLAIM"
}
