// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingCore
import HomingStore
import HomingWire

/// `homing audit …`.
struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "Who changed what.", discussion: "EXAMPLE\n  homing audit list --project shop",
        subcommands: [AuditList.self])
}

struct AuditList: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List changes by people, commands and back ends, the newest first.",
        discussion: "EXAMPLE\n  homing audit list --project shop --limit 20")

    @Option(help: "Only of this project.") var project: ProjectID?
    @Option(help: "How many, 100 unless you say otherwise.") var limit = 100
    @Option(help: "Go on behind an entry, by the value that the last list named.") var before: String?
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let position = before.flatMap { AuditLog.Position(parsing: $0) }
        guard before == nil || position != nil else {
            throw Refusal.invalidSetting("--before takes what the last list named, such as 1700000000000.AbCdEfGhIjKl")
        }
        let entries = try await homing.audit.list(
            project: project, before: position, limit: try ListLimit.checked(limit))
        if entries.count == limit, let last = entries.last {
            output.note("older entries: --before \(AuditLog.position(of: last).text)")
        }
        func text(_ value: String?) -> JSON { value.map { .string($0) } ?? .null }
        let rows = entries.map { entry in
            [
                MailCommand.time(entry.at), entry.author, entry.action, entry.project?.text ?? "-", entry.subject,
                entry.before ?? "-", entry.after ?? "-",
            ].map { Printable.line($0, atMost: 80) }
        }
        output.answer(
            format,
            json: .array(
                entries.map { entry in
                    [
                        "at": .string(MailCommand.time(entry.at)), "author": .string(entry.author),
                        "action": .string(entry.action), "project": text(entry.project?.text),
                        "subject": .string(entry.subject), "before": text(entry.before), "after": text(entry.after),
                    ]
                }),
            styled: Table.lines(
                [["AT", "WHO", "WHAT", "PROJECT", "OF", "BEFORE", "AFTER"]] + rows,
                empty: "nothing has been changed yet"))
    }
}
