// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
package import HomingLinkRules
import HomingStore

// How plans and reports of links become pages.

extension OpenAppView {
    package init(_ page: OpenPage) {
        let hasWayIn =
            switch page.buttonKind {
            case .universalLink, .customScheme, .intent: true
            case .words, .destination: false
            }
        let otherwise = page.fallback.map { href -> Otherwise in
            guard page.fallbackKind == .store else { return .browser(href: href) }
            return page.place == .androidAppWindow ? .store(href: href) : .appStore(href: href)
        }
        self.init(
            openHref: hasWayIn ? page.button : nil, linkTitle: page.title, linkDescription: page.description,
            otherwise: otherwise, copyHref: page.url)
        place = page.place
        banner = page.banner
    }
}

extension MacOrIPadView {
    package init(_ page: OpenPage, desktop: String) {
        self.init(iPad: OpenAppView(page), desktopHref: desktop)
    }
}

extension PreviewTagsView {
    package init(_ preview: LinkPreview) {
        self.init(
            title: preview.title, description: preview.description, imageURL: preview.imageLink, url: preview.url,
            destination: preview.destination, apps: preview.apps)
    }
}

extension LinkReportView {
    /// - Parameter link: the link itself, without any code in it.
    package init(_ report: LinkReport, link: String) {
        self.init(
            link: link,
            rows: report.rows.map {
                Row(
                    LinkReportPlatform($0.situation), app: $0.app, LinkReportOutcome($0.outcome), url: $0.url,
                    next: $0.next.map { LinkReportOutcome($0) })
            },
            warnings: report.warnings.map { Warning(code: $0.code.rawValue, sentence: $0.message) })
    }
}

extension LinkReportPlatform {
    init(_ situation: LinkReport.Situation) {
        switch situation {
        case .iPhoneWithApp: self = .iPhoneInstalled
        case .iPhoneWithoutApp: self = .iPhoneAbsent
        case .oldIPhone: self = .oldIPhone
        case .iPhoneInApp: self = .iPhoneInApp
        case .iPadWithApp: self = .iPadInstalled
        case .iPadWithoutApp: self = .iPadAbsent
        case .androidWithApp: self = .androidInstalled
        case .androidWithoutApp: self = .androidAbsent
        case .androidWebView: self = .androidWebView
        case .desktop: self = .desktop
        case .crawler: self = .crawler
        }
    }
}

extension LinkReportOutcome {
    init(_ outcome: LinkReport.Outcome) {
        switch outcome {
        case .opensApp: self = .opensApp
        case .page: self = .openPage
        case .words: self = .words
        case .appStore: self = .appStore
        case .playStore: self = .playStore
        case .webFallback: self = .webFallback
        case .payload: self = .link
        case .appOnly: self = .appOnly
        case .preview: self = .preview
        case .customScheme: self = .customScheme
        }
    }
}
