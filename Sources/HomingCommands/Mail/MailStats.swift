// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingCore
import HomingLinkRules
import HomingProjects
import HomingStore
import HomingWire

/// `homing mail stats`: how far a project's mails came.
struct MailStats: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats", abstract: "How far emails came, by day, kind and language.",
        discussion: """
            An email counts for the day on which it was asked for. It is accepted when delivery first takes it; opened \
            when a browser was first shown its page; applied when its code was used; returned when somebody whose \
            browser runs scripts followed Continue. Counts are written every eight seconds.

            EXAMPLE
              homing mail stats shop --days 30 --csv
            """)

    @Argument var project: Scope
    @Option(help: "So many days back, today included.") var days = 7
    @OptionGroup var format: TableOutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let project = try homing.projects.existingOrTenant(project)
        guard (1...36_500).contains(days) else { throw ValidationError("--days is a whole number from 1 on") }
        let rows = try await homing.outbox.mailCounts.rows(of: project, days: Int64(days))
        output.answer(
            format, json: .array(rows.map(Self.record)), rows: MailCounts.table(rows),
            empty: "no emails in the last \(Printable.count(days, "day"))")
    }

    private static func record(_ row: MailCounts.Row) -> JSON {
        var record = JSON.Object()
        record["day"] = .string(MailCounts.date(row.group.day))
        record["kind"] = .string(row.group.kind.rawValue)
        record["language"] = .string(row.group.language)
        for step in MailCounts.Step.allCases { record[step.name] = .int(row.numbers[step]) }
        return .object(record)
    }
}
