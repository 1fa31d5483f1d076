// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation

/// What makes a link an app's own: its link domains and its URL schemes.
///
/// On Apple platforms they are read from the app's `Info.plist`: the array `FirebaseDynamicLinksCustomDomains`, and the
/// bundle id as scheme. Elsewhere, in tests, and for a scheme of another name set ``HomingApp/linkDomains``.
public struct LinkDomains: Sendable, Equatable {
    /// Link domains as full prefixes, `https://links.example.com` or `https://example.com/links`; without a slash at
    /// the end. Entries that are neither https nor http mean nothing.
    public let prefixes: [String]
    /// The app's URL schemes; the first is written into links, any of them is taken, in any case of letters.
    public let schemes: [String]

    /// Link domains and URL schemes of an app.
    ///
    /// - Parameters:
    ///   - prefixes: link domains as full prefixes; slashes at the end do not count.
    ///   - schemes: nil means the bundle id of the main bundle.
    public init(_ prefixes: [String], schemes: [String]? = nil) {
        self.prefixes = prefixes.map { prefix in
            String(prefix.reversed().drop { $0 == "/" }.reversed())
        }
        self.schemes = schemes ?? Bundle.main.bundleIdentifier.map { [$0] } ?? []
    }

    /// What the main bundle's `Info.plist` says.
    static let ofMainBundle = LinkDomains(
        named(Bundle.main.object(forInfoDictionaryKey: "FirebaseDynamicLinksCustomDomains")))

    /// The link domains of a value in `Info.plist`: an array of texts, or one text; other entries mean nothing.
    package static func named(_ value: Any?) -> [String] {
        (value as? [Any])?.compactMap { $0 as? String } ?? (value as? String).map { [$0] } ?? []
    }
}

extension HomingApp {
    /// The link domains and URL schemes of this app; those of its `Info.plist` unless they are set.
    public var linkDomains: LinkDomains {
        get { linkDoors.domains }
        set { linkDoors.domains = newValue }
    }
}

/// Where the libraries of an app look them up.
package final class LinkDoors: Sendable {
    private let given = Locked<LinkDomains?>(nil)

    package init() {}

    package var domains: LinkDomains {
        get { given.withLock { $0 } ?? .ofMainBundle }
        set { given.withLock { $0 = newValue } }
    }
}
