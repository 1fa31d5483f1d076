// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import Foundation
import HomingCore
import HomingOperations
import HomingProjects
import HomingStore
import HomingWire

/// `homing mail …`: shows the outbox, never a code.
struct MailCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mail", abstract: "The outbox: what is owed, what was sent, what the relay said.",
        discussion: "EXAMPLE\n  homing mail list",
        subcommands: [
            MailList.self, MailShow.self, MailStats.self, MailRetry.self, MailTest.self, MailProbe.self,
            MailBounce.self, MailSuppressed.self, MailDomainCommand.self, MailTransportCommand.self,
        ])

    static func record(_ entry: Outbox.Entry) -> JSON {
        [
            "id": .string(entry.id), "project": .string(entry.project.text), "recipient": .string(entry.recipient),
            "kind": .string(entry.kind), "state": .string(entry.state.name), "attempts": .int(Int64(entry.attempts)),
            "lastReply": entry.lastReply.map { .string($0) } ?? .null,
            "bounce": entry.bounce.map { .string($0) } ?? .null,
            "bouncedAt": entry.bouncedAt.map { .string(time($0)) } ?? .null,
            "createdAt": .string(time(entry.createdAt)),
            "nextAt": entry.nextAt.map { .string(time($0)) } ?? .null,
            "endedAt": entry.endedAt.map { .string(time($0)) } ?? .null,
        ]
    }

    /// How states look, by their names.
    static let styles: [String: TerminalStyle] = [
        Outbox.State.sent.name: .ok, Outbox.State.failed.name: .fix, Outbox.State.expired.name: .warning,
    ]

    static func time(_ moment: Moment) -> String {
        moment.printed
    }
}

struct MailList: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List emails, the newest first.",
        discussion: """
            EXAMPLE
              homing mail list --project shop --address ada@example.com
            """)

    @Option(help: "Only this project's.") var project: Scope?
    @Option(help: "Only those to this address, with --project.") var address: String?
    @Option(help: "At most so many.") var limit = 200
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let entries = try await entries(homing)
        let rows =
            [["ID", "STATUS", "KIND", "RECIPIENT", "ATTEMPTS", "LAST RESPONSE"]]
            + entries.map {
                [
                    $0.id, $0.state.name, MailKind.title(of: $0.kind), $0.recipient, String($0.attempts),
                    $0.bounce ?? $0.lastReply ?? "",
                ]
            }
        output.answer(
            format, json: .array(entries.map(MailCommand.record)),
            styled: Table.lines(rows, empty: "no emails yet", states: MailCommand.styles))
        if entries.count == limit, address == nil {
            ListLimit.note(try await homing.outbox.count(project: project) - limit, "older emails", &output)
        }
    }

    private func entries(_ homing: Homing) async throws -> [Outbox.Entry] {
        let limit = try ListLimit.checked(limit)
        let project = try project.map { try homing.projects.existingOrTenant($0) }
        guard let address else { return try await homing.outbox.list(project: project?.scope, limit: limit) }
        guard let project else { throw ValidationError("--address needs --project") }
        return try await homing.outbox.list(to: try EmailAddress(parsing: address), in: project, limit: limit)
    }
}

struct MailShow: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show what is known of an email, and its timeline.",
        discussion: """
            The steps of the timeline are accepted, delivered to relay, delivered or bounced, opened as a page, applied, \
            and returned to the app. Of a bound request it says which kind of device asked, and how it ended. Never a code.

            EXAMPLE
              homing mail show BmWh7GKpbM0xXc6jVf2tQA
            """)

    @Argument var id: String
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let entry = try await homing.outbox.show(id)
        var lines: [StyledLine] = [
            .fact("email", entry.id), .fact("project", entry.project.text), .fact("recipient", entry.recipient),
            .fact("kind", MailKind.title(of: entry.kind)), Self.status(of: entry),
            .fact("attempts", String(entry.attempts)), .fact("accepted", MailCommand.time(entry.createdAt)),
        ]
        if let next = entry.nextAt { lines.append(.fact("next attempt", MailCommand.time(next))) }
        if let reply = entry.lastReply { lines.append(.fact("last response", reply)) }
        if let bounce = entry.bounce, let time = entry.bouncedAt {
            lines.append(.fact("bounce", "\(MailCommand.time(time)) \(bounce)"))
        }
        let timeline = MailTimeline(entry)
        lines.append(StyledLine("timeline", .heading))
        lines += timeline.events.map { event in
            let time = timeline.handoverWords(of: event).map { " \($0)" } ?? ""
            return "  \(MailCommand.time(event.at))  \(event.step.words)\(time)\(event.note.map { "  \($0)" } ?? "")"
        }
        var record = MailCommand.record(entry).objectValue ?? JSON.Object()
        record["timeline"] = .array(
            timeline.events.map { event in
                [
                    "step": .string(event.step.rawValue), "at": .string(MailCommand.time(event.at)),
                    "note": event.note.map { .string($0) } ?? .null,
                    "milliseconds": timeline.handoverTime(of: event).map { .int($0) } ?? .null,
                ]
            })
        if let bound = entry.bound {
            lines.append(StyledLine(bound.words))
            record["bound"] = [
                "browser": (bound.asked?.device?.browser).map { .string($0.rawValue) } ?? .null,
                "system": (bound.asked?.device).map { .string($0.system.rawValue) } ?? .null,
                "network": (bound.asked?.network).map { .string($0) } ?? .null,
                "endedBy": bound.endedBy.map { .string($0.rawValue) } ?? .null,
            ]
        }
        let project = homing.projects.projectOrTenant(entry.project)
        let strangers = project.map { entry.settings.unregisteredApps(in: $0) } ?? []
        if !strangers.isEmpty {
            lines += strangers.map {
                "the link names \($0), which is not registered: no file and no redirect will name it"
            }
            record["unregisteredApps"] = .array(strangers.map { .string($0) })
        }
        let leftOut = entry.settings.leftOut
        if !leftOut.isEmpty {
            lines += leftOut.map { "the request's \($0) cannot be used: the link was made without it" }
            record["leftOut"] = .array(leftOut.map { .string($0) })
        }
        if entry.settings.lacksLinkDomain {
            lines.append(
                "the link leads to the app by way of a page, because the project has no link domain: homing link-domain add"
            )
        }
        output.answer(format, json: .object(record), styled: lines)
    }

    private static func status(of entry: Outbox.Entry) -> StyledLine {
        let name = entry.state.name
        let styled = MailCommand.styles[name].map { StyledLine(name, $0) } ?? StyledLine(name)
        return StyledLine("status", .key) + " " + styled
    }
}

struct MailRetry: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry", abstract: "Try a queued or failed email again at once.",
        discussion: "EXAMPLE\n  homing mail retry BmWh7GKpbM0xXc6jVf2tQA")

    @Argument var id: String
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        try await homing.outbox.retry(id, by: .command)
        output.answer(format, json: ["retried": .string(id)], lines: ["email \(id) is tried again at once"])
    }
}

struct MailTest: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Send a test email through the relay.",
        discussion: """
            With --wait it says what the relay answered, and fails if the relay did not take the email.

            EXAMPLE
              homing mail test shop you@example.com --wait
            """)

    @Argument var project: Scope
    @Argument var address: String
    @Flag(help: "Wait until the relay has answered, for a minute at most.") var wait = false
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let project = try homing.projects.existingOrTenant(project)
        let address = try EmailAddress(parsing: address)
        if wait, output.server == nil {
            throw Refusal.invalidSetting("no server runs that would send it: start homing serve, then run this again")
        }
        let id = try await homing.outbox.enqueueTest(to: address, in: project, by: .command)
        guard wait else {
            return output.answer(
                format, json: ["id": .string(id)], lines: ["email \(id) is in the outbox: homing mail show \(id)"])
        }
        let entry = try await homing.outbox.awaitOutcome(of: id, atMost: .seconds(60))
        let reply = entry.lastReply ?? "no answer yet"
        guard entry.state == .sent else {
            throw Refusal.mailNotTaken(
                "email \(id) is \(entry.state.name), "
                    + "\(reply.hasPrefix("suppressed:") ? "" : "the relay said: ")\(reply); homing mail show \(id)")
        }
        output.answer(
            format, json: MailCommand.record(entry), lines: ["email \(id) is sent, the relay said: \(reply)"])
    }
}
