// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingDatabase
package import HomingLinkRules
package import HomingStore
internal import HomingTexts
internal import HomingWire

extension Projects {
    /// The projects, and their tenants.
    static func readAll(_ tx: borrowing Transaction) throws -> (projects: [Project], tenants: [Project]) {
        let answers = try tx.run([
            "SELECT id, number, name, settings FROM projects",
            "SELECT project, key, name, created_at, revoked_at, chosen_at FROM api_keys ORDER BY created_at, key",
            "SELECT domain, project FROM authorized_domains ORDER BY domain",
            "SELECT details, project FROM apps ORDER BY platform, id",
            "SELECT domain, project FROM link_domains ORDER BY is_default DESC, added_at, domain",
            newestTemplates,
            brands,
            SenderDomainKey.selection,
            OwnMailTransport.selection,
            LinkWebhook.selection,
            "SELECT domain, project FROM link_domains WHERE ignores_case = 1",
            "SELECT project, language, key, text FROM project_texts",
        ])
        let keys = try parts(answers[1]) { row in
            let project: ProjectID = try row.id()
            let key = APIKey(
                try row.text(), name: try row.optionalText(), createdAt: try row.moment(),
                revokedAt: try row.optionalMoment(), chosenAt: try row.optionalMoment())
            return (key, project)
        }
        let authorizedDomains = try parts(answers[2]) { (try AuthorizedDomain(parsing: $0.text()), try $0.id()) }
        let apps = try parts(answers[3]) { (try app(stored: $0.text()), try $0.id()) }
        let linkDomains = try parts(answers[4]) { (try LinkDomain(parsing: $0.text()), try $0.id()) }
        let caseIgnoring = try parts(answers[10]) { (try $0.text(), try $0.id()) }
        var templates: [ProjectID: TemplateShelf] = [:]
        for var row in answers[5] {
            guard let version = try version(of: &row) else { continue }
            templates[try row.id(), default: TemplateShelf()].add(version)
        }
        let brands = try parts(answers[6]) { row in
            let (project, brand) = try brand(row)
            return (brand, project)
        }
        let senderDomainKeys = try parts(answers[7]) { row in (try SenderDomainKey(&row), try row.id() as ProjectID) }
        let transports = try answers[8].reduce(into: [Scope: OwnMailTransport]()) { transports, row in
            var row = row
            let transport = try OwnMailTransport(&row)
            transports[transport.owner] = transport
        }
        let webhooks = try answers[9].reduce(into: [Scope: LinkWebhook]()) { webhooks, row in
            var row = row
            let webhook = try LinkWebhook(&row)
            webhooks[webhook.project] = webhook
        }
        let texts = try ownTexts(answers[11])
        let rows = try answers[0].map { row in
            var row = row
            return (
                scope: try row.id() as Scope, number: try row.text(), name: try row.text(), settings: try row.text()
            )
        }
        let tenants = try rows.compactMap { try Tenant($0.scope, named: $0.name, settings: $0.settings) }
        let withTenants = Set(tenants.map(\.project))
        var projects: [ProjectID: Project] = [:]
        for (scope, number, name, settings) in rows where scope.tenant == nil {
            let id = scope.project
            projects[id] = Project(
                scope: scope, number: number, name: name, settings: try decode(settings), allKeys: keys[id] ?? [],
                authorizedDomains: authorizedDomains[id] ?? [], apps: apps[id] ?? [],
                linkDomains: linkDomains[id] ?? [], caseIgnoringLinkDomains: Set(caseIgnoring[id] ?? []),
                templates: templates[id] ?? TemplateShelf(), texts: texts[id] ?? OwnTexts(),
                brand: brands[id]?.first ?? Brand(),
                senderDomainKeys: senderDomainKeys[id] ?? [], ownTransport: transports[scope],
                linkWebhook: webhooks[scope], hasTenants: withTenants.contains(id))
        }
        return (
            Array(projects.values),
            tenants.compactMap { tenant in
                projects[tenant.project].map { Project(tenant, of: $0, ownTransport: transports[tenant.scope]) }
            }
        )
    }

    /// What rows hold, by the project that each of them names.
    private static func parts<Part>(
        _ rows: [Row], _ read: (inout Row) throws -> (Part, ProjectID)
    ) throws -> [ProjectID: [Part]] {
        try rows.reduce(into: [:]) { parts, row in
            var row = row
            let (part, project) = try read(&row)
            parts[project, default: []].append(part)
        }
    }

    package static func app(
        _ platform: RegisteredApp.Platform, _ id: String, of project: ProjectID, _ tx: borrowing Transaction
    ) throws -> RegisteredApp? {
        let found = try tx.run(
            "SELECT details FROM apps WHERE project = \(project) AND platform = \(platform.rawValue) AND id = \(id)")
        return try found.firstText().map(app(stored:))
    }

    package static func app(stored details: String) throws -> RegisteredApp {
        try JSONDecoder().decode(RegisteredApp.self, from: Data(details.utf8))
    }

    /// - Returns: the app as it is kept.
    package static func keep(
        _ app: RegisteredApp, in project: ProjectID, _ tx: borrowing Transaction
    ) throws -> RegisteredApp {
        let app = try app.validated()
        let details = String(decoding: try JSONEncoder().encode(app), as: UTF8.self)
        try tx.run(
            """
            INSERT INTO apps (project, platform, id, details)
            VALUES (\(project), \(app.platform.rawValue), \(app.id), \(details))
            ON CONFLICT (project, platform, id) DO UPDATE SET details = excluded.details
            """)
        return app
    }

    /// - Returns: whether the project did not have it.
    @discardableResult
    package static func insert(
        _ domain: AuthorizedDomain, project: ProjectID, _ tx: borrowing Transaction
    ) throws -> Bool {
        try !tx.run(
            """
            INSERT INTO authorized_domains (project, domain) VALUES (\(project), \(domain.text))
            ON CONFLICT (project, domain) DO NOTHING RETURNING domain
            """
        ).isEmpty
    }

    /// Makes these the authorised domains of a project.
    ///
    /// - Returns: what happened to which domain, for the audit log.
    package static func replace(
        _ domains: [AuthorizedDomain], project: ProjectID, _ tx: borrowing Transaction
    ) throws -> [(action: String, domain: String)] {
        let present = try tx.run("SELECT domain FROM authorized_domains WHERE project = \(project)").map {
            var row = $0
            return try row.text()
        }
        let wanted = domains.map(\.text)
        let gone = present.filter { !wanted.contains($0) }
        for domain in gone {
            try tx.run("DELETE FROM authorized_domains WHERE project = \(project) AND domain = \(domain)")
        }
        let new = domains.filter { !present.contains($0.text) }
        for domain in new { try insert(domain, project: project, tx) }
        return gone.map { ("domain.remove", $0) } + new.map { ("domain.add", $0.text) }
    }

    /// Inserts a link domain, the whole of which belongs to one project.
    package static func insert(
        _ domain: LinkDomain, project: ProjectID, at time: Int64, _ tx: borrowing Transaction
    ) throws {
        let owner = try tx.run("SELECT project FROM link_domains WHERE domain = \(domain.text)")
            .firstText().map { ProjectID($0) }
        if let owner {
            guard owner == project else {
                throw Refusal.alreadyExists("project \(owner) has the link domain \(domain.text) already")
            }
            return
        }
        try refuseHiding(domain, tx)
        try tx.run(
            "INSERT INTO link_domains (domain, project, added_at) VALUES (\(domain.text), \(project), \(time))")
    }

    /// Whether a project has a link domain already.
    package static func has(
        _ domain: LinkDomain, project: ProjectID, _ tx: borrowing Transaction
    ) throws -> Bool {
        try !tx.run("SELECT 1 FROM link_domains WHERE project = \(project) AND domain = \(domain.text)").isEmpty
    }

    /// Whether another project has links on the host of a domain.
    static func isOfOthers(
        _ domain: LinkDomain, but project: ProjectID, _ tx: borrowing Transaction
    ) throws -> Bool {
        try tx.run("SELECT domain FROM link_domains WHERE project <> \(project)").contains {
            var row = $0
            return try LinkDomain(parsing: row.text()).hostKey.utf8.elementsEqual(domain.hostKey.utf8)
        }
    }

    /// Refuses a prefix that is the ending of an existing short link, which nobody could open any more.
    private static func refuseHiding(_ domain: LinkDomain, _ tx: borrowing Transaction) throws {
        guard let slash = domain.text.utf8.lastIndex(of: UInt8(ascii: "/")) else { return }
        let parent = String(domain.text[..<slash])
        let ending = String(domain.text[domain.text.utf8.index(after: slash)...])
        let hidden = try tx.run(
            """
            SELECT links.project FROM link_domains
            JOIN links ON links.project = link_domains.project AND links.domain = link_domains.domain
            WHERE link_domains.domain = \(parent) AND links.suffix = \(ending)
            """)
        guard hidden.isEmpty else {
            throw Refusal.alreadyExists("there is a short link \(domain.text) already; choose another prefix")
        }
    }

    package static func encode(_ settings: ProjectSettings) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(settings.values), as: UTF8.self)
    }

    package static func nameAndSettings(
        of project: ProjectID, _ tx: borrowing Transaction
    ) throws -> (name: String, settings: ProjectSettings) {
        guard var row = try tx.run("SELECT name, settings FROM projects WHERE id = \(project)").first else {
            throw Refusal.notFound("there is no project \(Printable.given(project.text))", remedy: .listProjects)
        }
        return (try row.text(), try decode(row.text()))
    }

    package static func decode(_ settings: String) throws -> ProjectSettings {
        ProjectSettings(values: try JSONDecoder().decode([String: String].self, from: Data(settings.utf8)))
    }
}

extension Tenant {
    /// A row of `projects`; nil for one that is a project's.
    package init?(_ scope: Scope, named name: String, settings: String) throws {
        guard let tenant = scope.tenant else { return nil }
        id = tenant
        project = scope.project
        displayName = name
        values = try Projects.decode(settings).values
    }
}
