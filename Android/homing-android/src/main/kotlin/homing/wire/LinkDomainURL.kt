// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package homing.wire

/** The kind of a URL on one of an app's link domains, by its shape; no server is asked. */
internal sealed class LinkDomainURL {
    /** `{prefix}/__/auth/links?link=…`: the URL that was wrapped. */
    class Wrapper(val link: String) : LinkDomainURL()

    /** `{prefix}/?link=…`: a dynamic link with all its parameters. */
    class Long(val parameters: Map<String, String>) : LinkDomainURL()

    /** A dynamic link whose parameters only a server knows. */
    object Short : LinkDomainURL()

    /** A URL on a link domain that cannot be read. */
    object Unreadable : LinkDomainURL()

    companion object {
        /**
         * Reads a URL; null for one that is on none of these.
         *
         * @param domains the app's link domains as full prefixes.
         * @param wrappers further prefixes that only have `/__/auth/links`.
         */
        fun of(url: String, domains: List<String>, wrappers: List<String> = emptyList()): LinkDomainURL? {
            val parts = URLParts(url)
            val ways = domains.mapNotNull { way(parts.base, it) }
            val isWrapper = (ways + wrappers.mapNotNull { way(parts.base, it) }).any { it in WRAPPERS }
            if (isWrapper) {
                val values = pieces(parts.query).map { parameter(it) ?: return Unreadable }
                val link = values.filter { it.first == "link" }.map { it.second }.singleOrNull { it.isNotEmpty() }
                return if (link == null || values.count { it.first == "link" } > 1) Unreadable else Wrapper(link)
            }
            if (ways.any { it.isEmpty() || it == "/" }) return long(parts.query)
            val ending = ways.map { it.trim('/') }.firstOrNull { it.isNotEmpty() } ?: return null
            val isEnding = ending.all { it.isBase64URL() } && ending.any { it.isASCIILetterOrDigit() }
            // What a message or a person has added to an ending only the server takes off.
            return if (isEnding || '/' !in ending && percentDecoded(ending) != null && !ending.startsWith("__")) Short
            else null
        }

        /** Null without a web URL in `link`. */
        private fun long(query: String?): LinkDomainURL? {
            val values = mutableMapOf<String, String>()
            for (piece in pieces(query)) {
                val (name, value) = parameter(piece) ?: return Unreadable
                if (name !in NAMES) continue
                // A parameter with two values: the inner URL was not encoded.
                if (values.put(name, value)?.let { it != value } == true) return Unreadable
            }
            val link = values["link"]?.takeIf { WebLocation.of(it) != null } ?: return null
            return Long(values.filterValues { it.isNotEmpty() } + ("link" to link))
        }

        /** The path behind a prefix, from the slash on; null where the URL is not under the prefix. */
        private fun way(base: String, prefix: String): String? {
            val isWeb = SCHEMES.any { folded(prefix).startsWith(it) }
            if (!isWeb || !folded(base).startsWith(folded(prefix))) return null
            return base.substring(prefix.length).takeIf { it.isEmpty() || it.startsWith("/") }
        }

        private val WRAPPERS = setOf("/__/auth/links", "/__/auth/links/")

        /** The parameters of a long link, in the order in which it is written. */
        val NAMES = listOf(
            "link", "apn", "afl", "amv", "al", "ibi", "ifl", "ius", "ipfl", "ipbi", "isi", "imv", "efr", "ofl", "st", "sd",
            "si", "utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content", "gclid", "at", "ct", "mt", "pt"
        )
    }
}
