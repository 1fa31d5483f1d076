// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package homing.dynamiclinks

import android.net.Uri
import homing.tasks.Task
import homing.wire.LinkDomainURL
import homing.wire.percentEncoded

/** A long dynamic link, made by its [Builder]. */
class DynamicLink internal constructor(val uri: Uri) {
    /** Puts a link together: the deep link, the link domain, and the apps that may open it. */
    class Builder internal constructor(private val links: FirebaseDynamicLinks) {
        private val values = mutableMapOf<String, String>()
        private var domain: String? = null
        private var longLink: Uri? = null

        /** The deep link: where the link leads. The server follows links on the project's authorised domains only. */
        fun setLink(link: Uri) = apply { values["link"] = link.toString() }

        /** One of the project's link domains as a full prefix, `https://links.example.com`. */
        fun setDomainUriPrefix(domainUriPrefix: String) = apply { domain = domainUriPrefix.trimEnd('/') }

        /** A whole long link in the place of parts. */
        fun setLongLink(longLink: Uri) = apply { this.longLink = longLink }

        fun setAndroidParameters(parameters: AndroidParameters) = apply { values += parameters.values }

        fun setIosParameters(parameters: IosParameters) = apply { values += parameters.values }

        fun setGoogleAnalyticsParameters(parameters: GoogleAnalyticsParameters) = apply { values += parameters.values }

        fun setItunesConnectAnalyticsParameters(parameters: ItunesConnectAnalyticsParameters) =
            apply { values += parameters.values }

        fun setSocialMetaTagParameters(parameters: SocialMetaTagParameters) = apply { values += parameters.values }

        fun setNavigationInfoParameters(parameters: NavigationInfoParameters) = apply { values += parameters.values }

        /** The long link: every parameter in a fixed order, every value percent-encoded once. */
        fun buildDynamicLink() = DynamicLink(longLink ?: Uri.parse(text()))

        /** Makes a short link of these parts on the server. */
        fun buildShortDynamicLink(): Task<ShortDynamicLink> = links.shorten(buildDynamicLink().uri.toString(), null)

        /** The same with one of [ShortDynamicLink.Suffix]. */
        fun buildShortDynamicLink(suffix: Int): Task<ShortDynamicLink> =
            links.shorten(buildDynamicLink().uri.toString(), suffix)

        private fun text(): String {
            val prefix = requireNotNull(domain) { "Set the link domain: setDomainUriPrefix." }
            require("link" in values) { "Set the deep link: setLink." }
            val pairs = LinkDomainURL.NAMES.mapNotNull { name ->
                values[name]?.takeIf { it.isNotEmpty() }?.let { "$name=${percentEncoded(it)}" }
            }
            return "$prefix/?${pairs.joinToString("&")}"
        }
    }

    /** The Android app that opens a link, and what happens where it is not installed. */
    class AndroidParameters private constructor(internal val values: Map<String, String>) {
        class Builder(packageName: String) {
            private val values = mutableMapOf("apn" to packageName)

            /** Where a device without the app goes instead of the Play Store. */
            fun setFallbackUrl(fallbackUrl: Uri) = apply { values["afl"] = fallbackUrl.toString() }

            /** The lowest version code that understands the link; an older app is updated first. */
            fun setMinimumVersion(minimumVersion: Int) = apply { values["amv"] = minimumVersion.toString() }

            fun build() = AndroidParameters(values.toMap())
        }
    }

    /** The Apple app that opens a link, and what happens where it is not installed. */
    class IosParameters private constructor(internal val values: Map<String, String>) {
        class Builder(bundleId: String) {
            private val values = mutableMapOf("ibi" to bundleId)

            fun setAppStoreId(appStoreId: String) = apply { values["isi"] = appStoreId }

            fun setFallbackUrl(fallbackUrl: Uri) = apply { values["ifl"] = fallbackUrl.toString() }

            fun setCustomScheme(customScheme: String) = apply { values["ius"] = customScheme }

            fun setIpadBundleId(bundleId: String) = apply { values["ipbi"] = bundleId }

            fun setIpadFallbackUrl(fallbackUrl: Uri) = apply { values["ipfl"] = fallbackUrl.toString() }

            fun setMinimumVersion(minimumVersion: String) = apply { values["imv"] = minimumVersion }

            fun build() = IosParameters(values.toMap())
        }
    }

    /** Where a click on a link came from. */
    class GoogleAnalyticsParameters private constructor(internal val values: Map<String, String>) {
        class Builder @JvmOverloads constructor(source: String = "", medium: String = "", campaign: String = "") {
            private val values =
                mutableMapOf("utm_source" to source, "utm_medium" to medium, "utm_campaign" to campaign)

            fun setSource(source: String) = apply { values["utm_source"] = source }

            fun setMedium(medium: String) = apply { values["utm_medium"] = medium }

            fun setCampaign(campaign: String) = apply { values["utm_campaign"] = campaign }

            fun setTerm(term: String) = apply { values["utm_term"] = term }

            fun setContent(content: String) = apply { values["utm_content"] = content }

            fun build() = GoogleAnalyticsParameters(values.toMap())
        }
    }

    /** What the App Store is told of a click. */
    class ItunesConnectAnalyticsParameters private constructor(internal val values: Map<String, String>) {
        class Builder {
            private val values = mutableMapOf<String, String>()

            fun setProviderToken(providerToken: String) = apply { values["pt"] = providerToken }

            fun setAffiliateToken(affiliateToken: String) = apply { values["at"] = affiliateToken }

            fun setCampaignToken(campaignToken: String) = apply { values["ct"] = campaignToken }

            fun build() = ItunesConnectAnalyticsParameters(values.toMap())
        }
    }

    /** What messengers show of a link that was shared. */
    class SocialMetaTagParameters private constructor(internal val values: Map<String, String>) {
        class Builder {
            private val values = mutableMapOf<String, String>()

            fun setTitle(title: String) = apply { values["st"] = title }

            fun setDescription(description: String) = apply { values["sd"] = description }

            fun setImageUrl(imageUrl: Uri) = apply { values["si"] = imageUrl.toString() }

            fun build() = SocialMetaTagParameters(values.toMap())
        }
    }

    /** How a browser goes on from a link. */
    class NavigationInfoParameters private constructor(internal val values: Map<String, String>) {
        class Builder {
            private val values = mutableMapOf<String, String>()

            /** Whether an iPhone without the app is sent on without a page in between. */
            fun setForcedRedirectEnabled(forcedRedirectEnabled: Boolean) =
                apply { if (forcedRedirectEnabled) values["efr"] = "1" else values.remove("efr") }

            fun build() = NavigationInfoParameters(values.toMap())
        }
    }
}
