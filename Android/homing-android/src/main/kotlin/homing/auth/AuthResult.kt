// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package homing.auth

/** What a sign-in gives back. */
class AuthResult internal constructor(
    val user: FirebaseUser,
    val additionalUserInfo: AdditionalUserInfo,
    /** The credential of the sign-in, where it was made with one. */
    val credential: AuthCredential? = null
)

/** How somebody has signed in. */
class AdditionalUserInfo internal constructor(
    /** `password`, `anonymous` or `custom`. */
    val providerId: String,
    /** Whether the sign-in has made the account. */
    val isNewUser: Boolean
) {
    /** Empty: nothing of other identity providers is offered. */
    val profile: Map<String, Any> get() = emptyMap()
    val username: String? get() = null
}

/** Whether a password follows the rules of the project. */
class PasswordValidationStatus internal constructor(
    val isValid: Boolean,
    /** The names of the rules that the password breaks, in the words of the wire, such as `minPasswordLength`. */
    val brokenRules: List<String>
)
