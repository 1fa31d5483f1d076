// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingShortLinks
import HomingStore
import HomingTexts

/// The numbers of a project at a glance: what happened today and lately, each with the page that has more of it. Every
/// one of them is read by a statement with a bound.
struct OverviewNumbers {
    let queue: MailQueue
    private let project: Project
    private let context: ConsoleContext
    private let mails: [MailCounts.Row]
    private let clicks: LinkStatistics
    private let made: Int
    private let accounts: Int
    private let now: Moment

    private static let days: Int64 = 14
    private static let week: Int64 = 7
    private static let dayLength: Int64 = 86_400
    /// So many accounts and new links are counted.
    private static let mostCounted = 10_000

    init(_ project: Project, _ context: ConsoleContext) async throws {
        let homing = context.homing
        (self.project, self.context) = (project, context)
        now = homing.system.now()
        queue = try await homing.outbox.queue(of: project)
        mails = try await homing.outbox.mailCounts.rows(of: project, days: Self.days)
        clicks = try await homing.links.counts.clicksByDay(in: project, days: Self.days)
        let weekAgo = now.adding(seconds: -Self.week * Self.dayLength)
        made = try await homing.links.countMade(from: weekAgo, in: project, upTo: Self.mostCounted)
        accounts = try await homing.accounts.count(in: project, upTo: Self.mostCounted)
    }

    // MARK: Tiles

    var tiles: HTML {
        let ofMail = context.homing.store.mails(project) ? [emails, people] : []
        return NumberTiles(ofMail + [links, accountTile, problems]).html
    }

    private var emails: NumberTiles.Tile {
        let today = sum(of: 1)
        let lost = today[.failed] + today[.bounced] + today[.expired]
        let parts = [
            "\(today[.sent]) delivered to relay", "\(Self.upTo(MailQueue.most, queue.count)) queued",
            "\(lost) failed or bounced",
        ]
        return .init(
            "Emails today", "\(String(today[.accepted]))", note: "\(parts.joined(separator: ", "))",
            path: context.path(of: .mail))
    }

    private var people: NumberTiles.Tile {
        let week = sum(of: Self.week)
        return .init(
            "People came back", "\(String(week[.applied]))",
            note: "codes used in \(Int(Self.week)) days; \(String(week[.opened])) opened their link",
            path: "\(context.path(of: .mail))/funnel?days=\(Int(Self.week))")
    }

    private var links: NumberTiles.Tile {
        let people = clicks.chart(days: Self.week, until: now).reduce(0) { $0 + $1.people }
        return .init(
            "Clicks on links", "\(String(people))",
            note: "by people in \(Int(Self.week)) days; \(Self.upTo(Self.mostCounted, made)) links created",
            path: project.linkDomains.isEmpty
                ? context.path(of: .links) : "\(context.path(of: .links))/clicks?days=\(Int(Self.week))")
    }

    private var accountTile: NumberTiles.Tile {
        .init(
            "Accounts", "\(Self.upTo(Self.mostCounted, accounts))", note: "people who can sign in",
            path: context.path(of: .accounts))
    }

    private var problems: NumberTiles.Tile {
        let found = DoctorFindings.shown(context)
        let (fixes, warnings) = (found.count { $0.level == .problem }, found.count { $0.level == .warning })
        let isChecked = DoctorFindings.report(context) != nil
        return .init(
            "Problems found", isChecked ? "\(fixes)" : "–",
            note: isChecked ? "and \(warnings) \(warnings == 1 ? "warning" : "warnings")" : "not checked yet",
            path: "#health")
    }

    /// A number that was counted up to a limit.
    private static func upTo(_ limit: Int, _ count: Int) -> String { count < limit ? "\(count)" : "\(limit)+" }

    private func sum(of days: Int64) -> MailCounts.Numbers {
        let first = now.seconds / Self.dayLength - days + 1
        return mails.filter { $0.group.day >= first }.reduce(into: MailCounts.Numbers()) { $0 += $1.numbers }
    }

    // MARK: Charts

    /// Of what there was any of in these days.
    var charts: HTML { "\(mailChart)\(clickChart)" }

    private var mailChart: HTML {
        let today = now.seconds / Self.dayLength
        let days = (today - Self.days + 1...today).map { day in
            mails.filter { $0.group.day == day }.reduce(into: MailCounts.Numbers()) { $0 += $1.numbers }
        }
        let (sent, lost) = (days.map { $0[.sent] - $0[.bounced] }, days.map { $0[.failed] + $0[.bounced] })
        guard days.contains(where: { $0[.accepted] > 0 }) else { return "" }
        return card(
            "Emails", more: "\(context.path(of: .mail))/funnel", "Delivery funnel",
            Chart(
                title: "Emails by day",
                summary: """
                    In the last \(Self.days) days \(sent.reduce(0, +)) emails were delivered to the relay, and \
                    \(lost.reduce(0, +)) failed or bounced.
                    """, labels: (today - Self.days + 1...today).map { ConsoleTime.label(day: $0) },
                series: [
                    Chart.Series(name: "delivered to relay", values: sent),
                    Chart.Series(name: "failed or bounced", values: lost, shade: .red),
                ], id: "emails"))
    }

    private var clickChart: HTML {
        guard clicks.people + clicks.machines > 0 else { return "" }
        let tallies = clicks.chart(days: Self.days, until: now)
        return card(
            "Clicks on links", more: "\(context.path(of: .links))/clicks", "All clicks",
            Chart(
                title: "Clicks by day",
                summary: """
                    In the last \(Self.days) days people clicked \(clicks.people) times, and machines fetched links \
                    \(clicks.machines) times.
                    """, labels: tallies.map { ConsoleTime.label(day: $0.label) },
                series: [
                    Chart.Series(name: "people", values: tallies.map(\.people)),
                    Chart.Series(name: "machines", values: tallies.map(\.machines), shade: .grey),
                ], id: "clicks"))
    }

    private func card(_ title: String, more path: String, _ label: String, _ chart: Chart) -> HTML {
        """
        <section><div class="head"><h2>\(title), \(Int(Self.days)) days</h2>\
        <p class="actions"><a href="\(path)">\(label)</a></p></div>\(chart.picture)</section>
        """
    }
}
