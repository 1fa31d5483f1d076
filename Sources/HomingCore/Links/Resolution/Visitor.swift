// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// Who opens a link, as far as the User-Agent header tells.
///
/// A guess that decides nothing but comfort: every outcome that it can choose is one that the link allows anyway.
package enum Visitor: Sendable, Hashable {
    /// An iPhone or iPod. `system` is the major version of iOS, nil where it is not told.
    case iPhone(system: Int?, isInApp: Bool)
    /// An iPad that says so, as all did before iPadOS 13.
    case iPad(system: Int?, isInApp: Bool)
    /// Safari on a Mac, or on an iPad since iPadOS 13, which says the same; only the page itself can tell them apart.
    case desktopSafariOnMac
    /// Android. A web view or the browser inside another app does not follow `intent:` URLs.
    case android(isWebView: Bool)
    /// A messenger or a social network that wants a preview.
    case crawler
    /// A search engine, a monitor, or whatever else is no person.
    case robot
    /// Everything else, also what sends no header or an odd one.
    case desktop
}

extension Visitor {
    /// Longer headers are nobody's browser; the in-app browsers with the longest stay under 600 bytes.
    static let maximumLength = 1_024

    /// Looks for the marks of each class in one pass over the bytes. Of browsers upper and lower case count, as the
    /// marks are sent.
    package init(userAgent: String?) {
        guard var text = userAgent, text.utf8.count <= Self.maximumLength else {
            self = .desktop
            return
        }
        self = text.withUTF8 { Self.classify(UserAgentMarks(in: $0), $0) }
    }

    private static func classify(_ marks: UserAgentMarks, _ bytes: UnsafeBufferPointer<UInt8>) -> Visitor {
        // First, because crawlers put on the dress of browsers: the one behind iMessage that of a Mac.
        if marks.contains(.crawler) { return .crawler }
        if marks.contains(.robot) || marks.contains(.bot) && !marks.contains(.cubot) { return .robot }
        // Phones with Windows claimed to be both of the others.
        if marks.contains(.windowsPhone) { return .desktop }
        if marks.contains(.iPhone) {
            return .iPhone(system: UserAgentMarks.systemVersion(in: bytes), isInApp: marks.contains(.inApp))
        }
        if marks.contains(.iPad) {
            return .iPad(system: UserAgentMarks.systemVersion(in: bytes), isInApp: marks.contains(.inApp))
        }
        if marks.contains(.android) {
            return .android(isWebView: !marks.isDisjoint(with: [.webView, .inApp]))
        }
        // Web views on an iPad do not even say Safari; browsers with an engine of their own say so.
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

    /// Whether somebody clicked.
    package var isPerson: Bool { self != .crawler && self != .robot }
}

/// The platforms that `linkStats` tells apart.
package enum LinkPlatform: String, Sendable, CaseIterable {
    case android = "ANDROID"
    case ios = "IOS"
    case desktop = "DESKTOP"
    case other = "OTHER"
}
