// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingLinkRules
package import HomingProjects
package import HomingStore
import HomingWire

/// The short link that somebody means who pastes it.
extension Links {
    /// A short link of a project, archived ones included, by any spelling that people paste: with `https://`, `http://`
    /// or neither, with a query or a fragment behind, on each of the project's link domains, or its ending alone; and
    /// with what texts put around it (``PastedEnding``).
    ///
    /// An ending alone is one of the default link domain, else of the only link domain that has it.
    ///
    /// - Returns: nil where there is no such link, or more than one could be meant.
    package func named(_ text: String, in project: Project) async throws -> (StoredLink, LinkDomain)? {
        guard text.utf8.count <= LocatedLink.longestURL else { return nil }
        let pasted = PastedLink(text)
        if let domain = pasted.domain(in: project) {
            guard let suffix = pasted.suffix(on: domain) else { return nil }
            return try await stored(meantBy: suffix, on: domain, of: project).map { ($0, domain) }
        }
        guard let suffix = pasted.suffixAlone else { return nil }
        var found: [(StoredLink, LinkDomain)] = []
        for domain in project.linkDomains {
            guard let link = try await stored(meantBy: suffix, on: domain, of: project) else { continue }
            if domain == project.defaultLinkDomain { return (link, domain) }
            found.append((link, domain))
        }
        return found.count == 1 ? found.first : nil
    }

    /// The row of the link that an ending means on a link domain, in any case where that does not count.
    package func stored(
        meantBy suffix: LinkSuffix, on domain: LinkDomain, of project: Project
    ) async throws -> StoredLink? {
        try await store.read(in: project) { [domain = domain.text] tx in
            try Self.find(meantBy: suffix, on: domain, tx)
        }
    }
}

/// The parts of a pasted link; nothing is looked up.
private struct PastedLink {
    private let hasScheme: Bool
    /// Host, port and path as they were pasted, without query and fragment.
    private let rest: Substring

    init(_ text: String) {
        let text = ASCII.trimmed(PastedEnding.withoutLead(text))
        let scheme = ["https://", "http://"].first { text.hasPrefixFoldingASCII($0) }
        hasScheme = scheme != nil
        let location = text.utf8.dropFirst(scheme?.utf8.count ?? 0)
        rest = Substring(location.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
    }

    private var path: Substring { rest[(rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex)...] }

    /// The link domain that it lies on, the longest prefix first.
    func domain(in project: Project) -> LinkDomain? {
        let path = String(path)
        let authority = Substring(rest.utf8.dropLast(path.utf8.count))
        guard let host = try? LinkDomain(parsing: String(authority)) else { return nil }
        return project.linkDomains.filter { ASCII.areEqual($0.hostKey, host.hostKey) && $0.claims(path: path) }
            .max { $0.prefix.utf8.count < $1.prefix.utf8.count }
    }

    func suffix(on domain: LinkDomain) -> LinkSuffix? {
        guard case .suffix(let suffix) = LinkPath(String(path), on: domain) else { return nil }
        return suffix
    }

    /// The ending where it is all that was pasted.
    var suffixAlone: LinkSuffix? {
        hasScheme ? nil : LinkSuffix.meant(by: Substring(rest.utf8.drop { $0 == UInt8(ascii: "/") }))
    }
}
