// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package homing.auth

import homing.FirebaseNetworkException
import homing.FirebaseTooManyRequestsException
import homing.tasks.MainThread
import homing.tasks.Task
import homing.tasks.calls
import homing.tasks.task
import homing.text
import java.util.Date
import kotlinx.coroutines.Job
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import org.json.JSONObject

/**
 * A mail that this app has asked for and that waits to be answered.
 *
 * Show [matchNumber] while it waits: whoever opens the mail on another device types it there. It outlives the process: after
 * a restart [FirebaseAuth.pendingActions] has it again.
 */
class PendingAction internal constructor(internal val request: PendingRequest, private val auth: FirebaseAuth) {
    private val backend = auth.backend
    private val lock = Any()
    private var current: State = State.Pending
    private var isCancelled = false
    private val listeners = mutableListOf<StateListener>()
    private val waiters = mutableListOf<Task<AuthResult?>>()
    private var watch: Job? = null

    /** How many calls of this app may be finishing it now. */
    private var running = 0

    /** What the server has told meanwhile: the answer of such a call says more. */
    private var told: State? = null

    /** How it goes on. */
    sealed class State {
        /** Nobody has answered the mail yet. */
        object Pending : State()

        /** The sign-in is done, and here. */
        class SignedIn internal constructor(val result: AuthResult) : State()

        /** The action is done; null where the server does not tell in which way. */
        class Done internal constructor(val way: Way?) : State()

        /** Whoever opened the mail did not ask for it, or typed three wrong numbers. */
        object Declined : State()

        /** The mail's time is over, or a newer one has replaced it. */
        object Expired : State()

        /** The server does not know the request, or the session could not be kept. */
        class Failed internal constructor(val exception: Exception) : State()

        /** Whether nothing comes after it. */
        val isFinal: Boolean get() = this !== Pending
    }

    /** In which way an action was finished. */
    enum class Way {
        /** By this app, with the link of the mail. */
        HERE,

        /** On the web page, by whoever knew the number. */
        ELSEWHERE,

        /** By this app, with the code of the mail, typed. */
        TYPED
    }

    /** What [finish] has done. */
    class Finish internal constructor(
        /** Who has signed in; null for an action that is no sign-in. */
        val result: AuthResult?,
        /** The code for [FirebaseAuth.confirmPasswordReset]: a reset is done with the new password. */
        val code: String?
    )

    /** Hears how it stands now, and how it ends, on the main thread. */
    fun interface StateListener {
        fun onState(state: State)
    }

    /** The two digits that the page asks for on another device. Show them large. */
    val matchNumber: String get() = request.matchNumber

    /** The server's id of the request. It finishes nothing without what this device keeps. */
    val requestId: String get() = request.id

    /** The address that the mail goes to; for a change of address the new one. */
    val email: String get() = request.email

    /** What the mail is for: one of the constants of [ActionCodeResult]. */
    val operation: Int get() = ActionCodeResult.ofType(request.type)

    /** The URL of its settings, with the state: where to go on when it is done, also after a restart. */
    val continueUrl: String? get() = request.continueUrl

    /** When the mail's time is over. */
    val expiresAt: Date get() = Date(request.expires)

    /** How it stands, as far as is known; the server is asked while somebody listens or waits for [result]. */
    val state: State get() = synchronized(lock) { current }

    fun addStateListener(listener: StateListener) {
        synchronized(lock) { if (!current.isFinal && !isCancelled) listeners.add(listener) }
        MainThread.executor.execute { listener.onState(state) }
        begin()
    }

    fun removeStateListener(listener: StateListener) {
        synchronized(lock) { listeners.remove(listener) }
    }

    /**
     * Waits until the mail is answered, also after a connection was lost or the server restarted.
     *
     * The result is the sign-in, and null for an action that is no sign-in and is done. It fails with
     * `ERROR_ACTION_DECLINED`, `ERROR_EXPIRED_ACTION_CODE`, and `ERROR_WAIT_CANCELLED` after [cancel].
     */
    fun result(): Task<AuthResult?> {
        val waiter = Task<AuthResult?>()
        val isOver = synchronized(lock) {
            val isOver = current.isFinal || isCancelled
            if (!isOver) waiters.add(waiter)
            isOver
        }
        if (isOver) settle(waiter) else begin()
        return waiter
    }

    /**
     * Finishes it with the eight digits of the mail, for people who read it on another screen.
     *
     * @param code as it was typed or pasted: `1234 5678`, with other separators or none, in the digits of any script.
     */
    fun finish(code: String): Task<Finish> = task {
        val digits = code.filter { Character.isDigit(it) }.map { Character.digit(it, 10) }.joinToString("")
        if (digits.length != 8) throw AuthErrors.of(
            "INVALID_ACTION_CODE", "The code of the mail has eight digits. Ask for it again."
        )
        beginCall()
        var end: State? = null
        try {
            redeem(digits).also { done ->
                end = done.result?.let(State::SignedIn) ?: if (done.code == null) State.Done(Way.TYPED) else null
            }
        } finally {
            endCall(end)
        }
    }

    private suspend fun redeem(digits: String): Finish {
        val answer = ask(digits)
        val code = answer.text("oobCode")
        if (answer.text("state") == "APPROVED") {
            if (code == null) return Finish(auth.adopt(answer), null)
            if (operation == ActionCodeResult.PASSWORD_RESET) return Finish(null, code)
            auth.apply(code, request.tenant, this)
            return Finish(null, null)
        }
        // Of a sign-in that was approved at the same time the watch may have the tokens.
        (state as? State.SignedIn)?.let { return Finish(it.result, null) }
        throw reason(stateOf(answer))
    }

    /** Stops waiting and forgets the request: the link of its mail then works on no device without the number. */
    fun cancel() {
        stop()
        auth.requests.forget(this)
    }

    internal fun stop() {
        val left = synchronized(lock) {
            isCancelled = true
            listeners.clear()
            watch?.cancel()
            waiters.toList().also { waiters.clear() }
        }
        left.forEach(::settle)
    }

    // --- Asking the server ---

    private suspend fun ask(digits: String?): JSONObject = backend.call(
        "awaitOobCode", "requestId" to request.id, "codeVerifier" to request.verifier, "typedCode" to digits,
        "wait" to if (digits == null) MOST_SECONDS else 0, "tenantId" to request.tenant
    )

    private fun stateOf(answer: JSONObject): State = when (answer.text("state")) {
        // Its digits were typed in another process, which goes on with it.
        "PENDING", "APPROVED" -> State.Pending
        "DONE" -> State.Done(Way.values().firstOrNull { it.name.equals(answer.text("by"), ignoreCase = true) })
        "DECLINED" -> State.Declined
        "EXPIRED" -> State.Expired
        else -> State.Failed(AuthErrors.unreadable("a request in a state that this version does not know"))
    }

    private fun begin() {
        synchronized(lock) {
            if (watch?.isActive != true && isWatched()) watch = calls.launch { watch() }
        }
    }

    private fun isWatched() = !current.isFinal && told == null && !isCancelled &&
        (listeners.isNotEmpty() || waiters.isNotEmpty())

    /** Asks again and again while somebody wants to know. */
    private suspend fun watch() {
        var failures = 0
        while (synchronized(lock) { isWatched().also { if (!it) watch = null } }) {
            val begun = auth.now()
            try {
                take(ask(null))
                failures = 0
                // A server that stops answers at once, and must not be asked without a pause.
                if (!state.isFinal && auth.now() < begun + 1000) delay(1000)
            } catch (reason: homing.FirebaseException) {
                if (!mayPass(reason)) return conclude(State.Failed(reason))
                if (auth.now() > request.end) return conclude(State.Expired)
                delay((minOf(30_000L, 1000L shl minOf(failures++, 5)) * (0.5 + Math.random() / 2)).toLong())
            }
        }
    }

    /** Whether another try may go well: no network, a server that restarts, a proxy that speaks for it, a limit. */
    private fun mayPass(reason: homing.FirebaseException) = reason is FirebaseNetworkException ||
        reason is FirebaseTooManyRequestsException || reason is homing.FirebaseApiNotAvailableException ||
        (reason as? FirebaseAuthException)?.errorCode == "ERROR_INTERNAL_ERROR"

    private suspend fun take(answer: JSONObject) {
        if (answer.text("state") == "APPROVED" && answer.has("idToken")) {
            if (synchronized(lock) { isCancelled }) return
            return conclude(State.SignedIn(auth.adopt(answer)))
        }
        val next = stateOf(answer).takeIf { it.isFinal } ?: return
        val isLate = synchronized(lock) { (running > 0).also { if (it) told = next } }
        if (!isLate) conclude(next)
    }

    // --- How it ends ---

    /** Notes that a call of this app may be finishing it. */
    internal fun beginCall() {
        synchronized(lock) { running++ }
    }

    /** Notes how such a call has ended it; null when it has not. */
    internal fun endCall(state: State?) {
        val heard = synchronized(lock) { if (--running == 0) told.also { told = null } else null }
        (state ?: heard)?.let(::conclude)
        begin()
    }

    private fun conclude(end: State) {
        val (hearing, waiting) = synchronized(lock) {
            if (current.isFinal || isCancelled) return
            current = end
            Pair(listeners.toList(), waiters.toList()).also { listeners.clear(); waiters.clear() }
        }
        auth.requests.forget(this)
        for (listener in hearing) MainThread.executor.execute { listener.onState(end) }
        waiting.forEach(::settle)
    }

    private fun settle(waiter: Task<AuthResult?>) {
        val end = state
        when {
            end is State.SignedIn -> waiter.succeed(end.result)
            end is State.Done && operation != ActionCodeResult.SIGN_IN_WITH_EMAIL_LINK -> waiter.succeed(null)
            else -> waiter.fail(reason(end))
        }
    }

    private fun reason(state: State): Exception = when (state) {
        is State.Pending -> AuthErrors.of("WAIT_CANCELLED")
        is State.SignedIn, is State.Done -> AuthErrors.of(
            "INVALID_ACTION_CODE", "The mail was answered already, and nobody has signed in here by it."
        )
        is State.Declined -> AuthErrors.of("ACTION_DECLINED")
        is State.Expired -> AuthErrors.of("EXPIRED_ACTION_CODE")
        is State.Failed -> state.exception
    }

    /** What it is for, and neither address nor number: what is printed ends up in logs. */
    override fun toString() = "PendingAction(operation=$operation)"

    private companion object {
        /** How long the server may hold an answer back, in seconds. */
        const val MOST_SECONDS = 25
    }
}
