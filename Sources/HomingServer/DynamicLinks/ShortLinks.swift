// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
import HomingProjects
import HomingShortLinks
import HomingStore
import HomingWire

/// `shortLinks` and `managedShortLinks:create` (Dynamic Links API).
extension DynamicLinks {
    /// The contents of a request for a short link, checked.
    private struct Request {
        let site: LinkSite
        let parameters: DynamicLinkParameters
        let warnings: [DynamicLinkWarning]
        let ending: LinkEnding

        /// - Parameter owner: the project of the API key; nil where the domain decides.
        init(_ fields: Fields, of owner: Project?, _ homing: Homing) async throws {
            let long = try fields.text("longDynamicLink")
            let info = try fields.object("dynamicLinkInfo")
            var findings = LinkRules.Findings()
            switch (long, info) {
            case (let long?, nil):
                let located = try Self.root(long, of: owner, homing)
                let query = try DynamicLinks.read(located.query ?? "")
                (site, parameters) = (located.site, query.parameters)
                findings = LinkRules.Findings(query, hasFragment: long.utf8.contains(UInt8(ascii: "#")))
            case (nil, let info?):
                guard let prefix = try info.text("domainUriPrefix") ?? info.text("dynamicLinkDomain") else {
                    throw Refusal.invalidDynamicLink(
                        code: "MISSING_DOMAIN_URI_PREFIX",
                        "say on which link domain: dynamicLinkInfo.domainUriPrefix, as in https://links.shop.example")
                }
                site = try Self.root(ASCII.contains(prefix, "://") ? prefix : "https://\(prefix)", of: owner, homing)
                    .site
                parameters = try DynamicLinkInfo.parameters(info)
            default:
                throw Refusal.invalidDynamicLink(
                    code: "MISSING_LINK",
                    "give longDynamicLink, or dynamicLinkInfo with link and domainUriPrefix; one of both")
            }
            try await homing.links.check(parameters, by: site.rules, of: site.project)
            try Links.check(lengthOf: DynamicLinkURL(base: site.domain.baseURL, parameters: parameters).url)
            warnings = site.rules.warnings(parameters, finding: findings)
            ending = try DynamicLinks.ending(try fields.object("suffix"))
        }

        /// The URL of a link domain itself, of this project when one is given.
        private static func root(_ url: String, of owner: Project?, _ homing: Homing) throws(Refusal) -> LocatedLink {
            guard let located = homing.projects.locate(url), located.part == .root,
                owner == nil || located.site.project.scope == owner?.scope
            else {
                throw .invalidDynamicLink(
                    code: "INVALID_DYNAMIC_LINK_DOMAIN",
                    "the domain is not a link domain of this project", remedy: .addLinkDomain)
            }
            return located
        }
    }

    static func ending(_ suffix: Fields?) throws -> LinkEnding {
        guard let suffix else { return .unguessable }
        switch try suffix.digits("option") ?? "" {
        case "", "OPTION_UNSPECIFIED", "UNGUESSABLE", "0", "1": return .unguessable
        case "SHORT", "2": return .short
        case "CUSTOM", "3":
            guard let custom = try suffix.text("customSuffix") else {
                throw Refusal.invalidArgument("suffix.customSuffix is missing: the ending that you want")
            }
            return .custom(LinkSuffix(custom))
        default:
            throw Refusal.invalidArgument("suffix.option is UNGUESSABLE, SHORT or CUSTOM")
        }
    }

    static func shortLink(_ context: ProjectContext) async throws -> JSON {
        let homing = context.homing
        let request = try await Request(context.fields, of: context.project, homing)
        if case .custom = request.ending {
            throw Refusal.invalidArgument(
                "suffix.option CUSTOM is for operators: managedShortLinks:create on the admin listener")
        }
        let site = request.site
        let (limits, day) = (homing.limits, 86_400 as Int64)
        do {
            // The caller's share first: who is over it takes nothing from the others.
            let caller = "links from \(context.caller)"
            try await homing.blockLimits.take(
                caller, project: site.project.projectID, limit: limits.linksPerIPDay, windowSeconds: day)
            try await homing.blockLimits.take(
                "links", project: site.project.projectID, limit: limits.linksPerProjectDay, windowSeconds: day)
        } catch Refusal.Code.tooManyAttempts {
            throw Refusal.tooManyRequests(retryAfterSeconds: 3600)
        }
        let link = try await homing.makeLink(
            request.parameters, at: site, ending: request.ending, by: .app)
        let url = "\(site.domain.baseURL)/\(link.suffix)"
        return .object([
            ("shortLink", .string(url)), ("warning", warnings(request.warnings)),
            ("previewLink", .string("\(url)?d=1")),
        ])
    }

    /// Makes a link for the project that owns the link's domain.
    static func managedShortLink(_ context: AdminContext) async throws -> JSON {
        guard let name = try context.fields.text("name") else {
            throw Refusal.invalidArgument("name is missing: what the link is called in lists")
        }
        let request = try await Request(context.fields, of: nil, context.homing)
        try context.check(request.site.project)
        let domain = request.site.domain
        let link = try await context.homing.makeLink(
            request.parameters, at: request.site, ending: request.ending, name: name, by: context.backEnd.author)
        let url = "\(domain.baseURL)/\(link.suffix)"
        return .object([
            (
                "managedShortLink",
                .object([
                    ("link", .string(url)), ("linkName", .string(name)),
                    ("info", request.parameters.info(on: domain)),
                    ("creationTime", .string(link.createdAt.timestamp)),
                    ("visibility", .string(link.isArchived ? "ARCHIVED" : "UNARCHIVED")),
                ])
            ),
            ("warning", warnings(request.warnings)), ("previewLink", .string("\(url)?d=1")),
        ])
    }

    static func warnings(_ warnings: [DynamicLinkWarning]) -> JSON? {
        guard !warnings.isEmpty else { return nil }
        return .array(
            warnings.map { warning in
                .object([
                    ("warningCode", .string(warning.code.rawValue)), ("warningMessage", .string(warning.message)),
                ])
            })
    }
}
