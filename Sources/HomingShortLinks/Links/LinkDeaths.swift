// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingDatabase
import HomingLinkRules
package import HomingProjects
package import HomingStore
internal import HomingWire

/// The links of a project that lead nowhere, as far as they were looked at.
package struct LinkDeaths: Sendable, Equatable, Codable {
    /// The most links of a project that are looked at, an equal share on each link domain, by their endings: endings
    /// that we make are random, so that these are a fair sample of millions, and a second's work.
    package static let mostLooked = 100_000

    /// How many links that lead somewhere would not any more; in a look at how things are: that lead nowhere.
    package var dead = 0
    /// Further links that lead on, and open an app no more.
    package var withoutApp = 0
    package var looked = 0
    /// Whether these are all links; else there are more of them that nobody has looked at.
    package var isWhole = true
    /// The URL of a dead link, and why it leads nowhere.
    package var example: String?
    package var reason: String?

    package init() {}

    /// Whether any link would notice.
    package var isNoticed: Bool { dead + withoutApp > 0 }

    /// What would come of it: `3 links lead nowhere any more, such as https://go.example/abc`; nil where no link would
    /// notice.
    package var sentence: String? {
        guard isNoticed else { return nil }
        var parts: [String] = []
        if dead > 0 {
            let example = example.map { ", such as \($0)" } ?? ""
            parts.append("\(Self.links(dead)) \(dead == 1 ? "leads" : "lead") nowhere any more\(example)")
        }
        if withoutApp > 0 {
            parts.append("\(Self.links(withoutApp)) \(withoutApp == 1 ? "opens" : "open") no app any more")
        }
        return scope + parts.joined(separator: "; ")
    }

    /// Which links are meant, where not all were looked at.
    package var scope: String { isWhole ? "" : "of the \(looked) links that were looked at, " }

    package static func links(_ count: Int) -> String { Printable.count(count, "link") }
}

extension Refusal {
    /// Links would die, and nobody has agreed to that; the sentence says how many.
    package static func linksWouldDie(_ sentence: String) -> Refusal { Refusal(.linksWouldDie, sentence) }
}

extension Refusal.Code {
    package static let linksWouldDie: Self = "LINKS_WOULD_DIE"
}

/// A part of a project by which links live.
package enum LinkSupport: Sendable, Equatable {
    /// As ``Projects/removeDomain(_:from:by:)`` takes it.
    case authorizedDomain(String)
    /// As ``Projects/removeLinkDomain(_:from:by:)`` takes it.
    case linkDomain(String)
    /// A bundle id or package name.
    case app(String)
}

extension Links {
    /// The links that would die if a part of their project were taken away. Nothing changes.
    ///
    /// - Throws: ``Refusal`` for a text that names no such part. One that the project has not is nothing's end.
    package func deaths(
        ofRemoving support: LinkSupport, from project: Project, at projects: Projects
    ) async throws -> LinkDeaths {
        let after = try LinkOwnerChange(removing: support, from: project)
        let judges = (now: LinkJudge(project, at: projects), then: LinkJudge(after, beside: project, at: projects))
        return try await count(of: project) { link in
            let then = judges.then.life(of: link)
            if then < judges.now.life(of: link) { return .dead(judges.then.reason(of: link)) }
            guard case .app(let id) = support, then > .none else { return .alive }
            return link.parameters.names(app: id) ? .withoutApp : .alive
        }
    }

    /// The links of a project that lead nowhere as it is now, but for those that somebody has ended.
    package func dead(in project: Project, at projects: Projects) async throws -> LinkDeaths {
        let judge = LinkJudge(project, at: projects)
        return try await count(of: project) { link in
            judge.life(of: link) > .none ? .alive : .dead(judge.reason(of: link))
        }
    }
}

/// What adding a link domain means for links that lead there already, as to one's own website.
package struct LinkLanding: Sendable, Equatable, Codable {
    /// The links that lead there.
    package var leading = 0
    /// Those that would lead browsers nowhere: a prefix claims all that lies under it.
    package var deaths = LinkDeaths()
    /// A link domain on the same host under which no link leads; nil where none leads to the domain.
    package var proposed: String?

    /// What there is to know for whoever has added the domain.
    package func sentence(on domain: LinkDomain) -> String {
        let leads = "\(deaths.scope)\(LinkDeaths.links(leading)) \(leading == 1 ? "leads" : "lead") to \(domain.text)"
        let stays = domain.prefix.isEmpty ? " and goes on to: what is no link there stays a page" : ""
        return leads + stays + (proposed.map { "; a path for links alone would keep them apart: \($0)" } ?? "")
    }
}

extension Links {
    /// The links that lead to a host or a part of one that is to become a link domain. Nothing changes.
    package func landing(
        on domain: LinkDomain, of project: Project, at projects: Projects
    ) async throws -> LinkLanding {
        let after = LinkOwnerChange(adding: domain, to: project)
        let judges = (now: LinkJudge(project, at: projects), then: LinkJudge(after, beside: project, at: projects))
        var landing = LinkLanding()
        var segments: Set<String> = []
        landing.deaths = try await count(of: project) { link in
            let now = judges.now.life(of: link)
            guard now > .none else { return .alive }
            let there = link.parameters.targets.compactMap { try? WebURL(parsing: $0, takesHTTP: true) }
                .filter { ASCII.areEqual($0.hostKey, domain.hostKey) }
            segments.formUnion(there.compactMap(\.plainPath).map(Self.firstSegment))
            guard there.contains(where: domain.claims) else { return .alive }
            landing.leading += 1
            return judges.then.life(of: link) < now ? .dead(judges.then.reason(of: link)) : .alive
        }
        guard landing.leading > 0 else { return landing }
        let taken = projects.linkDomains(hostKey: domain.hostKey).map(\.text)
        landing.proposed = Self.prefixes.filter { !segments.contains($0) }.map { "\(domain.authority)/\($0)" }
            .first { name in !taken.contains { ASCII.areEqual($0, name) } }
        return landing
    }

    /// Short ones, which people read aloud and type.
    private static let prefixes = ["l", "go", "link", "to", "open"]

    private static func firstSegment(of path: String) -> String {
        String(Substring(path.utf8.dropFirst().prefix { $0 != UInt8(ascii: "/") }))
    }
}

// MARK: Looking at them

/// A link that somebody can open: its domain in its one spelling, its ending, its parameters.
private struct LivingLink {
    let domain: String
    let suffix: LinkSuffix
    let parameters: DynamicLinkParameters
}

private enum LinkVerdict {
    case alive
    case withoutApp
    case dead(String?)
}

extension Links {
    private static let pageOfLinks = 1_000

    /// Reads a page at a time, so that no transaction and no request waits for the whole.
    private func count(
        of project: Project, _ judge: (LivingLink) -> LinkVerdict
    ) async throws -> LinkDeaths {
        var result = LinkDeaths()
        let now = store.system.now()
        var domains = try await domainsWithLinks(of: project)[...]
        while let domain = domains.popFirst() {
            var left = (LinkDeaths.mostLooked - result.looked) / (domains.count + 1)
            var last = ""
            while true {
                // One more than may be looked at, to see whether there are more.
                let wanted = min(Self.pageOfLinks, left) + 1
                let page = try await links(on: domain, after: last, of: project, atMost: wanted)
                for link in page.prefix(wanted - 1) {
                    result.looked += 1
                    left -= 1
                    last = link.suffix.text
                    guard link.state(at: now, clicks: 0).leadsOn, let living = try? link.living else { continue }
                    switch judge(living) {
                    case .alive: break
                    case .withoutApp: result.withoutApp += 1
                    case .dead(let reason):
                        result.dead += 1
                        guard result.example == nil else { continue }
                        result.example = (try? LinkDomain(parsing: domain)).map { "\($0.baseURL)/\(link.suffix)" }
                        result.reason = reason
                    }
                }
                guard page.count == wanted else { break }
                guard left > 0 else {
                    result.isWhole = false
                    break
                }
            }
        }
        return result
    }

    /// One look at the key for each, however many links there are; a domain that was removed may be among them.
    private func domainsWithLinks(of project: Project) async throws -> [String] {
        try await store.read(in: project) { tx in
            var domains: [String] = []
            while let next = try tx.run(
                """
                SELECT domain FROM links WHERE project = \(tx.project.scope) AND domain > \(domains.last ?? "")
                ORDER BY domain LIMIT 1
                """
            ).firstText() {
                domains.append(next)
            }
            return domains
        }
    }

    private func links(
        on domain: String, after suffix: String, of project: Project, atMost limit: Int
    ) async throws -> [StoredLink] {
        try await store.read(in: project) { tx in
            try tx.run(
                """
                SELECT \(sql: StoredLink.columns) FROM links
                WHERE project = \(tx.project.scope) AND domain = \(domain) AND suffix > \(suffix)
                ORDER BY suffix LIMIT \(limit)
                """
            ).map { try StoredLink($0) }
        }
    }
}

extension LinkState {
    /// Whether nobody has ended the link.
    fileprivate var leadsOn: Bool {
        switch self {
        case .active, .archived: true
        case .disabled, .ended, .deleted: false
        }
    }
}

extension StoredLink {
    fileprivate var living: LivingLink {
        get throws {
            LivingLink(domain: domain, suffix: suffix, parameters: try DynamicLinkParameters(query: query))
        }
    }
}

extension DynamicLinkParameters {
    fileprivate func names(app id: String) -> Bool {
        [android.packageName, ios.bundleID, ios.ipadBundleID].contains { $0.map { ASCII.areEqual($0, id) } ?? false }
    }
}

/// A project as it would be.
private final class LinkOwnerChange: LinkOwner {
    let apps: [RegisteredApp]
    let authorizedDomains: [AuthorizedDomain]
    let linkDomains: [LinkDomain]
    let callbackURI: String?

    init(removing support: LinkSupport, from project: Project) throws(Refusal) {
        var (apps, domains, links) = (project.apps, project.authorizedDomains, project.linkDomains)
        switch support {
        case .app(let id): apps.removeAll { ASCII.areEqual($0.id, id) }
        case .authorizedDomain(let text):
            let domain = try AuthorizedDomain(parsing: text)
            domains.removeAll { $0 == domain }
        case .linkDomain(let text):
            let domain = try LinkDomain(parsing: text)
            links.removeAll { $0 == domain }
        }
        (self.apps, authorizedDomains, linkDomains) = (apps, domains, links)
        callbackURI = project.callbackURI
    }

    /// With its host among the authorised domains where it is a whole host, as
    /// ``Projects/addLinkDomain(_:to:mayShareHost:isWebsite:by:)`` adds it to a website.
    init(adding domain: LinkDomain, to project: Project) {
        apps = project.apps
        authorizedDomains = project.authorizedDomains + [domain.asWebsite].compactMap(\.self)
        linkDomains = project.linkDomains + [domain]
        callbackURI = project.callbackURI
    }
}

/// Judges links by the rules of a project.
private struct LinkJudge: Sendable {
    /// How far a link leads.
    enum Life: Int, Comparable {
        case none, app, web

        static func < (one: Life, other: Life) -> Bool { one.rawValue < other.rawValue }
    }

    private let owner: any LinkOwner
    private let rules: LinkRules

    init(_ project: Project, at projects: Projects) {
        owner = project
        rules = projects.linkRules(of: project)
    }

    /// - Parameter project: as it is now.
    init(_ owner: LinkOwnerChange, beside project: Project, at projects: Projects) {
        self.owner = owner
        rules = LinkRules(project: owner, publicURL: projects.publicURL) { [weak projects] host in
            let others = (projects?.linkDomains(hostKey: host) ?? []).filter { !project.linkDomains.contains($0) }
            return others + owner.linkDomains.filter { ASCII.areEqual($0.hostKey, host) }
        }
    }

    func life(of link: LivingLink) -> Life {
        guard isReached(link), let verdict = try? rules.check(link.parameters) else { return .none }
        let usable = link.parameters.targets.count - rules.faults(ofFallbacksIn: link.parameters).count
        guard verdict.contains(.isForAppsOnly), usable == 1 else { return .web }
        return owner.apps.isEmpty ? .none : .app
    }

    /// Why it leads nowhere, or no browser anywhere.
    func reason(of link: LivingLink) -> String? {
        guard isReached(link) else { return "its link domain is not the project's" }
        do throws(LinkFault) {
            try rules.check(link.parameters)
        } catch {
            return error.sentence
        }
        return "no browser is sent there, only an app"
    }

    private func isReached(_ link: LivingLink) -> Bool {
        owner.linkDomains.contains { ASCII.areEqual($0.text, link.domain) }
    }
}
