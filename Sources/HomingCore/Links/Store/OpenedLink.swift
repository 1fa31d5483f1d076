// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingWire
import Synchronization

/// A link read and parsed, as the caches keep it.
///
/// An object, because the parameters are dozens of texts, and copying them would cost more than everything else at a
/// click.
package final class OpenedLink: Sendable {
    package let parameters: DynamicLinkParameters
    /// Nil for a long link.
    let suffix: String?
    /// Of the project that a short link was read for; empty for a long one, which is nobody's.
    let projectNumber: String
    let url: String
    let isDebug: Bool
    let wasAsked: Bool
    let noticed: LinkRules.Noticed
    /// The edition of the projects in which it was last found to be allowed, and what its payload was then; 0 is none.
    private let allowedIn = Atomic(0)

    /// What a link would say that is nowhere.
    init(saying parameters: DynamicLinkParameters) {
        self.parameters = parameters
        suffix = nil
        projectNumber = ""
        url = ""
        isDebug = false
        wasAsked = false
        noticed = LinkRules.Noticed()
    }

    /// A short link.
    init(_ suffix: String, saying query: String, on domain: LinkDomain, of project: Project) throws {
        parameters = try DynamicLinkParameters(query: query)
        self.suffix = suffix
        projectNumber = project.number
        url = "\(domain.baseURL)/\(suffix)"
        isDebug = false
        wasAsked = false
        noticed = LinkRules.Noticed()
    }

    /// A short link that came with a query of its own.
    init(_ link: OpenedLink, parameters: DynamicLinkParameters, url: String, isDebug: Bool, wasAsked: Bool) {
        self.parameters = parameters
        suffix = link.suffix
        projectNumber = link.projectNumber
        self.url = url
        self.isDebug = isDebug
        self.wasAsked = wasAsked
        noticed = link.noticed
    }

    /// A long link.
    init(_ query: DynamicLinkQuery, url: String, wasAsked: Bool) {
        parameters = query.parameters
        suffix = nil
        projectNumber = ""
        self.url = url
        isDebug = query.isDebug
        self.wasAsked = wasAsked
        noticed = LinkRules.Noticed(query)
    }

    /// Refuses the link when it leads anywhere that its project does not allow as it is now.
    ///
    /// - Returns: whether its payload is for apps only.
    @discardableResult
    func check(at place: LinkPlace) throws(LinkFault) -> Bool {
        let found = allowedIn.load(ordering: .relaxed)
        if found >> 1 == place.edition { return found & 1 == 1 }
        try place.rules.check(parameters)
        let isForAppsOnly = place.rules.isForAppsOnly(parameters.link)
        allowedIn.store(place.edition << 1 | (isForAppsOnly ? 1 : 0), ordering: .relaxed)
        return isForAppsOnly
    }
}
