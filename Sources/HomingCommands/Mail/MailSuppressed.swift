// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingCore
import HomingProjects
import HomingStore
import HomingWire

/// `homing mail suppressed …`.
struct MailSuppressed: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "suppressed",
        abstract: "Suppressed addresses: emails to them came back, and none is sent there for a time.",
        discussion: "EXAMPLE\n  homing mail suppressed list shop",
        subcommands: [MailSuppressedList.self, MailSuppressedLift.self])
}

struct MailSuppressedList: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List suppressed addresses, the newest first.",
        discussion: "EXAMPLE\n  homing mail suppressed list shop --json")

    @Argument var project: Scope
    @Option(help: "At most so many.") var limit = 200
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let project = try homing.projects.existingOrTenant(project)
        let entries = try await homing.suppressions.list(in: project, limit: try ListLimit.checked(limit))
        let rows =
            [["ADDRESS", "SINCE", "UNTIL", "TIMES", "EMAIL", "REASON"]]
            + entries.map {
                [
                    $0.address, MailCommand.time($0.since), MailCommand.time($0.until), String($0.count), $0.mail,
                    $0.reason,
                ]
            }
        output.answer(
            format, json: .array(entries.map(Self.record)),
            styled: Table.lines(rows, empty: "no suppressed addresses"))
        if entries.count == limit {
            ListLimit.note(try await homing.suppressions.count(in: project) - limit, "older ones", &output)
        }
    }

    private static func record(_ entry: Suppressions.Entry) -> JSON {
        [
            "address": .string(entry.address), "since": .string(MailCommand.time(entry.since)),
            "until": .string(MailCommand.time(entry.until)), "times": .int(Int64(entry.count)),
            "mail": .string(entry.mail), "reason": .string(entry.reason),
        ]
    }
}

struct MailSuppressedLift: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "lift", abstract: "Remove an address from the list, so that emails go there again.",
        discussion: """
            Emails that were not sent meanwhile stay failed: homing mail retry.

            EXAMPLE
              homing mail suppressed lift shop ada@example.com
            """)

    @Argument var project: Scope
    @Argument var address: String
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let project = try homing.projects.existingOrTenant(project)
        let address = try EmailAddress(parsing: address)
        try await homing.suppressions.lift(address, in: project, by: .command)
        output.answer(
            format, json: ["lifted": .string(address.text)],
            lines: ["\(address.text) is removed from the list: emails are sent there again"])
    }
}
