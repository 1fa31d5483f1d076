// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import Testing

@Suite struct VisitorTests {
    private static let webKit = "AppleWebKit/605.1.15 (KHTML, like Gecko)"

    @Test(arguments: [
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) \(webKit) Version/17.4 Mobile/15E148 Safari/604.1",
            Visitor.iPhone(system: 17, isInApp: false)
        ),
        (
            "Mozilla/5.0 (iPod touch; CPU iPhone OS 8_4 like Mac OS X) \(webKit) Version/8.0 Mobile Safari/600.1.4",
            .iPhone(system: 8, isInApp: false)
        ),
        (
            "Mozilla/5.0 (iPhone; U; CPU like Mac OS X; en) AppleWebKit/420+ (KHTML, like Gecko) Mobile/1A543a",
            .iPhone(system: nil, isInApp: false)
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 16_0 like Mac OS X) \(webKit) Mobile/20A362 Instagram 255.0 (iPhone13,2)",
            .iPhone(system: 16, isInApp: true)
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 16_0 like Mac OS X) \(webKit) [FBAN/FBIOS;FBAV/400.0;FBBV/1]",
            .iPhone(system: 16, isInApp: true)
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) \(webKit) GSA/280.3 Mobile/15E148 Safari/604.1",
            .iPhone(system: 17, isInApp: true)
        ),
        (
            "Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X) \(webKit) Version/12.1 Mobile/15E148 Safari/604.1",
            .iPad(system: 12, isInApp: false)
        ),
        (
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) \(webKit) Version/17.4 Safari/605.1.15",
            .desktopSafariOnMac
        ),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) \(webKit)", .desktopSafariOnMac),
        (
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 "
                + "Safari/537.36",
            .desktop
        ),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:127.0) Gecko/20100101 Firefox/127.0", .desktop),
        (
            "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Mobile "
                + "Safari/537.36",
            .android(isWebView: false)
        ),
        ("Mozilla/5.0 (Android 14; Mobile; rv:127.0) Gecko/127.0 Firefox/127.0", .android(isWebView: false)),
        (
            "Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/AP1A; wv) AppleWebKit/537.36 Version/4.0 Chrome/126.0",
            .android(isWebView: true)
        ),
        (
            "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/126.0 Mobile Instagram 300.0 "
                + "Android (34/14; 420dpi; Google/google; Pixel 8)",
            .android(isWebView: true)
        ),
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Edg/126.0",
            .desktop
        ),
        (
            "Mozilla/5.0 (Windows Phone 10.0; Android 6.0.1; Microsoft; Lumia 950) AppleWebKit/537.36 like iPhone",
            .desktop
        ),
        ("curl/8.5.0", .desktop), ("", .desktop), ("iphone", .desktop),
    ])
    func `a browser is told by its header`(userAgent: String, visitor: Visitor) {
        #expect(Visitor(userAgent: userAgent) == visitor)
    }

    @Test(arguments: [
        "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)", "Facebot", "Twitterbot/1.0",
        "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)", "LinkedInBot/1.0 (compatible; Mozilla/5.0)",
        "WhatsApp/2.23.20.0", "TelegramBot (like TwitterBot)", "Mozilla/5.0 (compatible; Discordbot/2.0)",
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_5) AppleWebKit/605.1.15 Version/13.1 Safari/605.1.15 (Applebot/0.1)",
        "Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5", "Mozilla/5.0 BingPreview/1.0b",
        "Mozilla/5.0 (compatible; vkShare; +http://vk.com/dev/Share)", "Mozilla/5.0 (compatible; Embedly/0.2)",
        "iframely/1.3.1", "facebookexternalhit/1.1; kakaotalk-scrap/1.0;",
    ])
    func `a crawler gets a preview`(userAgent: String) {
        #expect(Visitor(userAgent: userAgent) == .crawler)
    }

    @Test func `the crawler behind iMessage is known in the dress of a Mac`() {
        let spoof =
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 "
            + "Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0"
        #expect(Visitor(userAgent: spoof) == .crawler)
    }

    @Test func `no header and an endless one are a desktop`() {
        #expect(Visitor(userAgent: nil) == .desktop)
        #expect(Visitor(userAgent: "iPhone " + String(repeating: "x", count: 1_018)) == .desktop)
        #expect(Visitor(userAgent: "iPhone " + String(repeating: "x", count: 1_017)) != .desktop)
    }

    @Test func `a mark that the header breaks off is none`() {
        for cut in ["iPhon", "Androi", "; wv", "iPhone OS "] {
            #expect(Visitor(userAgent: cut) == (cut == "iPhone OS " ? .iPhone(system: nil, isInApp: false) : .desktop))
        }
    }

    @Test func `statistics call the platforms by Firebase's names`() {
        #expect(Visitor.iPad(system: nil, isInApp: false).platform.rawValue == "IOS")
        #expect(Visitor.android(isWebView: true).platform.rawValue == "ANDROID")
        #expect(Visitor.desktopSafariOnMac.platform.rawValue == "DESKTOP")
        #expect(Visitor.crawler.platform.rawValue == "OTHER")
    }
}
