// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// The parts of a User-Agent header that tell who sent it.
struct UserAgentMarks: OptionSet {
    let rawValue: UInt64

    static let crawler = UserAgentMarks(rawValue: 1 << 0)
    static let inApp = UserAgentMarks(rawValue: 1 << 1)
    static let iPhone = UserAgentMarks(rawValue: 1 << 2)
    static let iPad = UserAgentMarks(rawValue: 1 << 3)
    static let android = UserAgentMarks(rawValue: 1 << 4)
    static let webView = UserAgentMarks(rawValue: 1 << 5)
    static let macintosh = UserAgentMarks(rawValue: 1 << 6)
    static let webKit = UserAgentMarks(rawValue: 1 << 7)
    static let chromium = UserAgentMarks(rawValue: 1 << 8)
    static let windowsPhone = UserAgentMarks(rawValue: 1 << 9)
    static let robot = UserAgentMarks(rawValue: 1 << 10)
    /// A word that ends in `bot`, or the word `bot`.
    static let bot = UserAgentMarks(rawValue: 1 << 11)
    /// A make of phones that ends in `bot`, too.
    static let cubot = UserAgentMarks(rawValue: 1 << 12)
    /// Amazon's browser, on tablets that have Amazon's store.
    static let silk = UserAgentMarks(rawValue: 1 << 13)
    /// Huawei's services.
    static let huawei = UserAgentMarks(rawValue: 1 << 14)
    /// Google's services, which a Huawei phone names where it has them.
    static let google = UserAgentMarks(rawValue: 1 << 15)
    static let samsung = UserAgentMarks(rawValue: 1 << 16)

    init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    private static let firstFamily = 32

    private init(_ family: BrowserFamily) {
        self.init(rawValue: 1 << (UInt64(family.rawValue) + UInt64(Self.firstFamily)))
    }

    /// The browser that is meant where others are imitated.
    var browser: BrowserFamily {
        let named = rawValue >> Self.firstFamily
        guard named != 0 else { return .other }
        let family = BrowserFamily(rawValue: UInt8(63 - named.leadingZeroBitCount)) ?? .other
        // The browser of old Androids imitated Safari, and so do all others that name nobody else.
        return family == .safari && contains(.android) ? .other : family
    }

    /// All marks of a header, found in one pass.
    init(in bytes: UnsafeBufferPointer<UInt8>) {
        self = Self.dictionary.marks(in: bytes)
    }

    /// The major version in `CPU iPhone OS 17_4 like Mac OS X` and `CPU OS 8_4 like Mac OS X`.
    static func systemVersion(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        for index in bytes.indices where bytes[index...].starts(with: systemWord) {
            let digits = bytes[(index + systemWord.count)...].prefix(3).prefix(while: ASCII.isDigit)
            if !digits.isEmpty { return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } }
        }
        return nil
    }

    private static let systemWord = Array(" OS ".utf8)

    /// The words in one piece of memory, in buckets by their first two bytes: at most positions of a header there is
    /// nothing to compare. Nothing is retained, because every click looks here.
    private struct Dictionary {
        private struct Word {
            let start: Int
            let count: Int
            let mark: UserAgentMarks
            /// Whether upper case counts as lower case: the names of robots are spelled in many ways.
            let folds: Bool
            /// Whether no letter may follow.
            let endsWord: Bool
        }

        private var letters: [UInt8] = []
        private var words: [Word] = []
        /// The index of each bucket's first word, and behind the last bucket the number of words.
        private var buckets: [Int] = []

        /// - Parameter texts: of two bytes or more.
        init(_ texts: [(mark: UserAgentMarks, words: [String])]) {
            var sorted = [[Word]](repeating: [], count: 1_024)
            for (mark, texts) in texts {
                for bytes in texts.map({ Array($0.utf8) }) {
                    sorted[Self.bucket(bytes[0], bytes[1])].append(
                        Word(
                            start: letters.count, count: bytes.count, mark: mark,
                            folds: !mark.isDisjoint(with: [.crawler, .robot, .bot, .cubot]), endsWord: mark == .bot))
                    letters += bytes
                }
            }
            for bucket in sorted {
                buckets.append(words.count)
                words += bucket
            }
            buckets.append(words.count)
        }

        func marks(in bytes: UnsafeBufferPointer<UInt8>) -> UserAgentMarks {
            letters.withUnsafeBufferPointer { letters in
                words.withUnsafeBufferPointer { words in
                    buckets.withUnsafeBufferPointer { buckets in
                        var found: UserAgentMarks = []
                        for index in bytes.indices.dropLast() {
                            let bucket = Self.bucket(bytes[index], bytes[index + 1])
                            for word in buckets[bucket]..<buckets[bucket + 1]
                            where Self.stands(words[word], letters, at: index, bytes) {
                                found.insert(words[word].mark)
                            }
                        }
                        return found
                    }
                }
            }
        }

        /// The bucket of a word. Upper and lower case fall together; comparing tells other words of one bucket apart.
        private static func bucket(_ first: UInt8, _ second: UInt8) -> Int {
            Int(first & 31) << 5 | Int(second & 31)
        }

        private static func stands(
            _ word: Word, _ letters: UnsafeBufferPointer<UInt8>, at index: Int, _ text: UnsafeBufferPointer<UInt8>
        ) -> Bool {
            guard text.count - index >= word.count else { return false }
            for offset in 0..<word.count {
                let (byte, expected) = (text[index + offset], letters[word.start + offset])
                guard byte == expected || word.folds && ASCII.folded(byte) == expected else {
                    return false
                }
            }
            let end = index + word.count
            return !word.endsWord || end == text.count || !ASCII.isLetter(text[end])
        }
    }

    /// The names of robots are those of github.com/monperrus/crawler-user-agents, July 2026, of Cardyb as
    /// opengraphplus.com has it, and of Signal, which calls itself WhatsApp. None of these names, and nothing that only
    /// looks like one, is in a header of the browsers that github.com/omrilotan/isbot keeps for its tests.
    ///
    /// A rule for the bare word "google" is missing on purpose: Instagram's browser on Pixels sends `Google/google`.
    private static let dictionary = Dictionary(
        [
            (
                // The clients with which messengers and social networks fetch previews.
                .crawler,
                [
                    "facebookexternalhit", "facebot", "twitterbot", "slackbot", "linkedinbot", "whatsapp",
                    "telegrambot",
                    "discordbot", "applebot", "skypeuripreview", "bingpreview", "microsoftpreview", "vkshare",
                    "embedly",
                    "iframely", "kakaotalk-scrap", "mastodon/", "pleroma", "akkoma", "misskey", "summalybot",
                    "gotosocial",
                    "friendica", "lemmy/", "cardyb", "redditbot", "pinterestbot", "pinterest.com/bot",
                    "snap url preview", "snapurlpreview", "synapse (bot", "mattermost-bot", "keybasebot", "groupmebot",
                    "google-pagerenderer", "/web/snippet", "yahoo link preview", "linkpreview", "unfurl", "onebox",
                    // Viber's own browser says Viber, too.
                    "viberurldownloader", "viber url crawler", "notionembedder", "zoombot", "rocket.chat", "googlechat",
                    "google-chat", "zulipurlpreview",
                ]
            ),
            (
                // Search engines, language models, archives, monitors. Most name their owner: `+http` never occurs in a
                // header of a browser.
                .robot,
                [
                    "+http", "spider", "crawl", "google-", "googleother", "feedfetcher", "mediapartners", "web preview",
                    "slurp", "meta-external", "facebookcatalog", "chatgpt-user", "claude-", "perplexity-user",
                    "mistralai-",
                    "ia_archiver", "archive.org", "ahrefs", "semrush", "headlesschrome", "phantomjs", "lighthouse",
                    "ptst/",
                    "uptime", "pingdom", "statuscake", "site24x7", "newrelic", "datadog", "zabbix", "check_http",
                    "kube-probe", "healthcheck", "monitoring", "imageproxy",
                ]
            ),
            (.bot, ["bot", "bots"]),
            (.cubot, ["cubot"]),
            (
                .inApp,
                [
                    "FBAN", "FBAV", "FB_IAB", "Instagram", "Barcelona ", "musical_ly", "BytedanceWebview", "trill_",
                    "TikTok", "LinkedInApp", "MicroMessenger", "Line/", "KAKAOTALK", "NAVER", "Snapchat", "Pinterest",
                    "Twitter", "Reddit/", "Weibo", "Zalo", "AlipayClient", "DingTalk", "GSA/",
                ]
            ),
            (.silk, ["Silk/"]),
            (.huawei, ["HMSCore"]),
            (.google, ["GMSCore"]),
            (.samsung, ["SamsungBrowser/", "; SM-"]),
            (.iPhone, ["iPhone", "iPod"]),
            (.iPad, ["iPad"]),
            (.android, ["Android"]),
            (.webView, ["; wv)"]),
            (.macintosh, ["Macintosh"]),
            (.webKit, ["AppleWebKit/"]),
            (.chromium, ["Chrome/"]),
            (.windowsPhone, ["Windows Phone"]),
        ] + BrowserFamily.words.map { (UserAgentMarks($0.family), $0.words) })
}
