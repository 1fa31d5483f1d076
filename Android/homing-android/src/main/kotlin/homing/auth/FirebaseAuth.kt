// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package homing.auth

import homing.Firebase
import homing.FirebaseNetworkException
import homing.HomingApp
import homing.tasks.Task
import homing.tasks.action
import homing.tasks.task
import homing.text
import java.util.Locale
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.withLock
import org.json.JSONObject

/** Signing in and email actions: the twin of Firebase's class of this name, for a Homing server. */
class FirebaseAuth private constructor(internal val app: HomingApp) {
    @Volatile
    internal var backend = Backend(app.endpoint)
        private set
    private val vault = SessionVault(app.options.store, app.name, backend)
    internal val sessions = Sessions(this, vault)
    internal val requests = PendingRequests(this, vault)
    private val anonymous = Mutex()

    /** Hears that somebody has signed in or out. */
    fun interface AuthStateListener {
        fun onAuthStateChanged(auth: FirebaseAuth)
    }

    /** Hears that somebody has signed in or out, or has a new ID token. */
    fun interface IdTokenListener {
        fun onIdTokenChanged(auth: FirebaseAuth)
    }

    // --- The signed-in user ---

    /** The signed-in user; the last known one from the start, also without a network. */
    val currentUser: FirebaseUser? get() = sessions.current

    val uid: String? get() = currentUser?.uid

    /** The language of mails and pages, a BCP 47 tag; null means the project's. */
    @Volatile
    var languageCode: String? = null

    /**
     * The tenant of the project in which people sign up and in, and ask for mails; null means the project itself. A link and
     * a signed-in user have a tenant of their own, which counts for them.
     */
    @Volatile
    var tenantId: String? = null

    /** Takes the language that this device's user prefers. */
    fun useAppLanguage() {
        languageCode = Locale.getDefault().toLanguageTag()
    }

    /** Asks an Auth emulator, `homing-emulator` or Firebase's, in the place of the server. Call it before anything else. */
    fun useEmulator(host: String, port: Int) {
        val name = if (':' in host && !host.startsWith("[")) "[$host]" else host
        backend = Backend(app.endpoint.moved("http://$name:$port"), isEmulator = true)
        val moved = vault.moved(backend)
        sessions.move(moved)
        requests.move(moved)
    }

    fun addAuthStateListener(listener: AuthStateListener) = sessions.add(listener, false, listener::onAuthStateChanged)

    fun removeAuthStateListener(listener: AuthStateListener) = sessions.remove(listener)

    fun addIdTokenListener(listener: IdTokenListener) = sessions.add(listener, true, listener::onIdTokenChanged)

    fun removeIdTokenListener(listener: IdTokenListener) = sessions.remove(listener)

    /** Forgets the user on this device. The session of other devices goes on. */
    fun signOut() = sessions.signOut()

    // --- Signing in ---

    /** Makes an account with an address and a password, and signs in. */
    fun createUserWithEmailAndPassword(email: String, password: String): Task<AuthResult> {
        val tenant = tenantId
        return task {
            signIn("signUp", listOf("email" to email, "password" to password, "tenantId" to tenant), isNewUser = true)
        }
    }

    /** Signs in with an address and its password. */
    fun signInWithEmailAndPassword(email: String, password: String): Task<AuthResult> =
        signInWithCredential(EmailAuthProvider.getCredential(email, password))

    /** Signs in with the link that was mailed to an address; an address without an account gets one. */
    fun signInWithEmailLink(email: String, link: String): Task<AuthResult> =
        signInWithCredential(EmailAuthProvider.getCredentialWithLink(email, link))

    /** Signs in with a credential. */
    fun signInWithCredential(credential: AuthCredential): Task<AuthResult> {
        val tenant = tenantId
        return task {
            val request = credential.request(null, tenant, this)
            requests.asAsking(credential.operations) { pending ->
                val result = signIn(
                    request.operation, request.members + pending.verifierMember, credential = credential
                )
                Use(result, credential.email, PendingAction.State.SignedIn(result))
            }
        }
    }

    /** Signs in with a token that the app's own back end has made with a service account of the server. */
    fun signInWithCustomToken(token: String): Task<AuthResult> {
        val tenant = tenantId
        return task { signIn("signInWithCustomToken", listOf("token" to token, "tenantId" to tenant), "custom") }
    }

    /** Signs in as nobody in particular. An anonymous user who is signed in stays the same one. */
    fun signInAnonymously(): Task<AuthResult> {
        val tenant = tenantId
        return task {
            // Whoever asks meanwhile gets the same account.
            anonymous.withLock {
                val known = currentUser?.takeIf { it.isAnonymous && it.tenantId == tenant }
                if (known != null) AuthResult(known, AdditionalUserInfo("anonymous", false))
                else signIn("signUp", listOf("tenantId" to tenant), "anonymous", isNewUser = true)
            }
        }
    }

    /** Whether [signInWithEmailLink] takes a link, wrapped or not: one that signs in, of this project. */
    fun isSignInWithEmailLink(link: String): Boolean {
        val url = ActionCodeUrl.parseLink(link) ?: return false
        return url.operation == ActionCodeResult.SIGN_IN_WITH_EMAIL_LINK && backend.has(url.apiKey)
    }

    // --- Asking for mails ---

    /** Mails a link that sets a new password. Whether the address has an account is not told. */
    @JvmOverloads
    fun sendPasswordResetEmail(email: String, settings: ActionCodeSettings? = null): Task<Void?> {
        val tenant = tenantId
        return action {
            send("PASSWORD_RESET", listOf("email" to email, "tenantId" to tenant) + (settings?.members() ?: emptyList()))
        }
    }

    /** Mails a link that signs in, and that the app handles. */
    fun sendSignInLinkToEmail(email: String, settings: ActionCodeSettings): Task<Void?> {
        val tenant = tenantId
        return action {
            send("EMAIL_SIGNIN", listOf("email" to email, "tenantId" to tenant) + signInSettings(settings))
        }
    }

    internal fun signInSettings(settings: ActionCodeSettings): List<Pair<String, Any?>> {
        require(settings.canHandleCodeInApp()) {
            "A sign-in link is for the app: set handleCodeInApp of the ActionCodeSettings."
        }
        return settings.members()
    }

    internal suspend fun send(type: String, members: List<Pair<String, Any?>>): JSONObject =
        backend.call("sendOobCode", listOf<Pair<String, Any?>>("requestType" to type) + members, languageCode)

    // --- Using codes ---

    /** What a code does, without using it up. */
    fun checkActionCode(code: String): Task<ActionCodeResult> {
        val tenant = tenantId
        return task { check(code, tenant) }
    }

    private suspend fun check(code: String, tenant: String?) =
        ActionCodeResult.of(backend.call("resetPassword", "oobCode" to code, "tenantId" to tenant))

    /** The address whose password a code sets, without using the code up. */
    fun verifyPasswordResetCode(code: String): Task<String> {
        val tenant = tenantId
        return task {
            val result = check(code, tenant)
            if (result.operation != ActionCodeResult.PASSWORD_RESET) throw AuthErrors.of(
                "INVALID_ACTION_CODE", "The code is good but sets no password. Ask checkActionCode what it does."
            )
            result.info?.email ?: throw AuthErrors.unreadable("a code without an address")
        }
    }

    /** Sets a new password with a code from a mail. It ends every session of the account. */
    fun confirmPasswordReset(code: String, newPassword: String): Task<Void?> {
        val tenant = tenantId
        return action {
            if (newPassword.isEmpty()) throw AuthErrors.of("WEAK_PASSWORD", "The new password is empty. Ask for one.")
            requests.asAsking(setOf(ActionCodeResult.PASSWORD_RESET)) { pending ->
                val members = listOf("oobCode" to code, "newPassword" to newPassword, "tenantId" to tenant)
                val answer = backend.call("resetPassword", members + pending.verifierMember, languageCode)
                Use(Unit, answer.text("email"), PendingAction.State.Done(PendingAction.Way.HERE))
            }
        }
    }

    /** Does what a code is for: verifies an address, changes it, or takes a change back. */
    fun applyActionCode(code: String): Task<Void?> {
        val tenant = tenantId
        return action {
            val operations = setOf(ActionCodeResult.VERIFY_EMAIL, ActionCodeResult.VERIFY_BEFORE_CHANGE_EMAIL)
            requests.asAsking(operations) { pending ->
                val answer = apply(code, tenant, pending)
                Use(Unit, answer.text("email"), PendingAction.State.Done(PendingAction.Way.HERE))
            }
        }
    }

    internal suspend fun apply(code: String, tenant: String?, pending: PendingAction?): JSONObject = backend.call(
        "update", listOf("oobCode" to code, "tenantId" to tenant) + pending.verifierMember, languageCode
    )

    // --- Inside ---

    internal suspend fun signIn(
        operation: String, members: List<Pair<String, Any?>>, provider: String = EmailAuthProvider.PROVIDER_ID,
        isNewUser: Boolean = false, credential: AuthCredential? = null
    ): AuthResult {
        val answer = backend.call(operation, members + ("returnSecureToken" to true), languageCode)
        return adopt(answer, provider, isNewUser, credential)
    }

    /** Signs in with the tokens of an answer. */
    internal suspend fun adopt(
        answer: JSONObject, provider: String = EmailAuthProvider.PROVIDER_ID, isNewUser: Boolean = false,
        credential: AuthCredential? = null
    ): AuthResult {
        val (profile, tokens) = person(answer)
        val user = FirebaseUser(profile, tokens, this)
        sessions.adopt(user)
        return AuthResult(user, AdditionalUserInfo(provider, isNewUser || answer.optBoolean("isNewUser")), credential)
    }

    /** Whose tokens an answer has. */
    internal suspend fun person(answer: JSONObject): Pair<UserProfile, SessionTokens> {
        val tokens = SessionTokens.of(answer, now()) ?: throw AuthErrors.unreadable("a sign-in without tokens")
        val profile = try {
            lookup(tokens.id)
        } catch (lost: FirebaseNetworkException) {
            // The sign-in stands, and a link or an account may have been used up by it.
            UserProfile.ofToken(tokens.id) ?: throw lost
        }
        return Pair(profile, tokens)
    }

    internal suspend fun lookup(idToken: String): UserProfile =
        backend.call("lookup", "idToken" to idToken).optJSONArray("users")?.optJSONObject(0)
            ?.let(UserProfile.Companion::of) ?: throw AuthErrors.unreadable("a lookup without a user")

    internal fun now(): Long = app.options.clock()

    companion object {
        /** The one of the app that was configured without a name. */
        @JvmStatic
        fun getInstance(): FirebaseAuth = getInstance(HomingApp.getInstance())

        /** The one of an app. */
        @JvmStatic
        fun getInstance(app: HomingApp): FirebaseAuth = app.part(FirebaseAuth::class.java, ::FirebaseAuth)
    }
}

/** The one of the app that was configured without a name. */
val Firebase.auth: FirebaseAuth get() = FirebaseAuth.getInstance()
