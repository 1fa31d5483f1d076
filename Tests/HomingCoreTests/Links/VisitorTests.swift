// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
import Testing

@Suite struct VisitorTests {
    private static let webKit = "AppleWebKit/605.1.15 (KHTML, like Gecko)"

    private static let browsers: [(String, Visitor)] = [
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) \(webKit) Version/17.4 Mobile/15E148 Safari/604.1",
            .iPhone(system: 17, isInApp: false)
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
    ]

    @Test(arguments: browsers)
    func `a browser is recognised by its header`(userAgent: String, visitor: Visitor) {
        #expect(Visitor(userAgent: userAgent) == visitor)
    }

    @Test(arguments: [
        "Instagram 390.0.0.28.85 (iOS 18_5; en_US; scale=3.00; 1170x2532; 750000000)",
        "[FBAN/FBIOS;FBAV/480.0.0.54.88;FBBV/1]", "Barcelona 380.0 (iOS 18_5)",
        "musical_ly_39.5.0 JsSdk/2.0 NetType/WIFI Channel/App Store BytedanceWebview/d8a21c6", "TikTok 39.5.0",
        "[LinkedInApp]/9.31.1", "MicroMessenger/8.0.56(0x18003836) NetType/WIFI Language/zh_CN", "Line/15.5.0",
        "Twitter/11.5", "Snapchat/13.40.0.42 (like Safari/8619.1, panda)", "[Pinterest/iOS]",
        "KAKAOTALK 25.4.0", "NAVER(inapp; search; 1000; 12.12.0)", "Reddit/Version 2025.20.0/Build 1",
        "Zalo iOS/640", "GSA/370.0.0 Mobile/15E148 Safari/604.1",
    ])
    func `the window of another app is known on an iPhone, an iPad and Android`(mark: String) {
        let phone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) \(Self.webKit) Mobile/15E148 \(mark)"
        #expect(Visitor(userAgent: phone) == .iPhone(system: 18, isInApp: true))
        let pad = phone.replacing("iPhone; CPU iPhone OS 18_5", with: "iPad; CPU OS 16_7")
        #expect(Visitor(userAgent: pad) == .iPad(system: 16, isInApp: true))
        let android = "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/140.0 Mobile \(mark)"
        #expect(Visitor(userAgent: android) == .android(isWebView: true))
    }

    private static let stores: [(String, AndroidStore.Name?)] = [
        (
            "Mozilla/5.0 (Linux; Android 10; HarmonyOS; ELS-AN00; HMSCore 6.3.0.327) AppleWebKit/537.36 (KHTML, like "
                + "Gecko) Chrome/92.0.4515.105 HuaweiBrowser/12.0.4.300 Mobile Safari/537.36",
            .appgallery
        ),
        (
            "Mozilla/5.0 (Linux; Android 10; ELS-AN00; HMSCore 6.3.0.327; GMSCore 21.48.15) AppleWebKit/537.36 (KHTML, "
                + "like Gecko) Chrome/92.0.4515.105 HuaweiBrowser/12.0.4.300 Mobile Safari/537.36", nil
        ),
        (
            "Mozilla/5.0 (Linux; Android 11; KFTRWI) AppleWebKit/537.36 (KHTML, like Gecko) Silk/108.4.6 like "
                + "Chrome/108.0.5359.160 Safari/537.36", .amazon
        ),
        (
            "Mozilla/5.0 (Linux; Android 14; SAMSUNG SM-S918B) AppleWebKit/537.36 (KHTML, like Gecko) "
                + "SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36", .galaxy
        ),
        ("Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/126.0 Mobile Safari/537.36", nil),
    ]

    @Test(arguments: stores)
    func `a device tells of its maker's store`(userAgent: String, store: AndroidStore.Name?) {
        #expect(Visitor(userAgent: userAgent) == .android(isWebView: false, store: store))
    }

    @Test(arguments: [
        "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)", "Facebot", "Twitterbot/1.0",
        "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)", "LinkedInBot/1.0 (compatible; Mozilla/5.0)",
        "WhatsApp/2.23.20.0", "TelegramBot (like TwitterBot)", "Mozilla/5.0 (compatible; Discordbot/2.0)",
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_5) AppleWebKit/605.1.15 Version/13.1 Safari/605.1.15 (Applebot/0.1)",
        "Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5", "Mozilla/5.0 BingPreview/1.0b",
        "Mozilla/5.0 (compatible; vkShare; +http://vk.com/dev/Share)", "Mozilla/5.0 (compatible; Embedly/0.2)",
        "iframely/1.3.1", "facebookexternalhit/1.1; kakaotalk-scrap/1.0;",
        "Iframely/1.3.1 (+https://iframely.com/docs)",
        "http.rb/5.2.0 (Mastodon/4.3.0; +https://mastodon.example/) Bot", "Pleroma 2.7.0; https://pleroma.example",
        "Mastodon/4.4.1 (http.rb/5.2.0; +https://mastodon.example/)", "SummalyBot/5.1.0",
        "Lemmy/0.19.8; +https://l.example",
        "gotosocial/0.19.2 (+https://social.example)", "Friendica 'Interrupted Fern' 2024.12-1576; https://f.example",
        "Mozilla/5.0 (compatible; Bluesky Cardyb/1.1; +mailto:support@bsky.app)",
        "Mozilla/5.0 (compatible; redditbot/1.0; +http://www.reddit.com/feedback)",
        "Mozilla/5.0 (compatible; Pinterestbot/1.0; +http://www.pinterest.com/bot.html)",
        "Pinterest/0.2 (+http://www.pinterest.com/bot.html)",
        "Snap URL Preview Service; bot; snapchat; https://developers.snap.com/robots",
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) MicrosoftPreview/2.0; +https://aka.ms/MicrosoftPreview",
        "Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com",
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/56.0 Safari/537.36 Google-PageRenderer Google "
            + "(+https://developers.google.com/+/web/snippet/)",
        "Synapse (bot; +https://github.com/matrix-org/synapse)", "Mattermost-Bot/1.1", "GroupMeBot/1.0",
        "Mozilla/5.0 (compatible; KeybaseBot; +https://keybase.io)", "ClickUpLinkUnfurler/1.0 (+https://clickup.com)",
        "Mozilla/5.0 (compatible; Yahoo Link Preview; https://help.yahoo.com/kb/mail/)",
        "Discourse Forum Onebox v3.3.0",
        "Slackbot 1.0 (+https://api.slack.com/robots)", "Chatwork LinkPreview v1", "WhatsApp/2",
        "Mozilla/5.0 (Windows NT 6.1; WOW64) ViberUrlDownloader", "NotionEmbedder", "Zoombot/1.0",
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/41.0.2227.0 Safari/537.36 "
            + "Rocket.Chat/6.5.0",
        "Google-Chat", "Mozilla/5.0 (compatible; ZulipURLPreview/9.2; +https://zulip.example)",
    ])
    func `a crawler gets a preview`(userAgent: String) {
        #expect(Visitor(userAgent: userAgent) == .crawler)
    }

    @Test(arguments: [
        "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", "Googlebot-Image/1.0",
        "Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36 "
            + "(compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
        "Mozilla/5.0 (compatible; Google-InspectionTool/1.0;)", "GoogleOther", "Mediapartners-Google",
        "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
        "Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)", "Sogou web spider/4.0",
        "Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)",
        "DuckDuckBot/1.1; (+http://duckduckgo.com/duckduckbot.html)", "Mozilla/5.0 (compatible; Yahoo! Slurp)",
        "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
        "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0",
        "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; claudebot@anthropic.com)",
        "Claude-User/1.0", "Mozilla/5.0 (compatible; PerplexityBot/1.0)", "CCBot/2.0 (https://commoncrawl.org/faq/)",
        "Mozilla/5.0 (Linux; Android 5.0) AppleWebKit/537.36 Mobile Safari/537.36 (compatible; Bytespider)",
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (compatible; Amazonbot/0.1)",
        "meta-externalagent/1.1", "Mozilla/5.0 (compatible; AhrefsBot/7.0)",
        "Mozilla/5.0 (compatible; SemrushBot/7~bl)",
        "Mozilla/5.0 (compatible; SomethingNew/1.0; +https://new.example/why)", "ia_archiver", "a crawler of my own",
        "Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)", "Uptime-Kuma/1.23",
        "Pingdom.com_bot_version_1.4", "StatusCake", "kube-probe/1.31", "Mozilla/5.0 (compatible; NewRelicPinger/1.0)",
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/140.0.0.0 Safari/537.36",
    ])
    func `a robot is sent on like a desktop and is no person`(userAgent: String) {
        #expect(Visitor(userAgent: userAgent) == .robot)
        #expect(!Visitor(userAgent: userAgent).isPerson)
    }

    @Test(arguments: [
        "curl/8.5.0", "Wget/1.24.5", "python-requests/2.32.3", "Go-http-client/2.0", "okhttp/4.12.0", "axios/1.7.2",
        "PostmanRuntime/7.39.0", "Java/17.0.11", "node", "fuboTV/4.75.0",
        "Mozilla/5.0 (compatible; Banca Caboto s.p.a.)",
    ])
    func `a program that somebody runs stays what it is`(userAgent: String) {
        #expect(Visitor(userAgent: userAgent) == .desktop)
        #expect(Visitor(userAgent: userAgent).isPerson)
    }

    @Test func `a phone whose maker's name ends in bot is a phone`() {
        let phone = "Mozilla/5.0 (Linux; Android 13; CUBOT P80) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36"
        #expect(Visitor(userAgent: phone) == .android(isWebView: false))
        #expect(Visitor(userAgent: phone.replacing("CUBOT P80", with: "Cubot Note 20")) == .android(isWebView: false))
    }

    @Test func `the crawler behind iMessage is known in the dress of a Mac`() {
        let spoof =
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 "
            + "Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0"
        #expect(Visitor(userAgent: spoof) == .crawler)
    }

    @Test(arguments: [
        ("\(webKit) Version/17.4 Mobile/15E148 Safari/604.1", BrowserFamily.safari),
        ("\(webKit) CriOS/126.0 Mobile/15E148 Safari/604.1", .chrome),
        ("\(webKit) FxiOS/127.0 Mobile/15E148 Safari/604.1", .firefox),
        ("\(webKit) Mobile/20A362 Instagram 255.0 (iPhone13,2)", .instagram),
        ("\(webKit) [FBAN/FBIOS;FBAV/400.0;FBBV/1]", .facebook),
        ("\(webKit) GSA/280.3 Mobile/15E148 Safari/604.1", .google),
        ("AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36 Edg/126.0", .edge),
        ("AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36 OPR/112.0", .opera),
        ("AppleWebKit/537.36 SamsungBrowser/25.0 Chrome/121.0 Mobile Safari/537.36", .samsung),
        ("(Linux; Android 14; Pixel 8; wv) AppleWebKit/537.36 Version/4.0 Chrome/126.0 Mobile Safari/537.36", .webView),
        ("(Linux; U; Android 2.3) AppleWebKit/533.1 Version/4.0 Mobile Safari/533.1", .other),
        ("Gecko/20100101 Firefox/127.0", .firefox), ("curl/8.5.0", .other), ("", .other),
    ])
    func `the browser is known, also one that imitates others`(ending: String, browser: BrowserFamily) {
        #expect(Visitor.seen("Mozilla/5.0 " + ending).browser == browser)
    }

    @Test func `whoever is counted together has one number, which says what it is`() throws {
        for platform in LinkPlatform.allCases {
            for browser in BrowserFamily.allCases {
                for isMachine in [false, true] {
                    let visitor = VisitorClass(platform, browser, isMachine: isMachine)
                    let stored = try #require(VisitorClass(stored: Int64(visitor.number)))
                    #expect(stored.platform == platform && stored.browser == browser && stored.isMachine == isMachine)
                }
            }
        }
        #expect(VisitorClass(stored: 2)?.platform == .ios, "as it was stored before there were browsers")
        #expect(VisitorClass(stored: 0) == nil && VisitorClass(stored: 512) == nil && VisitorClass(stored: 5) == nil)
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
        #expect(Visitor.robot.platform.rawValue == "OTHER")
    }
}
