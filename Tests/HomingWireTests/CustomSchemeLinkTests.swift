// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire
import Testing

@Suite struct CustomSchemeLinkTests {
    private static let payload = "https://a.test/p?q=1%25&r=+#f=ü"

    @Test func `a link carries its values encoded once and in order`() throws {
        var campaign = DynamicLinkParameters.Campaign()
        (campaign.source, campaign.medium, campaign.campaign) = ("s", "m&m", "c")
        (campaign.term, campaign.content, campaign.clickID) = ("t", "n", "never carried")
        let link = try #require(
            CustomSchemeLink(
                scheme: "Com.Example.App", deepLink: "https://a.test/?q=1", matchType: .weak, minimumVersion: "2.0",
                campaign: campaign, matchMessage: "no match"))
        #expect(
            link.url == "com.example.app://google/link/?deep_link_id=https%3A%2F%2Fa.test%2F%3Fq%3D1&match_type=weak"
                + "&imv=2.0&utm_source=s&utm_medium=m%26m&utm_campaign=c&utm_term=t&utm_content=n"
                + "&match_message=no%20match")
        var expected = link
        expected.campaign.clickID = nil
        #expect(CustomSchemeLink(parsing: link.url, schemes: ["com.example.APP"]) == expected)
    }

    @Test func `the payload comes back byte for byte`() throws {
        let link = try #require(CustomSchemeLink(scheme: "app", deepLink: Self.payload))
        let read = try #require(CustomSchemeLink(parsing: link.url, schemes: ["other", "app"]))
        #expect(read.deepLink.map { Array($0.utf8) } == Array(Self.payload.utf8))
        #expect(read.matchType == .unique)
    }

    @Test(arguments: [
        ("deep_link_id=https://a.test", DynamicLinkMatchType.unique), ("", .none), ("match_type=unique", .unique),
        ("deep_link_id=https://a.test&match_type=WEAK", .weak), ("deep_link_id=a&match_type=default", .default),
        ("deep_link_id=a&match_type=none", .none), ("deep_link_id=a&match_type=perfect", .none),
        ("deep_link_id=a&match_type=", .unique),
    ])
    func `a match is as sure as its word`(query: String, matchType: DynamicLinkMatchType) throws {
        let link = try #require(CustomSchemeLink(parsing: "app://google/link/?\(query)", schemes: ["app"]))
        #expect(link.matchType == matchType)
    }

    @Test(arguments: [
        ("app://google/link?deep_link_id=a", true, true), ("APP://GOOGLE/link/?deep_link_id=a", true, true),
        ("app://google/link", true, true), ("app://google/link/dismiss", true, false),
        ("other://google/link/?deep_link_id=a", true, false), ("app://google/LINK/?deep_link_id=a", false, false),
        ("app://google.evil/link/?deep_link_id=a", false, false), ("app://google?deep_link_id=a", false, false),
        ("app:/google/link/?deep_link_id=a", false, false), ("app://evil/link/?deep_link_id=a", false, false),
        ("https://google/link/?deep_link_id=a", false, false), ("google/link/?deep_link_id=a", false, false),
        ("app://google/link/?deep_link_id=%", true, false), ("", false, false),
    ])
    func `a URL is taken by scheme, host and path`(url: String, isOfKind: Bool, isRead: Bool) {
        #expect(CustomSchemeLink.matches(url) == isOfKind)
        #expect((CustomSchemeLink(parsing: url, schemes: ["app", "https"]) != nil) == isRead)
    }

    @Test(arguments: [
        "", "1app", "javascript", "JavaScript", "https", "data", "intent", "a b", "a:b", "a/b", "app\n", "äpp", "-a",
    ])
    func `a scheme that no app may claim makes no link`(scheme: String) {
        #expect(!CustomSchemeLink.isScheme(scheme))
        #expect(CustomSchemeLink(scheme: scheme, deepLink: "https://a.test") == nil)
    }
}
