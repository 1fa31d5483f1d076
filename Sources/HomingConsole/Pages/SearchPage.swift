// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingServer
import HomingShortLinks
import HomingStore
import HomingTexts
import HomingWire
import Hummingbird

/// `/console/search`: leads to the one thing that a text means, or lists all that it could mean.
enum SearchPage {
    static let path = "/console/search"

    static func show(_ context: ConsoleContext) async throws -> Response {
        let search = ConsoleSearch(context)
        let found = try await search.found()
        if found.count == 1 { return PageAnswer.redirect(to: found[0].path, status: .seeOther) }
        let groups = ConsoleSearch.Kind.allCases.map { kind in section(kind, found.filter { $0.kind == kind }) }
        return ConsolePage(
            "Search",
            """
            \(found.isEmpty ? nothing(search) : HTML(joining: groups))\(search.isPartial ? partial : "")
            """
        ).answer(in: context)
    }

    private static func section(_ kind: ConsoleSearch.Kind, _ found: [ConsoleSearch.Found]) -> HTML {
        guard !found.isEmpty else { return "" }
        let items = found.map { thing -> HTML in
            """
            <li><div><a href="\(thing.path)"><bdi>\(thing.title)</bdi></a><div class="soft"><bdi>\(thing.note)</bdi></div></div></li>
            """
        }
        return "<section><h2>\(kind.rawValue)</h2><ul class=\"list\">\(HTML(joining: items))</ul></section>"
    }

    private static func nothing(_ search: ConsoleSearch) -> HTML {
        let sentence: HTML = """
            You can look for a whole email address, the id of an account or of an email, a link in any spelling or its \
            ending, and the id or the name of a project.
            """
        let title = search.text.isEmpty ? "What are you looking for?" : "Nothing found"
        let place: HTML =
            search.place.map { " Accounts, emails and links were looked for in <bdi>\($0.shownName)</bdi> first." }
            ?? ""
        return """
            <section>\(EmptyState(.search, title, "\(sentence)\(search.text.isEmpty ? "" : place)").html)</section>
            """
    }

    private static let partial: HTML = """
        <p class="hint">Only the first projects were searched. <a href="/console/">Choose a project</a> to search in it.</p>
        """
}

/// What a text means that somebody has typed into the field of the header, among what they may see.
struct ConsoleSearch {
    enum Kind: String, CaseIterable {
        case project = "Projects"
        case account = "Accounts"
        case mail = "Emails"
        case link = "Links"
    }

    struct Found {
        let kind: Kind
        let title: String
        let note: String
        let path: String
    }

    let text: String
    /// The project in which people look first; nil where they were in none.
    let place: Project?
    /// Whether there are more projects than are searched.
    let isPartial: Bool
    private let context: ConsoleContext
    private let visible: [Project]

    /// In so many projects at most; each costs a few rows.
    private static let mostProjects = 25
    /// So many things of a kind are listed.
    private static let mostOfKind = 10
    private static let longest = 1_000

    init(_ context: ConsoleContext) {
        self.context = context
        let typed = String(ASCII.trimmed(context.query?["q"] ?? ""))
        let isSound = typed.utf8.count <= Self.longest && !typed.utf8.contains(where: ASCII.isControl)
        text = isSound ? typed : ""
        let (projects, person) = (context.homing.projects, context.person)
        visible = projects.all().filter { person.sees($0.projectID) }
        place = context.query?["project"].flatMap { projects.projectOrTenant(Scope($0)) }
            .flatMap { person.sees($0.projectID) ? $0 : nil }
        isPartial = visible.count > Self.mostProjects
    }

    /// What the text names exactly, in the project first and then in others; else all that begins so.
    func found() async throws -> [Found] {
        guard !text.isEmpty else { return [] }
        var found = visible.filter { $0.projectID.text.utf8.elementsEqual(text.utf8) }.map(Self.project)
        for scope in place.map(withTenants) ?? [] { found += try await named(in: scope) }
        if found.isEmpty {
            let others = visible.filter { $0.projectID != place?.projectID }.prefix(Self.mostProjects)
            for project in others { found += try await named(in: project) }
        }
        return try await found.isEmpty ? similar() : found
    }

    /// The place, then the rest of its project: a tenant's links are its project's.
    private func withTenants(_ place: Project) -> [Project] {
        let projects = context.homing.projects
        let whole = projects.project(place.projectID).map { project in
            [project] + projects.tenants(of: project).prefix(Self.mostProjects)
        }
        return [place] + (whole ?? []).filter { $0.scope != place.scope }
    }

    // MARK: Exactly

    private func named(in project: Project) async throws -> [Found] {
        [
            try await account(in: project), try await mail(in: project), try await link(in: project),
        ].compactMap(\.self)
    }

    /// Nobody learns here whether part of an address is right: an account is found by all of it, or by its id.
    private func account(in project: Project) async throws -> Found? {
        let accounts = context.homing.accounts
        guard let address = try? EmailAddress(parsing: text) else {
            guard text.utf8.count <= 128 else { return nil }
            return try await accounts.find(id: AccountID(text), in: project).map { found($0, in: project) }
        }
        if let account = try await accounts.find(address, in: project) { return found(account, in: project) }
        guard let newest = try await context.homing.outbox.list(to: address, in: project, limit: 1).first else {
            return nil
        }
        return Found(
            kind: .mail, title: "Emails to \(context.shown(newest.recipient))", note: project.shownName,
            path: "\(ConsoleSection.mail.path(in: project))?q=\(percentEncoded(text))")
    }

    private func mail(in project: Project) async throws -> Found? {
        guard let mail = try await MailPage.named(text, project, context) else { return nil }
        return Found(
            kind: .mail, title: "\(mail.kindTitle) to \(context.shown(mail.recipient))", note: project.shownName,
            path: "\(ConsoleSection.mail.path(in: project))/\(mail.id)")
    }

    /// A tenant's links are its project's.
    private func link(in project: Project) async throws -> Found? {
        guard project.tenant == nil, let (link, domain) = try await context.homing.links.named(text, in: project)
        else { return nil }
        return Self.found(link, at: "\(domain.baseURL)/\(link.suffix)", in: project)
    }

    // MARK: Nearly

    private func similar() async throws -> [Found] {
        let wanted = ASCII.lowercased(text)
        let projects = visible.filter { project in
            [project.name, project.projectID.text].contains { ASCII.contains(ASCII.lowercased($0), wanted) }
        }
        var found = projects.prefix(Self.mostOfKind).map(Self.project)
        guard let place = place ?? (visible.count == 1 ? visible.first : nil) else { return found }
        let (accounts, _) = try await context.homing.accounts.search(
            text, in: place, byAddress: context.mayEdit, limit: Self.mostOfKind)
        found += accounts.map { self.found($0, in: place) }
        guard place.tenant == nil, !place.linkDomains.isEmpty else { return found }
        return found + (try await links(in: place))
    }

    private func links(in project: Project) async throws -> [Found] {
        var query = LinkQuery()
        query.text = text
        query.pageSize = Self.mostOfKind
        var (links, _) = try await context.homing.links.find(query, in: project)
        if links.isEmpty, text.utf8.contains(where: { "./".utf8.contains($0) }) {
            (query.text, query.target) = (nil, text)
            (links, _) = try await context.homing.links.find(query, in: project)
        }
        return links.map { Self.found($0.link, at: $0.url, in: project) }
    }

    // MARK: What was found

    private static func project(_ project: Project) -> Found {
        Found(
            kind: .project, title: project.name, note: project.projectID.text,
            path: ConsoleSection.overview.path(in: project))
    }

    private func found(_ account: Account, in project: Project) -> Found {
        Found(
            kind: .account, title: account.email.map { context.shown($0.text) } ?? account.id.text,
            note: "\(account.id.text) in \(project.shownName)",
            path: AccountPage.path(of: account.id, in: project))
    }

    private static func found(_ link: StoredLink, at url: String, in project: Project) -> Found {
        Found(
            kind: .link, title: link.name ?? url, note: "\(url) in \(project.shownName)",
            path: LinkPage.path(of: link, in: project))
    }
}
