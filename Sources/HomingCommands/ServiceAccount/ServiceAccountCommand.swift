// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingCore
import HomingWire

/// `homing service-account …`.
struct ServiceAccountCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "service-account",
        abstract: "Keys with which your back end makes custom tokens, to sign people in by their id.",
        discussion: """
            A key file has the form of Google's, so that Firebase's Admin SDKs read it. It signs anybody in: keep it like a \
            password. It opens nothing on the admin listener.

            EXAMPLE
              homing service-account create shop "Back end"
            """,
        subcommands: [ServiceAccountCreate.self, ServiceAccountList.self, ServiceAccountRevoke.self])
}

struct ServiceAccountCreate: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Make a key and print its file, which is shown this once.",
        discussion: """
            EXAMPLE
              (umask 077; homing service-account create shop "Back end" > back-end.json)
            """)

    @Argument var project: String
    @Argument(help: "What you call it.") var name: String?
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let file = try await homing.accounts.serviceAccounts.create(
            named: name, in: try homing.projects.existing(project), by: .command)
        output.answer(
            format, json: file, lines: [String(decoding: file.write(), as: UTF8.self).trimmed])
    }
}

extension String {
    fileprivate var trimmed: String { hasSuffix("\n") ? String(dropLast()) : self }
}

struct ServiceAccountList: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the keys of a project, revoked ones too.",
        discussion: "EXAMPLE\n  homing service-account list shop")

    @Argument var project: String
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let accounts = try await homing.accounts.serviceAccounts.list(in: try homing.projects.existing(project))
        let rows =
            [["ID", "NAME", "CREATED", "STATE"]]
            + accounts.map { account in
                [
                    account.id, account.name ?? "", MailCommand.time(account.createdAt),
                    account.revokedAt == nil ? "in force" : "revoked",
                ]
            }
        let records = accounts.map { account in
            JSON.object([
                ("id", .string(account.id)), ("name", account.name.map { .string($0) } ?? .null),
                ("email", .string(account.email)), ("createdAt", .string(MailCommand.time(account.createdAt))),
                ("revokedAt", account.revokedAt.map { .string(MailCommand.time($0)) } ?? .null),
            ])
        }
        output.answer(format, json: .array(records), lines: Table.lines(rows, empty: "no service account"))
    }
}

struct ServiceAccountRevoke: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Refuse custom tokens of a key from now on; sessions go on.",
        discussion: "EXAMPLE\n  homing service-account revoke shop ID")

    @Argument var project: String
    @Argument var id: String
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        try await homing.accounts.serviceAccounts.revoke(
            id, in: try homing.projects.existing(project), by: .command)
        output.answer(format, json: ["revoked": .string(id)], lines: ["service account \(id) is revoked"])
    }
}
