// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingTexts

/// Where a link may be opened, as the rows of its report tell it.
package enum LinkReportPlatform: Sendable, CaseIterable {
    case iPhoneInstalled
    case iPhoneAbsent
    /// Before iOS 9, which knows no universal links.
    case oldIPhone
    case iPadInstalled
    case iPadAbsent
    case androidInstalled
    case androidAbsent
    /// In the browser inside another app, which follows no `intent:` address.
    case androidWebView
    case desktop
    /// A messenger that asks for a preview.
    case crawler

    func name(in text: PageText.Platform) -> String {
        switch self {
        case .iPhoneInstalled: text.iPhoneInstalled
        case .iPhoneAbsent: text.iPhoneAbsent
        case .oldIPhone: text.oldIPhone
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

/// What happens there.
package enum LinkReportOutcome: Sendable, CaseIterable {
    case opensApp
    /// The page with one large button.
    case openPage
    case appStore
    case playStore
    /// One of `afl`, `ifl`, `ipfl`, `ofl`.
    case webFallback
    /// The payload, as a web page.
    case link
    /// A page that says that there is nothing but the app.
    case appOnly
    case preview
    case customScheme

    func sentence(in text: PageText.Outcome) -> String {
        switch self {
        case .opensApp: text.opensApp
        case .openPage: text.openPage
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
