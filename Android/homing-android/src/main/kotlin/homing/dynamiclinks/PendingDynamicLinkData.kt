// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package homing.dynamiclinks

import android.content.Context
import android.content.Intent
import android.net.Uri
import android.os.Bundle

/** What a dynamic link says to the app that it has opened. */
class PendingDynamicLinkData internal constructor(
    /** The deep link, where the person wants to go. Go only to places of your own. */
    val link: Uri?,
    /** The lowest version code of the app that understands the deep link; 0 means any. */
    val minimumAppVersion: Int,
    private val campaign: Map<String, String>,
    /** When the link was opened, in milliseconds since 1970; 0 where nobody knows. */
    val clickTimestamp: Long = 0
) {
    /** Where the click came from, under `utm_source`, `utm_medium`, `utm_campaign`, `utm_term` and `utm_content`. */
    val utmParameters: Bundle
        get() = Bundle().apply { for ((name, value) in campaignParameters) putString(name, value) }

    /** The same as a map. */
    val campaignParameters: Map<String, String> get() = campaign.filterKeys { it.startsWith("utm_") }

    /** Opens the app's page in the store when this version is too old for the link; null when it is not. */
    fun getUpdateAppIntent(context: Context): Intent? {
        val installed = homing.android.AndroidDevice(context).versionCode
        if (installed >= minimumAppVersion) return null
        return Intent(Intent.ACTION_VIEW, Uri.parse(homing.storeURL(context.packageName)))
            .addFlags(Intent.FLAG_ACTIVITY_NEW_TASK)
    }
}

/** A short link that was made, and what the server has noticed about its parts. */
class ShortDynamicLink internal constructor(
    val shortLink: Uri,
    /** A page that explains where the link leads; null where the server has none. */
    val previewLink: Uri?,
    val warnings: List<Warning>
) {
    /** Something about the parts, for developers. */
    class Warning internal constructor(val code: String?, val message: String)

    /** How long the ending of a short link is. */
    object Suffix {
        /** 17 characters, which nobody guesses. */
        const val UNGUESSABLE = 1

        /** From four characters on: for links that anybody may find. */
        const val SHORT = 2
    }
}
