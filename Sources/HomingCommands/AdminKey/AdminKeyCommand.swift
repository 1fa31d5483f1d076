// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingCore
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
        discussion: "EXAMPLE\n  homing admin-key create backend")

    @Argument(help: "What it is for.") var name = "admin"
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let (id, secret) = try await homing.adminKeys.create(name: name)
        output.answer(
            format, json: ["id": .string(id), "name": .string(name), "key": .string(secret)],
            lines: ["admin key \(id) (\(name)), shown this once:", "  \(secret)"])
    }
}

struct AdminKeyList: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the keys, never their secrets.",
        discussion: "EXAMPLE\n  homing admin-key list")

    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let keys = try await homing.adminKeys.list()
        let rows =
            [["ID", "NAME", "CREATED", "STATE"]]
            + keys.map {
                [$0.id, $0.name, MailCommand.time($0.createdAt), $0.revokedAt == nil ? "in force" : "revoked"]
            }
        output.answer(
            format,
            json: .array(
                keys.map { key in
                    [
                        "id": .string(key.id), "name": .string(key.name),
                        "createdAt": .string(MailCommand.time(key.createdAt)), "revoked": .bool(key.revokedAt != nil),
                    ]
                }), lines: Table.lines(rows, empty: "no admin key yet: homing admin-key create"))
    }
}

struct AdminKeyRevoke: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Make a key worthless at once.",
        discussion: "EXAMPLE\n  homing admin-key revoke kPz3VtQ8mN")

    @Argument var id: String
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        try await homing.adminKeys.revoke(id)
        output.answer(format, json: ["revoked": .string(id)], lines: ["admin key \(id) is revoked"])
    }
}
