// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// What a click on a dynamic link does.
package enum LinkPlan: Sendable, Equatable {
    /// On at once, with a redirect that nobody caches.
    case redirect(to: String, LinkDestination)
    /// A page with one large button: where an iPhone or iPad cannot be redirected into an app.
    case page(OpenPage)
    /// Tags for a messenger's preview; nobody is sent anywhere.
    case preview(LinkPreview)
    /// A page that says that the link opens in the app and nowhere else.
    case appOnly
    /// A Safari that says Mac: the page itself decides whether it is an iPad (`page`) or goes on to `desktop`.
    case macOrIPad(page: OpenPage, desktop: String)
}

/// What a URL of a plan is, for statistics and for words on pages.
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

    /// Whether a redirect to it is the event `REDIRECT` in statistics; an app counts its openings itself.
    package var isRedirectEvent: Bool { self != .app }
}

/// The page on which an iPhone or iPad opens the app by hand.
package struct OpenPage: Sendable, Equatable {
    package enum Button: Sendable, Hashable {
        /// The link itself on its own host, tapped on another host: the system opens the app, and where there is none
        /// the link comes back marked as asked.
        case universalLink
        /// The app's own URL scheme.
        case customScheme
        /// No way into the app: the button leads where the quiet link does.
        case destination(LinkDestination)
    }

    /// Where the large button leads.
    package let button: String
    package let buttonKind: Button
    /// Where the quiet link leads, for those without the app; nil when there is no such place.
    package let fallback: String?
    package let fallbackKind: LinkDestination?
    /// `st`
    package let title: String?
    /// `sd`
    package let description: String?
}

/// What a messenger shows for a link.
package struct LinkPreview: Sendable, Equatable {
    /// `st`
    package let title: String?
    /// `sd`
    package let description: String?
    /// `si`, when it is an `https` URL.
    package let imageLink: String?
    /// The link's own URL.
    package let url: String
    /// Where a desktop browser would be sent; nil when it would not be.
    package let destination: String?
}
