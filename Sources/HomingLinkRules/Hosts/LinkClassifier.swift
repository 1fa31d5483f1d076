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
        /// A URL on a website of the project that is a link domain as a whole (``LinkOwner/isWebsite(_:)``): a short
        /// link if its ending is taken, else a page.
        case website(ShortLinkAddress?)
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

        /// Whether it is that of an ending on a link domain.
        package func isSame(as suffix: LinkSuffix, on domain: String, ignoringCase: Bool) -> Bool {
            self.domain.text.utf8.elementsEqual(domain.utf8)
                && (self.suffix == suffix || ignoringCase && ASCII.areEqual(self.suffix.text, suffix.text))
        }
    }

    /// Nil when the public URL is not a web URL, and then nothing on it is a link.
    private let publicHost: String?
    private let own: [LinkDomain]
    private let websites: [LinkDomain]
    private let domains: @Sendable (_ hostKey: String) -> [LinkDomain]

    init(
        publicURL: String, own project: any LinkOwner,
        domains: @escaping @Sendable (_ hostKey: String) -> [LinkDomain]
    ) {
        publicHost = (try? WebURL(parsing: publicURL, takesHTTP: true)).map(\.hostKey)
        own = project.linkDomains
        websites = own.filter(project.isWebsite)
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
        let address: ShortLinkAddress?
        switch LinkPath(path, on: owner) {
        case .authLinks: return .link
        case .root:
            guard !Self.namesLink(url) else { return .link }
            address = nil
        case .suffix(let suffix): address = ShortLinkAddress(domain: owner, suffix: suffix)
        case .nowhere: address = nil
        }
        return websites.contains(owner) ? .website(address) : .own(address)
    }

    /// Whether a URL is a page, on a website unless a short link has its ending, which is found out at the click.
    func isPage(_ url: WebURL) -> Bool {
        switch kind(of: url) {
        case .page, .website: true
        case .own, .link: false
        }
    }

    /// Whether a parameter `link` is present, or may be.
    private static func namesLink(_ url: WebURL) -> Bool {
        guard let query = QueryString(parsing: ActionHandler.query(of: url.text) ?? "") else { return true }
        return query["link"] != nil
    }
}

extension LinkOwner {
    /// Whether a link domain is a website of the project, too: a whole host that is itself on the list of authorised
    /// domains. A `*.` entry covers hosts that are for links alone, so it makes none a website; and what lies under the
    /// prefix of a link domain is for links.
    package func isWebsite(_ domain: LinkDomain) -> Bool {
        domain.prefix.isEmpty
            && authorizedDomains.contains {
                !$0.coversSubdomains && $0.host == domain.host && $0.port == domain.port
            }
    }
}

extension LinkDomain {
    /// The entry of the list of authorised domains that makes it a website, too; nil with a prefix.
    package var asWebsite: AuthorizedDomain? {
        prefix.isEmpty ? try? AuthorizedDomain(parsing: authority) : nil
    }
}
