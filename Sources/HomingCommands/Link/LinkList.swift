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

/// What leaves links out of a list, and where the list begins.
struct LinkFilterOptions: ParsableArguments, Encodable {
    @Option(help: "Those that lead there, or below it, however it is written.") var target: String?
    @Option(help: "Those that have this tag.") var tag: String?
    @Option(help: "Those on this link domain.", completion: .linkDomains) var domain: String?
    @Option(
        help: ArgumentHelp(
            "Those in this state: \(LinkState.allCases.map { $0.rawValue.lowercased() }.joined(separator: ", ")).",
            valueName: "state"))
    var state: LinkState?
    @Option(name: .customLong("made-from"), help: "Those made on this day, or later.") var madeFrom: String?
    @Option(name: .customLong("made-before"), help: "Those made before this day.") var madeBefore: String?
    @Option(
        help: ArgumentHelp(
            "What stands first: \(LinkQuery.Order.allCases.map(\.rawValue).joined(separator: ", ")).",
            valueName: "order"))
    var order: LinkQuery.Order?
    @Flag(help: "Archived ones, too.") var archived = false
    @Option(help: "At most so many.") var limit = 1000
    @Option(help: ArgumentHelp("Go on where the page before has ended, as it said.", valueName: "token"))
    var page: String?

    /// Whether nothing but archived links and other pages is left out.
    var isEmpty: Bool {
        [target, tag, domain, madeFrom, madeBefore, page].allSatisfy { $0 == nil } && state == nil
    }

    func query(in project: Project, at now: Moment) throws -> LinkQuery {
        var query = LinkQuery()
        query.target = target
        query.tag = tag
        query.domain = try domain.map { try LinkCommand.domain($0, of: project) }
        query.state = state
        query.madeFrom = try madeFrom.flatMap { try LinkDetailOptions.moment($0, "--made-from", at: now) }
        query.madeBefore = try madeBefore.flatMap { try LinkDetailOptions.moment($0, "--made-before", at: now) }
        query.order = order
        query.includesArchived = archived
        query.pageToken = page
        return query
    }
}

extension LinkQuery.Order: ExpressibleByArgument, Codable {}

extension LinkState: ExpressibleByArgument, Codable {
    package init?(argument: String) { self.init(rawValue: argument.uppercased()) }
}

struct LinkList: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the links that have a name, the oldest first.",
        discussion: "EXAMPLE\n  homing link list shop --all --json\n  homing link list shop --order clicks --limit 20")

    @Argument var project: ProjectID
    @Flag(help: "Those that apps made, too.") var all = false
    @Option(help: "As homing link search.") var search: String?
    @OptionGroup var filter: LinkFilterOptions
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let project = try homing.projects.existing(project)
        var query = try filter.query(in: project, at: homing.system.now())
        query.text = search
        if search == nil, filter.target == nil, filter.tag == nil { query.order = query.order ?? .oldest }
        query.includesUnnamed = all
        let shown = try await LinkTable.answer(
            query, in: project, homing, limit: filter.limit, format,
            empty: search.map { "no link is found by \($0)" }
                ?? "none yet: homing link create \(project.projectID) --link URL --name NAME", &output)
        guard search == nil, filter.isEmpty else { return }
        let counts = try await homing.links.count(
            project, includingUnnamed: all, includingArchived: filter.archived)
        if query.order == .oldest, !shown.isWhole {
            ListLimit.note(counts.listed - shown.count, "newer links", &output)
        }
        if counts.unnamed > 0 {
            output.note("not shown: \(Printable.count(counts.unnamed, "link")) without a name: --all")
        }
        if counts.archived > 0 {
            output.note("not shown: \(Printable.count(counts.archived, "archived link")): --archived")
        }
    }
}

struct LinkSearch: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Find links by words of the name, the ending, the target or a tag.",
        discussion: """
            The text is words of the name, in any case, or the beginning of an ending. Whatever has no name is found, too.

            EXAMPLE
              homing link search shop "spring letter"
              homing link search shop --target www.shop.example/cart
            """)

    @Argument var project: ProjectID
    @Argument var text: String?
    @OptionGroup var filter: LinkFilterOptions
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let project = try homing.projects.existing(project)
        var query = try filter.query(in: project, at: homing.system.now())
        query.text = text
        query.includesUnnamed = true
        _ = try await LinkTable.answer(
            query, in: project, homing, limit: filter.limit, format, empty: "no link is found", &output)
    }
}

/// Links as a table.
enum LinkTable {
    /// Answers with as many pages of a query as a limit takes.
    ///
    /// - Returns: the links, and whether none is left.
    static func answer(
        _ query: LinkQuery, in project: Project, _ homing: Homing, limit: Int, _ format: OutputOptions,
        empty: String, _ output: inout CommandOutput
    ) async throws -> (count: Int, isWhole: Bool) {
        let limit = try ListLimit.checked(limit)
        var query = query
        var links: [ListedLink] = []
        repeat {
            query.pageSize = min(limit - links.count, LinkQuery.mostOnPage)
            let (found, next) = try await homing.links.find(query, in: project)
            links += found
            query.pageToken = next
        } while query.pageToken != nil && links.count < limit
        var rows = [["LINK", "NAME", "DESTINATION", "CLICKS", "STATUS"]]
        for listed in links {
            rows.append([
                listed.url, listed.link.name ?? "", LinkCommand.target(try listed.link.content()),
                String(listed.clicks),
                listed.state == .active ? "" : listed.state.rawValue.lowercased(),
            ])
        }
        output.answer(
            format, json: .array(try links.map { try LinkCommand.record($0) }),
            styled: Table.lines(rows, empty: empty, states: ["disabled": .warning, "ended": .warning]))
        if let token = query.pageToken { output.note("there are more: --page \(token)") }
        return (links.count, query.pageToken == nil)
    }
}
