// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// The content of a dynamic link: its target, the apps that may open it, and the fallbacks where none is installed.
///
/// Every value is decoded text as it came, but that URLs to which people are sent are spelled out as browsers do: letters
/// beyond ASCII and spaces behind the host in percent, no empty port. Nothing here has been checked against a project. An
/// absent parameter is nil, an empty one counts as absent. Names follow the REST fields of `dynamicLinkInfo`; each comment gives the parameter
/// of the long link.
public struct DynamicLinkParameters: Sendable, Equatable {
    /// `link`: the URL that the app gets, and the last fallback of everything else.
    public var link: String { didSet { link = BrowserSpelling.spelled(link) } }
    /// The Android app that opens the link.
    public var android = Android()
    /// The Apple app that opens the link.
    public var ios = IOS()
    /// `ofl`: the target of devices that are neither iOS nor Android.
    public var desktopFallbackLink: String? { didSet { desktopFallbackLink = spelled(desktopFallbackLink) } }
    /// `efr=1`: an iPhone without the app is sent on without a page in between.
    public var forcesRedirect = false
    /// The preview of the link.
    public var social = Social()
    /// The origin of a click on the link.
    public var campaign = Campaign()
    /// The campaign for the App Store.
    public var appStore = AppStoreCampaign()

    /// A link without apps.
    public init(link: String) {
        self.link = BrowserSpelling.spelled(link)
    }

    /// The Android app and its fallbacks.
    public struct Android: Sendable, Equatable {
        /// `apn`: the package name.
        public var packageName: String?
        /// `afl`: the target of a device without the app, instead of the Play Store.
        public var fallbackLink: String? { didSet { fallbackLink = spelled(fallbackLink) } }
        /// `amv`: the lowest version code that understands the link, as the link has it.
        public var minimumVersion: String?
        /// `al`: an older way to give Android a payload of its own.
        public var link: String?

        /// No parameters.
        public init() {}
    }

    /// The Apple app and its fallbacks.
    public struct IOS: Sendable, Equatable {
        /// `ibi`: the bundle id.
        public var bundleID: String?
        /// `ifl`: the target of a device without the app, instead of the App Store.
        public var fallbackLink: String? { didSet { fallbackLink = spelled(fallbackLink) } }
        /// `ius`: the app's URL scheme; by default the bundle id.
        public var customScheme: String?
        /// `ipfl`: ``fallbackLink`` on an iPad.
        public var ipadFallbackLink: String? { didSet { ipadFallbackLink = spelled(ipadFallbackLink) } }
        /// `ipbi`: ``bundleID`` on an iPad.
        public var ipadBundleID: String?
        /// `isi`: the App Store id, digits.
        public var appStoreID: String?
        /// `imv`: the lowest app version that understands the link; only the app compares it.
        public var minimumVersion: String?

        /// No parameters.
        public init() {}
    }

    /// The preview of a link in messengers.
    public struct Social: Sendable, Equatable {
        /// `st`
        public var title: String?
        /// `sd`
        public var description: String?
        /// `si`
        public var imageLink: String? { didSet { imageLink = spelled(imageLink) } }

        /// No parameters.
        public init() {}
    }

    /// The origin of a click, for the payload and the Play Store.
    public struct Campaign: Sendable, Equatable {
        /// `utm_source`
        public var source: String?
        /// `utm_medium`
        public var medium: String?
        /// `utm_campaign`
        public var campaign: String?
        /// `utm_term`
        public var term: String?
        /// `utm_content`
        public var content: String?
        /// `gclid`
        public var clickID: String?

        /// No parameters.
        public init() {}
    }

    /// The campaign for the App Store.
    public struct AppStoreCampaign: Sendable, Equatable {
        /// `at`: affiliate token.
        public var affiliateToken: String?
        /// `ct`: campaign token.
        public var campaignToken: String?
        /// `mt`: media type; 8 is apps.
        public var mediaType: String?
        /// `pt`: provider token.
        public var providerToken: String?

        /// No parameters.
        public init() {}
    }
}

private func spelled(_ url: String?) -> String? { url.map(BrowserSpelling.spelled) }
