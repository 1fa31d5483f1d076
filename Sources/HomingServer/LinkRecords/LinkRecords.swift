// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
import HomingProjects
import HomingShortLinks
import HomingStore
import HomingWire
import Hummingbird

/// `/v1/projects/{project}/links`: the short links of a project, for the operator's back end.
enum LinkRecords {
    static let mostRequests = 1_000

    // MARK: Finding

    static func list(_ context: AdminProjectContext, _ query: DeclaredQuery) async throws -> JSON {
        let project = try project(of: context)
        var wanted = LinkQuery()
        wanted.includesUnnamed = true
        wanted.text = query.first("search")
        wanted.target = query.first("target")
        wanted.tag = query.first("tag")
        wanted.domain = try query.first("domain").nonEmpty.map { try domain($0, of: project) }
        wanted.state = try query.first("state").nonEmpty.map { text throws(Refusal) in
            guard let state = LinkState(named: text) else { throw LinkChange.unknownState }
            return state
        }
        wanted.madeFrom = try moment("createdFrom", query)
        wanted.madeBefore = try moment("createdBefore", query)
        wanted.order = try query.first("orderBy").nonEmpty.map { text throws(Refusal) in
            guard let order = LinkQuery.Order(rawValue: text) else {
                throw .invalidArgument(
                    "orderBy is \(LinkQuery.Order.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            return order
        }
        if let size = query.first("pageSize").nonEmpty, size != "0" {
            guard let number = Int(size), number > 0 else {
                throw Refusal.invalidArgument("pageSize is a whole number from 1 to \(LinkQuery.mostOnPage)")
            }
            wanted.pageSize = min(number, LinkQuery.mostOnPage)
        }
        wanted.pageToken = query.first("pageToken")
        let (links, next) = try await context.homing.links.find(wanted, in: project)
        return .object([
            ("links", links.isEmpty ? nil : .array(try links.map { try LinkRecord.json($0) })),
            ("nextPageToken", next.map { .string($0) }),
        ])
    }

    static func get(_ context: AdminProjectContext) async throws -> JSON {
        let address = try await Address(of: context)
        return try await record(of: address.link, at: address.site, context)
    }

    static func versions(_ context: AdminProjectContext) async throws -> JSON {
        let address = try await Address(of: context)
        let versions = try await context.homing.links.versions(
            of: address.suffix, on: address.site.domain, of: address.site.project)
        return ["versions": .array(versions.map { LinkRecord.json($0, on: address.site.domain) })]
    }

    /// The QR code as a picture: `format` is `svg` or `png`, `size` the pixels of a side.
    static func qrCode(_ context: AdminProjectContext, format: String?, size: String?) async throws -> Response {
        let address = try await Address(of: context)
        let pixels = try size.nonEmpty.map { text throws(Refusal) in
            guard let number = Int(text) else { throw .invalidArgument("size is a number of pixels") }
            return number
        }
        let code = try QRCode("\(address.site.domain.baseURL)/\(address.suffix)", size: pixels)
        switch format.nonEmpty ?? "svg" {
        case "svg": return Answer.picture(Array(code.svg.utf8), "image/svg+xml")
        case "png": return Answer.picture(code.png, "image/png")
        default: throw Refusal.invalidArgument("format is svg or png")
        }
    }

    // MARK: Changing

    static func create(_ context: AdminProjectContext) async throws -> JSON {
        try await create(context.fields, context)
    }

    static func update(_ context: AdminProjectContext, mask: String) async throws -> JSON {
        try await update(try await Address(of: context, isExact: true), context.fields, mask: mask, context)
    }

    static func delete(_ context: AdminProjectContext) async throws -> JSON {
        try await delete(try await Address(of: context, isExact: true), context)
    }

    static func restore(_ context: AdminProjectContext) async throws -> JSON {
        guard let version = try context.fields.integer("version") else {
            throw Refusal.invalidArgument("version is missing: which one of …/versions comes back")
        }
        let address = try await Address(of: context, isExact: true)
        let link = try await context.homing.links.restore(
            version, of: address.suffix, at: address.site, by: context.backEnd.author)
        return try await record(of: link, at: address.site, context)
    }

    /// Does what each request says, one after the other. Each is done whole or not at all, and has an answer of its own.
    static func batch(_ context: AdminProjectContext) async throws -> JSON {
        let requests = try context.fields.each("requests", atMost: mostRequests)
        guard !requests.isEmpty else {
            throw Refusal.invalidArgument("requests is missing: 1 to \(mostRequests) of them")
        }
        var results: [JSON] = []
        var away: Refusal?
        for request in requests {
            do {
                // What is away for one is away for all; those before it are done.
                if let away { throw away }
                results.append(["link": try await answer(to: request, context)])
            } catch let refusal as Refusal {
                if refusal.databaseReason != nil { away = refusal }
                results.append(["error": WireError(refusal).inBatch])
            }
        }
        return ["results": .array(results)]
    }

    private static func answer(to request: Fields, _ context: AdminProjectContext) async throws -> JSON {
        let create = try request.object("create")
        let update = try request.object("update")
        let delete = try request.text("delete")
        switch (create, update, delete) {
        case (let create?, nil, nil): return try await self.create(create, context)
        case (nil, let update?, nil):
            let address = try await Address(of: try update.text("shortLink"), in: context)
            return try await self.update(address, update, mask: try request.text("updateMask") ?? "", context)
        case (nil, nil, let url?): return try await self.delete(try await Address(of: url, in: context), context)
        default: throw Refusal.invalidArgument("a request has one of create, update and delete")
        }
    }

    private static func create(_ body: Fields, _ context: AdminProjectContext) async throws -> JSON {
        let (site, ending) = try place(body, context)
        let change = try LinkChange(body)
        try change.refuseForNew()
        var content = LinkContent(DynamicLinkParameters(link: ""))
        try change.apply(to: &content, on: site.domain)
        guard !content.parameters.link.utf8.isEmpty else {
            throw Refusal.invalidDynamicLink(
                code: "MISSING_LINK", "give the URL that the link leads to: dynamicLinkInfo.link")
        }
        let link = try await context.homing.makeLink(content, at: site, ending: ending, by: context.backEnd.author)
        return try await record(of: link, at: site, context)
    }

    private static func update(
        _ address: Address, _ body: Fields, mask: String, _ context: AdminProjectContext
    ) async throws -> JSON {
        let (homing, author) = (context.homing, context.backEnd.author)
        let (change, domain) = (try LinkChange(body, mask: mask), address.site.domain)
        try await homing.links.edit(
            address.suffix, at: address.site, seen: change.seen, archiving: change.archives, by: author
        ) { try change.apply(to: &$0, on: domain) }
        return try await record(of: try await address.current(in: context), at: address.site, context)
    }

    private static func delete(_ address: Address, _ context: AdminProjectContext) async throws -> JSON {
        try await context.homing.links.delete(address.suffix, at: address.site, by: context.backEnd.author)
        return try await record(of: try await address.current(in: context), at: address.site, context)
    }

    // MARK: Places

    /// The link that a request is about.
    private struct Address {
        let link: StoredLink
        let site: LinkSite

        var suffix: LinkSuffix { link.suffix }

        /// The link of the path.
        ///
        /// - Parameter isExact: whether its ending is meant as it stands, and no other spelling of it: what changes a link
        ///   changes none that is only meant.
        init(of context: AdminProjectContext, isExact: Bool = false) async throws {
            let project = try LinkRecords.project(of: context)
            let (domain, ending) = (context.parameter("domain") ?? "", context.parameter("ending") ?? "")
            guard let known = project.linkDomains.first(where: { $0.text.utf8.elementsEqual(domain.utf8) }) else {
                throw Self.notFound("\(domain)/\(ending)", project)
            }
            let url = "\(known.baseURL)/\(ending)"
            guard let site = context.homing.projects.linkSite(on: known, of: project),
                let link = isExact
                    ? try await context.homing.links.stored(LinkSuffix(ending), on: known, of: project)
                    : try await context.homing.links.named(url, in: project)?.0
            else { throw Self.notFound(url, project) }
            (self.link, self.site) = (link, site)
        }

        /// The link whose whole URL this is, as answers have it.
        init(of url: String?, in context: AdminProjectContext) async throws {
            guard let url else { throw Refusal.invalidArgument("shortLink is missing: the link that is meant") }
            let project = try LinkRecords.project(of: context)
            guard let located = context.homing.projects.locate(url), located.site.project.scope == project.scope,
                case .suffix(let suffix) = located.part,
                "\(located.site.domain.baseURL)/\(suffix)".utf8.elementsEqual(url.utf8),
                let link = try await context.homing.links.stored(suffix, on: located.site.domain, of: project)
            else { throw Self.notFound(url, project) }
            (self.link, self.site) = (link, located.site)
        }

        /// The link as it is now.
        func current(in context: AdminProjectContext) async throws -> StoredLink {
            try await context.homing.links.stored(suffix, on: site.domain, of: site.project) ?? link
        }

        private static func notFound(_ link: String, _ project: Project) -> Refusal {
            .notFound("there is no link \(Printable.given(link))", remedy: .listLinks(project: project.scope))
        }
    }

    /// Where a new link is made, and its ending: `shortLink` says both, or the domain alone.
    private static func place(_ body: Fields, _ context: AdminProjectContext) throws -> (LinkSite, LinkEnding) {
        let project = try project(of: context)
        let info = try body.object("dynamicLinkInfo")
        let (wanted, suffix) = (try body.text("shortLink"), try body.object("suffix"))
        if let wanted {
            let located = try located(wanted, in: project, context)
            guard case .suffix(let ending) = located.part else {
                guard located.part == .root else { throw Refusal.invalidArgument("shortLink has no ending") }
                return (located.site, try DynamicLinks.ending(suffix))
            }
            guard suffix == nil else {
                throw Refusal.invalidArgument("shortLink has an ending already: leave out suffix")
            }
            return (located.site, .custom(ending))
        }
        let ending = try DynamicLinks.ending(suffix)
        if let prefix = try info?.text("domainUriPrefix") ?? info?.text("dynamicLinkDomain") {
            let located = try located(
                ASCII.contains(prefix, "://") ? prefix : "https://\(prefix)", in: project, context)
            guard located.part == .root else { throw notOnDomain }
            return (located.site, ending)
        }
        guard let domain = project.defaultLinkDomain,
            let site = context.homing.projects.linkSite(on: domain, of: project)
        else {
            throw Refusal.invalidDynamicLink(
                code: "MISSING_DOMAIN_URI_PREFIX",
                "say on which link domain: dynamicLinkInfo.domainUriPrefix, as in https://links.shop.example")
        }
        return (site, ending)
    }

    private static func located(
        _ url: String, in project: Project, _ context: AdminProjectContext
    ) throws(Refusal) -> LocatedLink {
        guard let located = context.homing.projects.locate(url), located.site.project.scope == project.scope else {
            throw notOnDomain
        }
        return located
    }

    private static let notOnDomain = Refusal.invalidDynamicLink(
        code: "INVALID_DYNAMIC_LINK_DOMAIN", "the domain is not a link domain of this project",
        remedy: .addLinkDomain)

    private static func domain(_ text: String, of project: Project) throws(Refusal) -> LinkDomain {
        let domain = project.linkDomains.first { domain in
            [domain.text, domain.baseURL].contains { ASCII.areEqual($0, text) }
        }
        guard let domain else { throw notOnDomain }
        return domain
    }

    /// Links are the project's, whatever tenant a request names.
    private static func project(of context: AdminProjectContext) throws -> Project {
        try context.homing.projects.existing(context.project.projectID)
    }

    private static func moment(_ name: String, _ query: DeclaredQuery) throws(Refusal) -> Moment? {
        guard let text = query.first(name).nonEmpty else { return nil }
        guard let moment = Moment(reading: text) else {
            throw .invalidArgument("\(name) is a time or a day, as 2026-12-24T18:00:00Z")
        }
        return moment
    }

    // MARK: Answers

    private static func record(
        of link: StoredLink, at site: LinkSite, _ context: AdminProjectContext
    ) async throws -> JSON {
        let listed = try await context.homing.links.listed(link, on: site.domain, of: site.project)
        guard case .object(var record) = try LinkRecord.json(listed) else { return .null }
        let warnings = site.rules.warnings(try link.content().parameters, finding: LinkRules.Findings())
        if let warnings = DynamicLinks.warnings(warnings) { record["warning"] = warnings }
        return .object(record)
    }
}

extension WireError {
    /// What a batch says of a request that was refused.
    fileprivate var inBatch: JSON {
        .object([
            ("code", .int(Int64(status.code))), ("message", .string(message)),
            ("status", .string(statusName ?? "INVALID_ARGUMENT")),
        ])
    }
}

extension String? {
    fileprivate var nonEmpty: String? { flatMap { $0.isEmpty ? nil : $0 } }
}
