// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingLinks
import HomingWire
import Testing

/// Serialized, because the app that is configured for the whole process makes short links.
@Suite(.serialized) struct DynamicLinkComponentsTests {
    private static func full() throws -> DynamicLinkComponents {
        let components = try #require(
            DynamicLinkComponents(link: try Sample.url(Sample.content), domainURIPrefix: "https://links.shop.example"))
        let analytics = DynamicLinkGoogleAnalyticsParameters(source: "news", medium: "email", campaign: "spring sale")
        analytics.term = "t"
        analytics.content = "c"
        components.analyticsParameters = analytics
        let social = DynamicLinkSocialMetaTagParameters()
        social.title = "A title & more"
        social.descriptionText = "é"
        social.imageURL = try Sample.url("https://www.shop.example/a.png")
        components.socialMetaTagParameters = social
        let ios = DynamicLinkIOSParameters(bundleID: "example.shop.ios")
        ios.appStoreID = "123"
        ios.fallbackURL = try Sample.url("https://www.shop.example/ios")
        ios.customScheme = "shop"
        ios.iPadBundleID = "example.shop.ipad"
        ios.iPadFallbackURL = try Sample.url("https://www.shop.example/ipad")
        ios.minimumAppVersion = "2.1"
        components.iOSParameters = ios
        let store = DynamicLinkItunesConnectAnalyticsParameters()
        (store.affiliateToken, store.campaignToken, store.providerToken) = ("at", "ct", "pt")
        components.iTunesConnectParameters = store
        let android = DynamicLinkAndroidParameters(packageName: "com.example.android")
        android.fallbackURL = try Sample.url("https://www.shop.example/android")
        android.minimumVersion = 12
        components.androidParameters = android
        let navigation = DynamicLinkNavigationInfoParameters()
        navigation.isForcedRedirectEnabled = true
        components.navigationInfoParameters = navigation
        let other = DynamicLinkOtherPlatformParameters()
        other.fallbackUrl = try Sample.url("https://www.shop.example/desktop")
        components.otherPlatformParameters = other
        return components
    }

    @Test func `every parameter stands in the long link under its name`() throws {
        let url = try #require(try Self.full().url)
        let link = try DynamicLinkURL(parsing: url.absoluteString)
        #expect(link.base == "https://links.shop.example")
        let wanted: [DynamicLinkParameter: String] = [
            .link: Sample.content, .campaignSource: "news", .campaignMedium: "email", .campaignName: "spring sale",
            .campaignTerm: "t", .campaignContent: "c", .socialTitle: "A title & more", .socialDescription: "é",
            .socialImageLink: "https://www.shop.example/a.png", .iosBundleID: "example.shop.ios", .appStoreID: "123",
            .iosFallbackLink: "https://www.shop.example/ios", .iosCustomScheme: "shop",
            .ipadBundleID: "example.shop.ipad",
            .ipadFallbackLink: "https://www.shop.example/ipad", .iosMinimumVersion: "2.1", .affiliateToken: "at",
            .campaignToken: "ct", .providerToken: "pt", .androidPackageName: "com.example.android",
            .androidFallbackLink: "https://www.shop.example/android", .androidMinimumVersion: "12",
            .forcesRedirect: "1",
            .desktopFallbackLink: "https://www.shop.example/desktop",
        ]
        for parameter in DynamicLinkParameter.allCases {
            #expect(link.parameters[parameter] == wanted[parameter], "\(parameter)")
        }
    }

    @Test func `what the link says is read back by an app`() throws {
        let links = try PlayedServer().links()
        let url = try #require(try Self.full().url)
        let link = try #require(links.dynamicLink(fromUniversalLink: url))
        #expect(link.url?.absoluteString == Sample.content)
        #expect(link.minimumAppVersion == "2.1")
        #expect(link.utmParametersDictionary.count == 5)
    }

    @Test func `empty texts and what is not set are left out`() throws {
        let components = try #require(
            DynamicLinkComponents(link: try Sample.url("https://a.example/"), domainURIPrefix: "https://l.example/x/"))
        let social = DynamicLinkSocialMetaTagParameters()
        social.title = ""
        components.socialMetaTagParameters = social
        components.androidParameters = DynamicLinkAndroidParameters(packageName: "p.q")
        components.navigationInfoParameters = DynamicLinkNavigationInfoParameters()
        #expect(components.url?.absoluteString == "https://l.example/x/?link=https%3A%2F%2Fa.example%2F&apn=p.q")
    }

    @Test(
        arguments: zip(
            [
                "https://l.example", "https://l.example/links", "http://localhost:9099", "http://127.0.0.1:9099/x",
                "http://l.example",
                "l.example", "", "ftp://l.example", "https://", "https://l.example/?a=b", "https://l.example/#a",
            ],
            [true, true, true, true, false, false, false, false, false, false, false]))
    func `a domain has to be https, but for loopback names`(prefix: String, isTaken: Bool) throws {
        let components = DynamicLinkComponents(link: try Sample.url("https://a.example/"), domainURIPrefix: prefix)
        #expect((components != nil) == isTaken)
    }

    private static func configure(_ server: PlayedServer) throws {
        HomingApp.configure(
            name: HomingApp.defaultName, endpoint: try Sample.url("https://auth.shop.example"),
            apiKey: "hk_key_of_the_shop",
            transport: server, sessionStore: MemorySessionStore())
    }

    @Test(
        arguments: zip(
            [nil, ShortDynamicLinkPathLength.default, .short, .unguessable], [nil, nil, "SHORT", "UNGUESSABLE"]))
    func `a short link is asked for with its length`(length: ShortDynamicLinkPathLength?, option: String?) async throws
    {
        let server = PlayedServer(
            200,
            #"{"shortLink":"https://links.shop.example/Ab12","warning":[{"warningMessage":"one"},{"warningMessage":"two"}]}"#
        )
        try Self.configure(server)
        let components = try Self.full()
        components.options = length.map { length in
            let options = DynamicLinkComponentsOptions()
            options.pathLength = length
            return options
        }
        let long = try #require(components.url)
        let (url, warnings) = try await components.shorten()
        #expect(url.absoluteString == Sample.short)
        #expect(warnings == ["one", "two"])
        let call = try #require(server.calls.first)
        #expect(call.path == "/firebasedynamiclinks.googleapis.com/v1/shortLinks")
        #expect(call.body["longDynamicLink"]?.stringValue == long.absoluteString)
        #expect(call.body["suffix"]?.objectValue?["option"]?.stringValue == option)
        let direct = try await DynamicLinkComponents.shortenURL(long, options: components.options)
        #expect(direct.0 == url)
    }

    @Test func `parts that are changed after the call was made do not count`() async throws {
        let server = PlayedServer(200, #"{"shortLink":"https://links.shop.example/Ab12"}"#)
        try Self.configure(server)
        let components = try Self.full()
        let long = try #require(components.url)
        let (url, warnings, isMain) = await withCheckedContinuation { continuation in
            components.shorten { url, warnings, error in
                #expect(error == nil)
                continuation.resume(returning: (url, warnings, onMainQueue()))
            }
            components.iOSParameters = nil
        }
        #expect(url?.absoluteString == Sample.short)
        #expect(warnings == nil)
        #expect(isMain)
        #expect(server.calls.first?.members["longDynamicLink"] == long.absoluteString)
    }

    @Test func `a refusal has Firebase's domain, and the server's words`() async throws {
        let message = "INVALID_DYNAMIC_LINK_DOMAIN : the domain is not a link domain of this project"
        try Self.configure(PlayedServer(400, #"{"error":{"code":400,"message":"\#(message)"}}"#))
        let error = await #expect(throws: DynamicLinkShortenerError.self) { try await Self.full().shorten() }
        let bridged = try #require(error) as NSError
        #expect(bridged.domain == "com.firebase.durabledeeplink")
        #expect(bridged.code == 0)
        #expect(bridged.userInfo["remoteErrorCode"] as? Int == 400)
        #expect(bridged.userInfo[NSLocalizedFailureReasonErrorKey] as? String == message)
        let url = try #require(try Self.full().url)
        let handed = await withCheckedContinuation { continuation in
            DynamicLinkComponents.shortenURL(url, options: nil) { continuation.resume(returning: ($0, $1, $2)) }
        }
        #expect(handed.0 == nil && handed.1 == nil)
        #expect((handed.2 as? DynamicLinkShortenerError)?.remoteErrorCode == 400)
    }

    @Test(arguments: ["{}", "", "[]", #"{"shortLink":7}"#])
    func `an answer without a link is an error`(text: String) async throws {
        try Self.configure(PlayedServer(200, text))
        await #expect(throws: DynamicLinkShortenerError.self) { try await Self.full().shorten() }
    }
}
