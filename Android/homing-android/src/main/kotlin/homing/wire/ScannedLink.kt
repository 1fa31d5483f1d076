// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package homing.wire

/**
 * A link around which a mail scanner or a mail page has put a link of its own.
 *
 * Only links that hold the inner link whole and readable in one way are opened. Opaque links, such as Mimecast's, mean
 * nothing without their server and stay closed, as does every wrapper that is not listed here.
 */
internal sealed class ScannedLink {
    /** None of the wrappers that we know. */
    object None : ScannedLink()

    /** The link inside, decoded once. */
    class Holding(val link: String) : ScannedLink()

    /** A known wrapper without an inner link that can be read in one way only. */
    object Unreadable : ScannedLink()

    companion object {
        /** Reads one layer. */
        fun of(url: String): ScannedLink {
            val location = WebLocation.of(url) ?: return None
            val read = reader(location) ?: return None
            val inner = read(location, url)?.takeIf { WebLocation.of(it) != null } ?: return Unreadable
            return Holding(inner)
        }

        private fun reader(location: WebLocation): ((WebLocation, String) -> String?)? = when {
            location.isUnder(".safelinks.protection.outlook.com") ||
                location.isUnder(".safelinks.protection.office365.us") -> value("url")
            location.isOn("urldefense.proofpoint.com") && location.path == "/v1/url" -> value("u")
            location.isOn("urldefense.proofpoint.com") && location.path == "/v2/url" ->
                { place, _ -> place.onlyValue("u")?.let(Proofpoint::second) }
            PROOFPOINT.any(location::isOn) && location.path.startsWith("/v3/__") -> { _, url -> Proofpoint.third(url) }
            (location.isOn("www.google.com") || location.isOn("google.com")) && location.path == "/url" ->
                value("q", "url")
            location.isOn("linkprotect.cudasvc.com") && location.path == "/url" -> value("a")
            location.isOn("secure-web.cisco.com") -> { place, _ -> cisco(place) }
            else -> null
        }

        private val PROOFPOINT = listOf("urldefense.com", "urldefense.us", "urldefense.proofpoint.com")

        private fun value(vararg names: String): (WebLocation, String) -> String? =
            { place, _ -> place.onlyValue(*names)?.let(::percentDecoded) }

        /** `/{token}/{the link, percent-encoded whole}` */
        private fun cisco(location: WebLocation): String? {
            val segments = location.path.removePrefix("/").split('/')
            return if (segments.size == 2 && location.query == null) percentDecoded(segments[1]) else null
        }
    }
}

/** The two spellings of Proofpoint's URL Defense that are not plain percent-encoding. */
internal object Proofpoint {
    /** Version 2: `-` stands for `%` and `_` for `/`; both characters themselves are encoded. */
    fun second(value: String): String? =
        // A percent in the value would have to be decoded first or last; nothing tells which.
        if ('%' in value) null else percentDecoded(value.replace('-', '%').replace('_', '/'))

    /**
     * Version 3: `/v3/__{link}__;{bytes}!…`. Every character of the link that its rules forbid is a `*`, a run of them is
     * `**` and its length, and the original characters follow the link in base64url.
     */
    fun third(url: String): String? {
        val start = url.indexOf("/v3/__").takeIf { it >= 0 }?.plus(6) ?: return null
        val end = url.indexOf("__;", start).takeIf { it >= 0 && url.indexOf("__;", it + 1) < 0 } ?: return null
        val mark = url.indexOf('!', end).takeIf { it >= 0 } ?: return null
        val replaced = Base64URL.decode(url.substring(end + 3, mark))?.let { String(it, Charsets.ISO_8859_1) }
        // Some readers decode percents of the link and some do not; their own rules leave none.
        if (replaced == null || !isVisible(replaced)) return null
        return url.substring(start, end).takeIf { '%' !in it }?.let { filled(it, replaced) }
    }

    private fun filled(link: String, replaced: String): String? {
        val filled = StringBuilder()
        var used = 0
        var index = 0
        while (index < link.length) {
            if (link[index] != '*') {
                filled.append(link[index++])
                continue
            }
            var length = 1
            if (link.getOrNull(++index) == '*') {
                length = 2 + (link.getOrNull(index + 1)?.let(Base64URL::value) ?: return null)
                index += 2
            }
            if (replaced.length - used < length) return null
            filled.append(replaced, used, used + length)
            used += length
        }
        return if (used == replaced.length) filled.toString() else null
    }
}
