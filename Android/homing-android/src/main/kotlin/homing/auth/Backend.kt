// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package homing.auth

import homing.Endpoint
import homing.Refusal
import homing.text
import org.json.JSONObject

/** The operations of the wire, one request each. */
internal class Backend(val endpoint: Endpoint, private val isEmulator: Boolean = false) {
    /** Whether a link with this key is one of the project's: emulators write a key of their own into every link. */
    fun has(apiKey: String) = apiKey == endpoint.apiKey || isEmulator && apiKey == "fake-api-key"

    /** Calls `accounts:{operation}`. Members without a value are left out. */
    suspend fun call(operation: String, vararg members: Pair<String, Any?>, language: String? = null): JSONObject =
        call(operation, members.toList(), language)

    suspend fun call(operation: String, members: List<Pair<String, Any?>>, language: String? = null): JSONObject =
        asked { endpoint.post("identitytoolkit.googleapis.com/v1/accounts:$operation", members, language) }

    /** Fresh tokens for a user's refresh token. */
    suspend fun refresh(token: String, uid: String, now: Long): SessionTokens {
        val members = listOf("grantType" to "refresh_token", "refreshToken" to token)
        val answer = asked { endpoint.post("securetoken.googleapis.com/v1/token", members) }
        if (answer.text("user_id") ?: uid != uid) throw AuthErrors.unreadable("tokens of somebody else")
        return SessionTokens.of(
            answer.text("access_token"), answer.text("refresh_token") ?: token, answer.text("expires_in"), now
        ) ?: throw AuthErrors.unreadable("it has no access token")
    }

    /** The rules of the project for passwords. */
    suspend fun passwordPolicy(): JSONObject =
        asked { endpoint.get("identitytoolkit.googleapis.com/v2/passwordPolicy") }

    private suspend fun asked(ask: suspend () -> JSONObject): JSONObject = try {
        ask()
    } catch (refusal: Refusal) {
        throw AuthErrors.of(refusal)
    }
}

/**
 * The tokens of a sign-in. How long the ID token lives is counted from its arrival, by this device's clock: a clock that is
 * wrong by days then still refreshes in time. Times are milliseconds since 1970.
 */
internal data class SessionTokens(val id: String, val refresh: String, val arrived: Long, val expires: Long) {
    /** Whether the ID token may be used. A clock that was put back tells nothing about the age of a token. */
    fun isFresh(now: Long) = now < expires - 300_000 && now > arrived - 60_000

    companion object {
        /** Null when one is missing or the time is not a number of seconds. */
        fun of(id: String?, refresh: String?, seconds: String?, now: Long): SessionTokens? {
            val lifetime = seconds?.toLongOrNull()?.takeIf { it in 1..31_536_000 } ?: return null
            return if (id == null || refresh == null) null else SessionTokens(id, refresh, now, now + lifetime * 1000)
        }

        fun of(answer: JSONObject, now: Long) =
            of(answer.text("idToken"), answer.text("refreshToken"), answer.text("expiresIn"), now)
    }
}
