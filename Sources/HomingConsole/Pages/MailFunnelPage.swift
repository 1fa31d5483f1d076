// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
import HomingProjects
import HomingServer
import HomingStore
import HomingTexts
import HomingWire
import Hummingbird

/// `…/mail/funnel`: the delivery funnel of the last days, as a chart, a table and comma-separated values.
enum MailFunnelPage {
    private static let periods: [Int64] = [7, 30, 90]

    /// The rows that the query asks for.
    private struct Choice {
        var days: Int64 = 30
        var kind = ""
        var language = ""

        func takes(_ row: MailCounts.Row) -> Bool {
            (kind.isEmpty || row.group.kind.rawValue.utf8.elementsEqual(kind.utf8))
                && (language.isEmpty || row.group.language.utf8.elementsEqual(language.utf8))
        }
    }

    /// - Parameter rows: what kinds and languages there are to choose from.
    private static func filter(
        _ context: ConsoleContext, of rows: [MailCounts.Row] = []
    ) throws -> ConsoleForm<Choice> {
        let languages = Set(rows.map(\.group.language)).sorted().map { ($0, $0) }
        let found = Set(rows.map(\.group.kind))
        let kinds = MailKind.allCases.filter(found.contains).map { ($0.rawValue, $0.title) }
        var form = ConsoleForm(
            Choice(),
            ConsoleField(
                label: "Period", name: "days", input: .choice(periods.map { ("\($0)", "Last \($0) days") }),
                text: { "\($0.days)" },
                set: { choice, text in
                    choice.days = Int64(text).flatMap { periods.contains($0) ? $0 : nil } ?? choice.days
                }),
            ConsoleField("Kind", "kind", \.kind, .choice([("", "All kinds")] + kinds)),
            ConsoleField(
                "Language", "language", \.language, .choice([("", "All languages")] + languages)))
        try form.take(query: context.query)
        return form
    }

    static func show(_ context: ConsoleContext) async throws -> Response {
        let project = try context.project
        let choice = try filter(context).value
        let all = try await context.homing.outbox.mailCounts.rows(of: project, days: choice.days)
        let rows = all.filter(choice.takes)
        let today = context.homing.system.now().seconds / 86_400
        let days = (0..<choice.days).map { offset -> (day: Int64, numbers: MailCounts.Numbers) in
            let day = today - choice.days + 1 + offset
            return (day, rows.filter { $0.group.day == day }.reduce(into: .init()) { $0 += $1.numbers })
        }
        let sum = rows.reduce(into: MailCounts.Numbers()) { $0 += $1.numbers }
        return ConsolePage(
            "Delivery funnel", in: .mail, back: ("All emails", context.path(of: .mail)),
            lead: "How many emails came to each step, from the request to the way back into the app.",
            """
            \(try filter(context, of: all).search(at: context.path, button: "Show"))
            <section>\(isEmpty(sum) ? empty(choice, all).html : numbers(days, sum, choice, context))</section>
            <p class="hint">An email counts for the day on which it was requested, UTC. Returned is a lower bound: browsers without \
            scripts do not report it. Where the app handles the code, emails are applied and never opened here.</p>
            """
        ).answer(in: context)
    }

    static func download(_ context: ConsoleContext) async throws -> Response {
        let project = try context.project
        let choice = try filter(context).value
        let rows = try await context.homing.outbox.mailCounts.rows(of: project, days: choice.days)
        return PageAnswer.file(
            "mail-\(project.scope.text.replacing("/", with: "-"))-\(choice.days)-days.csv", "text/csv; charset=utf-8",
            Array(CSV.text(MailCounts.table(rows)).utf8))
    }

    private static func isEmpty(_ sum: MailCounts.Numbers) -> Bool {
        MailCounts.Step.allCases.allSatisfy { sum[$0] == 0 }
    }

    private static func empty(_ choice: Choice, _ all: [MailCounts.Row]) -> EmptyState {
        EmptyState(
            .mail, "No emails in the last \(choice.days) days",
            all.isEmpty
                ? "The chart begins with the first email: a sign-in link, a password reset, a verification."
                : "There are some of another kind or in another language: choose all of them above.")
    }

    private static func numbers(
        _ days: [(day: Int64, numbers: MailCounts.Numbers)], _ sum: MailCounts.Numbers, _ choice: Choice,
        _ context: ConsoleContext
    ) -> HTML {
        """
        \(chart(days, sum).picture)\(table(days, sum))
        <p><a class="button quiet" href="\(context.path).csv?days=\(String(choice.days))">By kind and language, as CSV</a></p>
        """
    }

    // MARK: The picture

    /// Each email stands once, at the furthest step that it came to.
    private static func chart(
        _ days: [(day: Int64, numbers: MailCounts.Numbers)], _ sum: MailCounts.Numbers
    ) -> Chart {
        let names = ["returned", "applied", "opened", "delivered to relay", "not delivered"]
        let heights = days.map { furthest($0.numbers) }
        return Chart(
            title: "Delivery funnel by day",
            summary: """
                \(sum[.accepted]) accepted, \(sum[.sent]) delivered to relay, \(sum[.opened]) opened, \(sum[.applied]) applied, \
                \(sum[.returned]) known to have gone on to the app.
                """,
            labels: days.map { ConsoleTime.label(day: $0.day) },
            series: names.indices.map { step in
                Chart.Series(name: names[step], values: heights.map { $0[step] })
            })
    }

    /// An app that handles codes applies them without a page, so that a later step may have more mails than one before.
    private static func furthest(_ numbers: MailCounts.Numbers) -> [Int64] {
        var reached: Int64 = 0
        return [MailCounts.Step.returned, .applied, .opened, .sent, .accepted].map { step in
            let more = max(0, numbers[step] - reached)
            reached += more
            return more
        }
    }

    private static func table(
        _ days: [(day: Int64, numbers: MailCounts.Numbers)], _ sum: MailCounts.Numbers
    ) -> HTML {
        let steps = MailCounts.Step.allCases
        func row(_ name: HTML, _ numbers: MailCounts.Numbers) -> [HTML] {
            [name] + steps.map { "\(String(numbers[$0]))" }
        }
        let busy = days.reversed().filter { day in steps.contains { day.numbers[$0] != 0 } }
        let rows = [row("All", sum)] + busy.map { row(ConsoleTime(day: $0.day).html, $0.numbers) }
        return ConsoleTable("Emails by day and step", ["Day"] + steps.map(words), rows).html
    }

    /// A step as the table calls it; files have its code.
    private static func words(_ step: MailCounts.Step) -> String {
        step == .sent ? "Delivered to relay" : step.name.prefix(1).uppercased() + step.name.dropFirst()
    }
}
