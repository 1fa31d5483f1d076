// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire
import Testing

/// Every link that we write, read by the rules of Firebase's clients.
@Suite struct ClientReaderTests {
    private static let code = "A-b_0123456789~"
    private static let key = "AIza-key_1"

    private static let continueURLs = [
        "https://shop.test/", "https://shop.test/finish?cartId=12&next=/a", "https://shop.test/?q=100%25&r=%2525%2B",
        "https://shop.test/a+b?sum=1+1&eq===&amp=a%26b", "https://shop.test/p?x#frag?y=1&z=#2", "https://shop.test?&&=",
        "https://shop.test/?mode=signIn&oobCode=other&apiKey=other&lang=tr&continueUrl=https%3A%2F%2Fevil.test",
        "https://shop.test/?link=https%3A%2F%2Fevil.test%3Fmode%3Dx&deep_link_id=y", "https://shop.test/caf%C3%A9;v=1",
        "https://links.test/?link=https%3A%2F%2Fshop.test%2F%3Fa%3D1%26b%3D2&ibi=com.app&ifl=https%3A%2F%2Fshop.test",
    ]

    private static let handlers = [
        "https://auth.test/__/auth/action", "https://auth.test/a?tab=1&x=%26", "http://localhost:9099/e",
    ]

    private static let cases = continueURLs.flatMap { url in handlers.map { (url, $0) } }

    private static func action(_ continueURL: String, _ handler: String) -> ActionLink {
        ActionLink(
            handler: handler, mode: .signIn, code: code, apiKey: key, continueURL: continueURL, language: "pt-BR",
            tenantID: "t")
    }

    private static func expected(_ continueURL: String) -> ClientReader.Action {
        .init(mode: "signIn", code: code, language: "pt-BR", continueURL: continueURL, apiKey: key)
    }

    /// All the shapes around one inner link.
    private static func shapes(around link: String) -> [String] {
        let apps = [
            WrappedLink.Apps(androidPackageName: "com.app", androidMinimumVersion: "12", iosBundleID: "com.app.ios"),
            WrappedLink.Apps(androidPackageName: "com.app", installsAndroidApp: true), WrappedLink.Apps(),
        ]
        var parameters = DynamicLinkParameters(link: link)
        parameters.android.packageName = "com.app"
        parameters.android.fallbackLink = link
        parameters.ios.bundleID = "com.app.ios"
        parameters.ios.fallbackLink = link
        parameters.ios.customScheme = "app+x"
        parameters.desktopFallbackLink = link
        parameters.social.title = "1 + 1 = 2 & 100 %"
        parameters.campaign.source = "mail"
        return ["https://links.test", "https://links.test/app", "http://localhost:8080"].flatMap { base in
            [WrappedLink.authLink(link, base: base), DynamicLinkURL(base: base, parameters: parameters).url]
                + apps.map { WrappedLink.dynamicLink(link, base: base, apps: $0) }
        }
    }

    @Test(arguments: cases)
    func `every client finds the inner link byte for byte`(continueURL: String, handler: String) {
        let link = Self.action(continueURL, handler).url(order: .inApp)
        for url in Self.shapes(around: link) {
            #expect(ClientReader.JavaScript.innerLink(url).utf8.elementsEqual(link.utf8), "\(url)")
            #expect(ClientReader.IOSDynamicLinks.values(url)["link"]?.utf8.elementsEqual(link.utf8) == true, "\(url)")
            #expect(ClientReader.Android.value("link", of: url)?.utf8.elementsEqual(link.utf8) == true, "\(url)")
        }
    }

    @Test(arguments: cases)
    func `every client finds the action in it`(continueURL: String, handler: String) {
        let expected = Self.expected(continueURL)
        let link = Self.action(continueURL, handler).url(order: .inApp)
        let shapes = Self.shapes(around: link)
        for url in shapes + [link, Self.action(continueURL, handler).url(order: .web)] {
            #expect(ClientReader.JavaScript.action(url) == expected, "\(url)")
            #expect(ClientReader.Android.action(url) == expected, "\(url)")
        }
        for url in shapes {
            for version in ClientReader.IOSAuth.Version.allCases {
                var action = ClientReader.IOSAuth.action(url, version)
                // This client loses the first parameter of a link inside a link, and can do without the key.
                action.apiKey = expected.apiKey
                #expect(action == expected, "\(version) \(url)")
            }
        }
    }

    /// The client for iOS decodes twice, and a link without a wrapper is encoded once: its continue URL falls apart
    /// there. The parts that the action needs do not, unless the continue URL has the same names.
    @Test(arguments: continueURLs.filter { !$0.contains("oobCode") }, ActionLink.Order.all)
    func `the client for iOS finds mode and code in a link that is not wrapped`(
        continueURL: String, order: ActionLink.Order
    ) {
        let url = Self.action(continueURL, Self.handlers[0]).url(order: order)
        for version in ClientReader.IOSAuth.Version.allCases {
            let action = ClientReader.IOSAuth.action(url, version)
            #expect(
                [action.mode, action.code, action.language] == ["signIn", Self.code, "pt-BR"], "\(version) \(url)")
        }
    }

    @Test(arguments: cases)
    func `the link that a custom scheme brings is read as well`(continueURL: String, handler: String) throws {
        let link = Self.action(continueURL, handler).url(order: .inApp)
        let url = try #require(CustomSchemeLink(scheme: "com.app", deepLink: link)).url
        #expect(ClientReader.JavaScript.action(url) == Self.expected(continueURL))
        #expect(ClientReader.IOSDynamicLinks.values(url)["deep_link_id"]?.utf8.elementsEqual(link.utf8) == true)
    }

    @Test(arguments: continueURLs)
    func `the other parameters of a long link arrive, too`(payload: String) {
        var parameters = DynamicLinkParameters(link: payload)
        parameters.ios.fallbackLink = payload
        parameters.social.title = "1 + 1 = 2 & 100 %"
        parameters.forcesRedirect = true
        let url = DynamicLinkURL(base: "https://links.test", parameters: parameters).url
        let values = ClientReader.IOSDynamicLinks.values(url)
        #expect(values == ["link": payload, "ifl": payload, "efr": "1", "st": "1 + 1 = 2 & 100 %"])
        for (name, value) in values { #expect(ClientReader.Android.value(name, of: url) == value) }
        #expect(DynamicLinkShape.isParsable(url, customDomains: ["https://links.test"]))
    }

    @Test func `a link that is not encoded whole is torn by the readers`() {
        let link = Self.action(Self.continueURLs[1], Self.handlers[0]).url(order: .inApp)
        let url = "https://links.test/__/auth/links?link=\(link)"
        #expect(ClientReader.JavaScript.innerLink(url) != link)
        #expect(ClientReader.IOSDynamicLinks.values(url)["link"] != link)
        #expect(ClientReader.Android.value("link", of: url) != link)
    }
}

extension ActionLink.Order {
    fileprivate static let all: [ActionLink.Order] = [.web, .inApp]
}
