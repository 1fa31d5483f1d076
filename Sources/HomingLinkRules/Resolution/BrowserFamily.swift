// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// The browser in statistics, or the app inside which a page is shown, as far as the User-Agent header tells.
///
/// Most headers name several of them, because browsers imitate those before them: the one with the greatest number is
/// meant. The numbers are stored.
package enum BrowserFamily: UInt8, Sendable, CaseIterable {
    case other
    case safari, chrome, firefox, samsung, edge, opera, duckDuckGo, yandex, uc, huawei, xiaomi, vivaldi
    /// Inside an app that does not name itself.
    case webView = 15
    case google, facebook, instagram, tikTok, linkedIn, snapchat, pinterest, twitter, weChat, line, kakaoTalk, naver

    package var name: String {
        switch self {
        case .other: "Other"
        case .safari: "Safari"
        case .chrome: "Chrome"
        case .firefox: "Firefox"
        case .samsung: "Samsung Internet"
        case .edge: "Edge"
        case .opera: "Opera"
        case .duckDuckGo: "DuckDuckGo"
        case .yandex: "Yandex"
        case .uc: "UC Browser"
        case .huawei: "Huawei Browser"
        case .xiaomi: "Mi Browser"
        case .vivaldi: "Vivaldi"
        case .webView: "In an app"
        case .google: "Google app"
        case .facebook: "Facebook"
        case .instagram: "Instagram"
        case .tikTok: "TikTok"
        case .linkedIn: "LinkedIn"
        case .snapchat: "Snapchat"
        case .pinterest: "Pinterest"
        case .twitter: "X"
        case .weChat: "WeChat"
        case .line: "LINE"
        case .kakaoTalk: "KakaoTalk"
        case .naver: "NAVER"
        }
    }

    /// The words by which a header names it.
    static let words: [(family: BrowserFamily, words: [String])] = [
        (.safari, ["Safari/"]),
        (.chrome, ["Chrome/", "CriOS/"]),
        (.firefox, ["Firefox/", "FxiOS/"]),
        (.samsung, ["SamsungBrowser/"]),
        (.edge, ["Edg/", "EdgA/", "EdgiOS/", "Edge/"]),
        (.opera, ["OPR/", "OPT/", "OPX/"]),
        (.duckDuckGo, ["DuckDuckGo/", "Ddg/"]),
        (.yandex, ["YaBrowser/"]),
        (.uc, ["UCBrowser/"]),
        (.huawei, ["HuaweiBrowser/"]),
        (.xiaomi, ["MiuiBrowser/"]),
        (.vivaldi, ["Vivaldi/"]),
        (.webView, ["; wv)"]),
        (.google, ["GSA/"]),
        (.facebook, ["FBAN", "FBAV", "FB_IAB"]),
        (.instagram, ["Instagram"]),
        (.tikTok, ["musical_ly", "BytedanceWebview", "TikTok"]),
        (.linkedIn, ["LinkedInApp"]),
        (.snapchat, ["Snapchat"]),
        (.pinterest, ["Pinterest"]),
        (.twitter, ["Twitter for"]),
        (.weChat, ["MicroMessenger"]),
        (.line, ["Line/"]),
        (.kakaoTalk, ["KAKAOTALK"]),
        (.naver, ["NAVER"]),
    ]
}
