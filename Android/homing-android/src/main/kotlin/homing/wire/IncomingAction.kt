// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package homing.wire

/** A link's action, before anybody has asked whose it is. */
internal class ActionLink(
    val mode: String, val code: String, val apiKey: String, val continueURL: String?, val language: String?,
    val tenantId: String?
)

/**
 * The reading of a URL that has reached an app and may hold an action link: plain, wrapped by link domains and custom
 * schemes, or wrapped again by a mail scanner. A link that could be read in two ways is not read at all.
 */
internal sealed class IncomingAction {
    class Action(
        val link: ActionLink,
        /** `amv` of the layer that named one: the lowest version code of the app that understands the link. */
        val minimumVersion: Long?
    ) : IncomingAction()

    /** Part of an action link: cut short, torn apart by one decoding too many, or with two values for one name. */
    object Damaged : IncomingAction()

    /** No action link. */
    object None : IncomingAction()

    companion object {
        /** The greatest length of a URL that is read; no link that we make comes near it. */
        const val MOST_CHARACTERS = 16_384

        /** Enough for a link domain, a custom scheme and a link domain again, and scanners on both sides of the mail. */
        private const val MOST_LAYERS = 6

        val MODES = setOf(
            "resetPassword", "verifyEmail", "signIn", "verifyAndChangeEmail", "recoverEmail",
            "revertSecondFactorAddition"
        )

        fun of(url: String): IncomingAction {
            if (url.length > MOST_CHARACTERS || !isVisible(url)) return None
            var text = url
            var minimumVersion: Long? = null
            for (layer in 0..MOST_LAYERS) {
                val scanned = ScannedLink.of(text)
                if (scanned is ScannedLink.Unreadable) return None
                val query = if (scanned is ScannedLink.None) IncomingQuery.of(text) ?: return Damaged else null
                minimumVersion = query?.minimumVersion ?: minimumVersion
                text = (scanned as? ScannedLink.Holding)?.link ?: when (val next = next(query!!)) {
                    is Next.Inner -> next.link
                    is Next.Read -> return next.action.let { if (it is Action) Action(it.link, minimumVersion) else it }
                }
                if (!isVisible(text)) return Damaged
            }
            return Damaged
        }

        private sealed class Next {
            class Inner(val link: String) : Next()
            class Read(val action: IncomingAction) : Next()
        }

        private fun next(query: IncomingQuery): Next {
            val inner = query.wrapped ?: return Next.Read(query.action)
            if (!query.has("oobCode") && !query.has("mode")) {
                return if (query.isExactMatch) Next.Inner(inner) else Next.Read(None)
            }
            // A code beside a wrapped link has fallen out of that link, and left a part there; or the link is a parameter
            // of the page to which the code was brought.
            val page = IncomingQuery.of(inner)
            return Next.Read(if (page == null || page.isTelling) Damaged else query.action)
        }

        /** The URL without the wrappers of mail scanners; null when it cannot be told. */
        fun withoutScanners(url: String): String? {
            if (url.length > MOST_CHARACTERS) return null
            var text = url
            for (layer in 0..MOST_LAYERS) {
                when (val scanned = ScannedLink.of(text)) {
                    is ScannedLink.None -> return text
                    is ScannedLink.Holding -> text = scanned.link
                    is ScannedLink.Unreadable -> return null
                }
            }
            return null
        }
    }
}
