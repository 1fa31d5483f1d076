// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package homing.auth

import homing.text
import homing.wire.Base64URL
import org.json.JSONArray
import org.json.JSONException
import org.json.JSONObject

/** What is known of a user without a question to the server. Times are milliseconds since 1970. */
internal data class UserProfile(
    val uid: String,
    val email: String?,
    val isEmailVerified: Boolean,
    val displayName: String?,
    val photoURL: String?,
    /** The ways of signing in: `password`, or none. */
    val providers: List<String>,
    /** Whether a back end's custom token has signed this user in. */
    val usesCustomTokens: Boolean,
    val createdAt: Long?,
    val lastLoginAt: Long?,
    val tenantId: String?
) {
    /** Neither an address nor a provider nor a back end. */
    val isAnonymous: Boolean get() = email == null && providers.isEmpty() && !usesCustomTokens

    /** The record that [of] reads. */
    val record: JSONObject
        get() = JSONObject().put("localId", uid).put("emailVerified", isEmailVerified).put("email", email)
            .put("displayName", displayName).put("photoUrl", photoURL).put("tenantId", tenantId)
            .put("customAuth", usesCustomTokens).put("createdAt", createdAt?.toString())
            .put("lastLoginAt", lastLoginAt?.toString())
            .put("providerUserInfo", JSONArray(providers.map { JSONObject().put("providerId", it) }))

    companion object {
        /** An entry of a lookup's `users`, which is also what a session store keeps; null without an id. */
        fun of(record: JSONObject): UserProfile? {
            val providers = record.optJSONArray("providerUserInfo") ?: JSONArray()
            return UserProfile(
                uid = record.text("localId") ?: return null,
                email = record.text("email"),
                isEmailVerified = record.optBoolean("emailVerified"),
                displayName = record.text("displayName"),
                photoURL = record.text("photoUrl"),
                providers = (0 until providers.length()).mapNotNull { providers.optJSONObject(it)?.text("providerId") },
                usesCustomTokens = record.optBoolean("customAuth"),
                createdAt = record.text("createdAt")?.toLongOrNull(),
                lastLoginAt = record.text("lastLoginAt")?.toLongOrNull(),
                tenantId = record.text("tenantId")
            )
        }

        /** What the ID token of a fresh sign-in says; enough until the next lookup. */
        fun ofToken(token: String): UserProfile? {
            val claims = claimsOf(token) ?: return null
            val firebase = claims.optJSONObject("firebase")
            val email = claims.text("email")
            return UserProfile(
                claims.text("sub") ?: return null, email, claims.optBoolean("email_verified"), claims.text("name"),
                claims.text("picture"), if (email == null) emptyList() else listOf(EmailAuthProvider.PROVIDER_ID),
                firebase?.text("sign_in_provider") == "custom", null, null, firebase?.text("tenant")
            )
        }
    }
}

/** The payload of a JSON Web Token, whose signature only a server has to check. */
internal fun claimsOf(token: String): JSONObject? {
    val bytes = token.split('.').getOrNull(1)?.let(Base64URL::decode) ?: return null
    return try {
        JSONObject(String(bytes))
    } catch (malformed: JSONException) {
        null
    }
}
