// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import homing.Device
import homing.HomingApp
import homing.HomingOptions
import homing.MemorySessionStore
import homing.URLConnectionTransport
import homing.auth.ActionCodeResult
import homing.auth.ActionCodeSettings
import homing.auth.ActionCodeUrl
import homing.auth.AuthResult
import homing.auth.EmailAuthProvider
import homing.auth.FirebaseAuth
import homing.auth.FirebaseUser
import homing.auth.UserProfileChangeRequest
import homing.auth.pendingAction
import homing.auth.validatePassword
import homing.tasks.MainThread
import homing.tasks.Tasks
import homing.tasks.await
import java.io.PrintStream
import java.util.concurrent.Executor
import kotlinx.coroutines.runBlocking
import org.json.JSONArray
import org.json.JSONObject

/** Plays conversations of a client with a server: a request a line in, an answer a line out. */
fun main() {
    val out = PrintStream(java.io.FileOutputStream(java.io.FileDescriptor.out), true, "UTF-8")
    // Nothing but answers goes there.
    System.setOut(System.err)
    MainThread.executor = Executor { it.run() }
    val player = Player()
    System.`in`.bufferedReader().forEachLine { line ->
        if (line.isNotBlank()) out.println(player.answer(JSONObject(line)))
    }
    System.exit(0)
}

/** One app that does as it is told. */
class Player {
    private var store = MemorySessionStore()
    internal lateinit var app: HomingApp
    internal lateinit var auth: FirebaseAuth
    private var bound = BoundRequests(this)

    fun answer(request: JSONObject): JSONObject = try {
        val result = runBlocking { play(request.getString("call"), request) }
        JSONObject().put("result", result ?: JSONObject.NULL)
    } catch (reason: Exception) {
        PlayedErrors.of(reason)
    }

    internal val user: FirebaseUser get() = auth.currentUser ?: throw NobodySignedIn()

    private suspend fun play(call: String, request: JSONObject): Any? = when (call) {
        "configure" -> configure(request)
        "createUser" -> told(auth.createUserWithEmailAndPassword(request.email, request.password).await())
        "signIn" -> told(auth.signInWithEmailAndPassword(request.email, request.password).await())
        "signInAnonymously" -> told(auth.signInAnonymously().await())
        "signInWithCustomToken" -> told(auth.signInWithCustomToken(request.getString("token")).await())
        "isSignInLink" -> auth.isSignInWithEmailLink(request.link)
        "signInWithEmailLink" -> told(auth.signInWithEmailLink(request.email, request.link).await())
        "sendSignInLink" -> auth.sendSignInLinkToEmail(request.email, settings(request)!!).await()
        "sendPasswordReset" -> auth.sendPasswordResetEmail(request.email, settings(request)).await()
        "sendEmailVerification" -> user.sendEmailVerification(settings(request)).await()
        "verifyBeforeUpdateEmail" ->
            user.verifyBeforeUpdateEmail(request.getString("newEmail"), settings(request)).await()
        "checkActionCode" -> told(auth.checkActionCode(request.code).await())
        "verifyPasswordResetCode" -> JSONObject().put("email", auth.verifyPasswordResetCode(request.code).await())
        "confirmPasswordReset" ->
            auth.confirmPasswordReset(request.code, request.getString("newPassword")).await()
        "applyActionCode" -> auth.applyActionCode(request.code).await()
        "parseActionLink" -> ActionCodeUrl.parseLink(request.link)?.let(::told)
        "currentUser" -> auth.currentUser?.let(::told)
        "reload" -> user.let { it.reload().await(); told(it) }
        "signOut" -> null.also { auth.signOut() }
        "deleteUser" -> user.delete().await()
        "updatePassword" -> user.updatePassword(request.getString("newPassword")).await()
        "updateProfile" -> user.let { it.updateProfile(profile(request)).await(); told(it) }
        "linkWithPassword" ->
            told(user.linkWithCredential(EmailAuthProvider.getCredential(request.email, request.password)).await())
        "reauthenticate" ->
            user.reauthenticate(EmailAuthProvider.getCredential(request.email, request.password)).await()
        "idToken" -> user.getIdToken(request.optBoolean("forceRefresh")).await().let {
            JSONObject().put("token", it.token).put("claims", JSONObject(it.claims))
        }
        "idTokens" -> idTokens(request.getInt("count"), request.optBoolean("forceRefresh"))
        "setLanguage" -> null.also { auth.languageCode = request.text("code") }
        "validatePassword" -> auth.validatePassword(request.password).await().let {
            JSONObject().put("isValid", it.isValid)
        }
        "pendingAction" -> auth.pendingAction().await()?.let {
            JSONObject().put("operation", OPERATIONS[it.operation]).put("continueURL", it.continueUrl)
        }
        "resolveLink" -> resolved(app, request.link)
        "checks" -> Checks.answer()
        "makeLink" -> made(app, request)
        "installReferrer" -> referred(app, request.getString("referrer"))
        "handle" -> handled(auth, request.link)
        else -> bound.play(call, request)
    }

    private fun configure(request: JSONObject): Any? {
        if (!request.optBoolean("keepStore")) store = MemorySessionStore()
        val emulator = request.text("emulator")
        val options = HomingOptions.Builder(
            request.text("server") ?: "http://${emulator ?: "127.0.0.1"}", request.text("apiKey") ?: "fake-api-key"
        ).setSessionStore(store)
        if (!request.isNull("timeout")) {
            val timeout = (request.getDouble("timeout") * 1000).toInt()
            options.setTransport(URLConnectionTransport(timeout, timeout))
        }
        request.optJSONArray("linkDomains")?.let { domains ->
            options.setLinkDomains(*Array(domains.length()) { domains.getString(it) })
        }
        request.text("versionCode")?.let { options.setDevice(StandIn(it.toLong())) }
        app = HomingApp.configure(options.build())
        auth = FirebaseAuth.getInstance(app)
        bound = BoundRequests(this)
        emulator?.let { auth.useEmulator(it.substringBeforeLast(':'), it.substringAfterLast(':').toInt()) }
        auth.tenantId = request.text("tenantId")
        return null
    }

    private suspend fun idTokens(count: Int, forceRefresh: Boolean): JSONObject {
        val tasks = List(count) { user.getIdToken(forceRefresh) }
        Tasks.whenAll(tasks).await()
        return JSONObject().put("distinct", tasks.map { it.result.token }.distinct().size)
    }

    private fun profile(request: JSONObject): UserProfileChangeRequest {
        val changes = UserProfileChangeRequest.Builder()
        if (request.has("displayName")) changes.setDisplayName(request.text("displayName"))
        if (request.has("photoURL")) changes.setPhotoUri(request.text("photoURL")?.let(android.net.Uri::parse))
        return changes.build()
    }
}

/** Stands in for the device of the app. */
class StandIn(override val versionCode: Long) : Device {
    override val packageName = "com.example.android"

    override fun installReferrer(): String? = null

    override fun takeInstallReferrerTurn() = false
}

/** A call of a user that is not there; apps ask `currentUser` first. */
class NobodySignedIn : Exception("Nobody is signed in.")

internal val JSONObject.email: String get() = getString("email")
internal val JSONObject.password: String get() = getString("password")
internal val JSONObject.code: String get() = getString("code")
internal val JSONObject.link: String get() = getString("link")

internal fun JSONObject.text(name: String): String? = if (isNull(name)) null else optString(name)

internal fun settings(request: JSONObject): ActionCodeSettings? {
    val given = request.optJSONObject("settings") ?: return null
    val settings = ActionCodeSettings.newBuilder().setHandleCodeInApp(given.optBoolean("handleCodeInApp"))
    given.text("url")?.let(settings::setUrl)
    given.text("iOSBundleId")?.let(settings::setIOSBundleId)
    given.text("linkDomain")?.let(settings::setLinkDomain)
    given.text("androidPackageName")?.let {
        settings.setAndroidPackageName(it, given.optBoolean("androidInstallApp"), given.text("androidMinimumVersion"))
    }
    return settings.build()
}

internal val OPERATIONS = mapOf(
    ActionCodeResult.PASSWORD_RESET to "PASSWORD_RESET", ActionCodeResult.VERIFY_EMAIL to "VERIFY_EMAIL",
    ActionCodeResult.RECOVER_EMAIL to "RECOVER_EMAIL", ActionCodeResult.SIGN_IN_WITH_EMAIL_LINK to "EMAIL_SIGNIN",
    ActionCodeResult.VERIFY_BEFORE_CHANGE_EMAIL to "VERIFY_AND_CHANGE_EMAIL",
    ActionCodeResult.REVERT_SECOND_FACTOR_ADDITION to "REVERT_SECOND_FACTOR_ADDITION"
)

internal fun told(result: AuthResult) = told(result.user)

internal fun told(user: FirebaseUser): JSONObject = JSONObject()
    .put("uid", user.uid).put("email", user.email ?: JSONObject.NULL).put("emailVerified", user.isEmailVerified)
    .put("isAnonymous", user.isAnonymous).put("displayName", user.displayName ?: JSONObject.NULL)
    .put("photoURL", user.photoUrl?.toString() ?: JSONObject.NULL)
    .put("providers", JSONArray(user.providerData.map { it.providerId }))
    .put("tenantId", user.tenantId ?: JSONObject.NULL)

internal fun told(result: ActionCodeResult): JSONObject = JSONObject()
    .put("operation", OPERATIONS[result.operation]).put("email", result.info?.email ?: JSONObject.NULL)
    .put("previousEmail", result.info?.previousEmail ?: JSONObject.NULL)

internal fun told(url: ActionCodeUrl): JSONObject = JSONObject()
    .put("operation", OPERATIONS[url.operation]).put("code", url.code)
    .put("continueURL", url.continueUrl ?: JSONObject.NULL)
    .put("languageCode", url.languageCode ?: JSONObject.NULL).put("tenantId", url.tenantId ?: JSONObject.NULL)
