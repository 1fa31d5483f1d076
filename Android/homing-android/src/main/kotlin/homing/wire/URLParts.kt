// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package homing.wire

/** A URL cut at its first `#` and, before that, at its first `?` (RFC 3986 section 3); nothing is decoded. */
internal class URLParts(url: String) {
    private val whole = url.substringBefore('#')

    /** Everything before the query. */
    val base = whole.substringBefore('?')

    /** The query behind the `?`; null without one. */
    val query: String? = if ('?' in whole) whole.substringAfter('?') else null
    val hasFragment = '#' in url
}

/** Host, path and query of a web URL; nothing in it is decoded. */
internal class WebLocation private constructor(val host: String, val path: String, val query: String?) {
    /** Whether every reader finds the same host: no user in front of it, nothing encoded, no backslash. */
    val isPlain: Boolean get() = host.none { it == '@' || it == '%' || it == '\\' }

    fun isOn(name: String) = folded(host) == name

    fun isUnder(domain: String) = host.length > domain.length && folded(host).endsWith(domain)

    /**
     * The value of the only parameter of these names, not decoded. Null where there are several, and where parameters of
     * ours are beside it: then the inner link was not encoded and has fallen apart.
     */
    fun onlyValue(vararg names: String): String? {
        var found: String? = null
        for (piece in pieces(query)) {
            val name = piece.substringBefore('=')
            if (name in TELLING) return null
            if (name !in names) continue
            if (found != null || '=' !in piece) return null
            found = piece.substringAfter('=')
        }
        return found
    }

    companion object {
        /** Names that only our links have. */
        private val TELLING = setOf("oobCode", "mode", "apiKey", "continueUrl", "deep_link_id", "link")

        /** Null for anything but http and https with a host. */
        fun of(url: String): WebLocation? {
            val parts = URLParts(url)
            val scheme = SCHEMES.firstOrNull { folded(parts.base).startsWith(it) } ?: return null
            val rest = parts.base.substring(scheme.length)
            val host = rest.substringBefore('/')
            if (host.isEmpty()) return null
            return WebLocation(host, rest.substring(host.length), parts.query)
        }
    }
}

internal val SCHEMES = listOf("https://", "http://")

/** Whether a person may be led to a URL: http or https, on a host that every reader reads alike. */
internal fun isWebURL(url: String) = isVisible(url) && WebLocation.of(url)?.isPlain == true

/** The pieces of a query that are not empty. */
internal fun pieces(query: String?): List<String> = (query ?: "").split('&').filter { it.isNotEmpty() }

/** A piece of a query decoded, as name and value; null when it is not strict percent-encoding. */
internal fun parameter(piece: String): Pair<String, String>? {
    val name = percentDecoded(piece.substringBefore('=')) ?: return null
    val value = percentDecoded(piece.substringAfter('=', "")) ?: return null
    return Pair(name, value)
}

/** A web address to which paths are added, in one spelling. */
internal class WebBase private constructor(
    /** The scheme and the host in small letters, no default port, no slash at the end. */
    val text: String,
    /** Whether passwords may be sent there: https; http only where there are no certificates. */
    val isSafe: Boolean
) {
    companion object {
        /** Null for anything but http and https with a host, and with a user, a query or a fragment. */
        fun of(url: String): WebBase? {
            val location = WebLocation.of(url)?.takeIf { it.isPlain && '?' !in url && '#' !in url } ?: return null
            val isSecure = folded(url).startsWith("https:")
            val host = folded(location.host).removeSuffix(if (isSecure) ":443" else ":80").removeSuffix(":")
            if (host.isEmpty()) return null
            val path = location.path.trimEnd('/')
            return WebBase("${if (isSecure) "https" else "http"}://$host$path", isSecure || isNear(host))
        }

        private fun isNear(host: String): Boolean {
            val name = host.substringBefore(':')
            return host.startsWith("[") || name.all { it == '.' || it in '0'..'9' } || name == "localhost" ||
                name.endsWith(".localhost") || name.endsWith(".local")
        }
    }
}
