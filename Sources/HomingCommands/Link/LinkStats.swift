// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingCore
import HomingLinkRules
import HomingProjects
import HomingShortLinks
import HomingStore
import HomingWire

extension LinkStatistics.Grouping: ExpressibleByArgument {}

struct LinkStats: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats", abstract: "How often links were opened: when, with what, from where.",
        discussion: """
            Of one link, or, without one, of all short links of the project, of those with a tag, or of a campaign \
            (utm_campaign). With a link and without --by it counts events by platform, as Firebase does, people only.

            \(LinkStatistics.rule)

            EXAMPLE
              homing link stats shop https://links.shop.example/spring --days 30
              homing link stats shop --tag print --by referrer
              homing link stats shop --by day --csv
            """)

    @Argument var project: ProjectID
    @Argument(help: LinkCommand.linkHelp) var link: String?
    @Option(help: "The links that have this tag now.") var tag: String?
    @Option(help: "What was clicked with this utm_campaign.") var campaign: String?
    @Option(help: "So many days back, today included.") var days = 7
    @Option(help: "What tells the clicks apart: day, platform, browser, referrer or campaign.")
    var by: LinkStatistics.Grouping?
    @Flag(help: "Events of one link day by day, as CSV always is.") var daily = false
    @OptionGroup var format: TableOutputOptions

    func validate() throws {
        guard (1...36_500).contains(days) else { throw ValidationError("--days is a whole number from 1 on") }
        guard [link, tag, campaign].count(where: { $0 != nil }) <= 1 else {
            throw ValidationError("a link, --tag and --campaign exclude each other")
        }
        guard !(tag?.isEmpty ?? false), !(campaign?.isEmpty ?? false) else {
            throw ValidationError("--tag and --campaign want a name")
        }
        if daily, by != nil || link == nil {
            throw ValidationError("--daily is for the events of one link; --by day is for everything")
        }
    }

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let project = try homing.projects.existing(project)
        guard let text = link else {
            let subject: LinkStatistics.Subject =
                tag.map { .tag($0) } ?? campaign.map { .campaign($0) } ?? .project
            return try await answer(subject, by: by ?? .day, in: project, homing, &output)
        }
        let (link, site) = try await LinkCommand.find(text, in: project.projectID, homing)
        let domain = site.domain
        guard let by else { return try await answerEvents(of: link, on: domain, in: project, homing, &output) }
        let subject = LinkStatistics.Subject.link(domain: domain.text, suffix: link.suffix)
        try await answer(subject, by: by, in: project, homing, &output)
    }

    // MARK: People and machines

    private func answer(
        _ subject: LinkStatistics.Subject, by grouping: LinkStatistics.Grouping, in project: Project,
        _ homing: Homing, _ output: inout CommandOutput
    ) async throws {
        let statistics = try await homing.links.counts.statistics(of: subject, in: project, days: Int64(days))
        let sum = "\(Printable.count(statistics.people, "click")) of people, \(statistics.machines) of machines"
        output.answer(
            format, json: Self.record(statistics, by: grouping),
            rows: statistics.table(by: grouping).map { $0.map { $0.isEmpty ? "(none)" : $0 } },
            empty: "nobody opened it in the last \(Printable.count(days, "day"))")
        guard !format.csv, !format.format.json else { return }
        output.note("\(sum) in the last \(Printable.count(days, "day")). \(LinkStatistics.rule)")
        if statistics.homes + statistics.misses > 0 {
            output.note(
                "besides, people opened link domains alone \(Printable.count(statistics.homes, "time")), and endings "
                    + "without a link \(Printable.count(statistics.misses, "time"))")
        }
    }

    private static func record(_ statistics: LinkStatistics, by grouping: LinkStatistics.Grouping) -> JSON {
        .object([
            ("people", .int(statistics.people)), ("machines", .int(statistics.machines)),
            ("redirects", .int(statistics.redirects)), ("firstOpens", .int(statistics.firstOpens)),
            ("reopens", .int(statistics.reopens)), ("homes", .int(statistics.homes)),
            ("misses", .int(statistics.misses)), ("rule", .string(LinkStatistics.rule)),
            ("by", .string(grouping.rawValue)),
            (
                "rows",
                .array(
                    statistics[grouping].map { tally in
                        .object([
                            (grouping.rawValue, .string(tally.label)), ("people", .int(tally.people)),
                            ("machines", .int(tally.machines)),
                        ])
                    })
            ),
        ])
    }

    // MARK: Events, as Firebase counts them

    private func answerEvents(
        of link: StoredLink, on domain: LinkDomain, in project: Project, _ homing: Homing,
        _ output: inout CommandOutput
    ) async throws {
        let empty = "nobody opened it in the last \(Printable.count(days, "day"))"
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
