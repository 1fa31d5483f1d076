// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package homing

import java.io.IOException
import java.io.InputStream
import java.net.HttpURLConnection
import java.net.URL

/** How requests reach the server. The tests of an app give [HomingOptions] one of their own and need no network. */
fun interface Transport {
    /**
     * Sends one request and gives back the answer, whatever its status. It is called on threads that may block.
     *
     * Any exception is a network error to the caller.
     */
    @Throws(IOException::class)
    fun send(request: TransportRequest): TransportAnswer
}

/** One request: a POST with a JSON body, or a GET without a body. */
class TransportRequest(
    /** The address, with the API key in its query. */
    val url: String,
    /** Header fields by name. */
    val headers: Map<String, String>,
    /** JSON in UTF-8; null for a GET. It may hold passwords, codes and tokens: do not log it. */
    val body: ByteArray?
)

/** The answer of a server. */
class TransportAnswer(
    /** The HTTP status code. */
    val status: Int,
    /** JSON in UTF-8, when it is Homing that answered. */
    val body: ByteArray
)

/** Requests by the system's own client: certificates, proxies and the app's network security configuration count. */
class URLConnectionTransport @JvmOverloads constructor(
    /** How long a connection may take, in milliseconds. */
    private val connectTimeout: Int = 15_000,
    /** How long an answer may take, in milliseconds: longer than the 25 s for which a server holds a waiting request. */
    private val readTimeout: Int = 55_000
) : Transport {
    override fun send(request: TransportRequest): TransportAnswer {
        val connection = URL(request.url).openConnection() as HttpURLConnection
        connection.connectTimeout = connectTimeout
        connection.readTimeout = readTimeout
        // A code or a token never goes on to another server.
        connection.instanceFollowRedirects = false
        connection.useCaches = false
        for ((name, value) in request.headers) connection.setRequestProperty(name, value)
        request.body?.let { body ->
            connection.requestMethod = "POST"
            connection.doOutput = true
            connection.setFixedLengthStreamingMode(body.size)
            connection.outputStream.use { it.write(body) }
        }
        val status = connection.responseCode
        val stream = if (status < 400) connection.inputStream else connection.errorStream
        return TransportAnswer(status, stream?.use(::read) ?: ByteArray(0))
    }

    private fun read(stream: InputStream): ByteArray {
        val bytes = stream.readBytes()
        if (bytes.size > MOST_BYTES) throw IOException("an answer of more than $MOST_BYTES bytes")
        return bytes
    }

    private companion object {
        const val MOST_BYTES = 4_194_304
    }
}
