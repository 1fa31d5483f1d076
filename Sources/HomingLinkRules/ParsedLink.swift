// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingStore
package import HomingWire
import Synchronization

/// A parsed link, as the caches keep it.
///
/// A class, because the parameters are dozens of texts, and copying them would cost more than everything else at a
/// click.
package final class ParsedLink: Sendable {
    package let parameters: DynamicLinkParameters
    /// Nil for a long link.
    package let suffix: LinkSuffix?
    /// The number of the project that a short link was read for; empty for a long link, which belongs to no project.
    package let projectNumber: String
    package let url: String
    package let isDebug: Bool
    package let wasAsked: Bool
    package let findings: LinkRules.Findings
    /// The edition of the projects in which the link was last found allowed, and the kind of its payload; 0 is none.
    private let allowedIn = Atomic(0)

    /// A link that exists nowhere, for its parameters.
    init(_ parameters: DynamicLinkParameters) {
        self.parameters = parameters
        suffix = nil
        projectNumber = ""
        url = ""
        isDebug = false
        wasAsked = false
        findings = LinkRules.Findings()
    }

    /// A short link.
    package init(_ suffix: LinkSuffix, query: String, on domain: LinkDomain, ofProject number: String) throws {
        parameters = try DynamicLinkParameters(query: query)
        self.suffix = suffix
        projectNumber = number
        url = "\(domain.baseURL)/\(suffix)"
        isDebug = false
        wasAsked = false
        findings = LinkRules.Findings()
    }

    /// A short link that came with a query of its own.
    package init(_ link: ParsedLink, parameters: DynamicLinkParameters, url: String, isDebug: Bool, wasAsked: Bool) {
        self.parameters = parameters
        suffix = link.suffix
        projectNumber = link.projectNumber
        self.url = url
        self.isDebug = isDebug
        self.wasAsked = wasAsked
        findings = link.findings
    }

    /// A long link.
    package init(_ query: DynamicLinkQuery, url: String, wasAsked: Bool) {
        parameters = query.parameters
        suffix = nil
        projectNumber = ""
        self.url = url
        isDebug = query.isDebug
        self.wasAsked = wasAsked
        findings = LinkRules.Findings(query)
    }

    /// Refuses the link when it leads anywhere that its project does not allow as it is now.
    ///
    /// - Parameter edition: the number of the last change of projects.
    /// - Returns: whether its payload is for apps only.
    @discardableResult
    package func check(by rules: LinkRules, in edition: Int) throws(LinkFault) -> Bool {
        let found = allowedIn.load(ordering: .relaxed)
        if found >> 1 == edition { return found & 1 == 1 }
        try rules.check(parameters)
        let isForAppsOnly = rules.isForAppsOnly(parameters.link)
        allowedIn.store(edition << 1 | (isForAppsOnly ? 1 : 0), ordering: .relaxed)
        return isForAppsOnly
    }
}
