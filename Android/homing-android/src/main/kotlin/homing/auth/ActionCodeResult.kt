// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package homing.auth

import homing.text
import homing.wire.IncomingAction
import homing.wire.isWebURL
import org.json.JSONObject

/** What the server tells about an action code without using it up. */
class ActionCodeResult internal constructor(
    /** One of the constants of this class. */
    val operation: Int,
    /** The addresses that the code is about. */
    val info: ActionCodeInfo?
) {
    companion object {
        const val PASSWORD_RESET = 0
        const val VERIFY_EMAIL = 1
        const val RECOVER_EMAIL = 2
        const val ERROR = 3
        const val SIGN_IN_WITH_EMAIL_LINK = 4
        const val VERIFY_BEFORE_CHANGE_EMAIL = 5
        const val REVERT_SECOND_FACTOR_ADDITION = 6

        /** The modes of links and the kinds of requests, by operation. */
        private val MODES = mapOf(
            PASSWORD_RESET to Pair("resetPassword", "PASSWORD_RESET"),
            VERIFY_EMAIL to Pair("verifyEmail", "VERIFY_EMAIL"),
            RECOVER_EMAIL to Pair("recoverEmail", "RECOVER_EMAIL"),
            SIGN_IN_WITH_EMAIL_LINK to Pair("signIn", "EMAIL_SIGNIN"),
            VERIFY_BEFORE_CHANGE_EMAIL to Pair("verifyAndChangeEmail", "VERIFY_AND_CHANGE_EMAIL"),
            REVERT_SECOND_FACTOR_ADDITION to Pair("revertSecondFactorAddition", "REVERT_SECOND_FACTOR_ADDITION")
        )

        internal fun ofMode(mode: String?) = MODES.entries.firstOrNull { it.value.first == mode }?.key ?: ERROR

        internal fun ofType(type: String?) = MODES.entries.firstOrNull { it.value.second == type }?.key ?: ERROR

        internal fun type(operation: Int) = MODES[operation]?.second

        internal fun of(answer: JSONObject): ActionCodeResult {
            val operation = ofType(answer.text("requestType"))
            val (before, other) = Pair(answer.text("email"), answer.text("newEmail"))
            val isChange = operation == VERIFY_BEFORE_CHANGE_EMAIL
            return ActionCodeResult(operation, if (isChange) ActionCodeInfo(other, before) else ActionCodeInfo(before, other))
        }
    }
}

/** The addresses of an action code. */
class ActionCodeInfo internal constructor(
    /**
     * The address that is the account's afterwards: for a change of address the new one, where it is taken back the old
     * one. Null for a sign-in link: whoever found the
     * link would learn what it takes to use it.
     */
    val email: String?,
    /** The account's address until then, when the code changes an address or takes a change back. */
    val previousEmail: String?
)

/** An action link as it reaches an app: the mailed one, or one that a link domain, a scheme or a scanner has wrapped. */
class ActionCodeUrl internal constructor(
    /** The project's key. */
    val apiKey: String,
    /** What the link does: one of the constants of [ActionCodeResult]. */
    val operation: Int,
    /** The code, for [FirebaseAuth.applyActionCode] and its like. */
    val code: String,
    /**
     * Where the person wants to go when the action is done. Whoever can send a link can name any page here: go only to
     * places of your own. Null when there is none, or none that is http or https on a plain host.
     */
    val continueUrl: String?,
    /** The language of the mail, a BCP 47 tag. */
    val languageCode: String?,
    /** The tenant whose account the code is about; null for one of the project itself. */
    val tenantId: String?
) {
    internal constructor(link: homing.wire.ActionLink, continueURL: String?) : this(
        link.apiKey, ActionCodeResult.ofMode(link.mode), link.code, continueURL, link.language, link.tenantId
    )

    /** What the link does, and neither code nor page: what is printed ends up in logs. */
    override fun toString() = "ActionCodeUrl(operation=$operation)"

    companion object {
        /** Reads a link; null for every link that is not an action link, and for one that can be read in two ways. */
        @JvmStatic
        fun parseLink(link: String): ActionCodeUrl? = (IncomingAction.of(link) as? IncomingAction.Action)?.link?.let {
            ActionCodeUrl(it, it.continueURL?.takeIf(::isWebURL))
        }
    }
}
