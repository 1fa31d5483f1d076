// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingWire

/// `shortLinks` and `managedShortLinks:create` (facts: dynamic-links 4.1).
extension DynamicLinks {
    /// What a request for a short link says, checked.
    private struct Request {
        let project: Project
        let domain: LinkDomain
        let parameters: DynamicLinkParameters
        let warnings: [DynamicLinkWarning]
        let ending: LinkEnding

        /// - Parameter owner: the project of the API key; nil where the domain decides.
        init(_ fields: Fields, of owner: Project?, _ homing: Homing) throws {
            var noticed = LinkRules.Noticed()
            if let long = try fields.text("longDynamicLink") {
                guard let place = DynamicLinks.place(of: long, homing), place.rest == .root else {
                    throw DynamicLinks.foreignDomain
                }
                (project, domain) = (place.project, place.domain)
                let parsed = try DynamicLinks.read(place.query ?? "")
                parameters = parsed.parameters
                noticed = LinkRules.Noticed(parsed, hasFragment: long.utf8.contains(UInt8(ascii: "#")))
            } else if let info = try fields.object("dynamicLinkInfo") {
                guard let prefix = try info.text("domainUriPrefix") ?? info.text("dynamicLinkDomain") else {
                    throw Refusal.invalidDynamicLink(
                        code: "MISSING_DOMAIN_URI_PREFIX",
                        "say on which link domain: dynamicLinkInfo.domainUriPrefix, as in https://links.shop.example")
                }
                guard let place = DynamicLinks.place(of: prefix.withScheme, homing), place.rest == .root else {
                    throw DynamicLinks.foreignDomain
                }
                (project, domain) = (place.project, place.domain)
                parameters = try DynamicLinkInfo.parameters(info)
            } else {
                throw Refusal.invalidDynamicLink(
                    code: "MISSING_LINK", "give longDynamicLink, or dynamicLinkInfo with link and domainUriPrefix")
            }
            if let owner, owner.id != project.id { throw DynamicLinks.foreignDomain }
            let rules = homing.linkRules(of: project)
            try DynamicLinks.check(parameters, by: rules)
            let long = DynamicLinkURL(base: domain.baseURL, parameters: parameters).url
            try DynamicLinks.check(lengthOf: long)
            warnings = rules.warnings(parameters, noticing: noticed)
            ending = try Self.ending(try fields.object("suffix"))
        }

        private static func ending(_ suffix: Fields?) throws -> LinkEnding {
            guard let suffix else { return .unguessable }
            switch try suffix.digits("option") ?? "" {
            case "", "OPTION_UNSPECIFIED", "UNGUESSABLE", "0", "1": return .unguessable
            case "SHORT", "2": return .short
            case "CUSTOM", "3":
                guard let custom = try suffix.text("customSuffix") else {
                    throw Refusal.invalidArgument("suffix.customSuffix is missing: the ending that you want")
                }
                return .custom(custom)
            default:
                throw Refusal.invalidArgument("suffix.option is UNGUESSABLE, SHORT or CUSTOM")
            }
        }
    }

    static func shortLink(_ context: ProjectContext) async throws -> JSON {
        let homing = context.homing
        let request = try Request(context.fields, of: context.project, homing)
        if case .custom = request.ending {
            throw Refusal.invalidArgument(
                "suffix.option CUSTOM is for operators: managedShortLinks:create on the admin listener")
        }
        try await homing.blockLimits.take(
            "links", project: request.project.id, limit: homing.limits.linksPerProjectDay, windowSeconds: 86_400)
        let link = try await homing.links.create(
            request.parameters, on: request.domain, of: request.project, ending: request.ending)
        let url = "\(request.domain.baseURL)/\(link.suffix)"
        return .object([
            ("shortLink", .string(url)), ("warning", warnings(request.warnings)),
            ("previewLink", .string("\(url)?d=1")),
        ])
    }

    static func managedShortLink(_ call: OperatorCall) async throws -> JSON {
        guard let name = try call.fields.text("name") else {
            throw Refusal.invalidArgument("name is missing: what the link is called in lists")
        }
        guard name.utf8.count <= 200, name.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw Refusal.invalidArgument("name has at most 200 bytes and no control characters")
        }
        let request = try Request(call.fields, of: nil, call.homing)
        let link = try await call.homing.links.create(
            request.parameters, on: request.domain, of: request.project, ending: request.ending, name: name)
        let url = "\(request.domain.baseURL)/\(link.suffix)"
        return .object([
            (
                "managedShortLink",
                .object([
                    ("link", .string(url)), ("linkName", .string(name)),
                    ("info", DynamicLinkInfo.json(request.parameters, on: request.domain)),
                    ("creationTime", .string(String(link.createdAt.milliseconds))),
                    ("visibility", .string(link.isArchived ? "ARCHIVED" : "UNARCHIVED")),
                ])
            ),
            ("warning", warnings(request.warnings)), ("previewLink", .string("\(url)?d=1")),
        ])
    }

    private static func warnings(_ warnings: [DynamicLinkWarning]) -> JSON? {
        guard !warnings.isEmpty else { return nil }
        return .array(
            warnings.map { warning in
                .object([
                    ("warningCode", .string(warning.code.rawValue)), ("warningMessage", .string(warning.message)),
                ])
            })
    }
}

extension String {
    /// `dynamicLinkDomain` comes without a scheme.
    fileprivate var withScheme: String { contains("://") ? self : "https://\(self)" }
}
