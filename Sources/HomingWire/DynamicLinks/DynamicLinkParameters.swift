// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// What a dynamic link says: where it leads, which apps may open it, and what happens where none is installed.
///
/// Every value is decoded text as it came; nothing here has been checked against a project. An absent parameter is nil,
/// an empty one counts as absent. Names follow the REST fields of `dynamicLinkInfo`; each comment gives the parameter
/// of the long link.
public struct DynamicLinkParameters: Sendable, Equatable {
    /// `link`: the URL that the app gets, and where everything else falls back to.
    public var link: String
    /// Which Android app opens it.
    public var android = Android()
    /// Which Apple app opens it.
    public var ios = IOS()
    /// `ofl`: where anything leads that is neither iOS nor Android.
    public var desktopFallbackLink: String?
    /// `efr=1`: an iPhone without the app is sent on without a page in between.
    public var forcesRedirect = false
    /// What a preview of it shows.
    public var social = Social()
    /// Where a click on it came from.
    public var campaign = Campaign()
    /// What the App Store is told of it.
    public var appStore = AppStoreCampaign()

    /// A link without apps.
    public init(link: String) {
        self.link = link
    }

    /// The Android app and its fallbacks.
    public struct Android: Sendable, Equatable {
        /// `apn`: the package name.
        public var packageName: String?
        /// `afl`: where a device without the app goes instead of the Play Store.
        public var fallbackLink: String?
        /// `amv`: the lowest version code that understands the link, as it was written.
        public var minimumVersion: String?
        /// `al`: an older way to give Android a payload of its own.
        public var link: String?

        /// Nothing said.
        public init() {}
    }

    /// The Apple app and its fallbacks.
    public struct IOS: Sendable, Equatable {
        /// `ibi`: the bundle id.
        public var bundleID: String?
        /// `ifl`: where a device without the app goes instead of the App Store.
        public var fallbackLink: String?
        /// `ius`: the app's URL scheme; without it the bundle id is one.
        public var customScheme: String?
        /// `ipfl`: ``fallbackLink`` on an iPad.
        public var ipadFallbackLink: String?
        /// `ipbi`: ``bundleID`` on an iPad.
        public var ipadBundleID: String?
        /// `isi`: the App Store id, digits.
        public var appStoreID: String?
        /// `imv`: the lowest app version that understands the link; only the app compares it.
        public var minimumVersion: String?

        /// Nothing said.
        public init() {}
    }

    /// What previews in messengers show.
    public struct Social: Sendable, Equatable {
        /// `st`
        public var title: String?
        /// `sd`
        public var description: String?
        /// `si`
        public var imageLink: String?

        /// Nothing said.
        public init() {}
    }

    /// Where a click came from, as the payload and the Play Store are told.
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

        /// Nothing said.
        public init() {}
    }

    /// What the App Store is told.
    public struct AppStoreCampaign: Sendable, Equatable {
        /// `at`: affiliate token.
        public var affiliateToken: String?
        /// `ct`: campaign token.
        public var campaignToken: String?
        /// `mt`: media type; 8 is apps.
        public var mediaType: String?
        /// `pt`: provider token.
        public var providerToken: String?

        /// Nothing said.
        public init() {}
    }
}
