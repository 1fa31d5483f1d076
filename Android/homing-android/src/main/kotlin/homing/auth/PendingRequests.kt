// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package homing.auth

import homing.text
import org.json.JSONObject

/** What a code was used for. */
internal class Use<A>(
    val answer: A,
    /** Whose code it was. */
    val email: String?,
    val state: PendingAction.State
)

/** The requests that this app has asked for and that can still be finished. */
internal class PendingRequests(private val auth: FirebaseAuth, private var vault: SessionVault) {
    private val lock = Any()
    private var isLoaded = false
    private var pending = listOf<PendingAction>()

    /** The newest first, those besides whose time has just run out. */
    private val waiting: List<PendingAction>
        get() = synchronized(lock) {
            if (!isLoaded) pending = pending + vault.loadRequests().map { PendingAction(it, auth) }
            isLoaded = true
            val left = pending.filter { auth.now() < it.request.end }
            if (left.size < pending.size) keep(left)
            left
        }

    val open: List<PendingAction> get() = waiting.filter { auth.now() < it.request.expires }

    /** Begins anew for another server. */
    fun move(to: SessionVault) {
        val left = synchronized(lock) {
            vault = to
            isLoaded = false
            pending.also { pending = emptyList() }
        }
        left.forEach { it.stop() }
    }

    /** Where they cannot be kept they are finished all the same, until the process ends. */
    private fun keep(next: List<PendingAction>) {
        pending = next
        try {
            vault.saveRequests(next.map { it.request })
        } catch (unkept: FirebaseAuthException) {
        }
    }

    /**
     * Asks for a mail whose code nobody can use without this device or its number.
     *
     * @param settings the members of its [ActionCodeSettings].
     * @param email the address of the mail, where the answer does not say so.
     */
    suspend fun begin(
        type: String, settings: List<Pair<String, Any?>>, email: String?, tenant: String?,
        send: suspend (List<Pair<String, Any?>>) -> JSONObject
    ): PendingAction {
        val verifier = PendingRequest.newVerifier()
        val answer = send(settings + PendingRequest.challenge(verifier))
        val address = email ?: answer.text("email") ?: ""
        val continueUrl = settings.toMap()["continueUrl"] as String?
        val request = PendingRequest.of(answer, verifier, type, address, tenant, continueUrl, auth.now())
            ?: throw AuthErrors.of(
                "OPERATION_NOT_ALLOWED",
                "The mail is sent, but this server lets nobody finish elsewhere: its link works as without `finishing`."
            )
        val action = PendingAction(request, auth)
        synchronized(lock) {
            // A newer mail of one kind to one address takes the place of the older one.
            val others = waiting.filterNot {
                it.request.type == type && it.request.isFor(address) && it.request.tenant == tenant
            }
            keep((listOf(action) + others).take(MOST))
        }
        return action
    }

    /** Forgets one that is finished, or that nobody waits for any more. */
    fun forget(action: PendingAction) {
        synchronized(lock) { if (action in pending) keep(pending - action) }
    }

    /**
     * Uses a code as the one who has asked for it, where this device has.
     *
     * A link does not say to which request it belongs: the newest of these kinds is tried first, and the next one when the
     * server says that the code is another's. A code that is bound to no request needs none of them.
     */
    suspend fun <A> asAsking(
        operations: Set<Int>, passing: Set<String> = setOf("ERROR_MISSING_CODE_VERIFIER"),
        use: suspend (PendingAction?) -> Use<A>
    ): A {
        var refusal: FirebaseAuthException? = null
        for (action in if (operations.isEmpty()) emptyList() else waiting.filter { it.operation in operations }) {
            action.beginCall()
            var state: PendingAction.State? = null
            try {
                val used = use(action)
                // An unbound code of somebody else works with any verifier.
                state = used.state.takeIf { used.email?.let(action.request::isFor) == true }
                return used.answer
            } catch (reason: FirebaseAuthException) {
                if (reason.errorCode !in passing) throw reason
                refusal = reason
            } finally {
                action.endCall(state)
            }
        }
        throw refusal ?: return use(null).answer
    }

    private companion object {
        /** More than anybody has mails open. */
        const val MOST = 5
    }
}

/** The verifier of a request as a member of another one. */
internal val PendingAction?.verifierMember: Pair<String, Any?> get() = "codeVerifier" to this?.request?.verifier
