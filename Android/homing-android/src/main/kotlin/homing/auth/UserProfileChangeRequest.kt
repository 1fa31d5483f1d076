// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package homing.auth

import android.net.Uri
import org.json.JSONArray
import org.json.JSONObject

/** Changes of a user's name and picture: what was never set is left alone, what was set to null is removed. */
class UserProfileChangeRequest private constructor(private val changes: Map<String, String?>) {
    val displayName: String? get() = changes["displayName"]
    val photoUri: Uri? get() = changes["photoUrl"]?.let(Uri::parse)

    internal fun members(): List<Pair<String, Any?>> {
        val removed = changes.filterValues { it == null }.keys.map { if (it == "photoUrl") "PHOTO_URL" else "DISPLAY_NAME" }
        return changes.toList() + ("deleteAttribute" to JSONArray(removed).takeIf { removed.isNotEmpty() })
    }

    class Builder {
        private val changes = mutableMapOf<String, String?>()

        /** The same as [setDisplayName], for an assignment in Kotlin. */
        var displayName: String?
            get() = changes["displayName"]
            @JvmSynthetic set(name) {
                changes["displayName"] = name
            }

        /** The same as [setPhotoUri], for an assignment in Kotlin. */
        var photoUri: Uri?
            get() = changes["photoUrl"]?.let(Uri::parse)
            @JvmSynthetic set(uri) {
                changes["photoUrl"] = uri?.toString()
            }

        /** The name to show, at most 256 bytes. */
        fun setDisplayName(displayName: String?) = apply { changes["displayName"] = displayName }

        /** A picture of the user, at most 2,048 bytes. */
        fun setPhotoUri(photoUri: Uri?) = apply { changes["photoUrl"] = photoUri?.toString() }

        fun build() = UserProfileChangeRequest(changes.toMap())
    }
}

/** A change in one expression: `userProfileChangeRequest { displayName = "…" }` in Firebase's Kotlin. */
fun userProfileChangeRequest(init: UserProfileChangeRequest.Builder.() -> Unit): UserProfileChangeRequest =
    UserProfileChangeRequest.Builder().apply(init).build()

/** JSON as maps, lists, texts, numbers and booleans. */
internal fun plain(value: JSONObject): Map<String, Any?> =
    value.keys().asSequence().associateWith { plain(value.opt(it)) }

private fun plain(value: Any?): Any? = when (value) {
    is JSONObject -> plain(value)
    is JSONArray -> (0 until value.length()).map { plain(value.opt(it)) }
    JSONObject.NULL -> null
    else -> value
}
