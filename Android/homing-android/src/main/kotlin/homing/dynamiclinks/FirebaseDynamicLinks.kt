// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package homing.dynamiclinks

import android.content.Intent
import android.net.Uri
import homing.Firebase
import homing.FirebaseException
import homing.HomingApp
import homing.Refusal
import homing.tasks.Task
import homing.tasks.calls
import homing.tasks.task
import homing.text
import homing.wire.CustomSchemeLink
import homing.wire.IncomingAction
import homing.wire.InstallReferrer
import homing.wire.LinkDomainURL
import homing.wire.campaignOf
import homing.wire.isWebURL
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import org.json.JSONObject

/** Why a dynamic link could not be read or made; [status] is that of the server's refusal, 0 when there was no answer. */
class FirebaseDynamicLinksException internal constructor(message: String, val status: Int) : FirebaseException(message)

/**
 * Incoming and new dynamic links: the twin of Firebase's class of this name, for a Homing server.
 *
 * Long links, and those that a link domain has wrapped for a mail, are read on the device, short ones by the server. Nothing
 * about the device is sent.
 */
class FirebaseDynamicLinks private constructor(private val app: HomingApp) {
    private val options get() = app.options

    /**
     * The link that an activity was opened with; at the first start, the link that a person had tapped before the app was
     * installed from the Play Store, by the store's install referrer. The result is null where there is neither.
     */
    fun getDynamicLink(intent: Intent?): Task<PendingDynamicLinkData?> = task {
        intent?.dataString?.let { linkIn(it) } ?: installed()
    }

    /** The link in a URI; null when it is none of this app's. */
    fun getDynamicLink(uri: Uri): Task<PendingDynamicLinkData?> = task { linkIn(uri.toString()) }

    /**
     * The link in the text of Play's install referrer, in both of its forms: the link alone, or `utm_source=…&link=…`.
     *
     * Whoever links to the store writes the referrer: go to your own hosts only.
     */
    fun getDynamicLinkFromInstallReferrer(referrer: String): PendingDynamicLinkData? = InstallReferrer.of(referrer)
        ?.takeIf { isWebURL(it.link) }?.let { PendingDynamicLinkData(Uri.parse(it.link), 0, it.campaign) }

    /** Begins a link. */
    fun createDynamicLink() = DynamicLink.Builder(this)

    private suspend fun installed(): PendingDynamicLinkData? = withContext(Dispatchers.IO) {
        val device = options.device
        if (device.takeInstallReferrerTurn()) device.installReferrer()?.let(::getDynamicLinkFromInstallReferrer) else null
    }

    private suspend fun linkIn(url: String): PendingDynamicLinkData? {
        if (url.length > IncomingAction.MOST_CHARACTERS) return null
        if (CustomSchemeLink.matches(url)) {
            val schemes = options.schemes + listOfNotNull(options.device.packageName)
            return CustomSchemeLink.of(url, schemes)?.let { data(it.deepLink, null, it.campaign) }
        }
        return read(url, 3)
    }

    private suspend fun read(url: String, layers: Int): PendingDynamicLinkData? {
        if (layers == 0) return null
        val wrappers = listOf(app.endpoint.url)
        return when (val read = LinkDomainURL.of(url, options.linkDomains, wrappers)) {
            is LinkDomainURL.Long -> {
                report(url)
                data(read.parameters["link"], read.parameters["amv"], campaignOf(read.parameters))
            }
            is LinkDomainURL.Short -> resolved(url)
            is LinkDomainURL.Wrapper -> {
                val isOurs = LinkDomainURL.of(read.link, options.linkDomains, wrappers) != null
                if (isOurs) read(read.link, layers - 1) else data(read.link, null, emptyMap())
            }
            is LinkDomainURL.Unreadable, null -> null
        }
    }

    private fun data(link: String?, version: String?, campaign: Map<String, String>): PendingDynamicLinkData? =
        link?.takeIf(::isWebURL)?.let { PendingDynamicLinkData(Uri.parse(it), version?.toIntOrNull() ?: 0, campaign) }

    /** What a short link stands for, from the server, which answers with the long link. */
    private suspend fun resolved(url: String): PendingDynamicLinkData? {
        val answer = post("reopenAttribution", "requestedLink" to url)
        val campaign = UTM.mapNotNull { (name, member) -> answer.text(member)?.let { name to it } }.toMap()
        val long = answer.text("resolvedLink")?.let { LinkDomainURL.of(it, options.linkDomains) as? LinkDomainURL.Long }
        return data(answer.text("deepLink"), long?.parameters?.get("amv"), campaign)
            ?: throw FirebaseDynamicLinksException("The link that it names leads nowhere.", 0)
    }

    /** Tells the server's statistics when a long link has opened the app. Nobody waits for it. */
    private fun report(url: String) {
        calls.launch {
            try {
                post("reopenAttribution", "requestedLink" to url)
            } catch (unheard: FirebaseException) {
                // The link has been read already.
            }
        }
    }

    internal fun shorten(longLink: String, suffix: Int?): Task<ShortDynamicLink> = task {
        val option = if (suffix == ShortDynamicLink.Suffix.SHORT) "SHORT" else "UNGUESSABLE"
        val answer = post(
            "shortLinks", "longDynamicLink" to longLink,
            "suffix" to suffix?.let { JSONObject().put("option", option) }
        )
        val short = answer.text("shortLink") ?: throw FirebaseDynamicLinksException("The answer has no short link.", 0)
        val warnings = answer.optJSONArray("warning")
        ShortDynamicLink(
            Uri.parse(short), answer.text("previewLink")?.let(Uri::parse),
            (0 until (warnings?.length() ?: 0)).mapNotNull { warnings?.optJSONObject(it) }.map {
                ShortDynamicLink.Warning(it.text("warningCode"), it.text("warningMessage") ?: "")
            }
        )
    }

    private suspend fun post(operation: String, vararg members: Pair<String, Any?>): JSONObject = try {
        app.endpoint.post("firebasedynamiclinks.googleapis.com/v1/$operation", members.toList())
    } catch (refusal: Refusal) {
        throw FirebaseDynamicLinksException(refusal.wire, refusal.status)
    }

    companion object {
        private val UTM = mapOf(
            "utm_source" to "utmSource", "utm_medium" to "utmMedium", "utm_campaign" to "utmCampaign",
            "utm_term" to "utmTerm", "utm_content" to "utmContent"
        )

        /** The one of the app that was configured without a name. */
        @JvmStatic
        fun getInstance(): FirebaseDynamicLinks = getInstance(HomingApp.getInstance())

        /** The one of an app. */
        @JvmStatic
        fun getInstance(app: HomingApp): FirebaseDynamicLinks =
            app.part(FirebaseDynamicLinks::class.java, ::FirebaseDynamicLinks)
    }
}

/** The one of the app that was configured without a name. */
val Firebase.dynamicLinks: FirebaseDynamicLinks get() = FirebaseDynamicLinks.getInstance()
