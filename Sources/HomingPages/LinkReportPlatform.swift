// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingTexts

/// The platforms on which a link may be opened, one per row of its report.
package enum LinkReportPlatform: Sendable, CaseIterable {
    case iPhoneInstalled
    case iPhoneAbsent
    /// Before iOS 9, which knows no universal links.
    case oldIPhone
    /// In the window of another app.
    case iPhoneInApp
    case iPadInstalled
    case iPadAbsent
    case androidInstalled
    case androidAbsent
    /// In the window of another app, which follows no redirect to an `intent:` URL.
    case androidWebView
    case desktop
    /// A messenger that asks for a preview.
    case crawler

    func name(in text: PageText.Platform) -> String {
        switch self {
        case .iPhoneInstalled: text.iPhoneInstalled
        case .iPhoneAbsent: text.iPhoneAbsent
        case .oldIPhone: text.oldIPhone
        case .iPhoneInApp: text.iPhoneInApp
        case .iPadInstalled: text.iPadInstalled
        case .iPadAbsent: text.iPadAbsent
        case .androidInstalled: text.androidInstalled
        case .androidAbsent: text.androidAbsent
        case .androidWebView: text.androidWebView
        case .desktop: text.desktop
        case .crawler: text.crawler
        }
    }
}

/// The outcome of a link on a platform.
package enum LinkReportOutcome: Sendable, CaseIterable {
    case opensApp
    /// The page with one large button.
    case openPage
    /// The page that says how to come to the browser.
    case words
    case appStore
    case playStore
    /// The URL of one of `afl`, `ifl`, `ipfl`, `ofl`.
    case webFallback
    /// The payload, as a web page.
    case link
    /// A page for a link that only the app opens.
    case appOnly
    case preview
    case customScheme

    func sentence(in text: PageText.Outcome) -> String {
        switch self {
        case .opensApp: text.opensApp
        case .openPage: text.openPage
        case .words: text.words
        case .appStore: text.appStore
        case .playStore: text.playStore
        case .webFallback: text.webFallback
        case .link: text.link
        case .appOnly: text.appOnly
        case .preview: text.preview
        case .customScheme: text.customScheme
        }
    }
}
