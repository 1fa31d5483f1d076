// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingCore
import HomingLinkRules
import HomingOperations
import HomingProjects
import HomingShortLinks
import HomingStore
import HomingWire

/// `homing link …`.
struct LinkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link", abstract: "Dynamic links: one URL for the app, the store and the web.",
        discussion: "EXAMPLE\n  homing link create shop --link https://shop.example/cart --name Spring",
        subcommands: [
            LinkCreate.self, LinkShow.self, LinkList.self, LinkSearch.self, LinkStats.self, LinkEdit.self,
            LinkEnable.self, LinkDisable.self, LinkDelete.self, LinkVersions.self, LinkRestore.self, LinkRename.self,
            LinkArchive.self, LinkUnarchive.self, LinkQR.self, LinkImport.self, LinkExport.self,
            LinkWebhookCommand.self,
        ])

    static let linkHelp: ArgumentHelp = "The short link as it was pasted, or its ending alone."

    /// A link as the admin API answers it, and under the names that it has had here before.
    static func record(_ listed: ListedLink) throws -> JSON {
        let (link, domain) = (listed.link, listed.domain)
        var record = try LinkRecord.json(listed).objectValue ?? JSON.Object()
        record["link"] = .string(listed.url)
        record["name"] = link.name.map { .string($0) } ?? .null
        record["longLink"] = .string("\(domain.baseURL)/?\(link.query)")
        record["archived"] = .bool(link.isArchived)
        record["createdAt"] = .string(MailCommand.time(link.createdAt))
        record["info"] = try link.content().parameters.info(on: domain)
        return .object(record)
    }

    /// Answers with a link as it is now, and warns of what it cannot do.
    static func answer(
        _ link: StoredLink, at site: LinkSite, _ homing: Homing, _ format: OutputOptions, lines: [String],
        _ output: inout CommandOutput
    ) async throws {
        let listed = try await homing.links.listed(link, on: site.domain, of: site.project)
        let warnings = site.rules.warnings(try link.content().parameters)
        var record = try record(listed).objectValue ?? JSON.Object()
        record["warnings"] = .array(warnings.map { .string($0.code.rawValue) })
        output.answer(
            format, json: .object(record),
            lines: lines + warnings.map { "warning: \($0.code.rawValue): \($0.message)".with($0.remedy) })
    }

    /// Where a link leads, as people read it.
    static func target(_ content: LinkContent) -> String { BrowserSpelling.readable(content.parameters.link) }

    /// A short link by whatever people paste (``Links/named(_:in:)``).
    static func find(
        _ text: String, in project: ProjectID, _ homing: Homing
    ) async throws -> (link: StoredLink, site: LinkSite) {
        let project = try homing.projects.existing(project)
        guard let (link, domain) = try await homing.links.named(text, in: project) else {
            throw Refusal.notFound(
                "there is no link \(Printable.given(text)) in \(project.projectID): homing link search "
                    + "\(project.projectID) \(Printable.shellWord(Printable.given(text)))")
        }
        return (link, try site(of: domain, in: project, homing))
    }

    /// A link domain of a project, by its name.
    static func domain(_ text: String, of project: Project) throws(Refusal) -> LinkDomain {
        let wanted = try LinkDomain(typed: text)
        guard project.linkDomains.contains(wanted) else {
            throw .notFound("\(text) is not a link domain of \(project.projectID): homing link-domain add")
        }
        return wanted
    }

    static func site(of domain: LinkDomain, in project: Project, _ homing: Homing) throws(Refusal) -> LinkSite {
        guard let site = homing.projects.linkSite(on: domain, of: project)
        else {
            throw .notFound("\(domain.text) is not a link domain of \(project.projectID): homing link-domain add")
        }
        return site
    }
}

struct LinkShow: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show where a short link leads.",
        discussion: "EXAMPLE\n  homing link show shop https://links.shop.example/spring")

    @Argument var project: ProjectID
    @Argument(help: LinkCommand.linkHelp) var link: String
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let (link, site) = try await LinkCommand.find(link, in: project, homing)
        let listed = try await homing.links.listed(link, on: site.domain, of: site.project)
        let details = link.details
        var lines: [StyledLine] = [.fact("link", listed.url)]
        if let name = link.name { lines.append(.fact("name", name)) }
        lines.append(.fact("long link", "\(site.domain.baseURL)/?\(link.query)"))
        lines += details.languageLinks.map { .fact("destination for \($0.tag)", $0.link) }
        if !details.tags.isEmpty { lines.append(.fact("tags", details.tags.joined(separator: ", "))) }
        if let starts = details.startsAt { lines.append(.fact("starts", MailCommand.time(starts))) }
        if let ends = details.endsAt { lines.append(.fact("ends", MailCommand.time(ends))) }
        if let most = details.maxClicks { lines.append(.fact("ends after", Printable.count(most, "click"))) }
        if let afterEnd = details.afterEnd { lines.append(.fact("destination after its end", afterEnd)) }
        lines.append(.fact("clicks", String(listed.clicks)))
        lines.append(.fact("created", MailCommand.time(link.createdAt)))
        if link.version > 1 {
            lines.append(
                .fact(
                    "version",
                    String(link.version) + (link.updatedAt.map { " since \(MailCommand.time($0))" } ?? "")
                        + (link.author.map { ", by \($0)" } ?? "")))
        }
        lines.append(.fact("explained at", "\(listed.url)?d=1"))
        switch listed.state {
        case .deleted: lines.append("deleted: whoever opens it reads that it is gone")
        case .disabled: lines.append("disabled: it leads nowhere")
        case .ended:
            lines.append("ended: it leads to \(details.afterEnd ?? "a page that says so")")
        case .archived, .active: break
        }
        if link.isArchived { lines.append("archived: it is not listed, and leads where it led") }
        output.answer(format, json: try LinkCommand.record(listed), styled: lines)
    }
}

struct LinkRename: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: "Change what a link is called in lists.",
        discussion: """
            EXAMPLE
              homing link rename shop spring "Spring letter"
            """)

    @Argument var project: ProjectID
    @Argument(help: LinkCommand.linkHelp) var link: String
    @Argument var name: String
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let (link, site) = try await LinkCommand.find(link, in: project, homing)
        try await homing.links.rename(link.suffix, on: site.domain, of: site.project, to: name, by: .command)
        let url = "\(site.domain.baseURL)/\(link.suffix)"
        output.answer(
            format, json: ["link": .string(url), "name": .string(name)], lines: ["\(url) is called \(name)"])
    }
}

struct LinkArchive: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "archive", abstract: "Take a link off the list; it leads where it led.",
        discussion: "EXAMPLE\n  homing link archive shop spring")

    @Argument var project: ProjectID
    @Argument(help: LinkCommand.linkHelp) var link: String
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        try await LinkArchive.set(true, link, project, homing, format, &output)
    }

    static func set(
        _ isArchived: Bool, _ text: String, _ id: ProjectID, _ homing: Homing, _ format: OutputOptions,
        _ output: inout CommandOutput
    ) async throws {
        let (link, site) = try await LinkCommand.find(text, in: id, homing)
        try await homing.links.archive(link.suffix, on: site.domain, of: site.project, isArchived, by: .command)
        let url = "\(site.domain.baseURL)/\(link.suffix)"
        output.answer(
            format, json: ["link": .string(url), "archived": .bool(isArchived)],
            lines: [isArchived ? "\(url) is archived" : "\(url) is listed again"])
    }
}

struct LinkUnarchive: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "unarchive", abstract: "Put an archived link back on the list.",
        discussion: "EXAMPLE\n  homing link unarchive shop spring")

    @Argument var project: ProjectID
    @Argument(help: LinkCommand.linkHelp) var link: String
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        try await LinkArchive.set(false, link, project, homing, format, &output)
    }
}
