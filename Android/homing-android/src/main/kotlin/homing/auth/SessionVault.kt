// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package homing.auth

import homing.SessionStore
import homing.text
import java.io.IOException
import org.json.JSONArray
import org.json.JSONException
import org.json.JSONObject

/** One app's entries in a [SessionStore], for one server: a refresh token never goes to another one. */
internal class SessionVault(private val store: SessionStore, private val app: String, backend: Backend) {
    private val key = "$app ${backend.endpoint.apiKey} ${backend.endpoint.url}"

    fun moved(backend: Backend) = SessionVault(store, app, backend)

    /** The last known user; null also when the store holds what this version cannot read. */
    fun load(): Pair<UserProfile, SessionTokens>? {
        val kept = read(key) ?: return null
        val profile = kept.optJSONObject("user")?.let(UserProfile.Companion::of) ?: return null
        val id = kept.text("idToken") ?: return null
        val refresh = kept.text("refreshToken") ?: return null
        return Pair(profile, SessionTokens(id, refresh, kept.optLong("arrived"), kept.optLong("expires")))
    }

    fun save(profile: UserProfile, tokens: SessionTokens) = write(
        key,
        JSONObject().put("version", 1).put("user", profile.record).put("idToken", tokens.id)
            .put("refreshToken", tokens.refresh).put("arrived", tokens.arrived).put("expires", tokens.expires)
    )

    fun clear() = guarded { store.remove(key) }

    /** Where the requests that wait stand: an entry of their own, which signing out leaves alone. */
    fun loadRequests(): List<PendingRequest> {
        val list = read("$key requests")?.optJSONArray("requests") ?: return emptyList()
        return (0 until list.length()).mapNotNull { list.optJSONObject(it)?.let(PendingRequest.Companion::kept) }
    }

    fun saveRequests(requests: List<PendingRequest>) =
        write("$key requests", JSONObject().put("version", 1).put("requests", JSONArray(requests.map { it.record })))

    private fun read(key: String): JSONObject? = try {
        store.read(key)?.let { JSONObject(String(it)) }?.takeIf { it.optInt("version") == 1 }
    } catch (unreadable: IOException) {
        null
    } catch (malformed: JSONException) {
        null
    }

    private fun write(key: String, record: JSONObject) = guarded { store.write(key, record.toString().toByteArray()) }

    private fun guarded(change: () -> Unit) = try {
        change()
    } catch (reason: IOException) {
        throw AuthErrors.of("INTERNAL_ERROR", "The session could not be kept on this device: ${reason.message}")
    }
}
