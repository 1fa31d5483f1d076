// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingStore
import HomingWire

/// The effects of a link on every platform, for the debug page `d=1`. Codes are masked in every URL.
package struct LinkReport: Sendable, Equatable {
    /// A kind of device, with or without the app.
    package enum Situation: Sendable, Hashable, CaseIterable {
        case iPhoneWithApp, iPhoneWithoutApp
        /// Before iOS 9, which knows no universal links.
        case oldIPhone
        /// In the window of another app.
        case iPhoneInApp
        case iPadWithApp, iPadWithoutApp
        case androidWithApp, androidWithoutApp, androidWebView
        case desktop
        case crawler
    }

    /// The outcome of a link in a situation.
    package enum Outcome: Sendable, Hashable, CaseIterable {
        /// The system opens the app, in which the URL is the payload.
        case opensApp
        /// The page with one large button.
        case page
        /// The page that says how to come to Safari from the window of another app.
        case words
        case appStore, playStore
        /// The URL that the link names for this platform.
        case webFallback
        /// `link` itself.
        case payload
        /// The page for a link that only the app opens.
        case appOnly
        case preview
        case customScheme
    }

    package struct Row: Sendable, Equatable {
        package let situation: Situation
        /// The id of the app that the link names for the device, when it is registered.
        package let app: String?
        package let outcome: Outcome
        /// The target as people read it, codes masked. On a page: the target for people without the app; nil where there is none.
        package let url: String?
        /// On a page: the kind of `url`.
        package let next: Outcome?
    }

    /// One row per situation, in the order of ``Situation``.
    package let rows: [Row]
    package let warnings: [DynamicLinkWarning]

    package init(_ resolution: LinkResolution, warnings: [DynamicLinkWarning]) {
        rows = Situation.allCases.map { resolution.row($0) }
        self.warnings = warnings
    }
}

extension LinkResolution {
    fileprivate func row(_ situation: LinkReport.Situation) -> LinkReport.Row {
        switch situation {
        case .iPhoneWithApp where isOpened(appleApp(isIPad: false)),
            .iPadWithApp where isOpened(appleApp(isIPad: true)):
            return row(situation, .opensApp, appPayload)
        case .androidWithApp where androidApp != nil:
            return row(situation, .opensApp, appPayload)
        case .iPhoneWithApp, .iPhoneWithoutApp:
            return row(situation, plan(for: .iPhone(system: nil, isInApp: false)))
        case .oldIPhone: return row(situation, plan(for: .iPhone(system: 8, isInApp: false)))
        case .iPhoneInApp: return row(situation, plan(for: .iPhone(system: nil, isInApp: true)))
        case .iPadWithApp, .iPadWithoutApp: return row(situation, plan(for: .iPad(system: nil, isInApp: false)))
        // Without the app a browser follows the fallback inside the `intent:` URL.
        case .androidWithApp, .androidWithoutApp: return row(situation, plan(androidFallback()))
        case .androidWebView: return row(situation, plan(for: .android(isWebView: true)))
        case .desktop: return row(situation, plan(for: .desktop))
        case .crawler: return row(situation, plan(for: .crawler))
        }
    }

    private func app(in situation: LinkReport.Situation) -> RegisteredApp? {
        switch situation {
        case .iPhoneWithApp, .iPhoneWithoutApp, .oldIPhone, .iPhoneInApp: appleApp(isIPad: false)
        case .iPadWithApp, .iPadWithoutApp: appleApp(isIPad: true)
        case .androidWithApp, .androidWithoutApp, .androidWebView: androidApp
        case .desktop, .crawler: nil
        }
    }

    /// Whether the system opens the app. Without a team id no association file names the app.
    private func isOpened(_ app: RegisteredApp?) -> Bool {
        app?.teamID != nil
    }

    private func row(_ situation: LinkReport.Situation, _ plan: LinkPlan) -> LinkReport.Row {
        switch plan {
        case .redirect(let url, let kind): row(situation, outcome(of: kind, in: situation), url)
        case .page(let page), .macOrIPad(let page, _):
            row(
                situation, page.place == .appleAppWindow ? .words : .page, page.fallback,
                next: page.fallbackKind.map { outcome(of: $0, in: situation) } ?? .appOnly)
        case .appOnly: row(situation, .appOnly, nil)
        case .preview(let preview): row(situation, .preview, preview.destination)
        }
    }

    private func row(
        _ situation: LinkReport.Situation, _ outcome: LinkReport.Outcome, _ url: String?,
        next: LinkReport.Outcome? = nil
    ) -> LinkReport.Row {
        LinkReport.Row(
            situation: situation, app: app(in: situation)?.id, outcome: outcome,
            url: url.map { BrowserSpelling.readable(SecretMask.masked($0)) },
            next: next)
    }

    private func outcome(of kind: LinkDestination, in situation: LinkReport.Situation) -> LinkReport.Outcome {
        switch kind {
        case .payload: .payload
        case .fallback: .webFallback
        case .store:
            [.androidWithApp, .androidWithoutApp, .androidWebView].contains(situation) ? .playStore : .appStore
        case .app: .opensApp
        case .customScheme: .customScheme
        }
    }
}
