// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingStore
import HomingWire

/// Tells which URLs are links themselves: those under a link domain of any project, and our own wrapper.
package struct LinkClassifier: Sendable {
    /// The kind of a URL for the links of one project.
    package enum Kind {
        /// A page: it lies under no link domain.
        case page
        /// A link, or a URL that could be read as one.
        case link
        /// A URL under a link domain of the project that is no long link: a short link if its ending is taken, else a
        /// URL that only an app understands.
        case own(ShortLinkAddress?)
    }

    /// The domain and the suffix that a short link would have.
    package struct ShortLinkAddress: Sendable {
        package let domain: LinkDomain
        package let suffix: LinkSuffix
    }

    /// Nil when the public URL is not a web URL, and then nothing on it is a link.
    private let publicHost: String?
    private let own: [LinkDomain]
    private let domains: @Sendable (_ hostKey: String) -> [LinkDomain]

    init(
        publicURL: String, own: [LinkDomain], domains: @escaping @Sendable (_ hostKey: String) -> [LinkDomain]
    ) {
        publicHost = (try? WebURL(parsing: publicURL, takesHTTP: true)).map(\.hostKey)
        self.own = own
        self.domains = domains
    }

    /// Errs on the side of ``Kind/link``: a path on a link host that could be read in two ways is a link.
    func kind(of url: WebURL) -> Kind {
        let host = url.hostKey
        let domains = domains(host)
        let isPublic = publicHost.map { ASCII.areEqual($0, host) } ?? false
        guard isPublic || !domains.isEmpty else { return .page }
        guard let path = url.plainPath, !OwnPath.isOnEveryHost(path) else { return .link }
        let owner = domains.filter { $0.claims(path: path) }.max { $0.prefix.utf8.count < $1.prefix.utf8.count }
        guard let owner else { return .page }
        guard own.contains(owner) else { return .link }
        switch LinkPath(path, on: owner) {
        case .authLinks: return .link
        case .root: return Self.namesLink(url) ? .link : .own(nil)
        case .suffix(let suffix): return .own(ShortLinkAddress(domain: owner, suffix: suffix))
        case .nowhere: return .own(nil)
        }
    }

    func isPage(_ url: WebURL) -> Bool {
        if case .page = kind(of: url) { true } else { false }
    }

    /// Whether a parameter `link` is present, or may be.
    private static func namesLink(_ url: WebURL) -> Bool {
        guard let query = QueryString(parsing: ActionHandler.query(of: url.text) ?? "") else { return true }
        return query["link"] != nil
    }
}
