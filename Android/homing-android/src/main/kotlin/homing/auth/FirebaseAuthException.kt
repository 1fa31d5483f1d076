// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package homing.auth

import homing.FirebaseException

/** Why a call of [FirebaseAuth] failed; [errorCode] has Firebase's words. */
open class FirebaseAuthException internal constructor(
    /** Firebase's word for it, such as `ERROR_INVALID_ACTION_CODE`. */
    val errorCode: String,
    message: String
) : FirebaseException(message) {
    /** How often a code of a mail may still be typed, when one that was typed is wrong. */
    var triesLeft: Int? = null
        internal set

    /** The word of the server, such as `TOKEN_EXPIRED`; null for errors that no server has told. */
    internal var wireCode: String? = null

    /** Whether a call with the user's token failed because the session is over. */
    internal val endsSession: Boolean get() = wireCode in SESSION_ENDS

    internal companion object {
        private val SESSION_ENDS = setOf<String?>(
            "USER_NOT_FOUND", "TOKEN_EXPIRED", "USER_DISABLED", "INVALID_ID_TOKEN", "INVALID_REFRESH_TOKEN"
        )
    }
}

/** The address, the password or the token is wrong. */
open class FirebaseAuthInvalidCredentialsException internal constructor(code: String, message: String) :
    FirebaseAuthException(code, message)

/** The password is too weak; [reason] is the server's own list of what is missing. */
class FirebaseAuthWeakPasswordException internal constructor(code: String, message: String, val reason: String?) :
    FirebaseAuthInvalidCredentialsException(code, message)

/** The account is disabled or gone, or the session is over. */
class FirebaseAuthInvalidUserException internal constructor(code: String, message: String) :
    FirebaseAuthException(code, message)

/** Another account has the address. */
class FirebaseAuthUserCollisionException internal constructor(code: String, message: String) :
    FirebaseAuthException(code, message)

/** The code of a mail is damaged, used, replaced or too old. */
class FirebaseAuthActionCodeException internal constructor(code: String, message: String) :
    FirebaseAuthException(code, message)

/** Nothing can be mailed to the address. */
class FirebaseAuthEmailException internal constructor(code: String, message: String) :
    FirebaseAuthException(code, message)

/** The change needs a fresh sign-in: [FirebaseUser.reauthenticate] first. */
class FirebaseAuthRecentLoginRequiredException internal constructor(code: String, message: String) :
    FirebaseAuthException(code, message)
