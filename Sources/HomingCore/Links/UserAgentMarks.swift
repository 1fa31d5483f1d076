// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// What stands in a User-Agent header that tells who sent it.
struct UserAgentMarks: OptionSet {
    let rawValue: UInt16

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

    init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// All marks of a header, found in one pass.
    init(in bytes: UnsafeBufferPointer<UInt8>) {
        var found: UserAgentMarks = []
        for index in bytes.indices {
            for word in Self.wordsByFirstByte[Int(bytes[index])] where Self.has(word.bytes, at: index, bytes) {
                found.insert(word.mark)
            }
        }
        self = found
    }

    /// The major version in `CPU iPhone OS 17_4 like Mac OS X` and `CPU OS 8_4 like Mac OS X`.
    static func systemVersion(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        for index in bytes.indices where has(systemWord, at: index, bytes) {
            let digits = bytes[(index + systemWord.count)...].prefix(3).prefix(while: ASCII.isDigit)
            if !digits.isEmpty { return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } }
        }
        return nil
    }

    private static let systemWord = Array(" OS ".utf8)

    private struct Word {
        let bytes: [UInt8]
        let mark: UserAgentMarks
    }

    /// A rule for the bare word "google" is missing on purpose: Instagram's browser on Pixel phones says `Google/google`.
    private static let words: [(mark: UserAgentMarks, words: [String])] = [
        (
            .crawler,
            [
                "facebookexternalhit", "Facebot", "Twitterbot", "Slackbot", "LinkedInBot", "WhatsApp", "TelegramBot",
                "Discordbot", "Applebot", "SkypeUriPreview", "BingPreview", "vkShare", "Embedly", "iframely",
                "kakaotalk-scrap",
            ]
        ),
        (
            .inApp,
            [
                "FBAN", "FBAV", "FB_IAB", "Instagram", "Line/", "KAKAOTALK", "NAVER", "MicroMessenger", "Snapchat",
                "Pinterest", "Twitter", "GSA/",
            ]
        ),
        (.iPhone, ["iPhone", "iPod"]),
        (.iPad, ["iPad"]),
        (.android, ["Android"]),
        (.webView, ["; wv)"]),
        (.macintosh, ["Macintosh"]),
        (.webKit, ["AppleWebKit/"]),
        (.chromium, ["Chrome/"]),
        (.windowsPhone, ["Windows Phone"]),
    ]

    private static let wordsByFirstByte: [[Word]] = {
        var table = [[Word]](repeating: [], count: 256)
        for (mark, texts) in words {
            for text in texts {
                guard let first = text.utf8.first else { continue }
                table[Int(first)].append(Word(bytes: Array(text.utf8), mark: mark))
            }
        }
        return table
    }()

    private static func has(_ word: [UInt8], at index: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard bytes.count - index >= word.count else { return false }
        for offset in word.indices where bytes[index + offset] != word[offset] { return false }
        return true
    }
}
