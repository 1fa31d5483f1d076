// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package homing

import homing.wire.WebBase
import homing.wire.percentEncoded
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext
import org.json.JSONException
import org.json.JSONObject

/** One project on one server, and the way there. */
internal class Endpoint(server: String, val apiKey: String, private val transport: Transport) {
    private val base = WebBase.of(server)

    /** Scheme, host and prefix without a slash at the end, in one spelling. */
    val url = base?.text ?: server

    /** The same project on another server. */
    fun moved(server: String) = Endpoint(server, apiKey, transport)

    /** Posts a JSON object and gives back the one that answers. Members without a value are left out. */
    suspend fun post(path: String, members: List<Pair<String, Any?>>, language: String? = null): JSONObject {
        val object_ = JSONObject()
        for ((name, value) in members) if (value != null) object_.put(name, value)
        val headers = mutableMapOf("Content-Type" to "application/json", "Accept" to "application/json")
        language?.let { headers["X-Firebase-Locale"] = it }
        return send(path, headers, object_.toString().toByteArray())
    }

    /** Asks for a JSON object. */
    suspend fun get(path: String): JSONObject = send(path, mapOf("Accept" to "application/json"), null)

    private suspend fun send(path: String, headers: Map<String, String>, body: ByteArray?): JSONObject {
        if (base == null || !base.isSafe) throw FirebaseApiNotAvailableException(
            "The server of HomingApp.configure has to be https://HOST or https://HOST/PREFIX; http is for names of this " +
                "machine, .local names and addresses in digits."
        )
        val separator = if (path.contains('?')) '&' else '?'
        val request = TransportRequest("$url/$path${separator}key=${percentEncoded(apiKey)}", headers, body)
        val answer = try {
            withContext(Dispatchers.IO) { transport.send(request) }
        } catch (reason: Exception) {
            throw FirebaseNetworkException(
                "The server at $url could not be reached. Check the connection and try again.", reason
            )
        }
        return membersOf(answer)
    }

    private fun membersOf(answer: TransportAnswer): JSONObject {
        val object_ = try {
            JSONObject(String(answer.body))
        } catch (unreadable: JSONException) {
            null
        }
        if (answer.status == 200 && object_ != null && !object_.has("error")) return object_
        val error = object_?.optJSONObject("error")
        val message = error?.text("message") ?: if (answer.status in 502..504) "" else throw unreadable("status ${answer.status}")
        throw Refusal(message, answer.status, if (error?.has("triesLeft") == true) error.optInt("triesLeft") else null)
    }

    companion object {
        /** Something answered that is not Homing, or not one that this version knows. */
        fun unreadable(what: String) = FirebaseApiNotAvailableException(
            "The server's answer cannot be read ($what). Check the server given to HomingApp.configure."
        )
    }
}

/** The server refused, in the words of its answer; each library makes an exception of its own out of it. */
internal class Refusal(val wire: String, val status: Int, val triesLeft: Int?) : FirebaseException(wire)

/** A text that is there and not empty. */
internal fun JSONObject.text(name: String): String? = (opt(name) as? String)?.takeIf { it.isNotEmpty() }
