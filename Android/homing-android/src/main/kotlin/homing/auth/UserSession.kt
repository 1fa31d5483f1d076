// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package homing.auth

import homing.tasks.calls
import homing.text
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.async
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.withLock
import org.json.JSONObject

/** A user's tokens, and the calls that are made with them. */
internal class UserSession(private val user: FirebaseUser, profile: UserProfile, tokens: SessionTokens) {
    private val lock = Any()

    /** The server that the tokens are of. */
    private val server = user.auth.backend.endpoint.url

    @Volatile
    var profile = profile
        private set

    @Volatile
    var tokens = tokens
        private set

    /** The refresh that is under way: whoever needs a token waits for the same one. */
    private var refreshing: Deferred<SessionTokens>? = null

    /** Held by the call that gets new tokens while the server may already have ended the old ones. */
    private val change = Mutex()

    private val auth get() = user.auth

    /** @param isChange whether the caller is itself what others would wait for. */
    suspend fun tokens(forceRefresh: Boolean, isChange: Boolean = false): SessionTokens {
        // A refresh token must never go to another server than it came from.
        if (server != auth.backend.endpoint.url) throw AuthErrors.of("USER_SIGNED_OUT")
        val held = tokens
        if (!forceRefresh && held.isFresh(auth.now())) return held
        return try {
            refreshed()
        } catch (reason: FirebaseAuthException) {
            recover(reason, held, isChange)
        }
    }

    /** One refresh for all who wait. It signs nobody out: whoever waits judges the failure. */
    private suspend fun refreshed(): SessionTokens {
        val refresh = synchronized(lock) {
            refreshing ?: calls.async { refresh(tokens) }.also { refreshing = it }
        }
        return refresh.await()
    }

    private suspend fun refresh(held: SessionTokens): SessionTokens {
        var fresh: SessionTokens? = null
        var reason: Exception? = null
        try {
            fresh = auth.backend.refresh(held.refresh, user.uid, auth.now())
        } catch (failure: Exception) {
            reason = failure
        }
        synchronized(lock) {
            refreshing = null
            // A new password brought newer tokens meanwhile: those count, whatever came back for the old ones.
            if (tokens != held) return tokens
            tokens = fresh ?: throw reason!!
        }
        auth.sessions.keep(user)
        return fresh!!
    }

    /** Newer tokens when a failure was about old ones. Otherwise signs out if the session is over, and throws. */
    private suspend fun recover(reason: FirebaseAuthException, used: SessionTokens, isChange: Boolean): SessionTokens {
        if (!reason.endsSession) throw reason
        if (!isChange) change.withLock {}
        if (tokens != used) return tokens
        auth.sessions.forget(user)
        throw reason
    }

    /**
     * Makes a call with the user's ID token.
     *
     * A token that the server does not take is replaced once: the device's clock may have been put back while it ran out.
     * Only when that fails too is the session over.
     */
    suspend fun <A> authorized(isChange: Boolean = false, call: suspend (idToken: String) -> A): A {
        val used = tokens(false, isChange)
        val next = try {
            return call(used.id)
        } catch (reason: FirebaseAuthException) {
            when {
                !reason.endsSession -> throw reason
                reason.errorCode == "ERROR_INVALID_USER_TOKEN" && tokens == used -> tokens(true, isChange)
                else -> recover(reason, used, isChange)
            }
        }
        return try {
            call(next.id)
        } catch (reason: FirebaseAuthException) {
            if (reason.endsSession) auth.sessions.forget(user)
            throw reason
        }
    }

    /** Runs what ends the present tokens and brings new ones, one after the other. */
    suspend fun <A> changing(call: suspend () -> A): A = change.withLock { call() }

    /** Takes over the new tokens of an answer, and what a lookup with them tells. */
    suspend fun renew(answer: JSONObject) {
        val fresh = SessionTokens.of(answer, auth.now()) ?: throw AuthErrors.unreadable("a change without new tokens")
        if (answer.text("localId") ?: user.uid != user.uid) throw AuthErrors.unreadable("tokens of somebody else")
        // The tokens first: when the lookup fails the old ones are dead all the same.
        replace(fresh)
        learn(auth.lookup(fresh.id))
    }

    fun replace(fresh: SessionTokens) {
        synchronized(lock) { tokens = fresh }
        auth.sessions.keep(user)
    }

    fun learn(news: UserProfile) {
        if (news.uid != user.uid) throw AuthErrors.unreadable("a lookup of somebody else")
        profile = news
        auth.sessions.keep(user)
    }
}
