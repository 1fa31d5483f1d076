// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package homing.auth

import homing.tasks.MainThread

/** The signed-in user of one app, here and in the store, and everybody who wants to hear of it. */
internal class Sessions(private val auth: FirebaseAuth, private var vault: SessionVault) {
    private val lock = Any()
    private var isLoaded = false
    private var user: FirebaseUser? = null
    private val listeners = mutableListOf<Listener>()

    private class Listener(val owner: Any, val hearsTokens: Boolean, val call: (FirebaseAuth) -> Unit) {
        var told: Any? = NOTHING
    }

    /** The last known user from the start, also without a network. */
    val current: FirebaseUser? get() = synchronized(lock) { loaded() }

    private fun loaded(): FirebaseUser? {
        if (!isLoaded) user = vault.load()?.let { (profile, tokens) -> FirebaseUser(profile, tokens, auth) }
        isLoaded = true
        return user
    }

    /** Begins anew for another server. */
    fun move(to: SessionVault) {
        synchronized(lock) {
            vault = to
            isLoaded = false
            user = null
        }
        announce()
    }

    /** Makes somebody the current user, kept on this device first. */
    fun adopt(next: FirebaseUser) {
        synchronized(lock) {
            vault.save(next.profile, next.tokens)
            isLoaded = true
            user = next
        }
        announce()
    }

    /**
     * Keeps what has changed about a user, when that is still the signed-in one, here and in the store. Where it cannot be
     * kept, the next start finds what was there before.
     */
    fun keep(changed: FirebaseUser) {
        synchronized(lock) {
            if (user === changed && vault.load()?.first?.uid == changed.uid) attempt {
                vault.save(changed.profile, changed.tokens)
            }
        }
        announce()
    }

    /** Forgets a user who has deleted the account, or whose session the server has ended. */
    fun forget(gone: FirebaseUser) {
        synchronized(lock) {
            if (user !== gone) return
            // A store that cannot forget now holds dead tokens only.
            if (vault.load()?.first?.uid == gone.uid) attempt { vault.clear() }
            user = null
        }
        announce()
    }

    /** Forgets whoever is signed in. Where the store keeps the session, the user stays. */
    fun signOut() {
        synchronized(lock) {
            vault.clear()
            isLoaded = true
            user = null
        }
        announce()
    }

    private fun attempt(change: () -> Unit) = try {
        change()
    } catch (unkept: FirebaseAuthException) {
        // The token is good also where it cannot be kept: the next start refreshes again.
    }

    fun add(owner: Any, hearsTokens: Boolean, call: (FirebaseAuth) -> Unit) {
        synchronized(lock) { listeners.add(Listener(owner, hearsTokens, call)) }
        announce()
    }

    fun remove(owner: Any) {
        synchronized(lock) { listeners.removeAll { it.owner === owner } }
    }

    /**
     * Tells each listener what it has not heard. It looks when it runs: of two changes at once the last one is told, and
     * never an older one after a newer one.
     */
    private fun announce() {
        if (synchronized(lock) { listeners.isEmpty() }) return
        MainThread.executor.execute {
            for (listener in synchronized(lock) { listeners.toList() }) {
                val isNews = synchronized(lock) {
                    val user = loaded()
                    val news = if (listener.hearsTokens) Pair(user, user?.tokens?.id) else Pair(user, null)
                    (listener in listeners && listener.told != news).also { listener.told = news }
                }
                if (isNews) listener.call(auth)
            }
        }
    }

    private companion object {
        /** Heard nothing yet. */
        val NOTHING = Any()
    }
}
