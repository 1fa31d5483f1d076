// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
import HomingServer
import HomingStore
import HomingTexts
import HomingWire
import Hummingbird

/// How often links were opened in the last days, as a chart and as tables.
struct LinkClicks {
    private static let standard: Int64 = 30
    private static let periods: [Int64] = [7, 30, 90, 365]
    /// Rows of a table; the file has all.
    private static let mostRows = 10

    private let days: Int64
    private let statistics: LinkStatistics
    /// The path of the page.
    private let path: String
    /// What the page asks about, for its links: `tag=spring`; empty where the path says it.
    private let asked: String
    private let now: Moment

    /// - Parameter asked: a query that names the subject, where the path does not.
    init(of subject: LinkStatistics.Subject, asked: String = "", _ context: ConsoleContext) async throws {
        let wanted = context.query?["days"].flatMap { Int64($0) } ?? Self.standard
        days = Self.periods.contains(wanted) ? wanted : Self.standard
        statistics = try await context.homing.links.counts.statistics(
            of: subject, in: try context.project, days: days)
        path = context.path
        self.asked = asked
        now = context.homing.system.now()
    }

    /// - Parameter file: where the numbers are as a file.
    func section(file: String) -> HTML {
        guard statistics.people + statistics.machines > 0 else {
            return "<section><h2>Clicks</h2><p>Nobody opened it in the last \(Int(days)) days.</p>\(choice)</section>"
        }
        let tables: [(LinkStatistics.Grouping, String)] = [
            (.platform, "Platform"), (.browser, "Browser"), (.referrer, "Came from"), (.campaign, "Campaign"),
        ]
        return """
            <section><h2>Clicks</h2>
            \(chart)\(choice)
            <div class="tables">\(tables.map { table(by: $0.0, $0.1, atMost: Self.mostRows, file: file) })</div>
            <details><summary>Day by day</summary>\(table(by: .day, "Day", atMost: Int(days), file: file))</details>
            <p class="hint">\(LinkStatistics.rule) Came from and campaign are counted of people alone.</p></section>
            """
    }

    private func address(_ path: String, _ more: String...) -> String {
        let parts = ([asked] + more).filter { !$0.isEmpty }
        return parts.isEmpty ? path : "\(path)?\(parts.joined(separator: "&"))"
    }

    /// The periods, as links.
    private var choice: HTML {
        let items = Self.periods.map { period -> HTML in
            let mark: HTML = period == days ? " aria-current=\"true\"" : ""
            return "<li><a href=\"\(address(path, "days=\(period)"))\"\(mark)>\(Int(period)) days</a></li>"
        }
        return "<ul class=\"orders\" aria-label=\"Period\">\(items)</ul>"
    }

    /// People and machines of each day; the tables below it say the same in numbers.
    private var chart: HTML {
        let tallies = statistics.chart(days: days, until: now)
        let people = statistics.people
        let most = tallies.map(\.people).max() ?? 0
        let summary = """
            \(people == 1 ? "1 click" : "\(people) clicks") in the last \(days) days, at most \(most) on one day; machines \
            fetched it \(statistics.machines == 1 ? "once" : "\(statistics.machines) times")
            """
        let apps = statistics.firstOpens + statistics.reopens
        let opened = apps == 0 ? "" : " Apps were opened by it \(apps == 1 ? "once" : "\(apps) times")."
        return """
            <p>\(summary).\(opened)</p>
            \(Chart(
                title: "Clicks by day", summary: summary, labels: tallies.map(\.label),
                series: [
                    Chart.Series(name: "people", values: tallies.map(\.people)),
                    Chart.Series(name: "machines", values: tallies.map(\.machines)),
                ]).picture)
            """
    }

    private func table(
        by grouping: LinkStatistics.Grouping, _ title: String, atMost limit: Int, file: String
    ) -> HTML {
        let rows = statistics.table(by: grouping)
        let headings = [title] + (rows.first ?? []).dropFirst().map { $0.prefix(1) + $0.dropFirst().lowercased() }
        let shown = rows.dropFirst().prefix(limit).map { row in
            row.enumerated().map { index, text -> HTML in
                index == 0 && text.isEmpty ? "<span class=\"soft\">unknown</span>" : "<bdi>\(text)</bdi>"
            }
        }
        guard !shown.isEmpty else { return "" }
        let left = rows.count - 1 - shown.count
        return """
            <div>\(ConsoleTable("Clicks by \(title.lowercased())", headings, Array(shown)).html)\
            <p><a href="\(address(file, "by=\(grouping.rawValue)", "days=\(days)"))">As CSV\
            \(left > 0 ? ", with \(left) more" : "")</a></p></div>
            """
    }

    /// The file of one grouping that a query asks for; nil where it asks for none.
    func file(_ name: String, _ context: ConsoleContext) -> Response? {
        guard let grouping = context.query?["by"].flatMap(LinkStatistics.Grouping.init(rawValue:)) else { return nil }
        return PageAnswer.file(
            "\(name)-\(grouping.rawValue).csv", "text/csv; charset=utf-8", Array(statistics.csv(by: grouping).utf8))
    }
}

/// `…/links/clicks`: the clicks on all links of a project, on those with a tag, or of a campaign.
enum LinkClicksPage {
    private struct Wanted {
        var tag = ""
        var campaign = ""
    }

    /// What the query asks about, and the fields that say it.
    private static func asked(
        _ context: ConsoleContext
    ) throws -> (form: ConsoleForm<Wanted>, clicks: LinkStatistics.Subject, query: String) {
        var form = ConsoleForm(
            Wanted(), ConsoleField("Tag", "tag", \.tag, hint: "The links that have it now."),
            ConsoleField("Campaign", "campaign", \.campaign, hint: "What was clicked with this utm_campaign."))
        try form.take(query: context.query)
        let wanted = form.value
        if !wanted.tag.isEmpty { return (form, .tag(wanted.tag), "tag=\(percentEncoded(wanted.tag))") }
        guard !wanted.campaign.isEmpty else { return (form, .project, "") }
        return (form, .campaign(wanted.campaign), "campaign=\(percentEncoded(wanted.campaign))")
    }

    static func show(_ context: ConsoleContext) async throws -> Response {
        let (form, subject, query) = try asked(context)
        let clicks = try await LinkClicks(of: subject, asked: query, context)
        return ConsolePage(
            "Clicks on links", in: .links,
            """
            <p><a href="\(context.path(of: .links))">All links</a></p>
            \(form.search(at: context.path, button: "Show"))
            \(clicks.section(file: "\(context.path).csv"))
            """
        ).answer(in: context)
    }

    static func csv(_ context: ConsoleContext) async throws -> Response {
        let (_, subject, query) = try asked(context)
        guard let file = try await LinkClicks(of: subject, asked: query, context).file("clicks", context) else {
            throw ConsoleRefusal.notFound
        }
        return file
    }
}
