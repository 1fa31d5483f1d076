// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
import HomingWire
import Testing

/// Every platform with every combination of app, fallback, `efr` and `amv`; the expectations repeat the rules in
/// a second implementation.
@Suite struct LinkTableTests {
    enum Device: CaseIterable { case phone, inAppPhone, oldPhone, pad, mac, android, webView, desktop }
    enum App: CaseIterable { case absent, unregistered, registered }
    enum Fallback: CaseIterable { case none, web, store }

    struct Row: CustomTestStringConvertible {
        let device: Device
        let app: App
        let fallback: Fallback
        let forces: Bool
        let version: String?
        let hasPageHost: Bool
        let wasAsked: Bool

        var testDescription: String {
            "\(device), app \(app), fallback \(fallback), efr \(forces), amv \(version ?? "-"), second host "
                + "\(hasPageHost), asked \(wasAsked)"
        }

        static let all: [Row] = Device.allCases.flatMap { device in
            App.allCases.flatMap { app in
                Fallback.allCases.flatMap { fallback in
                    [false, true].flatMap { forces in
                        [nil, "7", "x"].flatMap { version in
                            [false, true].flatMap { hasPageHost in
                                [false, true].map { wasAsked in
                                    Row(
                                        device: device, app: app, fallback: fallback, forces: forces, version: version,
                                        hasPageHost: hasPageHost, wasAsked: wasAsked)
                                }
                            }
                        }
                    }
                }
            }
        }

        var visitor: Visitor {
            switch device {
            case .phone: .iPhone(system: 18, isInApp: false)
            case .oldPhone: .iPhone(system: 8, isInApp: false)
            case .inAppPhone: .iPhone(system: 18, isInApp: true)
            case .pad: .iPad(system: 12, isInApp: false)
            case .mac: .desktopSafariOnMac
            case .android: .android(isWebView: false)
            case .webView: .android(isWebView: true)
            case .desktop: .desktop
            }
        }

        var link: DynamicLinkParameters {
            LinkWorld.link { link in
                switch app {
                case .absent: break
                case .unregistered:
                    link.ios.bundleID = "example.unknown.ios"
                    link.android.packageName = "example.unknown.android"
                case .registered:
                    link.ios.bundleID = LinkWorld.bundleID
                    link.android.packageName = LinkWorld.packageName
                }
                switch fallback {
                case .none: break
                case .web:
                    link.ios.fallbackLink = "https://shop.example/i"
                    link.android.fallbackLink = "https://shop.example/a"
                    link.desktopFallbackLink = "https://shop.example/d"
                case .store: link.ios.appStoreID = LinkWorld.appStoreID
                }
                link.forcesRedirect = forces
                link.android.minimumVersion = version
            }
        }

        private var isIOS: Bool { [.phone, .inAppPhone, .oldPhone, .pad, .mac].contains(device) }

        /// The target of a device of this kind when no app opens.
        var expectedFallback: String {
            switch (isIOS, fallback, app) {
            case (true, .web, _): return "https://shop.example/i"
            case (true, .store, .registered): return "https://apps.apple.com/app/id123456789"
            case (true, _, _): return "https://shop.example/cart?item=7"
            case (false, .web, _): return device == .desktop ? "https://shop.example/d" : "https://shop.example/a"
            case (false, _, .registered) where device != .desktop:
                return "https://play.google.com/store/apps/details?id=example.shop.android"
                    + "&referrer=https%3A%2F%2Fshop.example%2Fcart%3Fitem%3D7"
                    + (version == "7" ? "&min_version=7" : "")
            case (false, _, _): return "https://shop.example/cart?item=7"
            }
        }

        /// The target of a real Mac.
        var expectedDesktop: String {
            fallback == .web ? "https://shop.example/d" : "https://shop.example/cart?item=7"
        }

        /// Whether a page asks the person before an app opens.
        var expectsPage: Bool {
            [.phone, .inAppPhone, .pad, .mac, .webView].contains(device) && app == .registered && !forces && !wasAsked
        }

        var expectsScheme: Bool { device == .oldPhone && app == .registered && !forces && !wasAsked }
    }

    @Test(arguments: Row.all)
    func `every row of the table does what the rules say`(row: Row) throws {
        let world = try LinkWorld()
        try world.rules.check(row.link)
        let plan = world.plan(row.link, for: row.visitor, hasPageHost: row.hasPageHost, wasAsked: row.wasAsked)
        switch plan {
        case .redirect(let url, let kind):
            #expect(!row.expectsPage)
            switch kind {
            case .app:
                #expect(row.device == .android && row.app == .registered)
                #expect(url.hasPrefix("intent://links.shop.example/abc#Intent;"))
                let fallback = try #require(url.split(separator: ";").first { $0.hasPrefix("S.browser_fallback_url=") })
                #expect(percentDecoded(fallback.dropFirst("S.browser_fallback_url=".count)) == row.expectedFallback)
            case .customScheme:
                #expect(row.expectsScheme)
                #expect(url.hasPrefix("example.shop.ios://google/link/?deep_link_id="))
            case .payload, .fallback, .store:
                #expect(!row.expectsScheme)
                #expect(!(row.device == .android && row.app == .registered))
                if row.device == .mac, !(row.wasAsked && row.app == .registered) {
                    #expect(row.expectedFallback == row.expectedDesktop)
                    #expect(url == row.expectedDesktop)
                } else {
                    #expect(url == row.expectedFallback)
                }
            }
        case .page(let page):
            #expect(row.expectsPage && row.device != .mac)
            expect(page, row)
        case .macOrIPad(let page, let desktop):
            #expect(row.device == .mac)
            #expect(desktop == row.expectedDesktop)
            if row.expectsPage {
                expect(page, row)
            } else {
                #expect(!(row.wasAsked && row.app == .registered))
                #expect(page.button == row.expectedFallback)
                #expect(row.expectedFallback != row.expectedDesktop)
            }
        case .preview, .appOnly: Issue.record("\(plan)")
        }
    }

    private func expect(_ page: OpenPage, _ row: Row) {
        #expect(page.fallback == row.expectedFallback)
        #expect(page.url == "https://links.shop.example/abc")
        switch row.device {
        case .webView:
            #expect(page.place == .androidAppWindow && page.buttonKind == .intent && page.staysOnLinkHost)
            #expect(page.button.hasPrefix("intent://links.shop.example/abc#Intent;"))
            return
        case .inAppPhone:
            #expect(page.place == .appleAppWindow && page.buttonKind == .customScheme && !page.staysOnLinkHost)
            #expect(page.button.hasPrefix("shop://google/link/?deep_link_id="))
            return
        default: #expect(page.place == .browser && !page.staysOnLinkHost)
        }
        if row.hasPageHost {
            #expect(page.button == "https://links.shop.example/abc?_open=1")
        } else {
            #expect(page.button.hasPrefix("shop://google/link/?deep_link_id="))
        }
    }

    @Test func `the table is whole`() {
        #expect(Row.all.count == 8 * 3 * 3 * 2 * 3 * 2 * 2)
    }
}
