// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore
package import HomingWire

/// The Dynamic Links API, one file per operation; this one has what they share.
package enum DynamicLinks {
    static let prefix = "/firebasedynamiclinks.googleapis.com"

    /// The operator's own back end, for whatever project a link's domain belongs to.
    struct OperatorCall: Sendable {
        let homing: Homing
        let fields: Fields
    }

    static let foreignDomain = Refusal.invalidDynamicLink(
        code: "INVALID_DYNAMIC_LINK_DOMAIN", "the domain is not a link domain of this project: homing link-domain add")

    /// A URL's place on a link domain of whatever project; nil when its host and path are nobody's.
    package static func place(
        of url: String, _ homing: Homing
    ) -> (project: Project, domain: LinkDomain, rest: IncomingLink.Place, path: String, query: String?)? {
        guard let parsed = try? WebURL(parsing: url) else { return nil }
        let (authority, path, query) = parsed.parts
        guard let (project, domain) = homing.projects.project(linkHost: authority, path: path) else { return nil }
        return (project, domain, IncomingLink.place(of: path, on: domain), path, query)
    }

    /// A link that an app or an operator names by its URL.
    static func open(_ url: String, _ homing: Homing) async throws -> IncomingLink? {
        guard let place = place(of: url, homing) else { return nil }
        return try await homing.links.open(path: place.path, query: place.query, on: place.domain, of: place.project)
    }

    /// The rules for where a link may lead, at its creation and at every use.
    package static func check(_ parameters: DynamicLinkParameters, by rules: LinkRules) throws(Refusal) {
        do {
            try rules.check(parameters)
        } catch {
            throw .invalidDynamicLink(code: error.wireCode, error.sentence)
        }
    }

    /// At its creation: what an app makes of a click may be longer.
    package static func check(lengthOf longLink: String) throws(Refusal) {
        do {
            try LinkRules.check(lengthOf: longLink)
        } catch {
            throw .invalidDynamicLink(code: error.wireCode, error.sentence)
        }
    }

    static func read(_ query: String) throws(Refusal) -> DynamicLinkQuery {
        do {
            return try DynamicLinkQuery(parsing: query)
        } catch {
            throw .invalidDynamicLink(code: error == .missingLink ? "MISSING_LINK" : "INVALID_LINK", "\(error)")
        }
    }
}

extension LinkFault {
    /// Firebase's code where it has one.
    var wireCode: String {
        if let code { return code.rawValue }
        return switch reason {
        case .malformed: "INVALID_LINK"
        case .unauthorizedDomain: "UNAUTHORIZED_DOMAIN"
        case .linkToLink: "LINK_TO_LINK"
        case .continueURL: "INVALID_CONTINUE_URI"
        case .tooLong: "LINK_LENGTH_TOO_LONG"
        }
    }
}
