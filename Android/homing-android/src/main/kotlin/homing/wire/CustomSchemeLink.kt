// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package homing.wire

/** A link that an app gets through its own URL scheme: `{scheme}://google/link/?deep_link_id=…&match_type=…`. */
internal class CustomSchemeLink private constructor(
    val deepLink: String?, val isExact: Boolean, val campaign: Map<String, String>
) {
    companion object {
        private val RESERVED = setOf(
            "javascript", "vbscript", "livescript", "data", "blob", "http", "https", "mailto", "facetime",
            "facetime-audio", "about", "file", "ftp", "intent", "sms", "tel", "ws", "wss"
        )

        /** Whether a URL is of this kind for any app. */
        fun matches(url: String) = cut(url)?.second?.startsWith("/link") ?: false

        /** Null for another scheme, host or path, and where the query cannot be decoded. */
        fun of(url: String, schemes: List<String>): CustomSchemeLink? {
            val (scheme, path) = cut(url) ?: return null
            if (schemes.none { folded(it) == scheme } || path != "/link" && path != "/link/") return null
            val values = pieces(URLParts(url).query).map { parameter(it) ?: return null }
                .filter { it.second.isNotEmpty() }.asReversed().toMap()
            val deepLink = values["deep_link_id"]
            val isExact = values["match_type"]?.let { folded(it) == "unique" } ?: (deepLink != null)
            return CustomSchemeLink(deepLink, isExact, campaignOf(values))
        }

        /** Scheme and path of a URL whose host begins with `google`. */
        private fun cut(url: String): Pair<String, String>? {
            val base = URLParts(url).base
            val colon = base.indexOf(':').takeIf { it > 0 } ?: return null
            val scheme = folded(base.substring(0, colon))
            val isScheme = scheme[0] in 'a'..'z' && scheme.all { it.isASCIILetterOrDigit() || it in "+-." }
            val rest = base.substring(colon)
            if (!isScheme || scheme in RESERVED || !folded(rest).startsWith("://google")) return null
            return Pair(scheme, rest.substring("://google".length))
        }
    }
}

/** The parameters of a campaign among those of a link. */
internal fun campaignOf(values: Map<String, String>) = values.filterKeys { it in CAMPAIGN_NAMES }

private val CAMPAIGN_NAMES = setOf("utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content", "gclid")
