// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import Foundation
import HomingCore
import HomingDatabase
import HomingOperations
import HomingStore
import HomingWire

/// `homing move`: from a file to PostgreSQL, and back.
struct MoveCommand: SettingsCommand {
    static let configuration = CommandConfiguration(
        commandName: "move", abstract: "Copy everything to an empty database, and compare the two.",
        discussion: """
            From a SQLite file to PostgreSQL, back, or from one PostgreSQL to another, with all servers stopped. What \
            was mailed and who is signed in stay valid, as the key file stays the same. The old database keeps its rows.

            EXAMPLE
              createdb -T template0 --locale=C -E UTF8 homing
              homing move --to "postgresql:///homing"
            """)

    @Option(
        name: .customLong("to"),
        help: "The new database, written like HOMING_DATABASE_URL: sqlite:PATH or postgresql://…")
    var target: String
    @OptionGroup var format: OutputOptions

    func validate() throws {
        _ = try location()
    }

    private func location() throws(ValidationError) -> DatabaseLocation {
        do {
            return try DatabaseLocation(parsing: target)
        } catch {
            let reason =
                switch error {
                case .notAccepted: "accepted is sqlite:PATH or postgresql://…"
                case .because(let sentence): sentence
                }
            throw ValidationError("--to \"\(Printable.line(shownTarget, atMost: 200))\" is refused: \(reason)")
        }
    }

    private var shownTarget: String { SecretMask.password(inURL: target) }

    func run(with settings: Settings) async throws -> CommandAnswer {
        guard try location() != settings.database else {
            throw Refusal.invalidSetting(
                "HOMING_DATABASE_URL is this new database already: during the move it must name the old one")
        }
        return try await ProgressLine.during { progress in
            try await Homing.openDatabase(settings, creating: false, for: .maintenance).closing { source in
                try await move(source, settings, progress)
            }
        }
    }

    private func move(
        _ source: Database, _ settings: Settings, _ progress: ProgressReporter
    ) async throws -> CommandAnswer {
        let migrator = Migrator(Schema.migrations)
        switch settings.database {
        // The file is this process's own.
        case .sqlite: try await migrator.migrate(source, now: System.real.now().milliseconds)
        case .postgres: try await migrator.check(source)
        }
        try await refuseWhileServing(source)
        let rows: Int64
        switch try location() {
        case .sqlite(let file): rows = try await NewFile(path: file.path).write(all: source, progress).rows
        case .postgres(let url):
            rows = try await Database(driver: try PostgresDriver(url, for: .maintenance))
                .closing { try await source.copyAll(to: $0, progress) }
        }
        try await refuseWhileServing(source)
        return answer(rows, settings)
    }

    /// What a server would write beside a move would be lost.
    private func refuseWhileServing(_ source: Database) async throws {
        let nodes = Nodes(database: source, system: .real)
        guard nodes.areSeveralPossible else { return }
        let alive = try await nodes.list().filter(\.isAlive).map { Printable.line($0.node.name, atMost: 80) }
        guard alive.isEmpty else {
            throw DatabaseFault(
                "these servers use the database: \(alive.joined(separator: ", ")); stop them, and start with an empty "
                    + "new database (one that was killed counts as running for 30 seconds)")
        }
    }

    private func answer(_ rows: Int64, _ settings: Settings) -> CommandAnswer {
        var output = CommandOutput()
        output.answer(
            format, json: ["to": .string(shownTarget), "rows": .int(rows)],
            lines: [
                "\(Printable.line(shownTarget, atMost: 400)) holds everything: \(Printable.count(rows, "row")), all compared",
                "set HOMING_DATABASE_URL (database.url) to it wherever it is set; other settings stay as they are",
                "keep the key file \(settings.keyFile), and copy it to every server that uses the new database: mailed "
                    + "links, sign-ins and admin keys stay valid with it",
                "the old database is as it was: let no server start on it again",
            ])
        return output.answer()
    }
}
