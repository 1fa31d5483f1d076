// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package homing.wire

/**
 * The text that Play's Install Referrer API gives to an app that was installed by way of a link: the link alone, or the
 * pairs of a campaign and the link behind them, `utm_source=…&link={percent-encoded}`.
 */
internal class InstallReferrer private constructor(val link: String, val campaign: Map<String, String>) {
    companion object {
        /** Reads both forms, as the API gives them or percent-encoded once more; null where there is no link in it. */
        fun of(referrer: String): InstallReferrer? {
            if (referrer.length > IncomingAction.MOST_CHARACTERS) return null
            // Each form has one of these, unless it was encoded.
            val text = (if ('=' in referrer || ':' in referrer) referrer else percentDecoded(referrer)) ?: return null
            if (WebLocation.of(text) != null) return InstallReferrer(text, emptyMap())
            val start = Regex("(?:^|&)link=").find(text) ?: return null
            val rest = text.substring(start.range.last + 1)
            // A link that was decoded too early has its own parameters behind it: it is the last one, so all is its.
            val isPlain = SCHEMES.any { folded(rest).startsWith(it) }
            val link = if (isPlain) rest else percentDecoded(rest.substringBefore('&'))
            if (link == null || WebLocation.of(link) == null) return null
            val pairs = pieces(text.substring(0, start.range.first)).mapNotNull(::parameter).asReversed().toMap()
            return InstallReferrer(link, campaignOf(pairs))
        }
    }
}
