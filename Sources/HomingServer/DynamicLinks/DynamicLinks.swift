// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore
package import HomingWire

/// The Dynamic Links API, one file per operation; this one has what they share.
package enum DynamicLinks {
    /// A URL on a link domain of whatever project.
    package struct Located {
        package let place: LinkPlace
        package let part: IncomingLink.Part
        let query: String?
    }

    /// Longer than any link: the head of a request has no room for more.
    private static let longestURL = 16_384

    /// Where a URL stands; nil when its host and path are nobody's.
    package static func locate(_ url: String, _ homing: Homing) -> Located? {
        guard url.utf8.count <= longestURL,
            let scheme = ["https://", "http://"].first(where: { url.hasPrefixFoldingASCII($0) })
        else { return nil }
        let rest = url.utf8.dropFirst(scheme.utf8.count).prefix { $0 != UInt8(ascii: "#") }
        let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        let target = rest.dropFirst(authority.count)
        let path = String(Substring(target.prefix { $0 != UInt8(ascii: "?") }))
        guard let place = homing.projects.linkPlace(host: String(Substring(authority)), path: path) else { return nil }
        let query = target.dropFirst(path.utf8.count)
        return Located(
            place: place, part: IncomingLink.part(path, of: place.domain),
            query: query.isEmpty ? nil : String(Substring(query.dropFirst())))
    }

    /// A link that an app or an operator names by its URL.
    static func open(_ url: String, _ homing: Homing) async throws -> IncomingLink? {
        guard let located = locate(url, homing) else { return nil }
        return try await homing.links.open(located.part, query: located.query, at: located.place)
    }

    /// The rules for where a link may lead, at its creation and at every use.
    package static func check(
        _ parameters: DynamicLinkParameters, by rules: LinkRules, in homing: Homing
    ) async throws {
        do {
            try rules.check(parameters)
            try await homing.links.check(parameters.link, by: rules)
        } catch let fault as LinkFault {
            throw Refusal.invalidDynamicLink(code: fault.wireCode, fault.sentence)
        }
    }

    /// The same for a link that is used.
    static func check(_ link: IncomingLink, in homing: Homing) async throws {
        try check(link)
        if link.isForAppsOnly { try await check(link.parameters, by: link.place.rules, in: homing) }
    }

    /// As far as can be told without waiting, which is all for most links; most have been looked at before.
    static func check(_ link: IncomingLink) throws(Refusal) {
        do {
            try link.check()
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
        case .unauthorizedDomain, .storePage: "UNAUTHORIZED_DOMAIN"
        case .linkToLink: "LINK_TO_LINK"
        case .continueURL: "INVALID_CONTINUE_URI"
        case .tooLong: "LINK_LENGTH_TOO_LONG"
        }
    }
}
