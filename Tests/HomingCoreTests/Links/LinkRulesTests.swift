// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
import HomingProjects
import HomingStore
import HomingWire
import Testing

@Suite struct LinkRulesTests {
    private let world: LinkWorld

    init() throws { world = try LinkWorld() }

    static let targets: [(name: String, fill: @Sendable (inout DynamicLinkParameters, String) -> Void)] = [
        ("link", { $0.link = $1 }), ("afl", { $0.android.fallbackLink = $1 }), ("ifl", { $0.ios.fallbackLink = $1 }),
        ("ipfl", { $0.ios.ipadFallbackLink = $1 }), ("ofl", { $0.desktopFallbackLink = $1 }),
    ]

    /// Why a link is refused, or why one of its fallbacks is left out.
    private func fault(_ fill: (inout DynamicLinkParameters) -> Void) -> LinkFault? {
        let link = LinkWorld.link(fill)
        do throws(LinkFault) {
            let verdict = try world.rules.check(link)
            let faults = world.rules.faults(ofFallbacksIn: link)
            #expect(faults.count == (verdict.subtracting([.isForAppsOnly, .mayLeadToLink]).isEmpty ? 0 : 1))
            return faults.first
        } catch {
            return error
        }
    }

    @Test(
        arguments: [
            "https://shop.example/", "https://shop.example", "https://www.shop.example:443/a?b#c",
            "http://localhost:3000/x", "https://shop.example/gone", "https://shop.example/going/there",
            "http://shop.example/", "http://www.shop.example:80/a?b", "https://shop.example/?oobCode=abc",
            "https://play.google.com/store/apps/details?id=example.shop.android",
            "http://play.google.com/store/apps/details?hl=en&id=example.shop.android&referrer=a%26id%3Db#c",
            "https://apps.apple.com/app/id123456789", "https://apps.apple.com/tr/app/id123456789?mt=8",
            "https://apps.apple.com/cn/app/%E7%81%AF/id123456789/", "http://itunes.apple.com/us/app/shop/id123456789",
            LinkWorld.handler, LinkWorld.actionLink(), LinkWorld.actionLink(continueURL: nil),
        ], Array(targets.indices))
    func `an authorised page and the action page are taken`(url: String, target: Int) {
        #expect(fault { Self.targets[target].fill(&$0, url) } == nil)
    }

    @Test(
        arguments: [
            "https://evil.example/", "https://evilshop.example/", "https://shop.example.evil.test/",
            "https://shop.example@evil.example/", "https://shop.example:x@evil.example", "https://a@b@shop.example/",
            "https://evil.example\\@shop.example/", "https:///evil.example", "//evil.example", "/\\evil.example",
            "/////evil.example", "https://shop.example./", "https://g\u{43E}\u{43E}d.example/",
            "https://\u{FF53}hop.example/", "https://shop\u{3002}example/", "https://sho\u{AD}p.example/",
            "https://2130706433/", "https://0x7f.1/", "https://[::ffff:127.0.0.1]/", "https://shop.example:8443/",
            "https://shop.example:99999/", "javascript://shop.example/%0aalert(1)",
            "data:text/html,x", "vbscript:x", "blob:https://shop.example/x", "file:///etc/passwd", "JaVaScRiPt:x",
            "intent://x#Intent;end", "https://shop.example/\r\nSet-Cookie:x=1", "https://shop.example/\u{0}",
            "https://shop\t.example/", "http://shop.example/?oobCode=abc", "http://shop.example/?a=%26oobCode%3Dabc",
            "https://play.google.com/store/apps/details?id=example.neighbour.android",
            "https://play.google.com/store/apps/details?id=example.shop.android&id=example.neighbour.android",
            "https://play.google.com/store/apps/details?id=example.shop.android&%69d=example.neighbour.android",
            "https://play.google.com/store/apps/details", "https://play.google.com/",
            "https://play.google.com/url?q=https://evil.example&id=example.shop.android",
            "https://play.google.com/store/apps/details/../dev?id=example.shop.android",
            "https://play.google.com:444/store/apps/details?id=example.shop.android",
            "https://apps.apple.com/app/id1234567890", "https://apps.apple.com/app/id", "https://apps.apple.com/",
            "https://apps.apple.com/developer/id123456789", "https://apps.apple.com/a/b/c/app/id123456789",
            "https://apps.apple.com/app/%2e%2e/id123456789", "https://apps.apple.com/app/x/y/id123456789",
            "https://evil.example/app/id123456789", "https://evil.example%2f.shop.example/",
            "https://shop.example%00.evil.example/",
            "app://x", "shop.example", "https://neighbour.example/", "https://auth.shop.example/",
            "https://auth.shop.example/__/auth/actions", "https://auth.shop.example.evil.example/__/auth/action?x",
        ], Array(targets.indices))
    func `a target that is not allowed is refused or left out, and the list is not shown`(
        url: String, target: Int
    ) throws {
        // The wildcard covers the public host, so for this test it is a listed host like any other.
        let isListed = url.hasPrefix("https://auth.shop.example/")
        let fault = fault { Self.targets[target].fill(&$0, url) }
        if isListed, !url.hasPrefix("https://auth.shop.example/__/") {
            #expect(fault == nil)
            return
        }
        let refused = try #require(fault)
        #expect(refused.parameter == Self.targets[target].name)
        for domain in ["shop.example", "localhost", "evil", "neighbour"] where refused.sentence.contains(domain) {
            #expect(domain == "localhost" && refused.reason == .malformed(.insecureScheme), "\(refused.sentence)")
        }
    }

    private static let ownPlaces = [
        LinkWorld.linkBase + "/abc", LinkWorld.linkBase, "HTTPS://LINKS.shop.example/",
        "http://links.shop.example/abc?x", LinkWorld.linkBase + ":443/abc", "https://shop.example/go",
        "https://shop.example/go/", "https://shop.example/go/abc", "https://shop.example//go/abc",
        "https://shop.example/%67o/abc", "https://shop.example/go/a/b", LinkWorld.linkBase + "?a=b",
    ]

    @Test(arguments: ownPlaces, Array(targets.indices))
    func `under one's own link domain an app is led, and nobody else`(url: String, target: Int) {
        let fault = fault { Self.targets[target].fill(&$0, url) }
        if Self.targets[target].name == "link" {
            #expect(fault == nil)
            #expect(world.rules.isForAppsOnly(url))
        } else {
            #expect(fault == LinkFault(parameter: Self.targets[target].name, code: nil, reason: .linkToLink))
        }
    }

    @Test(arguments: [
        "https://shop.example/", LinkWorld.handler, LinkWorld.actionLink(), LinkWorld.linkBase + "/?link=x",
        "https://links.neighbour.example/abc", "https://shop.example/go/next/abc", "no URL",
    ])
    func `a URL on another host, or a link, is not for apps only`(url: String) {
        #expect(!world.rules.isForAppsOnly(url))
    }

    @Test(
        arguments: [
            LinkWorld.linkBase + "?link=x", LinkWorld.linkBase + "/?a=b&%6cink=x", LinkWorld.linkBase + "/?a=%zz",
            LinkWorld.linkBase + "/__/auth/links?link=x", "https://shop.example/go?link=x",
            "https://shop.example/go/__/auth/links?link=x", "https://links.neighbour.example/abc",
            "https://links.neighbour.example/", "https://shop.example/go/next/abc", "https://shop.example/x/../go/abc",
            "https://shop.example/x/%2e%2e/go/abc", "https://shop.example/%2567o/", "https://shop.example/%",
            "https://shop.example/__/auth/links?link=x", "https://www.shop.example/theirs/abc",
            "https://auth.shop.example/__/auth/links?link=https%3A%2F%2Fshop.example",
            "https://auth.shop.example/_/open?link=x", "https://auth.shop.example//__/auth/links?link=x",
        ], Array(targets.indices))
    func `a link never leads to a link`(url: String, target: Int) {
        #expect(
            fault { Self.targets[target].fill(&$0, url) }
                == LinkFault(parameter: Self.targets[target].name, code: nil, reason: .linkToLink))
    }

    @Test(arguments: [
        "https://evil.example/", LinkWorld.handler, LinkWorld.handler + "?continueUrl=https://evil.example/",
        "https://links.neighbour.example/__/auth/links?link=https%3A%2F%2Fshop.example%2F",
        WrappedLink.authLink("https://evil.example/", base: LinkWorld.linkBase),
        WrappedLink.authLink(LinkWorld.actionLink(), base: LinkWorld.linkBase),
        WrappedLink.authLink(LinkWorld.linkBase + "/abc", base: LinkWorld.linkBase),
        "javascript:alert(1)", "//evil.example",
    ])
    func `a continue URL in an action link leads nowhere else`(url: String) throws {
        // With the wildcard every host of the shop is listed, so the list is shorter here.
        let project = Project(
            linksOf: world.project.projectID, apps: world.project.apps,
            authorizedDomains: world.project.authorizedDomains.filter { !$0.coversSubdomains },
            linkDomains: world.project.linkDomains, settings: world.project.settings)
        let domains = project.linkDomains + world.neighbour.linkDomains
        let rules = LinkRules(project: project, publicURL: LinkWorld.publicURL) { host in
            domains.filter { $0.hostKey == host }
        }
        let link = DynamicLinkParameters(link: LinkWorld.actionLink(continueURL: url))
        let fault = #expect(throws: LinkFault.self) { try rules.check(link) }
        #expect(fault == LinkFault(parameter: "link", code: nil, reason: .continueURL))
        for good in [
            "https://shop.example/back?a=b%26c#d",
            WrappedLink.authLink("https://shop.example/back", base: LinkWorld.linkBase),
            WrappedLink.authLink("https://shop.example/back", base: "https://shop.example/go"),
            WrappedLink.dynamicLink(
                "https://shop.example/back", base: LinkWorld.linkBase,
                apps: .init(androidPackageName: "a.b", iosBundleID: "c.d")),
        ] {
            try rules.check(DynamicLinkParameters(link: LinkWorld.actionLink(continueURL: good)))
        }
        let twice = LinkWorld.actionLink() + "&continueUrl=https%3A%2F%2Fshop.example%2F"
        #expect(throws: LinkFault.self) { try rules.check(DynamicLinkParameters(link: twice)) }
        #expect(throws: LinkFault.self) {
            try rules.check(DynamicLinkParameters(link: LinkWorld.actionLink() + "&continueUrl=%zz"))
        }
    }

    @Test func `the operator's own page is the action page`() throws {
        let world = try LinkWorld(callbackURI: "https://page.example/act?tenant=1")
        for link in [
            "https://page.example/act?tenant=1", "https://page.example/act?tenant=1&mode=signIn&oobCode=x",
            "https://page.example/", "http://page.example/help", "https://page.example/act?tenant=12",
            "https://page.example/act?continueUrl=https%3A%2F%2Fshop.example%2F",
        ] {
            try world.rules.check(DynamicLinkParameters(link: link))
        }
        for link in [
            LinkWorld.handler, "https://page.example:444/act", "https://page.example.evil.example/act",
            "https://x.page.example/act", "http://page.example/act?tenant=12&oobCode=x",
            "https://page.example/act?continueUrl=https%3A%2F%2Fevil.example%2F",
            "https://page.example/act?continueUrl=%zz",
        ] {
            #expect(throws: LinkFault.self, "\(link)") { try world.rules.check(DynamicLinkParameters(link: link)) }
        }
    }

    @Test func `a page behind plain http gets no code`() throws {
        let rules = LinkRules(project: world.project, publicURL: "http://auth.shop.example") { _ in [] }
        let action = LinkWorld.actionLink().replacing("https://auth", with: "http://auth")
        let fault = #expect(throws: LinkFault.self) { try rules.check(DynamicLinkParameters(link: action)) }
        #expect(fault == LinkFault(parameter: "link", code: nil, reason: .malformed(.insecureScheme)))
        #expect(fault?.sentence.contains("carries a code") == true)
        let local = LinkRules(project: world.project, publicURL: "http://auth.localhost:9099") { _ in [] }
        let loopback = LinkWorld.actionLink().replacing("https://auth.shop.example", with: "http://auth.localhost:9099")
        try local.check(DynamicLinkParameters(link: loopback))
    }

    @Test func `a text that is too long is refused with its limit`() throws {
        let long = "https://shop.example/" + String(repeating: "a", count: 2_100)
        #expect(
            fault { $0.link = long }
                == LinkFault(parameter: "link", code: .tooLongParam, reason: .tooLong(maximum: 2_048)))
        #expect(
            fault { $0.social.title = String(repeating: "e\u{301}", count: 342) }
                == LinkFault(parameter: "st", code: .tooLongParam, reason: .tooLong(maximum: 1_024)))
        #expect(fault { $0.social.title = String(repeating: "e\u{301}", count: 341) } == nil)
        // The longest continue URL that a mail may carry still makes a link that opens.
        let longest = "https://shop.example/?" + String(repeating: "/", count: 2_000)
        #expect(fault { $0.link = LinkWorld.actionLink(continueURL: longest) } == nil)
        try LinkRules.check(lengthOf: String(repeating: "a", count: 7_168))
        let fault = #expect(throws: LinkFault.self) {
            try LinkRules.check(lengthOf: String(repeating: "a", count: 7_169))
        }
        #expect(fault?.code == .linkLengthTooLong)
        #expect(fault?.parameter == nil)
    }

    @Test(arguments: [
        "apn", "amv", "ibi", "ius", "ipbi", "isi", "imv", "st", "sd", "utm_source", "utm_medium", "utm_campaign",
        "utm_term", "utm_content", "gclid", "at", "ct", "mt", "pt",
    ])
    func `every text of a link has its limit`(name: String) throws {
        let query = "link=https%3A%2F%2Fshop.example%2F&\(name)="
        try world.rules.check(DynamicLinkParameters(query: query + String(repeating: "1", count: 1_024)))
        let link = try DynamicLinkParameters(query: query + String(repeating: "1", count: 1_025))
        let fault = #expect(throws: LinkFault.self) { try world.rules.check(link) }
        #expect(fault == LinkFault(parameter: name, code: .tooLongParam, reason: .tooLong(maximum: 1_024)))
    }

    @Test(arguments: [
        ("afl", "market://details?id=x", DynamicLinkWarning.Code.badURISchemeAndroidFallbackLink),
        ("afl", "shop.example", .notURIAndroidFallbackLink), ("ifl", "itms://x", .badURISchemeIOSFallbackLink),
        ("ifl", "//x", .notURIIOSFallbackLink), ("ipfl", "ftp://shop.example/", .badURISchemeIPadFallbackLink),
        ("ipfl", "https://sh op.example/", .notURIIPadFallbackLink),
    ])
    func `a refusal has Firebase's code where there is one`(
        name: String, url: String, code: DynamicLinkWarning.Code
    ) throws {
        let refused = try #require(
            fault { link in
                switch name {
                case "afl": link.android.fallbackLink = url
                case "ifl": link.ios.fallbackLink = url
                default: link.ios.ipadFallbackLink = url
                }
            })
        #expect(refused.code == code)
        #expect(refused.parameter == name)
        #expect(refused.sentence.hasPrefix("\(name): "))
    }

    @Test func `a fallback to which nobody may be sent gives way to the next one of its platform`() throws {
        let foreign = "https://evil.example/"
        let link = LinkWorld.link {
            $0.android.packageName = LinkWorld.packageName
            $0.android.fallbackLink = foreign
            $0.ios.fallbackLink = "https://shop.example/phone"
            $0.ios.ipadFallbackLink = "myapp://tower"
            $0.desktopFallbackLink = LinkWorld.linkBase + "/abc"
            $0.forcesRedirect = true
        }
        try world.rules.check(link)
        guard case .redirect(let store, .store) = world.plan(link, for: LinkWorld.webView) else {
            Issue.record("not the store")
            return
        }
        #expect(store.hasPrefix("https://play.google.com/store/apps/details?id=\(LinkWorld.packageName)&"))
        #expect(world.plan(link, for: LinkWorld.pad) == .redirect(to: "https://shop.example/phone", .fallback))
        #expect(world.plan(link, for: LinkWorld.phone) == .redirect(to: "https://shop.example/phone", .fallback))
        #expect(world.plan(link, for: .desktop) == .redirect(to: link.link, .payload))
        let warnings = world.rules.warnings(link)
        #expect(
            warnings.map(\.code) == [.unrecognizedParam, .badURISchemeIPadFallbackLink, .unrecognizedParam])
        #expect(warnings.map { $0.message.prefix(4) } == ["afl:", "ipfl", "ofl:"])
        #expect(warnings.first?.remedy == .addDomain)
        #expect(warnings.allSatisfy { !$0.message.contains("shop.example") && !$0.message.contains("evil") })
        var alone = link
        alone.ios.fallbackLink = foreign
        #expect(world.plan(alone, for: LinkWorld.pad) == .redirect(to: link.link, .payload))
    }

    @Test(arguments: ["https://cdn.elsewhere.example/i.png", "data:image/png,x", "i.png", ""])
    func `whatever stands as picture or as old payload, the link is taken`(url: String) {
        #expect(fault { $0.social.imageLink = url } == nil)
        #expect(fault { $0.android.link = url } == nil)
    }
}
