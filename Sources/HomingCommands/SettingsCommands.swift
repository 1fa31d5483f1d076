// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingCore
import HomingDatabase
import HomingOperations
import HomingStore
import HomingWire

/// `homing config`.
struct ConfigCommand: SettingsCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Print the settings in force, secrets masked.",
        discussion: "EXAMPLE\n  homing config --json\n  homing config --example > homing.yaml")

    @Flag(help: "Print every setting there is, with its default and meaning, as docs/configuration.md has it.")
    var markdown = false
    @Flag(help: "Print a homing.yaml with every setting as a comment.")
    var example = false
    @OptionGroup var format: OutputOptions

    func run(with settings: Settings) async throws -> CommandAnswer {
        let text =
            markdown
            ? SettingsDocument.markdown
            : example ? SettingsDocument.example : format.json ? settings.json : settings.text
        return CommandAnswer(status: 0, output: text.hasSuffix("\n") ? text : text + "\n", errors: "")
    }
}

/// `homing migrate`.
struct MigrateCommand: SettingsCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Bring the schema to the newest version; on SQLite `serve` does it by itself.",
        discussion: """
            On PostgreSQL: once, before the servers are started, or while they still run with the release before. With a \
            new database it makes the key file too, which is then copied to every server. With --check nothing is changed: \
            it exits 1 where steps are missing, or where the database is newer than this program can serve.

            EXAMPLE
              HOMING_DATABASE_URL=postgresql://homing@db1,db2/homing homing migrate
            """)

    @Flag(help: "Change nothing, and say whether something is to be done.")
    var check = false
    @OptionGroup var format: OutputOptions

    func run(with settings: Settings) async throws -> CommandAnswer {
        let applied = try await ProgressLine.during { progress in
            try await Homing.openDatabase(settings, creating: !check, for: .maintenance).closing {
                try await bring($0, settings, progress)
            }
        }
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
        return output.answer()
    }

    /// The steps that were made: none with `--check`, which throws where one is missing.
    private func bring(
        _ database: Database, _ settings: Settings, _ progress: ProgressReporter
    ) async throws -> [Int] {
        let migrator = Migrator(Schema.migrations)
        guard !check else {
            try await migrator.check(database)
            return []
        }
        let system = System.real
        let applied = try await migrator.migrate(database, now: system.now().milliseconds) {
            progress(Progress($0.task, done: $0.done, of: $0.total, .items, detail: $0.detail))
        }
        let keys = try await Keys.open(database, path: settings.keyFile, system: system, mayCreate: true)
        try await SigningKeys.open(keys.store)
        return applied
    }
}
