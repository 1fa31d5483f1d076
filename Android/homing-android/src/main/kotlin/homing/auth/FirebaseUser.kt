// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package homing.auth

import android.net.Uri
import homing.tasks.Task
import homing.tasks.action
import homing.tasks.task

/** What an account says of itself, under one of its providers. */
interface UserInfo {
    val uid: String
    val providerId: String
    val email: String?
    val displayName: String?
    val photoUrl: Uri?
    val phoneNumber: String?
    val isEmailVerified: Boolean
}

/** When an account was made and last used, in milliseconds since 1970; 0 where nobody knows. */
class FirebaseUserMetadata internal constructor(val creationTimestamp: Long, val lastSignInTimestamp: Long)

/** An ID token and its claims. Times are seconds since 1970. */
class GetTokenResult internal constructor(val token: String, val claims: Map<String, Any?>) {
    val expirationTimestamp: Long get() = seconds("exp")
    val issuedAtTimestamp: Long get() = seconds("iat")
    val authTimestamp: Long get() = seconds("auth_time")

    /** `password`, `anonymous` or `custom`. */
    val signInProvider: String? get() = (claims["firebase"] as? Map<*, *>)?.get("sign_in_provider") as? String

    private fun seconds(name: String) = (claims[name] as? Number)?.toLong() ?: 0

    /** When it ends, and nothing else: tokens must not get into logs. */
    override fun toString() = "GetTokenResult(expirationTimestamp=$expirationTimestamp)"
}

/** Somebody with an account: the signed-in user, or one who was. */
class FirebaseUser internal constructor(profile: UserProfile, tokens: SessionTokens, internal val auth: FirebaseAuth) :
    UserInfo {
    internal val session = UserSession(this, profile, tokens)
    internal val profile: UserProfile get() = session.profile
    internal val tokens: SessionTokens get() = session.tokens

    /** The account's id, the same for ever. */
    override val uid: String = profile.uid

    /** `firebase`, as for every user of Firebase; [providerData] has the ways of signing in. */
    override val providerId: String get() = "firebase"

    /** The address; null for an anonymous user, and for one of a custom token who has none. */
    override val email: String? get() = profile.email

    /** Whether a mail to the address was answered, as of the last [reload]. */
    override val isEmailVerified: Boolean get() = profile.isEmailVerified
    override val displayName: String? get() = profile.displayName
    override val photoUrl: Uri? get() = profile.photoURL?.let(Uri::parse)

    /** Null: phone numbers are not offered. */
    override val phoneNumber: String? get() = null

    /** Whether the account has nothing to sign in with. */
    val isAnonymous: Boolean get() = profile.isAnonymous

    /** The tenant of the project that the account is in; null for one of the project itself. */
    val tenantId: String? get() = profile.tenantId

    val metadata: FirebaseUserMetadata
        get() = FirebaseUserMetadata(profile.createdAt ?: 0, profile.lastLoginAt ?: 0)

    /** The ways in which this user can sign in: `password`, or none. */
    val providerData: List<UserInfo>
        get() = profile.providers.map { Provider(it, profile) }

    private class Provider(override val providerId: String, profile: UserProfile) : UserInfo {
        override val uid = profile.email ?: profile.uid
        override val email = profile.email
        override val displayName = profile.displayName
        override val photoUrl: Uri? = profile.photoURL?.let(Uri::parse)
        override val phoneNumber: String? = null
        override val isEmailVerified = profile.isEmailVerified
    }

    // --- Tokens ---

    /**
     * An ID token for the app's own back end. It is refreshed five minutes before its end, once for everybody who asks at
     * that time. When the session is over the user is signed out, and the exception says why.
     */
    fun getIdToken(forceRefresh: Boolean): Task<GetTokenResult> = task {
        val token = session.tokens(forceRefresh).id
        val claims = claimsOf(token) ?: throw AuthErrors.unreadable("an ID token that is no JSON Web Token")
        GetTokenResult(token, plain(claims))
    }

    // --- The account ---

    /** Asks the server what has changed: whether the address is verified, above all. */
    fun reload(): Task<Void?> = action { learn() }

    internal suspend fun learn() = session.learn(session.authorized { auth.lookup(it) })

    /** Deletes the account and signs out. */
    fun delete(): Task<Void?> = action {
        session.authorized { auth.backend.call("delete", "idToken" to it) }
        auth.sessions.forget(this)
    }

    /** Sets a new password. It ends every other session. */
    fun updatePassword(password: String): Task<Void?> = action {
        if (password.isEmpty()) throw AuthErrors.of("WEAK_PASSWORD", "The new password is empty. Ask for one.")
        change("password" to password)
    }

    /** Changes the address at once, where the project allows it; [verifyBeforeUpdateEmail] is the other way. */
    fun updateEmail(email: String): Task<Void?> = action { change("email" to email) }

    /** Changes the name and the picture. */
    fun updateProfile(request: UserProfileChangeRequest): Task<Void?> = action {
        session.authorized { auth.backend.call("update", listOf("idToken" to it) + request.members()) }
        learn()
    }

    private suspend fun change(member: Pair<String, Any?>) = session.changing {
        val answer = session.authorized(isChange = true) {
            auth.backend.call("update", "idToken" to it, member, "returnSecureToken" to true, language = auth.languageCode)
        }
        session.renew(answer)
    }

    /** Proves again who this is, for the calls that need a fresh sign-in. */
    fun reauthenticate(credential: AuthCredential): Task<Void?> = action { prove(credential) }

    fun reauthenticateAndRetrieveData(credential: AuthCredential): Task<AuthResult> = task { prove(credential) }

    private suspend fun prove(credential: AuthCredential): AuthResult {
        val request = credential.request(null, tenantId, auth)
        return session.changing {
            val (profile, tokens) = auth.requests.asAsking(credential.operations) { pending ->
                val members = request.members + pending.verifierMember + ("returnSecureToken" to true)
                val person = auth.person(auth.backend.call(request.operation, members, auth.languageCode))
                Use(person, credential.email, PendingAction.State.Done(PendingAction.Way.HERE))
            }
            // A back end chooses ids within a tenant: two may be alike.
            if (profile.uid != uid || profile.tenantId != tenantId) throw AuthErrors.of("USER_MISMATCH")
            session.replace(tokens)
            session.learn(profile)
            AuthResult(this, AdditionalUserInfo(credential.provider, false), credential)
        }
    }

    /** Gives an anonymous user an address to sign in with, a password or a mailed link. The [uid] stays. */
    fun linkWithCredential(credential: AuthCredential): Task<AuthResult> = task {
        if (EmailAuthProvider.PROVIDER_ID in profile.providers) throw AuthErrors.of("PROVIDER_ALREADY_LINKED")
        session.changing {
            val answer = session.authorized(isChange = true) { idToken ->
                val request = credential.request(idToken, null, auth)
                auth.requests.asAsking(credential.operations) { pending ->
                    val members = request.members + pending.verifierMember + ("returnSecureToken" to true)
                    val answer = auth.backend.call(request.operation, members, auth.languageCode)
                    Use(answer, credential.email, PendingAction.State.Done(PendingAction.Way.HERE))
                }
            }
            session.renew(answer)
            AuthResult(this, AdditionalUserInfo(credential.provider, false), credential)
        }
    }

    // --- Mails ---

    /** Mails a link that verifies the address. */
    @JvmOverloads
    fun sendEmailVerification(settings: ActionCodeSettings? = null): Task<Void?> = action {
        send("VERIFY_EMAIL", settings?.members() ?: emptyList())
    }

    /** Mails a link to a new address, which becomes the user's when the link is followed. */
    @JvmOverloads
    fun verifyBeforeUpdateEmail(newEmail: String, settings: ActionCodeSettings? = null): Task<Void?> = action {
        send("VERIFY_AND_CHANGE_EMAIL", listOf("newEmail" to newEmail) + (settings?.members() ?: emptyList()))
    }

    internal suspend fun send(type: String, members: List<Pair<String, Any?>>) =
        session.authorized { auth.send(type, listOf("idToken" to it) + members) }

    /** The id, and neither tokens nor address: what is printed ends up in logs. */
    override fun toString() = "FirebaseUser(uid=$uid)"
}
