// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingCore
import HomingOperations
import HomingProjects
import HomingStore
import HomingWire

/// `homing service-account …`.
struct ServiceAccountCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "service-account",
        abstract: "Key files with which Firebase's Admin SDKs reach one project, and make custom tokens.",
        discussion: """
            A key file has the form of Google's. An Admin SDK gets tokens of an hour with it at the admin listener, and makes \
            custom tokens, which sign people in by their id. It signs anybody in and may change everything in the project: keep \
            it like a password.

            EXAMPLE
              homing service-account create shop "Back end"
            """,
        subcommands: [ServiceAccountCreate.self, ServiceAccountList.self, ServiceAccountRevoke.self])
}

struct ServiceAccountCreate: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Make a key and print its file, which is shown this once.",
        discussion: """
            Its token_uri is the admin listener's, as the server knows it: console.publicURL, else the address that it is bound to.

            EXAMPLE
              (umask 077; homing service-account create shop "Back end" > back-end.json)
            """)

    @Argument var project: ProjectID
    @Argument(help: "What you call it.") var name: String?
    @Flag(help: "Let it make custom tokens and nothing else.") var customTokensOnly = false
    @Option(name: .customLong("admin-url"), help: "Where your back end reaches the admin listener, if elsewhere.")
    var adminURL: String?
    @OptionGroup var format: OutputOptions

    func validate() throws {
        if let adminURL, PublicURL(parsing: adminURL) == nil {
            throw ValidationError("--admin-url is scheme, host and perhaps a port, such as http://10.0.0.5:9098")
        }
    }

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let file = try await homing.accounts.serviceAccounts.create(
            named: name, in: try homing.projects.existing(project), opensAdmin: !customTokensOnly,
            adminURL: adminURL.flatMap(PublicURL.init(parsing:))?.description, by: .command)
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

    @Argument var project: ProjectID
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let accounts = try await homing.accounts.serviceAccounts.list(in: try homing.projects.existing(project))
        let rows =
            [["ID", "NAME", "FOR", "CREATED", "STATUS"]]
            + accounts.map { account in
                [
                    account.id, account.name ?? "", account.opensAdmin ? "admin listener" : "custom tokens",
                    MailCommand.time(account.createdAt),
                    account.revokedAt == nil ? "in force" : "revoked",
                ]
            }
        let records = accounts.map { account in
            JSON.object([
                ("id", .string(account.id)), ("name", account.name.map { .string($0) } ?? .null),
                ("email", .string(account.email)), ("opensAdmin", .bool(account.opensAdmin)),
                ("createdAt", .string(MailCommand.time(account.createdAt))),
                ("revokedAt", account.revokedAt.map { .string(MailCommand.time($0)) } ?? .null),
            ])
        }
        output.answer(format, json: .array(records), styled: Table.lines(rows, empty: "no service accounts"))
    }
}

struct ServiceAccountRevoke: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Refuse a key, and the tokens that it made or got, from now on; people's sessions go on.",
        discussion: "EXAMPLE\n  homing service-account revoke shop ID")

    @Argument var project: ProjectID
    @Argument var id: String
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        try await homing.accounts.serviceAccounts.revoke(
            id, in: try homing.projects.existing(project), by: .command)
        output.answer(format, json: ["revoked": .string(id)], lines: ["service account \(id) is revoked"])
    }
}
