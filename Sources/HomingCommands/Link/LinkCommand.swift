// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingCore
import HomingLinkRules
import HomingStore
import HomingWire

/// `homing link …`.
struct LinkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link", abstract: "Dynamic links: one URL for the app, the store and the web.",
        discussion: "EXAMPLE\n  homing link create shop --link https://shop.example/cart --name Spring",
        subcommands: [
            LinkCreate.self, LinkShow.self, LinkList.self, LinkStats.self, LinkRename.self, LinkArchive.self,
            LinkUnarchive.self, LinkQR.self, LinkImport.self,
        ])

    static func record(_ link: StoredLink, on domain: LinkDomain) throws -> JSON {
        let parameters = try DynamicLinkURL(base: domain.baseURL, query: link.query).parameters
        return [
            "link": .string("\(domain.baseURL)/\(link.suffix)"), "name": link.name.map { .string($0) } ?? .null,
            "longLink": .string("\(domain.baseURL)/?\(link.query)"), "archived": .bool(link.isArchived),
            "createdAt": .string(MailCommand.time(link.createdAt)),
            "info": parameters.info(on: domain),
        ]
    }

    /// The project's domain of a stored link; nil when the domain was removed since.
    static func domain(of link: StoredLink, in project: Project) -> LinkDomain? {
        project.linkDomains.first { $0.text.utf8.elementsEqual(link.domain.utf8) }
    }

    /// A short link by its URL, or by its ending on the project's default link domain.
    static func find(_ text: String, in project: Project, _ homing: Homing) async throws -> (StoredLink, LinkDomain) {
        let (domain, suffix) = try address(of: text, in: project)
        guard let link = try await homing.links.stored(suffix, on: domain, of: project) else {
            throw Refusal.notFound(
                "there is no link \(domain.baseURL)/\(suffix): homing link list \(project.projectID)")
        }
        return (link, domain)
    }

    static func address(of text: String, in project: Project) throws(Refusal) -> (LinkDomain, LinkSuffix) {
        if let domain = project.defaultLinkDomain, LinkSuffix.isWellFormed(text[...]) {
            return (domain, LinkSuffix(text))
        }
        let longestFirst = project.linkDomains.sorted { $0.text.utf8.count > $1.text.utf8.count }
        for domain in longestFirst where text.hasPrefix(domain.baseURL + "/") {
            return (domain, LinkSuffix(String(text.dropFirst(domain.baseURL.count + 1))))
        }
        throw .notFound(
            "\(text) is not on a link domain of \(project.projectID): homing link-domain list \(project.projectID)")
    }
}

struct LinkShow: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show where a short link leads.",
        discussion: "EXAMPLE\n  homing link show shop https://links.shop.example/spring")

    @Argument var project: ProjectID
    @Argument(help: "The short link, or its ending on the project's default link domain.") var link: String
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let project = try homing.projects.existing(project)
        let (link, domain) = try await LinkCommand.find(link, in: project, homing)
        var lines = [
            "link \(domain.baseURL)/\(link.suffix)", "long link \(domain.baseURL)/?\(link.query)",
            "created \(MailCommand.time(link.createdAt))", "explained at \(domain.baseURL)/\(link.suffix)?d=1",
        ]
        if let name = link.name { lines.insert("name \(name)", at: 1) }
        if link.isArchived { lines.append("archived: it is not listed, and leads where it led") }
        output.answer(format, json: try LinkCommand.record(link, on: domain), lines: lines)
    }
}

struct LinkList: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the links that have a name, the oldest first.",
        discussion: "EXAMPLE\n  homing link list shop --all --json")

    @Argument var project: ProjectID
    @Flag(help: "Those that apps made, too.") var all = false
    @Flag(help: "Archived ones, too.") var archived = false
    @Option(help: "Those whose name or ending begins with this, whether they have a name or not.") var search: String?
    @Option(help: "At most so many.") var limit = 1000
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let project = try homing.projects.existing(project)
        let limit = try ListLimit.checked(limit)
        let links =
            if let search {
                try await homing.links.search(search, in: project, includingArchived: archived, limit: limit)
            } else {
                try await homing.links.list(
                    project, includingUnnamed: all, includingArchived: archived, limit: limit)
            }
        let known = links.compactMap { link in LinkCommand.domain(of: link, in: project).map { (link, $0) } }
        var rows = [["LINK", "NAME", "LEADS TO"]]
        for (link, domain) in known {
            let parameters = try DynamicLinkURL(base: domain.baseURL, query: link.query).parameters
            rows.append(["\(domain.baseURL)/\(link.suffix)", link.name ?? "", parameters.link])
        }
        output.answer(
            format, json: .array(try known.map { try LinkCommand.record($0.0, on: $0.1) }),
            lines: Table.lines(
                rows,
                empty: search.map { "no link has a name or an ending that begins with \($0)" }
                    ?? "none yet: homing link create \(project.projectID) --link URL --name NAME"))
        guard search == nil else {
            if links.count == limit { output.note("there may be more: --limit shows them") }
            return
        }
        let counts = try await homing.links.count(project, includingUnnamed: all, includingArchived: archived)
        ListLimit.note(counts.listed - links.count, "newer links", &output)
        if counts.unnamed > 0 { output.note("\(counts.unnamed) links without a name are not shown: --all") }
        if counts.archived > 0 { output.note("\(counts.archived) archived links are not shown: --archived") }
    }
}

struct LinkStats: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats", abstract: "How often a short link was opened, by event and platform.",
        discussion: "EXAMPLE\n  homing link stats shop https://links.shop.example/spring --days 30")

    @Argument var project: ProjectID
    @Argument(help: "The short link, or its ending on the project's default link domain.") var link: String
    @Option(help: "So many days back, today included.") var days = 7
    @Flag(help: "Day by day, as CSV always is.") var daily = false
    @OptionGroup var format: TableOutputOptions

    func validate() throws {
        guard (1...36_500).contains(days) else { throw ValidationError("--days is a whole number from 1 on") }
    }

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let project = try homing.projects.existing(project)
        let (link, domain) = try await LinkCommand.find(link, in: project, homing)
        let empty = "nobody opened it in the last \(days) days"
        guard !daily, !format.csv else {
            let counted = try await homing.links.counts.daily(
                of: link.suffix, on: domain.text, project: project.scope, days: Int64(days))
            return output.answer(
                format, json: .array(counted.map(Self.record)), rows: LinkCounts.table(of: counted), empty: empty)
        }
        let entries = try await homing.links.counts.entries(
            of: link.suffix, on: domain.text, project: project.scope, days: Int64(days))
        let rows =
            [["EVENT", "PLATFORM", "COUNT"]]
            + entries.map { [$0.event.wireName, $0.platform.rawValue, String($0.count)] }
        output.answer(
            format,
            json: .array(
                entries.map { entry in
                    [
                        "event": .string(entry.event.wireName), "platform": .string(entry.platform.rawValue),
                        "count": .int(entry.count),
                    ]
                }), rows: rows, empty: empty)
    }

    private static func record(_ day: LinkCounts.Day) -> JSON {
        .object(
            [("day", .string(day.date)), ("platform", .string(day.platform.rawValue))]
                + LinkCounts.Event.allCases.map { ($0.wireName, .int(day[$0])) })
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
    @Argument(help: "The short link, or its ending on the project's default link domain.") var link: String
    @Argument var name: String
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let project = try homing.projects.existing(project)
        let (domain, suffix) = try LinkCommand.address(of: link, in: project)
        try await homing.links.rename(suffix, on: domain, of: project, to: name, by: .command)
        let url = "\(domain.baseURL)/\(suffix)"
        output.answer(
            format, json: ["link": .string(url), "name": .string(name)], lines: ["\(url) is called \(name)"])
    }
}

struct LinkArchive: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "archive", abstract: "Take a link off the list; it leads where it led.",
        discussion: "EXAMPLE\n  homing link archive shop spring")

    @Argument var project: ProjectID
    @Argument(help: "The short link, or its ending on the project's default link domain.") var link: String
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        try await LinkArchive.set(true, link, project, homing, format, &output)
    }

    static func set(
        _ isArchived: Bool, _ text: String, _ id: ProjectID, _ homing: Homing, _ format: OutputOptions,
        _ output: inout CommandOutput
    ) async throws {
        let project = try homing.projects.existing(id)
        let (domain, suffix) = try LinkCommand.address(of: text, in: project)
        try await homing.links.archive(suffix, on: domain, of: project, isArchived, by: .command)
        let url = "\(domain.baseURL)/\(suffix)"
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
    @Argument(help: "The short link, or its ending on the project's default link domain.") var link: String
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        try await LinkArchive.set(false, link, project, homing, format, &output)
    }
}
