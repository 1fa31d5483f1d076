// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import Foundation
import HomingCore
import HomingDatabase
import HomingStore

/// `homing`: the list of all commands for an operator.
struct HomingCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "homing",
        abstract: "Email actions that bring people back.",
        discussion: """
            Every setting is a flag, an environment variable or a key of homing.yaml: --listen, HOMING_LISTEN, listen. \
            See `homing config`. A running server owns its SQLite file; commands are handed to it through its socket. On \
            PostgreSQL they speak to the database.

            EXAMPLE
              HOMING_MAIL_URL=mailbox: homing serve
            """,
        version: VersionCommand.line,
        groupedSubcommands: [
            CommandGroup(
                name: "Start",
                subcommands: [SetupCommand.self, ServeCommand.self, DoctorCommand.self, ConfigCommand.self]),
            CommandGroup(
                name: "Project",
                subcommands: [
                    ProjectCommand.self, DomainCommand.self, AppCommand.self, APIKeyCommand.self,
                    ServiceAccountCommand.self, TemplateCommand.self, TextCommand.self, LanguageCommand.self,
                    BrandCommand.self,
                ]),
            CommandGroup(
                name: "People",
                subcommands: [AccountCommand.self, TenantCommand.self, OperatorCommand.self, AuditCommand.self]),
            CommandGroup(name: "Mail", subcommands: [MailCommand.self, MailboxCommand.self]),
            CommandGroup(name: "Link", subcommands: [LinkCommand.self, LinkDomainCommand.self]),
            CommandGroup(
                name: "Key and backup",
                subcommands: [
                    AdminKeyCommand.self, KeyCommand.self, BackupCommand.self, RestoreCommand.self, MoveCommand.self,
                ]),
            CommandGroup(
                name: "Server",
                subcommands: [
                    ReadyCommand.self, ReloadCommand.self, MigrateCommand.self, NodeCommand.self,
                    CertificateCommand.self, VersionCommand.self, CompletionCommand.self,
                ]),
        ])
}

/// A command that works on the open database: in this process, or in the server that owns the file.
protocol DatabaseCommand: AsyncParsableCommand, Encodable, Sendable {
    /// Whether a missing database is made. Only the commands that begin something do that.
    var createsDatabase: Bool { get }
    /// What the database is opened for; commands on whole tables take their time.
    var work: PostgresDriver.Purpose { get }
    /// The source of the command's input, which is read in the operator's process, not where the command runs.
    var inputSource: InputSource { get }
    /// The folder for the files of the answer, which are written in the operator's process, too.
    var outputFolder: String? { get }
    /// Whether the command writes a file of this name there: the server that answers may have been taken over.
    func writes(_ name: String) -> Bool
    /// The command in the form for a running server, which may run in another folder than the operator.
    var request: Self { get }
    func run(in homing: Homing, _ output: inout CommandOutput) async throws
}

extension DatabaseCommand {
    var createsDatabase: Bool { false }
    var work: PostgresDriver.Purpose { .verbs }
    var inputSource: InputSource { .nothing }
    var outputFolder: String? { nil }
    func writes(_ name: String) -> Bool { true }
    var request: Self { self }
}
