// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingLinkRules
package import HomingProjects
package import HomingStore
package import HomingWire

/// A URL on a link domain of any project.
package struct LocatedLink {
    package let site: LinkSite
    package let part: LinkPath
    package let query: String?

    /// The greatest length of a URL: the head of a request has no room for a longer one.
    static let longestURL = 16_384
}

extension Projects {
    /// Locates a URL; nil when its host and path belong to no project.
    package func locate(_ url: String) -> LocatedLink? {
        guard url.utf8.count <= LocatedLink.longestURL,
            let scheme = ["https://", "http://"].first(where: { url.hasPrefixFoldingASCII($0) })
        else { return nil }
        let rest = url.utf8.dropFirst(scheme.utf8.count).prefix { $0 != UInt8(ascii: "#") }
        let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        let target = rest.dropFirst(authority.count)
        let path = String(Substring(target.prefix { $0 != UInt8(ascii: "?") }))
        guard let site = linkSite(host: String(Substring(authority)), path: path) else { return nil }
        let query = target.dropFirst(path.utf8.count)
        return LocatedLink(
            site: site, part: LinkPath(path, on: site.domain),
            query: query.isEmpty ? nil : String(Substring(query.dropFirst())))
    }
}

extension Links {
    /// Checks the targets of a link, at its creation and at every use.
    ///
    /// - Parameter place: the link's own ending and its domain, which are no target either; nil where nobody knows.
    /// - Throws: ``Refusal/invalidDynamicLink(code:_:)``.
    package func check(
        _ parameters: DynamicLinkParameters, _ details: LinkDetails? = nil, by rules: LinkRules, of project: Project,
        at place: (suffix: LinkSuffix, domain: LinkDomain)? = nil
    ) async throws {
        do {
            try rules.check(parameters)
            for (name, address) in rules.shortLinkAddresses(in: parameters, details) {
                var isLink =
                    place.map {
                        address.isSame(
                            as: $0.suffix, on: $0.domain.text, ignoringCase: project.ignoresCase(on: $0.domain.text))
                    } ?? false
                if !isLink {
                    isLink = try await stored(meantBy: address.suffix, on: address.domain, of: project) != nil
                }
                if isLink { throw LinkFault(parameter: name, code: nil, reason: .linkToLink) }
            }
        } catch let fault as LinkFault {
            throw fault.refusal
        }
    }

    /// Checks the length of a link at its creation only: the URL of a click in an app may be longer.
    package static func check(lengthOf longLink: String) throws(Refusal) {
        do {
            try LinkRules.check(lengthOf: longLink)
        } catch {
            throw error.refusal
        }
    }
}
