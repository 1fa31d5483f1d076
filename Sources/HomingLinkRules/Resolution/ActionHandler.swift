// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingStore
import HomingWire

/// A project's action page as a target of links, and the contents of its URLs.
package struct ActionHandler: Sendable {
    /// The page's URL, perhaps with a query of its own.
    private let url: String
    /// The beginning of every link to the page.
    private let prefix: String
    /// Nil when the page's URL is not a web URL.
    private let address: WebURL?

    init(project: any LinkOwner, publicURL: String) {
        url = Self.url(of: project, publicURL: publicURL)
        address = try? WebURL(parsing: url, takesHTTP: true)
        guard url.utf8.contains(UInt8(ascii: "?")) else {
            prefix = url + "?"
            return
        }
        let isOpen = [UInt8(ascii: "?"), UInt8(ascii: "&")].contains(url.utf8.last)
        prefix = isOpen ? url : url + "&"
    }

    /// The page that handles a project's codes: the operator's own page, or ours.
    package static func url(of project: any LinkOwner, publicURL: String) -> String {
        project.callbackURI ?? publicURL + "/__/auth/action"
    }

    /// Whether a URL is the page, with or without parameters of an action.
    func covers(_ link: String) -> Bool {
        link.utf8.starts(with: prefix.utf8) || ASCII.areEqual(link, url)
    }

    /// Whether requests to the page travel where others can read them.
    var isPlainHTTP: Bool {
        address.map { $0.scheme == .http && !$0.host.isLoopback } ?? false
    }

    /// Whether a URL lies on the page's host and port.
    func isOnHost(_ url: WebURL) -> Bool {
        guard let address, address.host == url.host else { return false }
        return url.effectivePort == address.port ?? url.scheme.defaultPort
    }

    /// Whether a URL may open an account: a URL of the page, or any other that names a code.
    func carriesCode(_ link: String) -> Bool {
        covers(link) || ASCII.contains(link, "oobCode")
    }

    /// The values of `continueUrl` in a link to the page; nil when they cannot be told for certain.
    static func continueURLs(of link: String) -> [String]? {
        guard let query = query(of: link) else { return [] }
        return QueryString(parsing: query)?.parameters.filter { ASCII.areEqual($0.name, "continueUrl") }.map(\.value)
    }

    /// The query: the text between the first `?` and the first `#` (RFC 3986 section 3).
    static func query(of link: String) -> Substring? {
        let end = link.utf8.firstIndex(of: UInt8(ascii: "#")) ?? link.endIndex
        guard let mark = link[..<end].utf8.firstIndex(of: UInt8(ascii: "?")) else { return nil }
        return link[link.utf8.index(after: mark)..<end]
    }
}
