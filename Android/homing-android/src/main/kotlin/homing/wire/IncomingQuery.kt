// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package homing.wire

/** The query of an incoming URL, of which only our links' parameters are decoded; each may occur once. */
internal class IncomingQuery private constructor(private val base: String) {
    private val values = mutableMapOf<String, String>()

    /** The value of `continueUrl` as the URL has it, not decoded. */
    private var rawContinueURL: String? = null

    /** Whether nothing follows `continueUrl`. */
    private var endsInContinueURL = false

    fun has(name: String) = name in values

    /** Whether the query has any parameter of an action link. */
    val isTelling: Boolean get() = has("oobCode") || has("mode") || has("apiKey") || wrapped != null

    /** The URL in `deep_link_id` or `link`. A text that is no URL under these names belongs to somebody's own page. */
    val wrapped: String?
        get() = listOfNotNull(values["deep_link_id"], values["link"])
            .firstOrNull { WebLocation.of(it) != null || CustomSchemeLink.matches(it) }

    /** Whether no callback warns that the link may be somebody else's. */
    val isExactMatch: Boolean get() = values["match_type"]?.let { folded(it) == "unique" } ?: true

    /** `amv`: the lowest version code of the app that understands what is inside; only digits count. */
    val minimumVersion: Long? get() = values["amv"]?.takeIf { text -> text.all { it in '0'..'9' } }?.toLongOrNull()

    val action: IncomingAction
        get() {
            val code = values["oobCode"]
            val apiKey = values["apiKey"]
            val mode = values["mode"]?.takeIf { it in IncomingAction.MODES }
            val link = if (code == null || apiKey == null || mode == null || isContinueURLTorn || isContinueURLCut) null
            else ActionLink(mode, code, apiKey, values["continueUrl"], values["lang"], values["tenantId"])
            val areVisible = listOfNotNull(code, apiKey, values["lang"], values["tenantId"], values["continueUrl"])
                .all(::isVisible)
            if (link != null && areVisible) return IncomingAction.Action(link, null)
            return if (isDamaged) IncomingAction.Damaged else IncomingAction.None
        }

    /** Whether a continue URL with a query was decoded too early: the rest of that query is among the other parameters. */
    private val isContinueURLTorn: Boolean get() = rawContinueURL?.contains('=') ?: false

    /**
     * Whether a part of the continue URL may be lost: it was decoded too early, and a fragment or the rest is gone. Nobody
     * can tell whether a link that names no language was cut inside its continue URL, which is encoded: its code works,
     * and the server keeps the whole URL.
     */
    private val isContinueURLCut: Boolean
        get() = endsInContinueURL && !has("lang") && rawContinueURL?.contains('/') ?: false

    /** A page may have a mode or a code of its own; two of the three, or our page itself, are no coincidence. */
    private val isDamaged: Boolean
        get() = listOf(values["mode"] in IncomingAction.MODES, has("oobCode"), has("apiKey")).count { it } > 1 ||
            base.endsWith("/__/auth/action")

    private fun take(piece: String, seen: MutableSet<String>): Boolean {
        val name = percentDecoded(piece.substringBefore('='))?.takeIf { it in NAMES }
        endsInContinueURL = name == "continueUrl"
        if (name == null) return true
        val raw = piece.substringAfter('=', "")
        val value = percentDecoded(raw)
        if (value == null || !seen.add(name)) return name == "amv"
        if (value.isNotEmpty()) values[name] = value
        if (endsInContinueURL) rawContinueURL = raw
        return true
    }

    companion object {
        private val NAMES = setOf(
            "mode", "oobCode", "apiKey", "continueUrl", "lang", "tenantId", "link", "deep_link_id", "match_type", "amv"
        )

        /** Null when one of our parameters cannot be decoded or occurs twice. */
        fun of(url: String): IncomingQuery? {
            val parts = URLParts(url)
            val query = IncomingQuery(parts.base)
            val seen = mutableSetOf<String>()
            for (piece in mended(parts.query)) if (!query.take(piece, seen)) return null
            return query
        }

        /**
         * The pieces of a query with the separators that were written for HTML once too often on the way (`&amp;`, `&#38;`
         * and their like, also percent-encoded or several times over) taken off. No name of ours begins so.
         */
        private fun mended(query: String?): List<String> = pieces(query).map { piece ->
            var rest = piece
            while (true) rest = ESCAPE.find(rest)?.let { rest.substring(it.range.last + 1) } ?: break
            rest
        }.filter { it.isNotEmpty() }

        private val ESCAPE = Regex("^(amp|#0?38|#x26|%230?38|%23x26)(;|%3B)", RegexOption.IGNORE_CASE)
    }
}
