// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingCore
import HomingStore
import HomingWire

/// `homing admin-key …`.
struct AdminKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "admin-key", abstract: "Bearer keys for the admin listener.",
        discussion: "EXAMPLE\n  homing admin-key create backend",
        subcommands: [AdminKeyCreate.self, AdminKeyList.self, AdminKeyRevoke.self])
}

struct AdminKeyCreate: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Make a key and show it, once.",
        discussion: """
            Without --project it is for all projects, also for those that are made later. accounts:batchGet answers a key \
            with --password-hashes the hashes of passwords, which others see as REDACTED: make one to take accounts away, \
            with an end.

            EXAMPLE
              homing admin-key create backend --project shop --expires 90d
            """)

    @Argument(help: "What it is for.") var name = "admin"
    @Option(name: .customLong("project"), help: "A project that it is for; again for each further one.")
    var projects: [ProjectID] = []
    @Flag(help: "Let it read the hashes of passwords.") var passwordHashes = false
    @Option(help: "When it ends: 90d, 12h, or the last day, as 2027-06-30 (UTC).") var expires: String?
    @OptionGroup var format: OutputOptions

    func validate() throws {
        if let expires, KeyEnd(parsing: expires) == nil {
            throw ValidationError("--expires is a number of days or hours, such as 90d or 12h, or a day: 2027-06-30")
        }
    }

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let end = expires.flatMap { KeyEnd(parsing: $0) }?.moment(at: homing.system.now())
        let (id, secret) = try await homing.adminKeys.create(
            name: name, projects: projects.isEmpty ? nil : projects, readsHashes: passwordHashes, expiresAt: end,
            by: .command)
        let scope =
            (projects.isEmpty ? "all projects" : projects.map(\.text).joined(separator: ", "))
            + (passwordHashes ? ", with password hashes" : "")
        let until = end.map { ", until \(MailCommand.time($0))" } ?? ""
        output.answer(
            format,
            json: [
                "id": .string(id), "name": .string(name), "key": .string(secret),
                "projects": projects.isEmpty ? .null : .array(projects.map { .string($0.text) }),
                "passwordHashes": .bool(passwordHashes),
                "expiresAt": end.map { .string(MailCommand.time($0)) } ?? .null,
            ],
            lines: ["admin key \(id) (\(name)) for \(scope)\(until), shown this once:", "  \(secret)"])
    }
}

struct AdminKeyList: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the keys, never their secrets.",
        discussion: "EXAMPLE\n  homing admin-key list")

    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let keys = try await homing.adminKeys.list()
        let now = homing.system.now()
        func time(_ moment: Moment?, _ none: String) -> String { moment.map { MailCommand.time($0) } ?? none }
        let rows =
            [["ID", "NAME", "PROJECTS", "CREATED", "ENDS", "LAST USE", "STATUS"]]
            + keys.map { key in
                [
                    key.id, key.name,
                    (key.projects?.map(\.text).joined(separator: " ") ?? "all") + (key.readsHashes ? ", hashes" : ""),
                    MailCommand.time(key.createdAt),
                    time(key.expiresAt, "never"), time(key.usedAt, "none"), key.state(at: now).rawValue,
                ]
            }
        output.answer(
            format,
            json: .array(
                keys.map { key in
                    [
                        "id": .string(key.id), "name": .string(key.name),
                        "projects": key.projects.map { .array($0.map { .string($0.text) }) } ?? .null,
                        "passwordHashes": .bool(key.readsHashes),
                        "createdAt": .string(MailCommand.time(key.createdAt)),
                        "expiresAt": key.expiresAt.map { .string(MailCommand.time($0)) } ?? .null,
                        "usedAt": key.usedAt.map { .string(MailCommand.time($0)) } ?? .null,
                        "revoked": .bool(key.revokedAt != nil), "state": .string(key.state(at: now).rawValue),
                    ]
                }), styled: Table.lines(rows, empty: "no admin key yet: homing admin-key create"))
    }
}

struct AdminKeyRevoke: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Make a key worthless at once.",
        discussion: "EXAMPLE\n  homing admin-key revoke kPz3VtQ8mN")

    @Argument var id: String
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        try await homing.adminKeys.revoke(id, by: .command)
        output.answer(format, json: ["revoked": .string(id)], lines: ["admin key \(id) is revoked"])
    }
}
