// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
internal import HomingDatabase
package import HomingLinkRules
package import HomingStore
import HomingWire
import Synchronization

/// The projects. Every request needs one, so all are held in memory, and read again after every change and twice a
/// minute.
package final class Projects: Sendable {
    private struct Directory {
        var byID: [ProjectID: Project] = [:]
        var tenants: [Scope: Project] = [:]
        /// By a key in force.
        var byAPIKey: [String: Project] = [:]
        /// By any key that there ever was.
        var byLinkKey: [String: Project] = [:]
        /// By host; the longest prefix first.
        var sites: [String: [LinkSite]] = [:]
        var rules: [ProjectID: LinkRules] = [:]
        var edition = 0
        var associations: [String: AssociationFiles] = [:]
        var transportsByEventsToken: [String: OwnMailTransport] = [:]
    }

    package let store: Store
    package let publicURL: String
    private let directory = Mutex(Directory())
    private let editions = Atomic(0)
    private let looks = SharedReading(pauseSeconds: 1)

    package var system: System { store.system }

    package init(store: Store, publicURL: String) {
        self.store = store
        self.publicURL = publicURL
    }

    // MARK: Finding

    package func project(_ id: ProjectID) -> Project? {
        directory.withLock { $0.byID[id] }
    }

    /// A tenant, as the project that its accounts are in.
    package func tenant(_ id: TenantID, of project: Project) -> Project? {
        guard project.hasTenants else { return nil }
        return directory.withLock { $0.tenants[Scope(id, of: project.projectID)] }
    }

    /// A project or a tenant, as rows name them.
    package func projectOrTenant(_ scope: Scope) -> Project? {
        directory.withLock { $0.byID[ProjectID(scope.text)] ?? $0.tenants[scope] }
    }

    /// By their ids.
    package func tenants(of project: Project) -> [Project] {
        guard project.hasTenants else { return [] }
        return directory.withLock { directory in
            directory.tenants.values.filter { $0.projectID == project.projectID }.sorted { $0.scope < $1.scope }
        }
    }

    package func project(apiKey: String) -> Project? {
        guard apiKey.utf8.count <= APIKey.lengths.upperBound else { return nil }
        return directory.withLock { $0.byAPIKey[apiKey] }
    }

    /// The project whose key a link carries. A revoked key still names its project here: links that were mailed with it
    /// open, and what they do is decided by their code.
    package func project(linkKey: String) -> Project? {
        guard linkKey.utf8.count <= APIKey.lengths.upperBound else { return nil }
        return directory.withLock { $0.byLinkKey[linkKey] }
    }

    /// The same, or the tenant of it that the link names besides; nil for a tenant that is not there or lets nobody in.
    package func project(linkKey: String, tenant: TenantID) -> Project? {
        let project = project(linkKey: linkKey)
        guard !tenant.text.isEmpty else { return project }
        return project.flatMap { self.tenant(tenant, of: $0) }.flatMap { $0.isDisabled ? nil : $0 }
    }

    /// Without tenants, by their ids.
    package func all() -> [Project] {
        directory.withLock { $0.byID.values.sorted { $0.scope < $1.scope } }
    }

    /// The link site of a request, by the host as a browser sends it, and the path.
    package func linkSite(host: String, path: String) -> LinkSite? {
        // No host with a port is longer (RFC 1035 section 2.3.4).
        guard host.utf8.count <= 253 + ":65535".utf8.count else { return nil }
        let host = LinkDomain.foldedHost(host)
        return directory.withLock { $0.sites[host]?.first { $0.domain.claims(path: path) } }
    }

    /// The link site of one of a project's domains; nil for a domain that is not (any more) its own.
    package func linkSite(on domain: LinkDomain, of project: Project) -> LinkSite? {
        directory.withLock { directory in
            directory.sites[domain.hostKey]?.first {
                $0.domain.text.utf8.elementsEqual(domain.text.utf8) && $0.project.projectID == project.projectID
            }
        }
    }

    /// The link domains of all projects on a host (``LinkDomain/hostKey``).
    package func linkDomains(hostKey: String) -> [LinkDomain] {
        directory.withLock { ($0.sites[hostKey] ?? []).map(\.domain) }
    }

    /// The project of a host, as a browser sends it: the one whose link domains are there; on a host without link
    /// domains the only project of the server. Nil where it could be another one.
    package func project(host: String) -> Project? {
        let host = LinkDomain.foldedHost(host)
        return directory.withLock { directory in
            guard let sites = directory.sites[host], let first = sites.first?.project else {
                return directory.byID.count == 1 ? directory.byID.values.first : nil
            }
            return sites.allSatisfy { $0.project.projectID == first.projectID } ? first : nil
        }
    }

    /// The rules for where links of a project may lead.
    package func linkRules(of project: Project) -> LinkRules {
        directory.withLock { $0.rules[project.projectID] }
            ?? LinkRules(project: project, publicURL: publicURL) { [weak self] in
                self?.linkDomains(hostKey: $0) ?? []
            }
    }

    /// The association files of a host, as a browser sends it; nil where the host has no link domain.
    package func associations(host: String) -> AssociationFiles? {
        let host = LinkDomain.foldedHost(host)
        return directory.withLock { $0.associations[host] }
    }

    /// The transport to which a provider sends its events with this token.
    package func mailTransport(withEventsToken token: String) -> OwnMailTransport? {
        directory.withLock { $0.transportsByEventsToken[token] }
    }

    /// Another one when anything of any project is another.
    package var edition: Int { directory.withLock { $0.edition } }

    /// What projects and tenants have of their own.
    package func ownTransports() -> [OwnMailTransport] {
        directory.withLock { Array($0.transportsByEventsToken.values) }
    }

    package var hasOwnTransports: Bool { directory.withLock { !$0.transportsByEventsToken.isEmpty } }

    /// The transport through which mails of a project or tenant leave, where it is not the server's. Those of a tenant
    /// that is not in memory leave through its project's.
    package func ownTransport(of scope: Scope) -> OwnMailTransport? {
        directory.withLock { directory in
            guard !directory.transportsByEventsToken.isEmpty else { return nil }
            return (directory.tenants[scope] ?? directory.byID[scope.project])?.ownTransport
        }
    }

    /// The project, or a sentence for an operator who named one that does not exist.
    package func existing(_ id: ProjectID) throws(Refusal) -> Project {
        if let project = project(id) { return project }
        if let tenant = projectOrTenant(id.scope) {
            throw .invalidSetting(
                "\(Printable.given(id.text)) is a tenant, and this is about a whole project: "
                    + "\(tenant.projectID)")
        }
        throw .notFound(
            "there is no project \(Printable.given(id.text))",
            remedy: .meant(by: id.text, among: all().map(\.projectID.text), else: .createProject(id)))
    }

    /// The project, or the tenant of one.
    package func existingOrTenant(_ scope: Scope) throws(Refusal) -> Project {
        if let found = projectOrTenant(scope) { return found }
        guard let tenant = scope.tenant, let owner = project(scope.project) else {
            return try existing(ProjectID(scope.text))
        }
        throw .notFound(
            "there is no tenant \(Printable.given(tenant.text)) of \(Printable.given(scope.project.text))",
            remedy: .meant(
                by: scope.text, among: tenants(of: owner).map(\.scope.text),
                else: .listTenants(project: scope.project)))
    }

    /// Reads all projects again.
    package func reload() async throws {
        // Numbered before reading: of two reloads at once the later number has seen what the earlier one has.
        let edition = editions.add(1, ordering: .relaxed).newValue
        let (projects, tenants) = try await store.read { try Self.readAll($0) }
        let domains = Dictionary(grouping: projects.flatMap(\.linkDomains), by: \.hostKey)
        let isSame = directory.withLock { directory in
            directory.byID.count == projects.count && projects.allSatisfy { directory.byID[$0.projectID] == $0 }
                && directory.tenants.count == tenants.count
                && tenants.allSatisfy { directory.tenants[$0.scope] == $0 }
        }
        guard !isSame else { return }
        var fresh = Directory()
        fresh.edition = edition
        for tenant in tenants { fresh.tenants[tenant.scope] = tenant }
        for transport in (projects + tenants).compactMap(\.ownTransport) {
            fresh.transportsByEventsToken[transport.eventsToken] = transport
        }
        for project in projects {
            fresh.byID[project.projectID] = project
            for key in project.allKeys {
                fresh.byLinkKey[key.text] = project
                if key.revokedAt == nil { fresh.byAPIKey[key.text] = project }
            }
            let rules = LinkRules(project: project, publicURL: publicURL) { domains[$0] ?? [] }
            fresh.rules[project.projectID] = rules
            for domain in project.linkDomains {
                fresh.sites[domain.hostKey, default: []].append(
                    LinkSite(domain, of: project, rules: rules, publicURL: publicURL, edition: edition))
            }
        }
        // The longest prefix comes first: `/a/b` before `/a` before the whole host.
        for host in fresh.sites.keys {
            fresh.sites[host]?.sort { $0.domain.prefix.utf8.count > $1.domain.prefix.utf8.count }
            fresh.associations[host] = AssociationFiles(
                hostKey: host, projects: projects.sorted { $0.scope < $1.scope })
        }
        let directory = fresh
        self.directory.withLock { if $0.edition < edition { $0 = directory } }
    }

    /// Reads all projects again for one that is not in memory: another node may have made it a moment ago. At most once
    /// a second, however many ask.
    package func lookAgain() async throws {
        try await looks.take(at: system.now()) { try await self.reload() }
    }

    /// Whether the database has no project or tenant of this scope (any more).
    package func isGone(_ scope: Scope) async throws -> Bool {
        try await store.read { tx in
            try tx.run(Set([scope, scope.project.scope]).map { "SELECT 1 FROM projects WHERE id = \($0)" })
                .contains { $0.isEmpty }
        }
    }

    // MARK: Changing

    package func create(
        id: ProjectID, name: String?, apiKey: String?, authorizedDomains: [String], linkDomains: [String],
        language: String?, by author: Authority
    ) async throws -> Project {
        try Self.check(id: id)
        let key = APIKey(apiKey ?? newAPIKey(), createdAt: system.now())
        try APIKey.check(key.text)
        var settings = ProjectSettings()
        if let language { try settings.set("notification.defaultLocale", to: language) }
        let domains = try authorizedDomains.map { try AuthorizedDomain(parsing: $0) }
        let links = try linkDomains.map { try LinkDomain(typed: $0) }
        let number = String(
            100_000_000_000 + system.randomBytes(5).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % 800_000_000_000)
        let stored = try Self.encode(settings)
        let displayName = try Self.checkedName(name ?? id.text)
        let now = system.now()
        do {
            try await change(by: author) { tx in
                tx.note("project.create", of: id.text, in: id, after: displayName)
                try tx.run(
                    """
                    INSERT INTO projects (id, number, name, settings, created_at)
                    VALUES (\(id), \(number), \(displayName), \(stored), \(now))
                    """)
                // A request that was under way when an earlier one of this id was deleted may have left rows.
                try Self.forgetWork(of: id.scope, tx)
                try Self.insert(key, project: id, tx)
                for domain in domains { try Self.insert(domain, project: id, tx) }
                for (index, domain) in links.enumerated() {
                    try Self.insert(domain, project: id, at: now.milliseconds + Int64(index), tx)
                }
            }
        } catch let violation as UniqueViolation where violation.columns == ["projects.id"] {
            throw Refusal.alreadyExists("project \(id) exists already", remedy: .showProject(id))
        } catch let violation as UniqueViolation where violation.columns == ["api_keys.key"] {
            throw Refusal.alreadyExists("this API key belongs to a project already")
        } catch let violation as UniqueViolation where violation.columns == ["link_domains.domain"] {
            throw Refusal.alreadyExists("one of these link domains belongs to another project already")
        }
        return try existing(id)
    }

    /// Writes a change, and reads all projects again after the commit. Operators' changes are rare: they run one after
    /// the other, on whatever node, because settings are read and written whole, and claims of hosts are compared.
    @discardableResult
    package func change<Answer: Sendable>(
        by author: Authority, _ body: @escaping @Sendable (borrowing Transaction) throws -> Answer
    ) async throws -> Answer {
        let answer = try await store.write(by: author) { tx in
            // Whoever changes anything at the same time waits here.
            try tx.run(Edition.increment)
            return try body(tx)
        }
        try await reload()
        return answer
    }

    package static func check(id: ProjectID) throws(Refusal) {
        let isAllowed = { ASCII.isLowercaseLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "-") }
        guard (1...63).contains(id.text.utf8.count), id.text.utf8.allSatisfy(isAllowed), !id.text.hasPrefix("-") else {
            throw .invalidSetting("a project id is 1 to 63 of a-z, 0-9 and -, and does not begin with -")
        }
    }

    package static func checkedName(_ name: String, of what: String = "a project") throws(Refusal) -> String {
        guard (1...100).contains(name.unicodeScalars.count), TerminalText.isName(name) else {
            throw .invalidSetting(
                "the name of \(what) has 1 to 100 characters, and none that controls, ends a line or turns what follows"
            )
        }
        return name
    }
}
