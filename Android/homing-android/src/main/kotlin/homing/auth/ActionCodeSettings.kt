// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package homing.auth

/** Where the link of a mail leads: the state that comes back with it, and the apps that may open it. */
class ActionCodeSettings private constructor(builder: Builder) {
    /** The continue URL: where the person is afterwards. Its domain has to be on the project's list. */
    val url: String? = builder.url

    /** Whether the app takes the code from the link and applies it; false lets the web page act first. */
    private val handlesCodeInApp = builder.handleCodeInApp

    /** The Apple app that may open the link. */
    val iosBundle: String? = builder.iosBundleId

    /** The Android app that may open the link. */
    val androidPackageName: String? = builder.androidPackageName

    /** Whether a device without the Android app goes to the store. */
    val androidInstallApp: Boolean = builder.androidInstallApp

    /** The lowest version code of the Android app that understands the link, in digits. */
    val androidMinimumVersion: String? = builder.androidMinimumVersion

    /** Which of the project's link domains wraps the link, in the form of Dynamic Links. */
    val dynamicLinkDomain: String? = builder.dynamicLinkDomain

    /** Which of the project's link domains wraps the link; the first one unless it is set. */
    val linkDomain: String? = builder.linkDomain

    fun canHandleCodeInApp() = handlesCodeInApp

    /** The settings as members of a request. */
    internal fun members(): List<Pair<String, Any?>> {
        val needsPackage = androidInstallApp || !androidMinimumVersion.isNullOrEmpty()
        if (androidPackageName.isNullOrEmpty() && needsPackage) throw AuthErrors.of("MISSING_ANDROID_PKG_NAME")
        fun text(value: String?) = value?.takeIf { it.isNotEmpty() }
        return listOf(
            "continueUrl" to text(url), "canHandleCodeInApp" to true.takeIf { handlesCodeInApp },
            "iOSBundleId" to text(iosBundle), "androidPackageName" to text(androidPackageName),
            "androidInstallApp" to true.takeIf { androidInstallApp },
            "androidMinimumVersion" to text(androidMinimumVersion),
            "dynamicLinkDomain" to text(dynamicLinkDomain), "linkDomain" to text(linkDomain)
        )
    }

    class Builder internal constructor() {
        var url: String? = null
            @JvmSynthetic set
        var handleCodeInApp = false
            @JvmSynthetic set
        var iosBundleId: String? = null
            @JvmSynthetic set
        var dynamicLinkDomain: String? = null
            @JvmSynthetic set
        var linkDomain: String? = null
            @JvmSynthetic set
        internal var androidPackageName: String? = null
        internal var androidInstallApp = false
        internal var androidMinimumVersion: String? = null

        fun setUrl(url: String) = apply { this.url = url }

        fun setHandleCodeInApp(status: Boolean) = apply { handleCodeInApp = status }

        fun setIOSBundleId(iOSBundleId: String) = apply { iosBundleId = iOSBundleId }

        /**
         * Names the Android app.
         *
         * @param installIfNotAvailable whether a device without the app goes to the store.
         * @param minimumVersion the lowest version code that understands the link, in digits.
         */
        fun setAndroidPackageName(androidPackageName: String, installIfNotAvailable: Boolean, minimumVersion: String?) =
            apply {
                this.androidPackageName = androidPackageName
                androidInstallApp = installIfNotAvailable
                androidMinimumVersion = minimumVersion
            }

        fun setDynamicLinkDomain(dynamicLinkDomain: String) = apply { this.dynamicLinkDomain = dynamicLinkDomain }

        fun setLinkDomain(linkDomain: String) = apply { this.linkDomain = linkDomain }

        fun build() = ActionCodeSettings(this)
    }

    companion object {
        @JvmStatic
        fun newBuilder() = Builder()
    }
}

/** Settings in one expression: `actionCodeSettings { url = "https://…" }` in Firebase's Kotlin. */
fun actionCodeSettings(init: ActionCodeSettings.Builder.() -> Unit): ActionCodeSettings =
    ActionCodeSettings.newBuilder().apply(init).build()
