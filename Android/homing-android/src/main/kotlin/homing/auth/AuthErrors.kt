// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package homing.auth

import homing.FirebaseApiNotAvailableException
import homing.FirebaseException
import homing.FirebaseNetworkException
import homing.FirebaseTooManyRequestsException
import homing.Refusal

/** Makes exceptions under Firebase's names of the words of the wire. */
internal object AuthErrors {
    /** The exception of one of Firebase's words, with a sentence that says what to do. */
    fun of(code: String, message: String = SENTENCES[code] ?: code, detail: String? = null): FirebaseAuthException =
        when (code) {
            in CREDENTIALS -> FirebaseAuthInvalidCredentialsException("ERROR_$code", message)
            in USERS -> FirebaseAuthInvalidUserException("ERROR_$code", message)
            in ACTION_CODES -> FirebaseAuthActionCodeException("ERROR_$code", message)
            "WEAK_PASSWORD", "PASSWORD_DOES_NOT_MEET_REQUIREMENTS" ->
                FirebaseAuthWeakPasswordException("ERROR_$code", message, detail)
            "EMAIL_ALREADY_IN_USE" -> FirebaseAuthUserCollisionException("ERROR_$code", message)
            "INVALID_RECIPIENT_EMAIL" -> FirebaseAuthEmailException("ERROR_$code", message)
            "REQUIRES_RECENT_LOGIN" -> FirebaseAuthRecentLoginRequiredException("ERROR_$code", message)
            else -> FirebaseAuthException("ERROR_$code", message)
        }

    /** The exception of an answer's `message`: `CODE` or `CODE : detail`, or a sentence where the gate refused. */
    fun of(refusal: Refusal): FirebaseException {
        // What Homing says is short; something else in its place may say anything.
        val message = refusal.wire.take(500)
        val word = message.substringBefore(':').trim()
        val detail = message.substringAfter(':', "").trim().takeIf { it.isNotEmpty() }
        val code = WIRE[word] ?: return unknown(message, refusal.status)
        if (code == "TOO_MANY_REQUESTS") return FirebaseTooManyRequestsException(sentence(code, detail))
        val text = refusal.triesLeft?.let {
            "The typed code is wrong. Tries left: $it; the link of the mail works in any case."
        }
        return of(code, text ?: sentence(code, detail), detail).also {
            it.wireCode = word
            it.triesLeft = refusal.triesLeft
        }
    }

    private fun sentence(code: String, detail: String?) =
        listOfNotNull(SENTENCES[code] ?: code, detail?.let { "The server says: $it" }).joinToString(" ")

    private fun unknown(message: String, status: Int): FirebaseException = when {
        message.startsWith("API key not valid") || message.startsWith("The request is missing a valid API key") ->
            of("INVALID_API_KEY")
        status == 429 -> FirebaseTooManyRequestsException(sentence("TOO_MANY_REQUESTS", message))
        status in 502..504 -> FirebaseNetworkException("The server is busy or not there. Try again in a moment.")
        else -> of("INTERNAL_ERROR", "The server refused: $message")
    }

    fun unreadable(what: String): FirebaseApiNotAvailableException = homing.Endpoint.unreadable(what)

    private val CREDENTIALS = setOf(
        "INVALID_CREDENTIAL", "INVALID_EMAIL", "WRONG_PASSWORD", "INVALID_CUSTOM_TOKEN", "CUSTOM_TOKEN_MISMATCH",
        "USER_MISMATCH", "MISSING_EMAIL", "MISSING_PASSWORD", "INVALID_NEW_EMAIL", "MISSING_NEW_EMAIL"
    )
    private val USERS = setOf("USER_DISABLED", "USER_NOT_FOUND", "USER_TOKEN_EXPIRED", "INVALID_USER_TOKEN")
    private val ACTION_CODES = setOf("EXPIRED_ACTION_CODE", "INVALID_ACTION_CODE", "ACTION_DECLINED")

    /** Firebase's words for those of the wire. */
    private val WIRE = mapOf(
        "INVALID_LOGIN_CREDENTIALS" to "INVALID_CREDENTIAL", "USER_DISABLED" to "USER_DISABLED",
        "OPERATION_NOT_ALLOWED" to "OPERATION_NOT_ALLOWED", "PASSWORD_LOGIN_DISABLED" to "OPERATION_NOT_ALLOWED",
        "EMAIL_EXISTS" to "EMAIL_ALREADY_IN_USE", "INVALID_EMAIL" to "INVALID_EMAIL",
        "INVALID_NEW_EMAIL" to "INVALID_NEW_EMAIL", "INVALID_PASSWORD" to "WRONG_PASSWORD",
        "TOO_MANY_ATTEMPTS_TRY_LATER" to "TOO_MANY_REQUESTS", "RESET_PASSWORD_EXCEED_LIMIT" to "TOO_MANY_REQUESTS",
        "USER_NOT_FOUND" to "USER_NOT_FOUND", "EMAIL_NOT_FOUND" to "USER_NOT_FOUND",
        "CREDENTIAL_TOO_OLD_LOGIN_AGAIN" to "REQUIRES_RECENT_LOGIN", "INVALID_ID_TOKEN" to "INVALID_USER_TOKEN",
        "INVALID_REFRESH_TOKEN" to "INVALID_USER_TOKEN", "MISSING_ID_TOKEN" to "INVALID_USER_TOKEN",
        "TOKEN_EXPIRED" to "USER_TOKEN_EXPIRED", "WEAK_PASSWORD" to "WEAK_PASSWORD",
        "MISSING_PASSWORD" to "MISSING_PASSWORD", "EXPIRED_OOB_CODE" to "EXPIRED_ACTION_CODE",
        "INVALID_OOB_CODE" to "INVALID_ACTION_CODE", "MISSING_OOB_CODE" to "INVALID_ACTION_CODE",
        "INVALID_RECIPIENT_EMAIL" to "INVALID_RECIPIENT_EMAIL", "MISSING_EMAIL" to "MISSING_EMAIL",
        "MISSING_NEW_EMAIL" to "MISSING_NEW_EMAIL", "MISSING_IOS_BUNDLE_ID" to "MISSING_IOS_BUNDLE_ID",
        "MISSING_ANDROID_PACKAGE_NAME" to "MISSING_ANDROID_PKG_NAME", "UNAUTHORIZED_DOMAIN" to "UNAUTHORIZED_DOMAIN",
        "INVALID_CONTINUE_URI" to "INVALID_CONTINUE_URI", "MISSING_CONTINUE_URI" to "MISSING_CONTINUE_URI",
        "QUOTA_EXCEEDED" to "QUOTA_EXCEEDED", "DYNAMIC_LINK_NOT_ACTIVATED" to "DYNAMIC_LINK_NOT_ACTIVATED",
        "TENANT_ID_MISMATCH" to "TENANT_ID_MISMATCH", "INVALID_TENANT_ID" to "INVALID_TENANT_ID",
        "INVALID_DYNAMIC_LINK_DOMAIN" to "INVALID_DYNAMIC_LINK_DOMAIN",
        "ADMIN_ONLY_OPERATION" to "ADMIN_RESTRICTED_OPERATION",
        "EMAIL_CHANGE_NEEDS_VERIFICATION" to "EMAIL_CHANGE_NEEDS_VERIFICATION",
        "PASSWORD_DOES_NOT_MEET_REQUIREMENTS" to "PASSWORD_DOES_NOT_MEET_REQUIREMENTS",
        "INVALID_HOSTING_LINK_DOMAIN" to "INVALID_HOSTING_LINK_DOMAIN",
        "INVALID_CUSTOM_TOKEN" to "INVALID_CUSTOM_TOKEN", "MISSING_CUSTOM_TOKEN" to "INVALID_CUSTOM_TOKEN",
        "CREDENTIAL_MISMATCH" to "CUSTOM_TOKEN_MISMATCH", "MISSING_CODE_VERIFIER" to "MISSING_CODE_VERIFIER",
        "INVALID_REQUEST_ID" to "INVALID_REQUEST_ID", "INVALID_CODE_CHALLENGE" to "INVALID_CODE_CHALLENGE"
    )

    private val SENTENCES = mapOf(
        "ACTION_DECLINED" to "Whoever opened the mail did not ask for it, or typed three wrong numbers. Ask for a new mail.",
        "ADMIN_RESTRICTED_OPERATION" to "Only the operator may do this in this project.",
        "CUSTOM_TOKEN_MISMATCH" to "The custom token is of another project's service account than this app's.",
        "DYNAMIC_LINK_NOT_ACTIVATED" to "The project has no link domain. Add one: homing link-domain add.",
        "EMAIL_ALREADY_IN_USE" to "Another account has this address. Sign in with it instead.",
        "EMAIL_CHANGE_NEEDS_VERIFICATION" to "A new address has to be verified: call verifyBeforeUpdateEmail.",
        "EXPIRED_ACTION_CODE" to "The link has expired. Ask for a new mail.",
        "INVALID_ACTION_CODE" to "The link is damaged, was used already or was replaced by a newer one. Ask for a new mail.",
        "INVALID_API_KEY" to "The server does not know the API key. Give HomingApp.configure a key of the project.",
        "INVALID_CODE_CHALLENGE" to "The server does not take the challenge of the request. Update the library.",
        "INVALID_CONTINUE_URI" to "The continue URL is not an absolute http or https URL.",
        "INVALID_CREDENTIAL" to "The address or the password is wrong. Let the person try again or reset the password.",
        "INVALID_CUSTOM_TOKEN" to
            "The custom token is not good, or not any more. Let the back end make one with its service account.",
        "INVALID_DYNAMIC_LINK_DOMAIN" to "dynamicLinkDomain is not a link domain of the project: homing link-domain add.",
        "INVALID_EMAIL" to
            "The address is malformed, or is not the one that the link was mailed to. Ask for it again.",
        "INVALID_HOSTING_LINK_DOMAIN" to "linkDomain is not a link domain of the project: homing link-domain add.",
        "INVALID_NEW_EMAIL" to "The new address is malformed. Ask for it again.",
        "INVALID_RECIPIENT_EMAIL" to "Nothing can be mailed to this address. Ask for another one.",
        "INVALID_REQUEST_ID" to
            "The server does not know the request: it is another server's or project's, or keys were changed since.",
        "INVALID_USER_TOKEN" to "The session is not valid. Sign in again.",
        "MISSING_ANDROID_PKG_NAME" to "The package name is needed too: ActionCodeSettings.Builder.setAndroidPackageName.",
        "MISSING_CODE_VERIFIER" to
            "The mail was asked for on another device, or before the app was installed anew. Open its link in a browser " +
            "and type the number that the asking device shows, or ask for a new mail here.",
        "MISSING_CONTINUE_URI" to "Set the url of ActionCodeSettings: a code that is handled in the app needs it.",
        "MISSING_EMAIL" to "An email address is needed.",
        "MISSING_NEW_EMAIL" to "A new email address is needed.",
        "MISSING_PASSWORD" to "A password is needed.",
        "OPERATION_NOT_ALLOWED" to "The project does not allow this. Change it in the project's settings on the server.",
        "PASSWORD_DOES_NOT_MEET_REQUIREMENTS" to "The password breaks the project's policy. Ask for a better one.",
        "PROVIDER_ALREADY_LINKED" to "This user has an address to sign in with already.",
        "QUOTA_EXCEEDED" to "The project's quota is used up. Try again tomorrow or raise it.",
        "REQUIRES_RECENT_LOGIN" to "This needs a fresh sign-in. Call reauthenticate and repeat the call.",
        "TENANT_ID_MISMATCH" to "The session belongs to another tenant. Sign in again.",
        "TOO_MANY_REQUESTS" to "Too many requests. Wait before the next one.",
        "UNAUTHORIZED_DOMAIN" to
            "The continue URL's domain is not authorised. Add it to the project: homing domain add.",
        "USER_DISABLED" to "The account has been disabled. Only the operator of the service can enable it.",
        "USER_MISMATCH" to "The credential belongs to another account. Ask the signed-in user for theirs.",
        "USER_NOT_FOUND" to "There is no account for this. It may have been deleted; sign in again.",
        "USER_SIGNED_OUT" to "Nobody is signed in, or somebody else since. Sign in again.",
        "USER_TOKEN_EXPIRED" to "The session was ended on the server, by a new password for example. Sign in again.",
        "WAIT_CANCELLED" to "The app has stopped waiting for the mail to be answered.",
        "WEAK_PASSWORD" to "The password is too weak. Ask for a better one.",
        "WRONG_PASSWORD" to "The password is wrong. Let the person try again or reset the password."
    )
}
