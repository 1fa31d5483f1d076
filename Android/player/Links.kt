// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import android.net.Uri
import homing.HomingApp
import homing.auth.FirebaseAuth
import homing.auth.IncomingLink
import homing.auth.handle
import homing.dynamiclinks.DynamicLink
import homing.dynamiclinks.FirebaseDynamicLinks
import homing.dynamiclinks.PendingDynamicLinkData
import homing.dynamiclinks.ShortDynamicLink
import homing.tasks.await
import org.json.JSONObject

/** The answer of `resolveLink`. */
internal suspend fun resolved(app: HomingApp, link: String): JSONObject? =
    FirebaseDynamicLinks.getInstance(app).getDynamicLink(Uri.parse(link)).await()?.let(::told)

/** The answer of `installReferrer`: the link in the store's text. */
internal fun referred(app: HomingApp, referrer: String): JSONObject? =
    FirebaseDynamicLinks.getInstance(app).getDynamicLinkFromInstallReferrer(referrer)?.let(::told)

private fun told(data: PendingDynamicLinkData): JSONObject {
    val told = JSONObject().put("url", data.link?.toString())
        .put("minimumAppVersion", data.minimumAppVersion.takeIf { it > 0 }?.toString() ?: JSONObject.NULL)
    for ((name, value) in data.campaignParameters) {
        told.put(name.split('_').let { (utm, word) -> utm + word.capitalize() }, value)
    }
    return told
}

/** The answer of `makeLink`: a long link and a short one. */
internal suspend fun made(app: HomingApp, request: JSONObject): JSONObject {
    val builder = FirebaseDynamicLinks.getInstance(app).createDynamicLink()
        .setLink(Uri.parse(request.link)).setDomainUriPrefix(request.getString("domain"))
        .setAndroidParameters(
            DynamicLink.AndroidParameters.Builder(request.getString("package")).setMinimumVersion(12).build()
        )
    return JSONObject().put("long", builder.buildDynamicLink().uri.toString()).put(
        "short", builder.buildShortDynamicLink(ShortDynamicLink.Suffix.UNGUESSABLE).await().shortLink.toString()
    )
}

/** The answer of `handle`: what a link is that has opened the app. */
internal fun handled(auth: FirebaseAuth, link: String): JSONObject = when (val read = auth.handle(link)) {
    is IncomingLink.Action -> told(read.url).put("kind", "action")
    is IncomingLink.UpdateNeeded ->
        JSONObject().put("kind", "updateNeeded").put("minimumVersion", read.minimumVersion).put("store", read.storeUrl)
    is IncomingLink.ContinueUrl -> JSONObject().put("kind", "continueUrl").put("url", read.url)
    is IncomingLink.DynamicLink -> JSONObject().put("kind", "dynamicLink").put("url", read.url)
    is IncomingLink.OtherProject -> JSONObject().put("kind", "otherProject")
    is IncomingLink.Damaged -> JSONObject().put("kind", "damaged")
    is IncomingLink.NotOurs -> JSONObject().put("kind", "notOurs")
}
