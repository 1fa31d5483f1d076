// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import homing.FirebaseApiNotAvailableException
import homing.FirebaseNetworkException
import homing.FirebaseTooManyRequestsException
import homing.auth.FirebaseAuthException
import org.json.JSONObject

/** The player's answers for exceptions, under the codes of Firebase's JavaScript. */
object PlayedErrors {
    /** Where JavaScript's code is not Android's word in small letters. */
    private val CODES = mapOf(
        "ERROR_CUSTOM_TOKEN_MISMATCH" to "custom-token-mismatch",
        "ERROR_ADMIN_RESTRICTED_OPERATION" to "admin-restricted-operation",
        "ERROR_UNAUTHORIZED_DOMAIN" to "unauthorized-continue-uri",
        "ERROR_USER_SIGNED_OUT" to "no-current-user"
    )

    fun of(reason: Exception): JSONObject {
        val code = when (reason) {
            is UnsupportedCall -> return answer("player/unsupported", reason)
            is FirebaseNetworkException -> "network-request-failed"
            is FirebaseTooManyRequestsException -> "too-many-requests"
            is FirebaseApiNotAvailableException -> "internal-error"
            is NobodySignedIn -> "no-current-user"
            is IllegalArgumentException -> "argument-error"
            is FirebaseAuthException ->
                CODES[reason.errorCode] ?: reason.errorCode.removePrefix("ERROR_").toLowerCase().replace('_', '-')
            else -> return answer("player/failed", reason)
        }
        val answer = answer("auth/$code", reason)
        (reason as? FirebaseAuthException)?.triesLeft?.let { answer.put("triesLeft", it) }
        return answer
    }

    private fun answer(code: String, reason: Exception) =
        JSONObject().put("error", code).put("message", reason.message ?: reason.toString())
}

/** A call that this player does not know. */
class UnsupportedCall(name: String) : Exception("This player does not know $name.")
