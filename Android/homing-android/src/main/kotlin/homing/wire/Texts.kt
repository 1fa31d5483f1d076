// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package homing.wire

import java.nio.ByteBuffer
import java.nio.charset.CharacterCodingException
import java.nio.charset.CodingErrorAction
import java.security.MessageDigest

/** Percent-encodes every byte but letters, digits, `-` `.` `_` `~` (RFC 3986 section 2.3). */
internal fun percentEncoded(text: String): String {
    val encoded = StringBuilder(text.length + 16)
    for (byte in text.toByteArray()) {
        val character = (byte.toInt() and 0xFF).toChar()
        if (character.isASCIILetterOrDigit() || character in "-._~") encoded.append(character)
        else encoded.append('%').append(HEX[byte.toInt() shr 4 and 0xF]).append(HEX[byte.toInt() and 0xF])
    }
    return encoded.toString()
}

/**
 * The text behind percent-encoding, decoded once; `+` stays a plus.
 *
 * Null when a `%` is not followed by two hexadecimal digits or the result is not UTF-8, where decoders disagree.
 */
internal fun percentDecoded(text: String): String? {
    if ('%' !in text) return text
    val bytes = text.toByteArray()
    val decoded = ByteBuffer.allocate(bytes.size)
    var index = 0
    while (index < bytes.size) {
        if (bytes[index] != '%'.toByte()) {
            decoded.put(bytes[index++])
            continue
        }
        val high = hexValue(bytes.getOrNull(index + 1)) ?: return null
        val low = hexValue(bytes.getOrNull(index + 2)) ?: return null
        decoded.put((high shl 4 or low).toByte())
        index += 3
    }
    decoded.flip()
    val decoder = Charsets.UTF_8.newDecoder().onMalformedInput(CodingErrorAction.REPORT)
    return try {
        decoder.decode(decoded).toString()
    } catch (malformed: CharacterCodingException) {
        null
    }
}

private const val HEX = "0123456789ABCDEF"

private fun hexValue(byte: Byte?): Int? = when (val character = byte?.toChar()) {
    in '0'..'9' -> character!! - '0'
    in 'a'..'f' -> character!! - 'a' + 10
    in 'A'..'F' -> character!! - 'A' + 10
    else -> null
}

internal fun Char.isASCIILetterOrDigit() = this in 'a'..'z' || this in 'A'..'Z' || this in '0'..'9'

internal fun Char.isBase64URL() = isASCIILetterOrDigit() || this == '-' || this == '_'

/** Whether a text has nothing but visible characters of ASCII. */
internal fun isVisible(text: String) = text.all { it in '!'..'~' }

/** The text with the letters of ASCII, and no others, in small letters. */
internal fun folded(text: String) = String(CharArray(text.length) { index ->
    val character = text[index]
    if (character in 'A'..'Z') character + 32 else character
})

/** base64url without padding (RFC 4648 section 5). */
internal object Base64URL {
    private const val ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

    fun value(character: Char): Int? = ALPHABET.indexOf(character).takeIf { it >= 0 }

    fun encode(bytes: ByteArray): String {
        val encoded = StringBuilder(bytes.size * 4 / 3 + 3)
        var bits = 0
        var count = 0
        for (byte in bytes) {
            bits = bits shl 8 or (byte.toInt() and 0xFF)
            count += 8
            while (count >= 6) {
                count -= 6
                encoded.append(ALPHABET[bits shr count and 0x3F])
            }
            bits = bits and 0xFF
        }
        if (count > 0) encoded.append(ALPHABET[bits shl (6 - count) and 0x3F])
        return encoded.toString()
    }

    /** Null for any other character, and for a length that no bytes have; padding does not count. */
    fun decode(text: String): ByteArray? {
        val letters = text.trimEnd('=')
        if (letters.length % 4 == 1) return null
        val decoded = java.io.ByteArrayOutputStream(letters.length)
        var bits = 0
        var count = 0
        for (letter in letters) {
            bits = (bits shl 6 or (value(letter) ?: return null)) and 0xFFFF
            count += 6
            if (count < 8) continue
            count -= 8
            decoded.write(bits shr count and 0xFF)
        }
        return decoded.toByteArray()
    }
}

internal fun sha256(text: String): ByteArray = MessageDigest.getInstance("SHA-256").digest(text.toByteArray())
