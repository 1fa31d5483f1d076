// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
import HomingProjects
import HomingStore
import HomingWire
import Testing

/// Attempts to end an `intent:` URL early or to add to it, and the targets of plans in general.
@Suite struct IntentTests {
    private let world: LinkWorld

    init() throws { world = try LinkWorld() }

    /// The parts behind `#Intent;` of the only form that exists.
    private func parts(_ plan: LinkPlan, seed: UInt64? = nil) -> [Substring] {
        guard case .redirect(let url, .app) = plan else {
            Issue.record("no intent: \(plan), seed \(seed ?? 0)")
            return []
        }
        #expect(url.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"\\\"<>^`{|}'".utf8.contains($0) })
        let halves = url.split(separator: "#", omittingEmptySubsequences: false)
        #expect(halves.count == 2, "seed \(seed ?? 0)")
        #expect(halves.first.map { $0.hasPrefix("intent://links.shop.example/") && !$0.contains(";") } == true)
        return halves.last?.split(separator: ";", omittingEmptySubsequences: false) ?? []
    }

    @Test(arguments: [
        "/abc;end", "/abc#Intent;package=evil.example;end", "/?x=;component=evil.example/.Main",
        "/?link=a%3Bend;S.browser_fallback_url=https://evil.example", "/%", "/%zz", "/%3", "/\u{E9};\u{301}", "/a b",
        "/\r\nLocation:x", "/\"'<>", "/\\..\\", "/a|b{c}^`", "/?a=1;b=2#;#;",
    ])
    func `nothing in the link's own URL reaches the intent's part`(path: String) {
        let link = LinkWorld.link {
            $0.android.packageName = LinkWorld.packageName
            $0.android.fallbackLink = "https://shop.example/a;end#Intent;package=evil.example;end"
        }
        let parts = parts(world.plan(link, for: LinkWorld.android, at: LinkWorld.linkBase + path))
        #expect(
            parts == [
                "Intent", "scheme=https", "package=example.shop.android",
                "S.browser_fallback_url=https%3A%2F%2Fshop.example%2Fa%3Bend%23Intent%3Bpackage%3Devil.example%3Bend",
                "end",
            ])
    }

    @Test(arguments: [
        "com.a;end;component=x", "example.shop.android;end", "example.shop.android ", "EXAMPLE.SHOP.ANDROID",
        "example.shop.android\u{301}", "example.neighbour.android", LinkWorld.bundleID,
    ])
    func `another package is a browser`(package: String) {
        let link = LinkWorld.link { $0.android.packageName = package }
        #expect(world.plan(link, for: LinkWorld.android) == .redirect(to: link.link, .payload))
    }

    @Test func `encoded text stays encoded once`() {
        let link = LinkWorld.link { $0.android.packageName = LinkWorld.packageName }
        let url = LinkWorld.linkBase + "/?link=https%3A%2F%2Fshop.example%2F%2541&apn=x"
        guard case .redirect(let intent, .app) = world.plan(link, for: LinkWorld.android, at: url) else {
            Issue.record("no intent")
            return
        }
        #expect(intent.hasPrefix("intent://links.shop.example/?link=https%3A%2F%2Fshop.example%2F%2541&apn=x#Intent;"))
    }

    /// Pieces of attacks and of honest links, thrown together.
    private static let pieces = [
        "https://shop.example/", "https://www.shop.example/a?b=c", "https://evil.example/", "//evil.example",
        "https://shop.example@evil.example/", "https://shop.example\\@evil.example/", "javascript:alert(1)",
        "intent://x#Intent;end", ";end", "#Intent;", "package=evil", "http://shop.example/", "http://localhost:3000/x",
        LinkWorld.handler + "?mode=signIn&oobCode=abc", LinkWorld.linkBase + "/abc", "%3Bend", "\u{301}", "\r\n", " ",
        LinkWorld.packageName, LinkWorld.bundleID, LinkWorld.ipadBundleID, "shop", LinkWorld.appStoreID, "1", "",
        "example.neighbour.android", "example.neighbour.ios", "&utm_source=x", "\"><script>",
    ]

    @Test func `every accepted link leads only to allowed targets`() throws {
        let seed = UInt64.random(in: .min ... .max)
        print("links and where they lead, seed \(seed)")
        var state = seed
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(bound))
        }
        func text(_ honest: String) -> String? {
            switch next(8) {
            case 0, 1: nil
            case 2: Self.pieces[next(Self.pieces.count)]
            case 3: Self.pieces[next(Self.pieces.count)] + Self.pieces[next(Self.pieces.count)]
            default: honest
            }
        }
        let visitors: [Visitor] = [
            LinkWorld.phone, .iPhone(system: 8, isInApp: true), .iPhone(system: 18, isInApp: true), LinkWorld.pad,
            LinkWorld.android, LinkWorld.webView,
            .desktop, .desktopSafariOnMac, .crawler,
        ]
        var accepted = 0
        for round in 0..<4_000 {
            var link = DynamicLinkParameters(link: text("https://shop.example/cart?item=7#x") ?? "https://shop.example")
            link.android.packageName = text(LinkWorld.packageName)
            link.android.fallbackLink = text("https://shop.example/a")
            link.android.minimumVersion = text("12")
            link.ios.bundleID = text(LinkWorld.bundleID)
            link.ios.ipadBundleID = text(LinkWorld.ipadBundleID)
            link.ios.fallbackLink = text("https://shop.example/i")
            link.ios.ipadFallbackLink = text(LinkWorld.actionLink())
            link.ios.customScheme = text("shop")
            link.ios.appStoreID = text(LinkWorld.appStoreID)
            link.ios.minimumVersion = text("1.0")
            link.desktopFallbackLink = text("http://localhost:3000/d")
            link.forcesRedirect = next(3) == 0
            link.social.title = text("T")
            link.social.imageLink = text("https://cdn.example/i.png")
            link.campaign.source = text("mail")
            link.appStore.providerToken = text("p")
            guard (try? world.rules.check(link)) != nil else { continue }
            accepted += 1
            let at = LinkWorld.linkBase + "/abc?x=" + Self.pieces[next(Self.pieces.count)]
            let (hasPageHost, wasAsked) = (next(2) == 0, next(4) == 0)
            for visitor in visitors {
                let plan = world.plan(link, for: visitor, at: at, hasPageHost: hasPageHost, wasAsked: wasAsked)
                for url in urls(plan) where !isAllowed(url, at: at, link) {
                    Issue.record("\(url) for \(visitor), seed \(seed), round \(round)")
                }
            }
        }
        #expect(accepted > 100, "seed \(seed)")
    }

    private func urls(_ plan: LinkPlan) -> [String] {
        switch plan {
        case .redirect(let url, _): [url]
        case .page(let page): [page.button] + [page.fallback].compactMap(\.self)
        case .macOrIPad(let page, let desktop): [page.button, desktop] + [page.fallback].compactMap(\.self)
        case .preview(let preview): [preview.destination].compactMap(\.self)
        case .appOnly: []
        }
    }

    private func isAllowed(_ url: String, at own: String, _ link: DynamicLinkParameters) -> Bool {
        let carriesCode = link.link.hasPrefix(LinkWorld.handler)
        if url.hasPrefix("intent://") {
            return parts(.redirect(to: url, .app)).prefix(3)
                == ["Intent", "scheme=https", "package=example.shop.android"]
        }
        let schemes = ["shop", LinkWorld.bundleID, LinkWorld.ipadBundleID]
        if schemes.contains(where: { url.hasPrefix("\($0)://google/link/?deep_link_id=") }) { return !carriesCode }
        // A button says how to open the link itself elsewhere.
        if url == own || url == own + "&_open=1" { return true }
        let appStore = "https://apps.apple.com/app/id123456789"
        if url == appStore || url.hasPrefix(appStore + "?pt=") { return true }
        let play = "https://play.google.com/store/apps/details?id=example.shop.android&referrer="
        if url.hasPrefix(play + "http") || url.hasPrefix(play + "utm_source%3D") && url.contains("%26link%3Dhttp") {
            return true
        }
        if url == LinkWorld.handler || url.hasPrefix(LinkWorld.handler + "?") { return true }
        // A campaign may hold any text, also one that looks like a link with a code; the payload may not.
        let payload = url.split(separator: "utm_source=", maxSplits: 1).first ?? ""
        guard let parsed = try? WebURL(parsing: url, takesHTTP: !payload.contains("oobCode")) else { return false }
        return world.project.authorizedDomains.contains { $0.allows(parsed) }
            && !url.hasPrefix(LinkWorld.linkBase) && !url.hasPrefix("https://shop.example/go/")
    }
}
