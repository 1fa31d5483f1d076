// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingCore

/// `homing`: the list of everything that an operator can type.
struct HomingCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "homing",
        abstract: "Email actions that bring people back.",
        discussion: """
            Every setting is a flag, an environment variable or a key of homing.yaml: --listen, HOMING_LISTEN, listen. \
            See `homing config`. A running server owns its SQLite file; commands are handed to it through its socket.

            EXAMPLE
              HOMING_SMTP_URL=mailbox: homing serve
            """,
        subcommands: [
            ServeCommand.self, MigrateCommand.self, ConfigCommand.self, VersionCommand.self, ProjectCommand.self,
            DomainCommand.self, AppCommand.self, LinkDomainCommand.self, AccountCommand.self, MailCommand.self,
            AdminKeyCommand.self, KeyCommand.self, BackupCommand.self, RestoreCommand.self,
        ])
}

/// A command that speaks to the places of an open house, wherever that is: here, or in the server that owns the file.
protocol HouseCommand: AsyncParsableCommand {
    /// Whether a database that is not there is made. Only the commands that begin something do that.
    var createsDatabase: Bool { get }
    /// Whether something is to be read from standard input for it.
    var readsInput: Bool { get }
    func run(in house: Homing, _ console: inout Console) async throws
}

extension HouseCommand {
    var createsDatabase: Bool { false }
    var readsInput: Bool { false }
}
