// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
import HomingServer
import HomingShortLinks
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
    /// The days that are told one by one.
    private static let mostDays = 31

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

    private var clicks: Int64 { statistics.people }

    /// The sums of the period; nothing where nobody came.
    var tiles: HTML {
        guard clicks + statistics.machines > 0 else { return "" }
        let days = Int(days)
        let best = tallies.max { $0.people < $1.people }
        let apps = statistics.firstOpens + statistics.reopens
        return NumberTiles([
            NumberTiles.Tile("Clicks of people", Self.number(clicks), note: "in the last \(days) days"),
            NumberTiles.Tile(
                "Best day", Self.number(best?.people ?? 0), note: best.map { "\(Self.words($0))" as HTML }),
            NumberTiles.Tile(
                "Apps opened", Self.number(apps), note: "\(Self.number(statistics.firstOpens)) for the first time"),
            NumberTiles.Tile("Machines", Self.number(statistics.machines), note: "previews and crawlers"),
        ]).html
    }

    private static func number(_ number: Int64) -> HTML { "\(ChartNumber.whole(number))" }

    private static func words(_ tally: LinkStatistics.Tally) -> String { ConsoleTime.words(day: tally.label) }

    /// - Parameter file: where the numbers are as a file.
    func section(file: String) -> HTML {
        let head: HTML = "<div class=\"head\"><h2>Clicks</h2>\(choice)</div>"
        guard clicks + statistics.machines > 0 else {
            let nothing = EmptyState(
                .chart, "Nobody opened it in the last \(Int(days)) days", "Clicks are counted from the first one on.")
            return "<section>\(head)\(nothing.html)</section>"
        }
        let tables: [(LinkStatistics.Grouping, String)] = [
            (.platform, "Platform"), (.browser, "Browser"), (.referrer, "Came from"), (.campaign, "Campaign"),
        ]
        return """
            <section>\(head)\(chart)
            <div class="tables">\(tables.map { table(by: $0.0, $0.1, atMost: Self.mostRows, file: file) })</div>
            <details><summary>Day by day</summary>\(table(by: .day, "Day", atMost: Self.mostDays, file: file))</details>
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

    /// The days of the period.
    private var tallies: [LinkStatistics.Tally] { statistics.chart(days: days, until: now) }

    /// People and machines of each day, or of each week of a longer time; the tables below it say the same in numbers.
    private var chart: HTML {
        let tallies = tallies
        let isByWeek = tallies.count > Self.mostDays
        let length = isByWeek ? 7 : 1
        // Weeks end today, so that the first one may be shorter.
        let rest = tallies.count % length
        let columns = stride(from: rest == 0 ? 0 : rest - length, to: tallies.count, by: length).map {
            tallies[max(0, $0)..<($0 + length)]
        }
        let most = tallies.map(\.people).max() ?? 0
        let summary = """
            \(clicks == 1 ? "1 click" : "\(clicks) clicks") in the last \(days) days, at most \(most) on one day; machines \
            fetched it \(statistics.machines == 1 ? "once" : "\(statistics.machines) times")
            """
        return Chart(
            title: isByWeek ? "Clicks by week, named by its first day" : "Clicks by day", summary: summary,
            // Of less than a year every day is known without its year, which a phone has no room for.
            labels: columns.map { days in
                days.first.map { isByWeek ? Self.words($0) : ConsoleTime.label(day: $0.label) } ?? ""
            },
            series: [
                Chart.Series(name: "people", values: columns.map { $0.reduce(0) { $0 + $1.people } }),
                Chart.Series(name: "machines", values: columns.map { $0.reduce(0) { $0 + $1.machines } }, shade: .grey),
            ]
        ).picture
    }

    private func table(
        by grouping: LinkStatistics.Grouping, _ title: String, atMost limit: Int, file: String
    ) -> HTML {
        let rows = statistics.table(by: grouping)
        let headings = [title] + (rows.first ?? []).dropFirst().map { $0.prefix(1) + $0.dropFirst().lowercased() }
        let counted = grouping == .day ? rows.dropFirst().reversed() : Array(rows.dropFirst())
        let shown = counted.prefix(limit).map { row in
            row.enumerated().map { index, text -> HTML in
                if index > 0 { return Int64(text).map { "\(ChartNumber.whole($0))" } ?? "\(text)" }
                return text.isEmpty ? "<span class=\"soft\">unknown</span>" : "<bdi>\(text)</bdi>"
            }
        }
        guard !shown.isEmpty else { return "" }
        let left = rows.count - 1 - shown.count
        return """
            <div>\(ConsoleTable("Clicks by \(title.lowercased())", headings, Array(shown), areCards: false).html)\
            <p class="hint"><a href="\(address(file, "by=\(grouping.rawValue)", "days=\(days)"))">As CSV\
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
            back: ("All links", context.path(of: .links)),
            lead: "Of all links, of those with a tag, or of a campaign.",
            """
            \(form.search(at: context.path, button: "Show"))
            \(clicks.tiles)\(clicks.section(file: "\(context.path).csv"))
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
