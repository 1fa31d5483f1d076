// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
import HomingProjects
import HomingStore
import HomingWire
import Testing

/// What links do on each platform, by hand.
@Suite struct LinkResolutionTests {
    private let world: LinkWorld

    init() throws { world = try LinkWorld() }

    private static let payload = "https://shop.example/cart?item=7"
    private static let encodedPayload = "https%3A%2F%2Fshop.example%2Fcart%3Fitem%3D7"
    private static let appStore = "https://apps.apple.com/app/id123456789"
    private static let play =
        "https://play.google.com/store/apps/details?id=example.shop.android&referrer="
        + encodedPayload

    private func opened(_ plan: LinkPlan) -> OpenPage? {
        if case .page(let page) = plan { page } else { nil }
    }

    @Test(arguments: [
        LinkWorld.phone, LinkWorld.pad, LinkWorld.android, LinkWorld.webView, .desktop, .desktopSafariOnMac,
    ])
    func `without apps everybody goes to the link`(visitor: Visitor) {
        #expect(world.plan(LinkWorld.link(), for: visitor) == .redirect(to: Self.payload, .payload))
    }

    @Test func `an iPhone with an app gets a page whose button is the link itself`() throws {
        let link = LinkWorld.link {
            $0.ios.bundleID = LinkWorld.bundleID
            $0.ios.appStoreID = LinkWorld.appStoreID
            $0.social.title = "Your cart"
            $0.social.description = "Seven things"
        }
        let page = try #require(opened(world.plan(link, for: LinkWorld.phone)))
        #expect(page.button == "https://links.shop.example/abc?_open=1")
        #expect(page.buttonKind == .universalLink)
        #expect(page.fallback == Self.appStore)
        #expect(page.fallbackKind == .store)
        #expect(page.title == "Your cart")
        #expect(page.description == "Seven things")
        let long = world.plan(link, for: LinkWorld.phone, at: "https://links.shop.example/?link=x")
        #expect(opened(long)?.button == "https://links.shop.example/?link=x&_open=1")
    }

    @Test func `a payload under a link domain is for the app, and nobody is sent there`() throws {
        let payload = LinkWorld.linkBase + "/welcome?a=b"
        var link = LinkWorld.link {
            $0.link = payload
            $0.ios.bundleID = LinkWorld.bundleID
            $0.android.packageName = LinkWorld.packageName
            $0.campaign.source = "mail"
        }
        for forces in [false, true] {
            link.forcesRedirect = forces
            let page = try #require(opened(world.plan(link, for: LinkWorld.phone)))
            #expect(page.button == "https://links.shop.example/abc?_open=1")
            #expect(page.fallback == nil)
        }
        link.forcesRedirect = false
        #expect(world.plan(link, for: LinkWorld.phone, wasAsked: true) == .appOnly)
        #expect(world.plan(link, for: .desktop) == .appOnly)
        #expect(opened(world.plan(link, for: .desktopSafariOnMac))?.fallback == nil)
        let play =
            "https://play.google.com/store/apps/details?id=example.shop.android&referrer="
            + encoded("utm_source=mail&link=" + encoded(payload + "&utm_source=mail"))
        #expect(opened(world.plan(link, for: LinkWorld.webView))?.fallback == play)
        guard case .redirect(let scheme, .customScheme) = world.plan(link, for: .iPhone(system: 8, isInApp: false))
        else {
            Issue.record("no scheme")
            return
        }
        #expect(scheme.contains("deep_link_id=\(encoded(payload))&"))
        guard case .preview(let preview) = world.plan(link, for: .crawler) else {
            Issue.record("no preview")
            return
        }
        #expect(preview.destination == nil)
        let bare = LinkWorld.link { $0.link = payload }
        for visitor in [LinkWorld.phone, LinkWorld.pad, LinkWorld.android, LinkWorld.webView, .desktop] {
            #expect(world.plan(bare, for: visitor) == .appOnly)
        }
        link.desktopFallbackLink = "https://shop.example/desk"
        #expect(world.plan(link, for: .desktop) == .redirect(to: "https://shop.example/desk", .fallback))
    }

    @Test func `a link without preview parameters is previewed as its page`() {
        let link = LinkWorld.link { $0.ios.bundleID = LinkWorld.bundleID }
        #expect(world.plan(link, for: .crawler) == .redirect(to: Self.payload, .payload))
        let named = LinkWorld.link { $0.desktopFallbackLink = "https://shop.example/desk" }
        #expect(world.plan(named, for: .crawler) == .redirect(to: "https://shop.example/desk", .fallback))
        let fills: [(inout DynamicLinkParameters) -> Void] = [
            { $0.social.title = "Cart" }, { $0.social.description = "Seven things" },
            { $0.social.imageLink = "https://shop.example/i.png" }, { $0.link = LinkWorld.actionLink() },
            { $0.link = LinkWorld.handler }, { $0.link = "https://shop.example/act?oobCode=abc" },
            { $0.link = "http://shop.example/" }, { $0.link = LinkWorld.linkBase + "/welcome" },
        ]
        for fill in fills {
            var link = link
            fill(&link)
            guard case .preview(let preview) = world.plan(link, for: .crawler) else {
                Issue.record("no preview of \(link.link)")
                continue
            }
            #expect(preview.url == LinkWorld.linkBase + "/abc")
        }
        let tagged = LinkWorld.link { $0.social.title = "Cart" }
        #expect(world.plan(tagged, for: .robot) == .redirect(to: Self.payload, .payload))
    }

    @Test func `a page in the store is called one`() throws {
        let store = "https://apps.apple.com/tr/app/shop/id123456789"
        let link = LinkWorld.link {
            $0.ios.bundleID = LinkWorld.bundleID
            $0.ios.fallbackLink = store
            $0.android.fallbackLink = Self.play
        }
        let page = try #require(opened(world.plan(link, for: LinkWorld.phone)))
        #expect(page.fallback == store)
        #expect(page.fallbackKind == .store)
        #expect(world.plan(link, for: LinkWorld.android) == .redirect(to: Self.play, .store))
    }

    @Test func `a link that comes back from the page goes to the fallback`() {
        let link = LinkWorld.link {
            $0.ios.bundleID = LinkWorld.bundleID
            $0.ios.fallbackLink = "https://www.shop.example/get"
        }
        #expect(
            world.plan(link, for: LinkWorld.phone, wasAsked: true)
                == .redirect(to: "https://www.shop.example/get", .fallback))
    }

    @Test func `efr skips the page`() {
        let link = LinkWorld.link {
            $0.ios.bundleID = LinkWorld.bundleID
            $0.ios.appStoreID = LinkWorld.appStoreID
            $0.forcesRedirect = true
            $0.appStore.providerToken = "p t"
            $0.appStore.affiliateToken = "a&b"
            $0.appStore.campaignToken = "c=d"
            $0.appStore.mediaType = "8"
        }
        #expect(
            world.plan(link, for: LinkWorld.phone)
                == .redirect(to: Self.appStore + "?pt=p%20t&at=a%26b&ct=c%3Dd&mt=8", .store))
    }

    @Test func `without a second host the button is the registered scheme, or the fallback`() throws {
        var link = LinkWorld.link { $0.ios.bundleID = LinkWorld.bundleID }
        link.ios.minimumVersion = "2.1"
        link.campaign.source = "mail"
        let page = try #require(opened(world.plan(link, for: LinkWorld.phone, hasPageHost: false)))
        #expect(page.buttonKind == .customScheme)
        #expect(
            page.button
                == "shop://google/link/?deep_link_id=\(Self.encodedPayload)&match_type=unique&imv=2.1&utm_source=mail")
        link.ios.bundleID = LinkWorld.ipadBundleID
        let bare = try #require(self.opened(world.plan(link, for: LinkWorld.phone, hasPageHost: false)))
        #expect(bare.button == bare.fallback)
        #expect(bare.buttonKind == .destination(.payload))
    }

    @Test(arguments: [
        (nil as String?, LinkWorld.bundleID as String?), ("shop", "shop"), ("SHOP", "SHOP"),
        (LinkWorld.bundleID, LinkWorld.bundleID), ("other", nil), ("javascript", nil), ("https", nil),
    ])
    func `an old system is opened by a scheme of the app only`(asked: String?, used: String?) {
        let link = LinkWorld.link {
            $0.ios.bundleID = LinkWorld.bundleID
            $0.ios.customScheme = asked
        }
        let plan = world.plan(link, for: .iPhone(system: 8, isInApp: false))
        guard let used else {
            #expect(plan == .redirect(to: Self.payload, .payload))
            return
        }
        let url = "\(used)://google/link/?deep_link_id=\(Self.encodedPayload)&match_type=unique"
        #expect(plan == .redirect(to: url, .customScheme))
    }

    @Test func `a scheme that acts by itself is not used, even when it is registered`() {
        let link = LinkWorld.link {
            $0.ios.bundleID = "example.shop.teamless"
            $0.ios.customScheme = "javascript"
        }
        #expect(world.plan(link, for: .iPhone(system: 8, isInApp: false)) == .redirect(to: Self.payload, .payload))
    }

    @Test func `a code never goes to a scheme`() throws {
        var link = DynamicLinkParameters(link: LinkWorld.actionLink())
        link.ios.bundleID = LinkWorld.bundleID
        link.ios.customScheme = "shop"
        #expect(world.plan(link, for: .iPhone(system: 8, isInApp: false)) == .redirect(to: link.link, .payload))
        let page = try #require(opened(world.plan(link, for: LinkWorld.phone, hasPageHost: false)))
        #expect(page.button == link.link)
        // Not only a URL of our page: a code for another page is a code as well.
        link.link = "https://shop.example/act?oobCode=abc"
        #expect(world.plan(link, for: .iPhone(system: 8, isInApp: false)) == .redirect(to: link.link, .payload))
    }

    @Test func `an iPad has an app and a fallback of its own`() throws {
        let link = LinkWorld.link {
            $0.ios.bundleID = LinkWorld.bundleID
            $0.ios.ipadBundleID = "example.unknown"
            $0.ios.fallbackLink = "https://shop.example/phone"
            $0.ios.ipadFallbackLink = "https://shop.example/pad"
        }
        #expect(world.plan(link, for: LinkWorld.pad) == .redirect(to: "https://shop.example/pad", .fallback))
        #expect(opened(world.plan(link, for: LinkWorld.phone))?.fallback == "https://shop.example/phone")
        var registered = link
        registered.ios.ipadBundleID = LinkWorld.ipadBundleID
        registered.ios.ipadFallbackLink = nil
        #expect(opened(world.plan(registered, for: LinkWorld.pad))?.fallback == "https://shop.example/phone")
    }

    @Test func `a Mac that may be an iPad gets both, where they differ`() throws {
        let link = LinkWorld.link {
            $0.ios.bundleID = LinkWorld.bundleID
            $0.desktopFallbackLink = "https://www.shop.example/desk"
        }
        guard case .macOrIPad(let page, let desktop) = world.plan(link, for: .desktopSafariOnMac) else {
            Issue.record("no choice")
            return
        }
        #expect(page.buttonKind == .universalLink)
        #expect(desktop == "https://www.shop.example/desk")
        var forced = link
        forced.forcesRedirect = true
        guard case .macOrIPad(let quick, _) = world.plan(forced, for: .desktopSafariOnMac) else {
            Issue.record("no choice")
            return
        }
        #expect(quick.buttonKind == .destination(.payload))
        #expect(quick.button == Self.payload)
        forced.desktopFallbackLink = nil
        #expect(world.plan(forced, for: .desktopSafariOnMac) == .redirect(to: Self.payload, .payload))
    }

    @Test func `a browser on Android gets an intent for the app's own package`() {
        let link = LinkWorld.link { $0.android.packageName = LinkWorld.packageName }
        let url =
            "intent://links.shop.example/abc#Intent;scheme=https;package=example.shop.android;"
            + "S.browser_fallback_url=\(encoded(Self.play));end"
        #expect(world.plan(link, for: LinkWorld.android) == .redirect(to: url, .app))
    }

    @Test func `a web view on Android gets a page with the intent and the store below it`() throws {
        var link = LinkWorld.link { $0.android.packageName = LinkWorld.packageName }
        let page = try #require(opened(world.plan(link, for: LinkWorld.webView)))
        #expect(page.buttonKind == .intent)
        #expect(
            page.button.hasPrefix("intent://links.shop.example/abc#Intent;scheme=https;package=example.shop.android;"))
        #expect(page.fallback == Self.play && page.fallbackKind == .store)
        #expect(page.banner == nil)
        link.android.fallbackLink = "https://shop.example/droid"
        #expect(opened(world.plan(link, for: LinkWorld.webView))?.fallback == "https://shop.example/droid")
        #expect(
            world.plan(link, for: LinkWorld.webView, wasAsked: true)
                == .redirect(to: "https://shop.example/droid", .fallback))
        link.forcesRedirect = true
        #expect(world.plan(link, for: LinkWorld.webView) == .redirect(to: "https://shop.example/droid", .fallback))
    }

    private static let inApp = Visitor.iPhone(system: 18, isInApp: true)

    @Test func `another app's window on an iPhone gets the registered scheme, or words alone`() throws {
        let link = LinkWorld.link {
            $0.ios.bundleID = LinkWorld.bundleID
            $0.ios.appStoreID = LinkWorld.appStoreID
        }
        for hasPageHost in [true, false] {
            let page = try #require(opened(world.plan(link, for: Self.inApp, hasPageHost: hasPageHost)))
            #expect(page.buttonKind == .customScheme)
            #expect(page.button == "shop://google/link/?deep_link_id=\(Self.encodedPayload)&match_type=unique")
            #expect(page.fallback == Self.appStore)
            #expect(page.place == .appleAppWindow && !page.staysOnLinkHost)
            #expect(page.banner?.appStoreID == LinkWorld.appStoreID)
        }
        // No scheme is registered, and a bundle id is a scheme on old systems only.
        var bare = link
        bare.ios.bundleID = LinkWorld.ipadBundleID
        #expect(opened(world.plan(bare, for: Self.inApp))?.buttonKind == .words)
        var forced = link
        forced.forcesRedirect = true
        #expect(world.plan(forced, for: Self.inApp) == .redirect(to: Self.appStore, .store))
        let web = LinkWorld.link()
        #expect(world.plan(web, for: Self.inApp) == .redirect(to: Self.payload, .payload))
    }

    @Test func `another app's window never gets a code by a scheme`() throws {
        var link = DynamicLinkParameters(link: LinkWorld.actionLink())
        link.ios.bundleID = LinkWorld.bundleID
        link.ios.customScheme = "shop"
        let page = try #require(opened(world.plan(link, for: Self.inApp)))
        #expect(page.buttonKind == .words)
        #expect(page.button == "https://links.shop.example/abc" && page.fallback == link.link)
        link.social.title = "Reset"
        guard case .preview(let preview) = world.plan(link, for: .crawler) else {
            Issue.record("no preview")
            return
        }
        #expect(preview.apps == nil)
    }

    @Test func `a payload for the app alone has words and nowhere else to go`() throws {
        let link = LinkWorld.link {
            $0.link = LinkWorld.linkBase + "/welcome"
            $0.ios.bundleID = LinkWorld.ipadBundleID
        }
        let page = try #require(opened(world.plan(link, for: Self.inApp)))
        #expect(page.buttonKind == .words && page.fallback == nil)
    }

    @Test func `with an App Clip the page stays on the host whose file names the clip`() throws {
        let apps = world.project.apps.map { app -> RegisteredApp in
            var app = app
            if app.id == LinkWorld.bundleID { app.clipBundleID = "\(app.id).Clip" }
            return app
        }
        let project = Project(
            linksOf: "shop", apps: apps, authorizedDomains: world.project.authorizedDomains,
            linkDomains: world.project.linkDomains)
        let rules = LinkRules(project: project, publicURL: LinkWorld.publicURL) { host in
            project.linkDomains.filter { $0.hostKey == host }
        }
        let link = LinkWorld.link { $0.ios.bundleID = LinkWorld.bundleID }
        let resolution = LinkResolution(link, at: LinkWorld.linkBase + "/abc", rules: rules, hasPageHost: true)
        let page = try #require(opened(resolution.plan(for: LinkWorld.phone)))
        #expect(page.staysOnLinkHost && page.buttonKind == .customScheme)
        #expect(page.banner?.clipBundleID == "example.shop.ios.Clip")
        guard case .macOrIPad(let pad, _) = resolution.plan(for: .desktopSafariOnMac) else {
            Issue.record("no choice")
            return
        }
        #expect(pad.staysOnLinkHost)
    }

    @Test(arguments: [
        (
            ["appgallery": "C123"], .appgallery as AndroidStore.Name?,
            "https://appgallery.huawei.com/app/C123" as String?
        ),
        (["appgallery": "C123"], nil, nil), (["appgallery": "C123"], .galaxy, nil),
        (
            ["galaxy": LinkWorld.packageName], .galaxy,
            "https://galaxystore.samsung.com/detail/example.shop.android"
        ),
        (
            ["amazon": "https://www.amazon.com/dp/B0TEST"], .amazon, "https://www.amazon.com/dp/B0TEST"
        ),
        (["fdroid": LinkWorld.packageName], nil, nil),
        (
            ["fdroid": LinkWorld.packageName, "play": "none"], nil,
            "https://f-droid.org/packages/example.shop.android/"
        ),
        (
            ["fdroid": LinkWorld.packageName, "play": "none", "appgallery": "C123"], .appgallery,
            "https://appgallery.huawei.com/app/C123"
        ),
    ])
    func `a device is sent to its own store where the app is there`(
        stores: [String: String], device: AndroidStore.Name?, page: String?
    ) throws {
        let apps = world.project.apps.map { app -> RegisteredApp in
            var app = app
            if app.platform == .android { app.stores = stores }
            return app
        }
        let project = Project(
            linksOf: "shop", apps: try apps.map { $0.platform == .android ? try $0.validated() : $0 },
            authorizedDomains: world.project.authorizedDomains, linkDomains: world.project.linkDomains)
        let rules = LinkRules(project: project, publicURL: LinkWorld.publicURL) { _ in [] }
        var link = LinkWorld.link { $0.android.packageName = LinkWorld.packageName }
        link.forcesRedirect = true
        let resolution = LinkResolution(link, at: LinkWorld.linkBase + "/abc", rules: rules, hasPageHost: true)
        #expect(
            resolution.plan(for: .android(isWebView: true, store: device)) == .redirect(to: page ?? Self.play, .store))
        guard case .redirect(let intent, .app) = resolution.plan(for: .android(isWebView: false, store: device)) else {
            Issue.record("no intent")
            return
        }
        #expect(intent.hasSuffix(";S.browser_fallback_url=\(encoded(page ?? Self.play));end"))
    }

    @Test func `a link on a loopback name keeps http in its intent`() {
        let link = LinkWorld.link {
            $0.android.packageName = LinkWorld.packageName
            $0.android.fallbackLink = "https://shop.example/droid"
        }
        let url =
            "intent://links.localhost:9099/abc?x=1#Intent;scheme=http;package=example.shop.android;"
            + "S.browser_fallback_url=https%3A%2F%2Fshop.example%2Fdroid;end"
        #expect(
            world.plan(link, for: LinkWorld.android, at: "http://links.localhost:9099/abc?x=1")
                == .redirect(to: url, .app))
    }

    @Test(arguments: [
        ("12", "&min_version=12"), ("0", ""), ("2100000000", "&min_version=2100000000"), ("2100000001", ""),
        ("1.2", ""), ("-1", ""), ("", ""), ("12;end", ""), ("٣", ""), ("99999999999999999999", ""),
    ])
    func `the Play Store gets a lowest version only when it is a version`(version: String, suffix: String) {
        let link = LinkWorld.link {
            $0.android.packageName = LinkWorld.packageName
            $0.android.minimumVersion = version
            $0.forcesRedirect = true
        }
        #expect(world.plan(link, for: LinkWorld.webView) == .redirect(to: Self.play + suffix, .store))
    }

    @Test func `the referrer is the payload byte for byte, behind the pairs of a campaign`() throws {
        var link = LinkWorld.link { $0.android.packageName = LinkWorld.packageName }
        link.forcesRedirect = true
        link.link = "https://shop.example/a?b=c%20d&e=%2526+f#g"
        link.campaign.source = "a&b=c"
        guard case .redirect(let url, .store) = world.plan(link, for: LinkWorld.webView) else {
            Issue.record("no store")
            return
        }
        let query = try #require(QueryString(parsing: url.drop { $0 != "?" }.dropFirst()))
        let referrer = try #require(query["referrer"])
        let payload = "https://shop.example/a?b=c%20d&e=%2526+f&utm_source=a%26b%3Dc#g"
        #expect(referrer == "utm_source=a%26b%3Dc&link=" + encoded(payload))
        #expect(InstallReferrer(referrer)?.link == payload)
        #expect(InstallReferrer(referrer)?.campaign.source == "a&b=c")
        link.campaign = DynamicLinkParameters.Campaign()
        guard case .redirect(let plain, .store) = world.plan(link, for: LinkWorld.webView) else {
            Issue.record("no store")
            return
        }
        #expect(QueryString(parsing: plain.drop { $0 != "?" }.dropFirst())?["referrer"] == link.link)
    }

    @Test func `an app that is not registered changes nothing`() {
        let link = LinkWorld.link {
            $0.android.packageName = "example.neighbour.android"
            $0.ios.bundleID = "example.neighbour.ios"
            $0.ios.appStoreID = LinkWorld.appStoreID
            $0.ios.customScheme = "shop"
        }
        for visitor in [LinkWorld.phone, LinkWorld.pad, LinkWorld.android, .iPhone(system: 8, isInApp: false)] {
            #expect(world.plan(link, for: visitor) == .redirect(to: Self.payload, .payload))
        }
        var named = link
        named.ios.fallbackLink = "https://shop.example/i"
        named.android.fallbackLink = "https://shop.example/a"
        #expect(world.plan(named, for: LinkWorld.phone) == .redirect(to: "https://shop.example/i", .fallback))
        #expect(world.plan(named, for: LinkWorld.android) == .redirect(to: "https://shop.example/a", .fallback))
    }

    @Test(arguments: ["987654321", "123456789/../id1", "123456789 ", "", "１２３４５６７８９"])
    func `only the registered App Store id leads to the store`(id: String) {
        let link = LinkWorld.link {
            $0.ios.bundleID = LinkWorld.bundleID
            $0.ios.appStoreID = id
        }
        #expect(opened(world.plan(link, for: LinkWorld.phone))?.fallback == Self.payload)
    }

    @Test func `the campaign goes into the payload where it has none of its own`() {
        var link = LinkWorld.link {
            $0.campaign.source = "news letter"
            $0.campaign.medium = "mail"
        }
        link.link = "https://shop.example/cart?utm_medium=own#top"
        #expect(
            world.plan(link, for: .desktop)
                == .redirect(to: "https://shop.example/cart?utm_medium=own&utm_source=news%20letter#top", .payload))
        link.link = LinkWorld.actionLink()
        #expect(world.plan(link, for: .desktop) == .redirect(to: link.link, .payload))
        link.desktopFallbackLink = "https://shop.example/desk"
        #expect(world.plan(link, for: .desktop) == .redirect(to: "https://shop.example/desk", .fallback))
    }

    @Test func `a crawler gets tags and is sent nowhere`() {
        let link = LinkWorld.link {
            $0.social.title = "T"
            $0.social.description = "D"
            $0.social.imageLink = "https://cdn.example/i.png"
            $0.desktopFallbackLink = "https://shop.example/desk"
        }
        guard case .preview(let preview) = world.plan(link, for: .crawler) else {
            Issue.record("no preview")
            return
        }
        #expect(preview.title == "T")
        #expect(preview.description == "D")
        #expect(preview.imageLink == "https://cdn.example/i.png")
        #expect(preview.url == "https://links.shop.example/abc")
        #expect(preview.destination == "https://shop.example/desk")
        #expect(preview.apps == nil)
        var named = link
        named.ios.bundleID = LinkWorld.bundleID
        named.android.packageName = LinkWorld.packageName
        guard case .preview(let full) = world.plan(named, for: .crawler) else {
            Issue.record("no preview")
            return
        }
        #expect(full.apps?.iOSURL == "shop://google/link/?deep_link_id=\(Self.encodedPayload)&match_type=unique")
        #expect(full.apps?.appStoreID == LinkWorld.appStoreID)
        #expect(full.apps?.androidPackage == LinkWorld.packageName)
        for image in ["http://localhost/i.png", "javascript:alert(1)", "data:image/png,x"] {
            var other = link
            other.social.imageLink = image
            guard case .preview(let preview) = world.plan(other, for: .crawler) else { continue }
            #expect(preview.imageLink == nil)
        }
    }
}

/// A second implementation of percent-encoding, so that the tests do not rely on the code under test.
private func encoded(_ text: String) -> String {
    text.utf8.map { byte in
        let plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8.contains(byte)
        let digits = Array("0123456789ABCDEF")
        return plain ? String(UnicodeScalar(byte)) : "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
    }.joined()
}
