// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// Which URLs are links themselves: whatever lies under a link domain of any project, and our own wrapper.
struct LinkPlaces: Sendable {
    /// Nil when the public URL is none, and then nothing on it is a link.
    private let publicHost: String?
    private let domains: @Sendable (_ hostKey: String) -> [LinkDomain]

    init(publicURL: String, domains: @escaping @Sendable (_ hostKey: String) -> [LinkDomain]) {
        publicHost = (try? WebURL(parsing: publicURL)).map(\.hostKey)
        self.domains = domains
    }

    /// Errs on the side of yes: a path on a link host that could be read in two ways is a link.
    func isLink(_ url: WebURL) -> Bool {
        let host = url.hostKey
        let domains = domains(host)
        let isPublic = publicHost.map { ASCII.areEqual($0, host) } ?? false
        guard isPublic || !domains.isEmpty else { return false }
        guard let path = Self.plainPath(of: url) else { return true }
        return Self.isOurs(path) || domains.contains { $0.claims(path: path) }
    }

    /// `/__/` and `/_/`, under which every host of ours answers with wrappers and pages.
    private static func isOurs(_ path: String) -> Bool {
        ["/__/", "/_/"].contains { path.utf8.starts(with: $0.utf8) }
    }

    /// The path decoded, with single slashes; nil when it holds dot segments or cannot be decoded once for all.
    private static func plainPath(of url: WebURL) -> String? {
        guard let decoded = percentDecoded(url.path),
            !decoded.utf8.contains(where: { [UInt8(ascii: "%"), UInt8(ascii: "\\")].contains($0) })
        else { return nil }
        let segments = ASCII.split(decoded, at: UInt8(ascii: "/")).filter { !$0.isEmpty }
        guard !segments.contains(where: { ASCII.areEqual($0, ".") || ASCII.areEqual($0, "..") }) else { return nil }
        let isFolder = !segments.isEmpty && decoded.utf8.last == UInt8(ascii: "/")
        return "/" + segments.joined(separator: "/") + (isFolder ? "/" : "")
    }
}
