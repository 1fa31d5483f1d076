// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package homing

import java.io.File
import java.io.IOException

/**
 * Where the signed-in user outlives the process, and the requests that wait to be finished.
 *
 * The data holds a refresh token, which is as good as a password: keep it where only this app reads it. Calls come one at
 * a time for each app, and from any thread.
 */
interface SessionStore {
    /** The bytes that were last written under a key; null when there are none, or none that can be read any more. */
    fun read(key: String): ByteArray?

    /** Replaces the bytes under a key, wholly or not at all. */
    @Throws(IOException::class)
    fun write(key: String, data: ByteArray)

    /** Removes the bytes under a key; an absent key is no error. */
    @Throws(IOException::class)
    fun remove(key: String)
}

/** A store that forgets with the process: for tests, and for apps that want nobody to stay signed in. */
class MemorySessionStore : SessionStore {
    private val values = mutableMapOf<String, ByteArray>()

    override fun read(key: String): ByteArray? = synchronized(values) { values[key] }

    override fun write(key: String, data: ByteArray) {
        synchronized(values) { values[key] = data }
    }

    override fun remove(key: String) {
        synchronized(values) { values.remove(key) }
    }
}

/**
 * Encrypts one store's bytes: on Android with a key that never leaves the Keystore
 * ([homing.android.KeystoreCipher]), in tests with any other.
 */
interface SessionCipher {
    /** The bytes, encrypted and sealed. */
    fun seal(plain: ByteArray): ByteArray

    /** The bytes that were sealed; null when the key is gone or somebody has changed them. */
    fun open(sealed: ByteArray): ByteArray?
}

/** One file for each key in a folder that only this app reads, encrypted. */
class FileSessionStore(private val folder: File, private val cipher: SessionCipher) : SessionStore {
    override fun read(key: String): ByteArray? {
        val file = file(key)
        val sealed = try {
            if (file.isFile) file.readBytes() else return null
        } catch (unreadable: IOException) {
            return null
        }
        return cipher.open(sealed)
    }

    override fun write(key: String, data: ByteArray) {
        if (!folder.isDirectory && !folder.mkdirs()) throw IOException("$folder cannot be made")
        // A process that dies on the way leaves the old file whole.
        val whole = file(key)
        val part = File(folder, "${whole.name}.part")
        part.outputStream().use { stream ->
            stream.write(cipher.seal(data))
            stream.fd.sync()
        }
        if (!part.renameTo(whole)) throw IOException("$whole cannot be written")
    }

    override fun remove(key: String) {
        val file = file(key)
        if (!file.delete() && file.exists()) throw IOException("$file cannot be removed")
    }

    /** A name that says nothing of server and key. */
    private fun file(key: String) = File(folder, homing.wire.Base64URL.encode(homing.wire.sha256(key)))
}
