// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package homing.android

import android.content.Context
import android.security.keystore.KeyGenParameterSpec
import android.security.keystore.KeyProperties
import homing.FileSessionStore
import homing.SessionCipher
import homing.SessionStore
import java.io.File
import java.security.GeneralSecurityException
import java.security.KeyStore
import javax.crypto.Cipher
import javax.crypto.KeyGenerator
import javax.crypto.SecretKey
import javax.crypto.spec.GCMParameterSpec

/**
 * Sessions in files of this app alone, encrypted with a key that never leaves the Android Keystore.
 *
 * The folder is `noBackupFilesDir`: a backup that is restored on another device has no session in it, and no key that opens
 * one. Deleting the app deletes both.
 */
class KeystoreSessionStore(context: Context) :
    SessionStore by FileSessionStore(File(context.noBackupFilesDir, "homing"), AESCipher(KeystoreKeys("homing-sessions")))

/** Where a secret key comes from: the Android Keystore, or the stand-in of a test. */
interface SessionKeys {
    /** The key; made when there is none. */
    fun key(): SecretKey

    /** Forgets a key that works no more, as after a new lock screen on some devices. */
    fun renew()
}

/** One AES key in the Android Keystore, in its own hardware where the device has any. */
internal class KeystoreKeys(private val alias: String) : SessionKeys {
    private val keys by lazy { KeyStore.getInstance("AndroidKeyStore").apply { load(null) } }

    override fun key(): SecretKey = keys.getKey(alias, null) as? SecretKey ?: made()

    override fun renew() = keys.deleteEntry(alias)

    private fun made(): SecretKey {
        val purposes = KeyProperties.PURPOSE_ENCRYPT or KeyProperties.PURPOSE_DECRYPT
        val generator = KeyGenerator.getInstance(KeyProperties.KEY_ALGORITHM_AES, "AndroidKeyStore")
        generator.init(
            KeyGenParameterSpec.Builder(alias, purposes).setKeySize(256)
                .setBlockModes(KeyProperties.BLOCK_MODE_GCM)
                .setEncryptionPaddings(KeyProperties.ENCRYPTION_PADDING_NONE)
                .build()
        )
        return generator.generateKey()
    }
}

/** AES-256 in GCM: version, nonce, then the sealed bytes. */
class AESCipher(private val keys: SessionKeys) : SessionCipher {
    override fun seal(plain: ByteArray): ByteArray = try {
        sealed(plain)
    } catch (lost: GeneralSecurityException) {
        // What it has sealed is lost already: the next session gets a key that works.
        keys.renew()
        sealed(plain)
    }

    private fun sealed(plain: ByteArray): ByteArray {
        val cipher = Cipher.getInstance(TRANSFORMATION)
        // The Keystore chooses the nonce, and takes none of ours.
        cipher.init(Cipher.ENCRYPT_MODE, keys.key())
        return byteArrayOf(VERSION, cipher.iv.size.toByte()) + cipher.iv + cipher.doFinal(plain)
    }

    override fun open(sealed: ByteArray): ByteArray? {
        val start = 2 + (sealed.getOrNull(1) ?: return null)
        if (sealed[0] != VERSION || start !in 14..sealed.size) return null
        return try {
            val cipher = Cipher.getInstance(TRANSFORMATION)
            cipher.init(Cipher.DECRYPT_MODE, keys.key(), GCMParameterSpec(128, sealed, 2, start - 2))
            cipher.doFinal(sealed, start, sealed.size - start)
        } catch (unreadable: GeneralSecurityException) {
            null
        }
    }

    private companion object {
        const val TRANSFORMATION = "AES/GCM/NoPadding"
        const val VERSION: Byte = 1
    }
}
