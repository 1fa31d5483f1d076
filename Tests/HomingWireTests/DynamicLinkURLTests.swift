// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire
import Testing

@Suite struct DynamicLinkURLTests {
    @Test func `every parameter stands in the link once and in a fixed order`() throws {
        var parameters = DynamicLinkParameters(link: "https://a.test/?x=1&y=2#f")
        for parameter in DynamicLinkParameter.allCases.dropFirst() { parameters[parameter] = "<\(parameter.rawValue)>" }
        parameters.forcesRedirect = true
        let names = [
            "apn", "afl", "amv", "al", "ibi", "ifl", "ius", "ipfl", "ipbi", "isi", "imv", "efr", "ofl", "st", "sd",
            "si", "utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content", "gclid", "at", "ct", "mt",
            "pt",
        ]
        let rest = names.map { $0 == "efr" ? "&efr=1" : "&\($0)=%3C\($0)%3E" }.joined()
        let link = DynamicLinkURL(base: "https://l.example/app/", parameters: parameters)
        #expect(link.url == "https://l.example/app/?link=https%3A%2F%2Fa.test%2F%3Fx%3D1%26y%3D2%23f\(rest)")
        #expect(try DynamicLinkURL(parsing: link.url) == link)
        #expect(try DynamicLinkURL(base: link.base, query: link.query) == link)
    }

    @Test func `each name belongs to its own field`() throws {
        let link = try DynamicLinkURL(
            base: "https://l.example",
            query: "link=1&apn=2&afl=3&amv=4&al=5&ibi=6&ifl=7&ius=8&ipfl=9&ipbi=10&isi=11&imv=12&efr=1&ofl=14&st=15"
                + "&sd=16&si=17&utm_source=18&utm_medium=19&utm_campaign=20&utm_term=21&utm_content=22&gclid=23&at=24"
                + "&ct=25&mt=26&pt=27"
        ).parameters
        #expect(link.link == "1")
        let android = link.android
        #expect(
            [android.packageName, android.fallbackLink, android.minimumVersion, android.link] == ["2", "3", "4", "5"])
        let ios = link.ios
        #expect([ios.bundleID, ios.fallbackLink, ios.customScheme, ios.ipadFallbackLink] == ["6", "7", "8", "9"])
        #expect([ios.ipadBundleID, ios.appStoreID, ios.minimumVersion] == ["10", "11", "12"])
        #expect(link.forcesRedirect)
        #expect(link.desktopFallbackLink == "14")
        #expect([link.social.title, link.social.description, link.social.imageLink] == ["15", "16", "17"])
        let campaign = link.campaign
        #expect([campaign.source, campaign.medium, campaign.campaign] == ["18", "19", "20"])
        #expect([campaign.term, campaign.content, campaign.clickID] == ["21", "22", "23"])
        let store = link.appStore
        #expect([store.affiliateToken, store.campaignToken] == ["24", "25"])
        #expect([store.mediaType, store.providerToken] == ["26", "27"])
    }

    @Test(arguments: [
        "https://l.example?link=https%3A%2F%2Fa.test", "https://l.example/?link=https%3A%2F%2Fa.test",
        "https://l.example/?link=https://a.test", "https://l.example/?&link=https%3a%2f%2Fa.test&#?link=x",
        "https://l.example/?apn=&link=https%3A%2F%2Fa.test&efr=0&ibi", "https://l.example//?li%6Ek=https://a.test",
    ])
    func `a link is read with and without the slash and however it is encoded`(url: String) throws {
        let link = try DynamicLinkURL(parsing: url)
        #expect(link == DynamicLinkURL(base: "https://l.example", parameters: .init(link: "https://a.test")))
        #expect(link.url == "https://l.example/?link=https%3A%2F%2Fa.test")
    }

    @Test func `a plus is a plus and decoding happens once`() throws {
        let link = try DynamicLinkParameters(query: "link=https://a.test/?q=1%2B1+2%2520%26r&st=a+b%2Bc%25")
        #expect(link.link == "https://a.test/?q=1+1+2%20&r")
        #expect(link.social.title == "a+b+c%")
    }

    @Test(arguments: [
        ("", DynamicLinkFault.missingLink), ("apn=a", .missingLink), ("link=", .missingLink), ("link", .missingLink),
        ("LINK=https://a.test", .missingLink), ("#link=https://a.test", .missingLink),
        ("link=https://a.test/%", .malformedEncoding(parameter: "link")),
        ("link=%C3", .malformedEncoding(parameter: "link")),
        ("link=a%00", .malformedEncoding(parameter: "link")),
        ("link=a&st=%zz", .malformedEncoding(parameter: "st")),
        ("link=a&%zz=1", .malformedEncoding(parameter: "of an unknown name")),
        ("link=a&link=b", .contradiction(parameter: "link")),
        ("link=a&link=", .contradiction(parameter: "link")),
        ("link=\u{E9}&link=e\u{301}", .contradiction(parameter: "link")),
        ("link=a&efr=1&efr=0", .contradiction(parameter: "efr")),
        ("link=a&d=1&d=0", .contradiction(parameter: "d")),
        ("link=https://a.test/?x=1&ibi=b&ibi=c", .contradiction(parameter: "ibi")),
    ])
    func `a parameter that cannot be read is refused by name`(query: String, fault: DynamicLinkFault) {
        #expect(throws: fault) { try DynamicLinkParameters(query: query) }
        #expect(fault.description.utf8.count > 30)
    }

    @Test func `a parameter with the same value twice counts once`() throws {
        let link = try DynamicLinkParameters(query: "link=https%3A%2F%2Fa.test&apn=p&link=https://a.test&apn=%70")
        #expect(link.query == "link=https%3A%2F%2Fa.test&apn=p")
    }

    @Test func `parameters that were added on the way are skipped however often they occur`() throws {
        let added =
            "_fpb=COoGEJIDGgVlbi1VUw==&_cpt=cpit&cid=1234567890123456789&_osl=https://l.example/a&%5Fx=%zz&_icp=1"
        let query = try DynamicLinkQuery(parsing: "link=https://a.test&\(added)&\(added)&cid=2&_fpb=%ff&_")
        #expect(query.parameters == .init(link: "https://a.test"))
        #expect(query.unknown.isEmpty)
        #expect(query.deprecated.isEmpty)
    }

    @Test func `a query lists its names that cannot be used`() throws {
        let query = try DynamicLinkQuery(
            parsing:
                "link=https://a.test/?x=1&dfl=a&b=2&dfl=c&al=app%3A%2F%2Fx&ad=1&gclid=z&gclid=z&cidx=1&d=1&=3&LINK=y")
        #expect(query.unknown == ["dfl", "b", "cidx", "LINK"])
        #expect(query.deprecated == ["al", "ad", "gclid"])
        #expect(query.hasDeprecated)
        #expect(query.isDebug)
        #expect(query.malformedFlags.isEmpty)
    }

    @Test(arguments: [
        ("d=1", true, []), ("d=0", false, []), ("d=", false, ["d"]), ("d=true&ad=x", false, ["d", "ad"]),
        ("D=1", false, []), ("ad=0&d=2", false, ["d"]), ("", false, []),
    ])
    func `a flag is 0 or 1`(flags: String, isDebug: Bool, malformed: [String]) throws {
        let query = try DynamicLinkQuery(parsing: "link=a&\(flags)")
        #expect(query.isDebug == isDebug)
        #expect(query.malformedFlags == malformed)
    }

    @Test func `an empty text removes a parameter`() {
        var parameters = DynamicLinkParameters(link: "https://a.test")
        parameters[.iosBundleID] = "b"
        parameters[.iosBundleID] = ""
        parameters.android.packageName = ""
        parameters[.forcesRedirect] = "yes"
        #expect(parameters.ios.bundleID == nil)
        #expect(parameters[.androidPackageName] == nil)
        #expect(parameters[.forcesRedirect] == nil)
        #expect(parameters.query == "link=https%3A%2F%2Fa.test")
    }
}
