// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package homing.auth

import org.json.JSONObject

/** The rules of `v2/passwordPolicy`, of which clients know schema version 1. */
internal object PasswordRules {
    private const val SYMBOLS = "^\$*.[]{}()?\"!@#%&/\\,><':;|_~`+-="

    fun check(password: String, policy: JSONObject): PasswordValidationStatus {
        val options = policy.optJSONObject("customStrengthOptions") ?: JSONObject()
        val allowed = policy.optJSONArray("allowedNonAlphanumericCharacters")
        val symbols = if (allowed == null) SYMBOLS else (0 until allowed.length()).joinToString("") { allowed.optString(it) }
        val length = password.codePointCount(0, password.length)
        val rules = mapOf(
            "minPasswordLength" to (length >= options.optInt("minPasswordLength", 6)),
            "maxPasswordLength" to (length <= options.optInt("maxPasswordLength", 4096)),
            "containsLowercaseCharacter" to password.any { it in 'a'..'z' },
            "containsUppercaseCharacter" to password.any { it in 'A'..'Z' },
            "containsNumericCharacter" to password.any { it in '0'..'9' },
            "containsNonAlphanumericCharacter" to password.any { it in symbols }
        )
        val broken = rules.filter { (rule, holds) -> !holds && (rule.endsWith("Length") || options.optBoolean(rule)) }
        return PasswordValidationStatus(broken.isEmpty(), broken.keys.toList())
    }
}
