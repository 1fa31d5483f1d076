// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package homing.auth

import homing.text
import homing.wire.Base64URL
import homing.wire.sha256
import java.security.SecureRandom
import org.json.JSONObject

/** Where a mail may be answered that this app asks for. */
enum class Finishing {
    /**
     * Here, by opening the link or typing the code of the mail, or on any other device, by the number that this one shows;
     * and by nobody who knows neither.
     */
    ANYWHERE
}

/** What somebody was about to do when the app was not installed yet: the answer of [FirebaseAuth.pendingAction]. */
class UnfinishedAction internal constructor(
    /** What the mail is for whose link was opened in a browser: one of the constants of [ActionCodeResult]. */
    val operation: Int,
    /** Where the person wants to go, if there is a place. Go only to places of your own. */
    val continueUrl: String?
)

/** A request that waits to be finished, as it is kept on this device. Times are milliseconds since 1970. */
internal class PendingRequest private constructor(
    val id: String, val verifier: String, val matchNumber: String, val email: String, val type: String,
    val tenant: String?, val continueUrl: String?, val expires: Long
) {
    /**
     * Until when it is kept: a sign-in that was approved in the last second is collected within five minutes, and this
     * device's clock may be wrong.
     */
    val end: Long get() = expires + 600_000

    fun isFor(address: String) = homing.wire.folded(email) == homing.wire.folded(address)

    val record: JSONObject
        get() = JSONObject().put("requestId", id).put("codeVerifier", verifier).put("matchNumber", matchNumber)
            .put("email", email).put("requestType", type).put("tenantId", tenant)
            .put("continueUrl", continueUrl).put("expires", expires)

    companion object {
        /** What the server answered to a request with a verifier's challenge; null where it bound nothing. */
        fun of(
            answer: JSONObject, verifier: String, type: String, email: String, tenant: String?, continueUrl: String?,
            now: Long
        ): PendingRequest? {
            val seconds = answer.text("expiresIn")?.toLongOrNull()?.takeIf { it in 1..31_536_000 } ?: return null
            return PendingRequest(
                answer.text("requestId") ?: return null, verifier, answer.text("matchNumber") ?: return null, email,
                type, tenant, continueUrl, now + seconds * 1000
            )
        }

        /** What a session store has kept; null for what this version cannot read. */
        fun kept(record: JSONObject): PendingRequest? {
            return PendingRequest(
                record.text("requestId") ?: return null, record.text("codeVerifier") ?: return null,
                record.text("matchNumber") ?: return null, record.optString("email"),
                record.text("requestType") ?: return null, record.text("tenantId"), record.text("continueUrl"),
                record.optLong("expires")
            )
        }

        /** The secret of whoever asks for a mail (RFC 7636). */
        fun newVerifier(): String = Base64URL.encode(ByteArray(32).also(SecureRandom()::nextBytes))

        /** What a request that asks for a mail says of a secret: S256, section 4.2. */
        fun challenge(verifier: String): List<Pair<String, Any?>> =
            listOf("codeChallenge" to Base64URL.encode(sha256(verifier)), "codeChallengeMethod" to "S256")
    }
}
