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
    /// What came behind a short link and is handed on.
    package let passed: PassedParameters
    /// What has to be looked at before the link is opened; nil for a plain one.
    package let life: LinkLife?
    /// The version of the short link; 0 for a long one.
    package let version: Int64
    /// The edition of the projects in which the link was last found allowed, and the verdict; 0 is none.
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
        passed = .none
        life = nil
        version = 0
    }

    /// A short link.
    package init(
        _ suffix: LinkSuffix, query: String, on domain: LinkDomain, ofProject number: String, life: LinkLife? = nil,
        version: Int64 = 1
    ) throws {
        parameters = try DynamicLinkParameters(query: query)
        self.suffix = suffix
        projectNumber = number
        url = "\(domain.baseURL)/\(suffix)"
        isDebug = false
        wasAsked = false
        findings = LinkRules.Findings()
        passed = .none
        self.life = life
        self.version = version
    }

    /// A short link that came with a query of its own.
    package init(
        _ link: ParsedLink, parameters: DynamicLinkParameters, passed: PassedParameters, url: String, isDebug: Bool,
        wasAsked: Bool
    ) {
        self.parameters = parameters
        suffix = link.suffix
        projectNumber = link.projectNumber
        self.url = url
        self.isDebug = isDebug
        self.wasAsked = wasAsked
        findings = link.findings
        self.passed = passed
        life = link.life
        version = link.version
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
        passed = .none
        life = nil
        version = 0
    }

    /// Refuses the link when it leads anywhere that its project does not allow as it is now.
    ///
    /// - Parameter edition: the number of the last change of projects.
    @discardableResult
    package func check(by rules: LinkRules, in edition: Int) throws(LinkFault) -> LinkVerdict {
        let found = allowedIn.load(ordering: .relaxed)
        if found >> LinkVerdict.width == edition {
            return LinkVerdict(rawValue: found & (1 << LinkVerdict.width - 1))
        }
        let verdict = try rules.check(parameters)
        allowedIn.store(edition << LinkVerdict.width | verdict.rawValue, ordering: .relaxed)
        return verdict
    }
}

/// What decides whether a short link is opened now, besides its targets. A class, because most links have none.
package final class LinkLife: Sendable {
    package let details: LinkDetails
    package let isDeleted: Bool

    /// - Returns: nil for a plain link that is there.
    package init?(_ details: LinkDetails, isDeleted: Bool) {
        guard isDeleted || !details.isPlain else { return nil }
        self.details = details
        self.isDeleted = isDeleted
    }
}
