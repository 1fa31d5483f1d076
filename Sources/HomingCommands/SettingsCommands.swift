// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingCore
import HomingDatabase
import HomingWire

/// `homing config`.
struct ConfigCommand: SettingsCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Print the settings in force, secrets masked.",
        discussion: "EXAMPLE\n  homing config --json")

    @Flag(help: "Print every setting there is, with its default and meaning, as docs/configuration.md has it.")
    var markdown = false
    @OptionGroup var format: OutputOptions

    func run(with settings: Settings) async throws -> CommandAnswer {
        let text = markdown ? SettingsDocument.markdown : format.json ? settings.json : settings.text
        return CommandAnswer(status: 0, output: text.hasSuffix("\n") ? text : text + "\n", errors: "")
    }
}

/// `homing migrate`.
struct MigrateCommand: SettingsCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Bring the schema to the newest version; on SQLite `serve` does it by itself.",
        discussion: "EXAMPLE\n  homing migrate")

    @OptionGroup var format: OutputOptions

    func run(with settings: Settings) async throws -> CommandAnswer {
        let database = try Homing.openDatabase(settings, creating: true)
        do {
            let system = System.real
            let applied = try await Migrator(Schema.migrations)
                .migrate(database, now: system.now().milliseconds)
            _ = try await Keys.open(database, path: settings.keyFile, system: system)
            await database.close()
            var output = CommandOutput()
            let newest = Schema.migrations.last?.version ?? 0
            output.answer(
                format,
                json: [
                    "version": .int(Int64(newest)), "applied": .array(applied.map { .int(Int64($0)) }),
                ],
                lines: [
                    applied.isEmpty ? "the schema is current, version \(newest)" : "the schema is now version \(newest)"
                ])
            return CommandAnswer(status: 0, output: output.text, errors: "")
        } catch {
            await database.close()
            throw error
        }
    }
}
