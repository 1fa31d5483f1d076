// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// The visitor who opens a link, as far as the User-Agent header tells.
///
/// The visitor is a guess that decides comfort only: the link allows every outcome that the guess can choose.
package enum Visitor: Sendable, Hashable {
    /// An iPhone or iPod. `system` is the major version of iOS, nil where it is not told.
    case iPhone(system: Int?, isInApp: Bool)
    /// An iPad that names itself, as all did before iPadOS 13.
    case iPad(system: Int?, isInApp: Bool)
    /// Safari on a Mac, or on an iPad since iPadOS 13, which sends the same; only the page itself can tell them apart.
    case desktopSafariOnMac
    /// Android. A web view or the browser inside another app follows no redirect to an `intent:` URL. `store` is the
    /// store of the device's maker, where the header tells that it has one.
    case android(isWebView: Bool, store: AndroidStore.Name? = nil)
    /// A messenger or a social network that wants a preview.
    case crawler
    /// A search engine, a monitor, or another program without a person.
    case robot
    /// Everything else, including clients with no header or an odd one.
    case desktop
}

extension Visitor {
    /// The greatest length in bytes. No browser sends a longer header; the longest of in-app browsers stay under 600.
    package static let maximumLength = 1_024

    /// Finds the marks of each class in one pass over the bytes. The case of browsers' marks counts, because browsers
    /// always send the same.
    package init(userAgent: String?) {
        self = Self.seen(userAgent).visitor
    }

    /// The visitor, and the browser for statistics, which are in the same marks.
    package static func seen(_ userAgent: String?) -> (visitor: Visitor, browser: BrowserFamily) {
        guard var text = userAgent, text.utf8.count <= maximumLength else { return (.desktop, .other) }
        return text.withUTF8 { bytes in
            let marks = UserAgentMarks(in: bytes)
            return (classify(marks, bytes), marks.browser)
        }
    }

    private static func classify(_ marks: UserAgentMarks, _ bytes: UnsafeBufferPointer<UInt8>) -> Visitor {
        // Crawlers first, because they imitate browsers: the one behind iMessage imitates that of a Mac.
        if marks.contains(.crawler) { return .crawler }
        if marks.contains(.robot) || marks.contains(.bot) && !marks.contains(.cubot) { return .robot }
        // Windows phones claimed to be iPhones and Androids, too.
        if marks.contains(.windowsPhone) { return .desktop }
        if marks.contains(.iPhone) {
            return .iPhone(system: UserAgentMarks.systemVersion(in: bytes), isInApp: marks.contains(.inApp))
        }
        if marks.contains(.iPad) {
            return .iPad(system: UserAgentMarks.systemVersion(in: bytes), isInApp: marks.contains(.inApp))
        }
        if marks.contains(.android) {
            return .android(
                isWebView: !marks.isDisjoint(with: [.webView, .inApp]), store: AndroidStore.store(of: marks))
        }
        // Web views on an iPad do not name Safari; browsers with an engine of their own name that engine.
        if marks.isSuperset(of: [.macintosh, .webKit]), !marks.contains(.chromium) { return .desktopSafariOnMac }
        return .desktop
    }

    /// The platform in statistics, by Firebase's names.
    package var platform: LinkPlatform {
        switch self {
        case .iPhone, .iPad: .ios
        case .android: .android
        case .desktopSafariOnMac, .desktop: .desktop
        case .crawler, .robot: .other
        }
    }

    /// Whether a person clicked.
    package var isPerson: Bool { self != .crawler && self != .robot }
}

/// The platforms that `linkStats` tells apart.
package enum LinkPlatform: String, Sendable, CaseIterable {
    case android = "ANDROID"
    case ios = "IOS"
    case desktop = "DESKTOP"
    case other = "OTHER"
}
