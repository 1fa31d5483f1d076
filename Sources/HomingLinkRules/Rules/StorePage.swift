// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingStore
import HomingWire

/// The page of one app in the Play Store or in the App Store.
enum StorePage: Equatable {
    case playStore(package: String)
    case appStore(id: String)

    /// Whether a URL leads to a store, to the page of an app or to any other page.
    static func isInStore(_ url: WebURL) -> Bool {
        let hosts = [playHost] + appleHosts
        return hosts.contains { ASCII.areEqual($0, url.host.text) } && url.effectivePort == url.scheme.defaultPort
    }

    /// - Returns: nil for every other URL, and for one that two readers could read in two ways.
    init?(_ url: WebURL) {
        guard Self.isInStore(url), url.plainPath != nil else { return nil }
        let page = ASCII.areEqual(url.host.text, Self.playHost) ? Self.playStore(url) : Self.appStore(url)
        guard let page else { return nil }
        self = page
    }

    /// Whether the app is registered in a project.
    func isRegistered(in project: any LinkOwner) -> Bool {
        switch self {
        case .playStore(let package): project.app(.android, package) != nil
        case .appStore(let id): project.apps.contains { $0.appStoreID.map { ASCII.areEqual($0, id) } ?? false }
        }
    }

    private static let playHost = "play.google.com"
    /// The older host, itunes.apple.com, redirects to the newer one.
    private static let appleHosts = ["apps.apple.com", "itunes.apple.com"]

    /// `/store/apps/details?id=PACKAGE`, whatever else the query says.
    private static func playStore(_ url: WebURL) -> StorePage? {
        guard ASCII.areEqual(url.path, "/store/apps/details"),
            let query = QueryString(parsing: ActionHandler.query(of: url.text) ?? ""), !query.repeats("id"),
            let package = query["id"]
        else { return nil }
        return .playStore(package: package)
    }

    /// `/app/id123456789`, with a country before it and the app's name in it if wanted: `/us/app/the-shop/id123456789`.
    private static func appStore(_ url: WebURL) -> StorePage? {
        var segments = ASCII.split(url.path, at: UInt8(ascii: "/")).filter { !$0.isEmpty }[...]
        if segments.first?.utf8.count == 2 { segments = segments.dropFirst() }
        guard (2...3).contains(segments.count), segments.first.map({ ASCII.areEqual($0, "app") }) ?? false,
            let last = segments.last, last.utf8.starts(with: "id".utf8)
        else { return nil }
        let id = String(Substring(last.utf8.dropFirst(2)))
        return id.utf8.allSatisfy(ASCII.isDigit) ? .appStore(id: id) : nil
    }
}
