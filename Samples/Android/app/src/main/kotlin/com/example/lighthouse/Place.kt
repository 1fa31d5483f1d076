// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package com.example.lighthouse

import android.net.Uri

/** Where a reader is: a letter, and a part of it. It is the continue URL of every mail, and comes back in its link. */
data class Place(val letter: String, val part: Int) {
    val url: String get() = "https://www.example.com/letters/${Uri.encode(letter)}?part=$part"

    companion object {
        val FIRST = Place("the-first-light", 1)

        /** Whoever can send a link can name any page: only this app's own are taken. */
        fun of(url: String?): Place? {
            val uri = url?.let(Uri::parse) ?: return null
            val segments = uri.pathSegments
            if (uri.host != "www.example.com" || segments.size != 2 || segments[0] != "letters") return null
            return Place(segments[1], uri.getQueryParameter("part")?.toIntOrNull() ?: 1)
        }
    }
}
