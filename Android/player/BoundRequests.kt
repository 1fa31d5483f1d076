// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import homing.auth.Finishing
import homing.auth.PendingAction
import homing.auth.pendingActions
import homing.auth.sendEmailVerification
import homing.auth.sendPasswordResetEmail
import homing.auth.sendSignInLinkToEmail
import homing.auth.signInWithLink
import homing.auth.verifyBeforeUpdateEmail
import homing.tasks.await
import kotlinx.coroutines.withTimeoutOrNull
import org.json.JSONObject

/** The calls about mails that may be answered anywhere, of one app since it was started. */
class BoundRequests(private val player: Player) {
    private val auth get() = player.auth

    /** The request that was begun last, also when it is over and the client keeps it no more. */
    private var last: PendingAction? = null
    private val newest: PendingAction? get() = last ?: auth.pendingActions.firstOrNull()

    suspend fun play(call: String, request: JSONObject): Any? = when (call) {
        "beginReset" ->
            begun(auth.sendPasswordResetEmail(request.email, settings(request), Finishing.ANYWHERE).await())
        "beginSignIn" ->
            begun(auth.sendSignInLinkToEmail(request.email, settings(request)!!, Finishing.ANYWHERE).await())
        "beginVerification" ->
            begun(player.user.sendEmailVerification(settings(request), Finishing.ANYWHERE).await())
        "beginEmailChange" -> begun(
            player.user.verifyBeforeUpdateEmail(request.getString("newEmail"), settings(request), Finishing.ANYWHERE)
                .await()
        )
        "typeCode" -> typed(request.code)
        "waitForPending" -> waited(request.optDouble("seconds", 10.0))
        "resumePending" -> newest?.takeIf { !it.state.isFinal }?.let(::begun)
        "signInWithLink" -> told(auth.signInWithLink(request.link).await())
        else -> throw UnsupportedCall(call)
    }

    private fun begun(action: PendingAction): JSONObject {
        last = action
        val seconds = (action.expiresAt.time - System.currentTimeMillis() + 999) / 1000
        return JSONObject().put("matchNumber", action.matchNumber).put("expiresIn", seconds)
            .put("email", action.email).put("operation", OPERATIONS[action.operation])
            .put("continueURL", action.continueUrl ?: JSONObject.NULL)
    }

    private suspend fun typed(code: String): JSONObject {
        val action = newest ?: throw UnsupportedCall("typeCode without a request")
        val finish = action.finish(code).await()
        return JSONObject().put("code", finish.code ?: JSONObject.NULL)
            .put("user", finish.result?.let { told(it) } ?: JSONObject.NULL)
    }

    private suspend fun waited(seconds: Double): JSONObject {
        val action = newest ?: throw UnsupportedCall("waitForPending without a request")
        try {
            withTimeoutOrNull((seconds * 1000).toLong()) { action.result().await() }
        } catch (over: homing.FirebaseException) {
            // The state tells how it has ended.
        }
        return JSONObject().put("state", action.state.word)
    }

    private val PendingAction.State.word: String
        get() = when (this) {
            is PendingAction.State.Pending -> "pending"
            is PendingAction.State.SignedIn -> "approved"
            is PendingAction.State.Done -> "done"
            is PendingAction.State.Declined -> "declined"
            is PendingAction.State.Expired -> "expired"
            is PendingAction.State.Failed -> "failed"
        }
}
