// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// The reading of a URL that has reached an app and may hold an action link: plain, wrapped by link domains and custom
/// schemes, or wrapped again by a mail scanner.
///
/// Stricter than ``ActionLink/init(parsing:)``, with which a server explains where a link leads: an app acts on the
/// link, so a link that could be read in two ways is not read at all.
package enum IncomingAction: Sendable, Equatable {
    /// The action link.
    case action(ActionLink)
    /// Part of an action link: cut short, torn apart by one decoding too many, or with two values for one name.
    case damaged
    /// No action link.
    case none

    /// The greatest length of a URL that is read; no link that we make comes near it.
    package static let mostBytes = 16_384
    /// Enough for a link domain, a custom scheme and a link domain again, and scanners on both sides of the mail.
    private static let mostLayers = 6

    /// Reads a URL as it came.
    package init(_ url: String) {
        guard url.utf8.count <= Self.mostBytes, Self.isVisible(url) else {
            self = .none
            return
        }
        var text = url
        // A text from Foundation may be stored in UTF-16.
        text.makeContiguousUTF8()
        for _ in 0...Self.mostLayers {
            switch Self.layer(text) {
            case .wrapping(let inner):
                guard Self.isVisible(inner) else {
                    self = .damaged
                    return
                }
                text = inner
            case .read(let action):
                self = action
                return
            }
        }
        self = .damaged
    }

    /// The URL without the wrappers of mail scanners; nil when it cannot be told.
    package static func withoutScanners(_ url: String) -> String? {
        guard url.utf8.count <= mostBytes else { return nil }
        var text = url
        for _ in 0...mostLayers {
            switch ScannedLink(text) {
            case .none: return text
            case .holding(let inner): text = inner
            case .unreadable: return nil
            }
        }
        return nil
    }

    /// Whether a name in a query is one that only our links have.
    static func isTelling(_ name: Substring) -> Bool {
        tellingNames.contains { $0.utf8.elementsEqual(name.utf8) }
    }

    private static let tellingNames = ["oobCode", "mode", "apiKey", "continueUrl", "deep_link_id", "link"]

    private enum Layer {
        case wrapping(String)
        case read(IncomingAction)
    }

    private static func layer(_ url: String) -> Layer {
        switch ScannedLink(url) {
        case .holding(let inner): return .wrapping(inner)
        case .unreadable: return .read(.none)
        case .none: break
        }
        guard let query = IncomingQuery(url) else { return .read(.damaged) }
        guard let inner = query.wrapped else { return .read(query.action) }
        guard query.contains("oobCode") || query.contains("mode") else {
            return query.isExactMatch ? .wrapping(inner) : .read(.none)
        }
        // A code beside a wrapped link has fallen out of that link, and left a part there; or the link is a parameter
        // of the page to which the code was brought.
        guard let page = IncomingQuery(inner), !page.isTelling else { return .read(.damaged) }
        return .read(query.action)
    }

    /// Whether a person may be led to a URL: http or https, on a host that every reader reads alike.
    package static func isWebURL(_ url: String) -> Bool {
        isVisible(url) && WebLocation(url)?.isPlain == true
    }

    static func isVisible(_ text: String) -> Bool {
        text.utf8.withContiguousStorageIfAvailable { $0.allSatisfy(ASCII.isVisible) }
            ?? text.utf8.allSatisfy(ASCII.isVisible)
    }
}
