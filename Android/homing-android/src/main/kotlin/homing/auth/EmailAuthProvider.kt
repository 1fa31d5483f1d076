// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package homing.auth

import homing.wire.IncomingAction

/** A way of proving who one is, made by [EmailAuthProvider]. */
class AuthCredential internal constructor(internal val email: String, private val proof: Proof) {
    /** The provider's id, `password`. */
    val provider: String get() = EmailAuthProvider.PROVIDER_ID

    /** `password` or `emailLink`. */
    val signInMethod: String
        get() = if (proof is Proof.Password) EmailAuthProvider.EMAIL_PASSWORD_SIGN_IN_METHOD
        else EmailAuthProvider.EMAIL_LINK_SIGN_IN_METHOD

    internal sealed class Proof {
        class Password(val password: String) : Proof()
        class Link(val link: String) : Proof()
    }

    internal class Request(val operation: String, val members: List<Pair<String, Any?>>)

    /** What the code does that is in it. */
    internal val operations: Set<Int>
        get() = if (proof is Proof.Link) setOf(ActionCodeResult.SIGN_IN_WITH_EMAIL_LINK) else emptySet()

    /**
     * The request that signs in with it, or links it to the account of an ID token.
     *
     * Throws for a link that does not sign in or is of another project, before any request.
     */
    internal fun request(idToken: String?, tenant: String?, auth: FirebaseAuth): Request = when (proof) {
        is Proof.Password -> Request(
            if (idToken == null) "signInWithPassword" else "signUp",
            listOf(
                "idToken" to idToken, "email" to email, "password" to proof.password,
                // A token says by itself of which tenant it is.
                "tenantId" to tenant.takeIf { idToken == null }
            )
        )
        is Proof.Link -> {
            val link = auth.signInLink(proof.link)
            Request(
                "signInWithEmailLink",
                listOf(
                    "idToken" to idToken, "email" to email, "oobCode" to link.code,
                    "tenantId" to link.tenantId.takeIf { idToken == null }
                )
            )
        }
    }

    /** The provider and nothing else: credentials end up in logs. */
    override fun toString() = "AuthCredential(provider=$provider)"
}

/** Credentials of people who sign in with their email address. */
object EmailAuthProvider {
    /** `password`, for passwords and mailed links alike. */
    const val PROVIDER_ID = "password"
    const val EMAIL_PASSWORD_SIGN_IN_METHOD = "password"
    const val EMAIL_LINK_SIGN_IN_METHOD = "emailLink"

    /** Address and password. */
    @JvmStatic
    fun getCredential(email: String, password: String) = AuthCredential(email, AuthCredential.Proof.Password(password))

    /** Address and the link that was mailed to it. */
    @JvmStatic
    fun getCredentialWithLink(email: String, emailLink: String) =
        AuthCredential(email, AuthCredential.Proof.Link(emailLink))
}

/** A sign-in link of this project; throws for every other one. */
internal fun FirebaseAuth.signInLink(link: String): homing.wire.ActionLink {
    val action = (IncomingAction.of(link) as? IncomingAction.Action)?.link
    require(action != null && action.mode == "signIn") {
        "This is not a sign-in link, or not the whole of it. Ask isSignInWithEmailLink first."
    }
    if (!backend.has(action.apiKey)) throw AuthErrors.of(
        "INVALID_ACTION_CODE", "The link belongs to another project than this app's. Open it in the app that asked for it."
    )
    return action
}
