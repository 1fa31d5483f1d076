// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

@file:JvmName("IncomingLinks")

package homing.auth

import android.content.Intent
import homing.wire.CustomSchemeLink
import homing.wire.IncomingAction
import homing.wire.LinkDomainURL
import homing.wire.isWebURL

/** What a link that opened the app is: the answer of [FirebaseAuth.handle]. */
sealed class IncomingLink {
    /** An email action of this project: use its code, then go to its `continueUrl`, if that is a place of your own. */
    class Action internal constructor(val url: ActionCodeUrl) : IncomingLink()

    /**
     * The link wants a newer version of the app than this one (`androidMinimumVersion`): offer the update, and the link
     * after it.
     */
    class UpdateNeeded internal constructor(
        /** The lowest version code that understands the link. */
        val minimumVersion: Long,
        /** The page of the app in the store. */
        val storeUrl: String?
    ) : IncomingLink()

    /** A continue URL that came back through a link domain: go there, if it is a place of your own. */
    class ContinueUrl internal constructor(val url: String) : IncomingLink()

    /** A dynamic link: `FirebaseDynamicLinks.getDynamicLink` tells the rest of it. */
    class DynamicLink internal constructor(val url: String) : IncomingLink()

    /** An email action of another project: no code of it works here. */
    class OtherProject internal constructor(val url: ActionCodeUrl) : IncomingLink()

    /** A link of ours that is cut short, torn apart or contradicts itself. Ask for the mail's own link, or a new mail. */
    object Damaged : IncomingLink()

    /** None of ours. */
    object NotOurs : IncomingLink()
}

/** The same for the intent of an activity. */
fun FirebaseAuth.handle(intent: Intent?): IncomingLink = intent?.dataString?.let { handle(it) } ?: IncomingLink.NotOurs

/**
 * Says what a link is that the app was opened with. Call it first in `onCreate` and `onNewIntent`.
 *
 * It takes every form: the mailed link itself, a link domain's around it, a custom scheme's, and those that mail scanners put
 * around them. Nothing is asked of the server and nothing is used up.
 */
fun FirebaseAuth.handle(link: String): IncomingLink = when (val read = IncomingAction.of(link)) {
    is IncomingAction.Action -> actionOf(read)
    is IncomingAction.Damaged -> IncomingLink.Damaged
    is IncomingAction.None -> destination(link, 3)
}

private fun FirebaseAuth.actionOf(read: IncomingAction.Action): IncomingLink {
    val url = ActionCodeUrl(read.link, read.link.continueURL?.let(::continueURL))
    val own = backend.endpoint.apiKey
    if (!backend.has(url.apiKey)) {
        // The key comes last in links for the web: a part of ours is a link that was cut short.
        val isCut = own.startsWith(url.apiKey) && url.languageCode == null
        return if (isCut) IncomingLink.Damaged else IncomingLink.OtherProject(url)
    }
    return tooOld(read.minimumVersion) ?: IncomingLink.Action(url)
}

/** Where a continue URL leads: Continue of the web page goes through a link domain where an app was named. */
private fun FirebaseAuth.continueURL(url: String): String? = when (val inner = destination(url, 2)) {
    is IncomingLink.ContinueUrl -> inner.url
    is IncomingLink.DynamicLink -> url
    else -> url.takeIf(::isWebURL)
}

/** What is no email action, by where it stands. */
private fun FirebaseAuth.destination(link: String, layers: Int): IncomingLink {
    val text = (if (layers > 0) IncomingAction.withoutScanners(link) else null) ?: return IncomingLink.NotOurs
    val options = app.options
    if (CustomSchemeLink.matches(text)) {
        val schemes = options.schemes + listOfNotNull(options.device.packageName)
        val deep = CustomSchemeLink.of(text, schemes)?.takeIf { it.isExact }?.deepLink ?: return IncomingLink.NotOurs
        return payload(deep, layers) { IncomingLink.DynamicLink(text) }
    }
    return when (val read = LinkDomainURL.of(text, options.linkDomains, listOf(backend.endpoint.url))) {
        is LinkDomainURL.Wrapper -> payload(read.link, layers) { IncomingLink.ContinueUrl(it) }
        is LinkDomainURL.Long -> tooOld(read.parameters["amv"]?.toLongOrNull())
            ?: payload(read.parameters.getValue("link"), layers) { IncomingLink.DynamicLink(text) }
        is LinkDomainURL.Short -> IncomingLink.DynamicLink(text)
        is LinkDomainURL.Unreadable -> IncomingLink.Damaged
        null -> IncomingLink.NotOurs
    }
}

/** What is inside a link of ours; what is nothing of ours itself is where it leads. */
private fun FirebaseAuth.payload(link: String, layers: Int, leading: (String) -> IncomingLink): IncomingLink {
    if (!isWebURL(link) && !CustomSchemeLink.matches(link)) return IncomingLink.Damaged
    val inner = destination(link, layers - 1)
    return if (inner === IncomingLink.NotOurs && isWebURL(link)) leading(link) else inner
}

private fun FirebaseAuth.tooOld(minimumVersion: Long?): IncomingLink? {
    val device = app.options.device
    val installed = device.versionCode ?: return null
    if (minimumVersion == null || installed >= minimumVersion) return null
    return IncomingLink.UpdateNeeded(minimumVersion, homing.storeURL(device.packageName))
}
