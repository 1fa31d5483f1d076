// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// The outcome of a click on a dynamic link.
package enum LinkPlan: Sendable, Equatable {
    /// A redirect that nobody caches.
    case redirect(to: String, LinkDestination)
    /// A page with one large button: where an iPhone or iPad cannot be redirected into an app.
    case page(OpenPage)
    /// A page with tags for a messenger's preview; nobody is sent anywhere.
    case preview(LinkPreview)
    /// A page that tells that the link opens in the app and nowhere else.
    case appOnly
    /// For a Safari that calls itself a Mac's: the page decides whether it is an iPad (`page`) or goes to `desktop`.
    case macOrIPad(page: OpenPage, desktop: String)
}

/// The kind of a URL in a plan, for statistics and for the texts of pages.
package enum LinkDestination: Sendable, Hashable, CaseIterable {
    /// `link` itself.
    case payload
    /// The URL that the link names for this platform: `afl`, `ifl`, `ipfl` or `ofl`.
    case fallback
    /// The App Store or the Play Store.
    case store
    /// The app, through an `intent:` URL.
    case app
    /// The app, through its own URL scheme.
    case customScheme

    /// Whether a redirect to the destination is the event `REDIRECT` in statistics; an app counts its openings itself.
    package var isRedirectEvent: Bool { self != .app }
}

/// The page on which a phone or tablet opens the app by hand.
package struct OpenPage: Sendable, Equatable {
    /// Where the page is shown.
    package enum Place: Sendable, Hashable {
        case browser
        /// A window of another app on an iPhone or iPad, where no tap on a link opens an app.
        case appleAppWindow
        /// A window of another app on Android, which follows a tap on an `intent:` URL and no redirect to one.
        case androidAppWindow
    }

    package enum Button: Sendable, Hashable {
        /// The link itself on its own host, tapped on another host: the system opens the app, and where there is none
        /// the link comes back with ``LinkResolution/askedMark``.
        case universalLink
        /// The app's own URL scheme.
        case customScheme
        /// The link for exactly one package, on Android.
        case intent
        /// None that opens the app from here: the page says how to come to a browser, and the button's URL is the link.
        case words
        /// No way into the app: the button leads where the quiet link does.
        case destination(LinkDestination)
    }

    /// The target of the large button.
    package let button: String
    package let buttonKind: Button
    /// The target of the quiet link, for people without the app; nil when there is none.
    package let fallback: String?
    package let fallbackKind: LinkDestination?
    /// `st`
    package let title: String?
    /// `sd`
    package let description: String?
    package let place: Place
    /// The link itself, for whoever copies it.
    package let url: String
    /// What Safari's banner offers; nil where the app is in no store.
    package let banner: AppBanner?

    /// Whether the page stays on the link's own host: Android needs no other, and Safari offers an App Clip only on a
    /// host whose file names it.
    package var staysOnLinkHost: Bool { place == .androidAppWindow || banner?.clipBundleID != nil }
}

/// The app that Safari offers above a page (`apple-itunes-app`).
package struct AppBanner: Sendable, Equatable {
    package let appStoreID: String
    package let clipBundleID: String?

    /// Nil for an app that is not in the App Store.
    package init?(_ app: RegisteredApp?) {
        guard let app, let id = app.appStoreID else { return nil }
        appStoreID = id
        clipBundleID = app.clipBundleID
    }
}

/// The apps in the tags of Facebook's App Links (applinks.org), by which its apps open a link in the app itself.
package struct PreviewApps: Sendable, Equatable {
    /// The URL in the app's own scheme.
    package let iOSURL: String?
    package let appStoreID: String?
    package let androidPackage: String?
}

/// The preview that a messenger shows for a link.
package struct LinkPreview: Sendable, Equatable {
    /// `st`
    package let title: String?
    /// `sd`
    package let description: String?
    /// `si`, when it is an `https` URL.
    package let imageLink: String?
    /// The link's own URL.
    package let url: String
    /// The page to which a desktop browser would be sent; nil when there is none.
    package let destination: String?
    /// Nil where there is no app, or where the link carries a code.
    package let apps: PreviewApps?
}
