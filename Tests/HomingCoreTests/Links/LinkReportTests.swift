// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
import HomingStore
import HomingWire
import Testing

@Suite struct LinkReportTests {
    private let world: LinkWorld

    init() throws { world = try LinkWorld() }

    private func report(_ link: DynamicLinkParameters) -> [LinkReport.Situation: LinkReport.Row] {
        let resolution = LinkResolution(link, at: LinkWorld.linkBase + "/abc", rules: world.rules, hasPageHost: true)
        let report = LinkReport(resolution, warnings: world.rules.warnings(link))
        #expect(report.rows.map(\.situation) == LinkReport.Situation.allCases)
        return Dictionary(uniqueKeysWithValues: report.rows.map { ($0.situation, $0) })
    }

    @Test func `a link with everything has an outcome of each kind`() {
        let rows = report(
            LinkWorld.link {
                $0.android.packageName = LinkWorld.packageName
                $0.ios.bundleID = LinkWorld.bundleID
                $0.ios.appStoreID = LinkWorld.appStoreID
                $0.ios.ipadFallbackLink = "https://shop.example/pad"
            })
        let outcomes: [(LinkReport.Situation, LinkReport.Outcome, LinkReport.Outcome?)] = [
            (.iPhoneWithApp, .opensApp, nil), (.iPhoneWithoutApp, .page, .appStore), (.oldIPhone, .customScheme, nil),
            (.iPhoneInApp, .words, .appStore),
            (.iPadWithApp, .opensApp, nil), (.iPadWithoutApp, .page, .webFallback), (.androidWithApp, .opensApp, nil),
            (.androidWithoutApp, .playStore, nil), (.androidWebView, .page, .playStore), (.desktop, .payload, nil),
            (.crawler, .payload, nil),
        ]
        for (situation, outcome, next) in outcomes {
            #expect(rows[situation]?.outcome == outcome, "\(situation)")
            #expect(rows[situation]?.next == next, "\(situation)")
        }
        for situation in LinkReport.Situation.allCases {
            let app: String? =
                switch situation {
                case .desktop, .crawler: nil
                case .androidWithApp, .androidWithoutApp, .androidWebView: LinkWorld.packageName
                case .iPhoneWithApp, .iPhoneWithoutApp, .oldIPhone, .iPhoneInApp, .iPadWithApp, .iPadWithoutApp:
                    LinkWorld.bundleID
                }
            #expect(rows[situation]?.app == app, "\(situation)")
        }
        #expect(rows[.iPadWithoutApp]?.url == "https://shop.example/pad")
        #expect(rows[.iPhoneWithApp]?.url == "https://shop.example/cart?item=7")
    }

    @Test func `a payload for apps only leads nobody else anywhere`() {
        let rows = report(
            LinkWorld.link {
                $0.link = LinkWorld.linkBase + "/welcome"
                $0.android.packageName = LinkWorld.packageName
                $0.ios.bundleID = LinkWorld.bundleID
                $0.ios.fallbackLink = "https://apps.apple.com/app/id123456789"
            })
        for situation in [LinkReport.Situation.iPhoneWithApp, .iPadWithApp, .androidWithApp] {
            #expect(rows[situation]?.outcome == .opensApp)
            #expect(rows[situation]?.url == LinkWorld.linkBase + "/welcome")
        }
        #expect(rows[.iPhoneWithoutApp]?.next == .appStore)
        #expect(rows[.androidWithoutApp]?.outcome == .playStore)
        #expect(rows[.desktop]?.outcome == .appOnly)
        for situation in [LinkReport.Situation.desktop, .crawler] { #expect(rows[situation]?.url == nil) }
    }

    @Test func `an app that is not registered is named nowhere, and the iPad's own is`() {
        let rows = report(
            LinkWorld.link {
                $0.android.packageName = "example.neighbour.android"
                $0.ios.bundleID = "example.neighbour.ios"
                $0.ios.ipadBundleID = LinkWorld.ipadBundleID
            })
        #expect(
            rows.values.filter { $0.app != nil }.map(\.situation).allSatisfy {
                [.iPadWithApp, .iPadWithoutApp].contains($0)
            })
        #expect(rows[.iPadWithApp]?.app == LinkWorld.ipadBundleID)
    }

    @Test func `an app that no file names is not opened by the system`() {
        let rows = report(LinkWorld.link { $0.ios.bundleID = "example.shop.teamless" })
        #expect(rows[.iPhoneWithApp]?.outcome == .page)
    }

    @Test func `no row shows a code`() {
        let nested = WrappedLink.authLink(LinkWorld.actionLink(), base: "https://shop.example/x")
        for payload in [LinkWorld.actionLink(), nested, WrappedLink.authLink(nested, base: "https://shop.example/y")] {
            var link = DynamicLinkParameters(link: payload)
            link.android.packageName = LinkWorld.packageName
            link.ios.bundleID = LinkWorld.bundleID
            link.ios.fallbackLink = payload
            for row in report(link).values {
                let url = row.url ?? ""
                #expect(!url.contains(LinkWorld.code), "\(row)")
                #expect(!url.contains("Ab3_-9"), "\(row)")
                #expect(url.contains(SecretMask.mask), "\(row)")
            }
        }
    }

    @Test(arguments: [
        ("https://a/?oobCode=short&mode=x", "https://a/?oobCode=***&mode=x"),
        ("https://a/?mode=x&oobCode=short", "https://a/?mode=x&oobCode=***"),
        ("https://a/?oobCode=sh%26ort#f", "https://a/?oobCode=***%26ort#f"),
        ("https://a/?link=b%3FoobCode%3Dshort%26c%3D1&d=1", "https://a/?link=b%3FoobCode%3D***%26c%3D1&d=1"),
        ("a%253FoobCode%253Dshort%2526c%253D1", "a%253FoobCode%253D***%2526c%253D1"),
        ("a%25253FoobCode%25253Dsh.ort~%252526c", "a%25253FoobCode%25253D***%252526c"),
        ("a?OOBCODE=short", "a?OOBCODE=***"), ("a?oobCode=", "a?oobCode="), ("oobCode", "oobCode"),
        ("a?oobCode%3", "a?oobCode%3"), ("https://a/oobCodes=1", "https://a/oobCodes=1"),
        ("xoobCode=short", "xoobCode=***"), ("a?c=\(LinkWorld.code)&d", "a?c=***&d"),
        ("a/123e4567-e89b-12d3-a456-426614174000", "a/123e4567-e89b-12d3-a456-426614174000"), ("%", "%"), ("", ""),
    ])
    func `a code is masked however often it is encoded`(url: String, masked: String) {
        #expect(SecretMask.masked(url) == masked)
    }
}
