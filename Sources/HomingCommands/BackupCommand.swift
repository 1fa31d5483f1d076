// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingCore
import HomingDatabase
import HomingOperations
import HomingStore
import HomingWire

/// `homing backup`.
struct BackupCommand: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Write a consistent copy of the database, without the key.",
        discussion: """
            The key file is not in it: keep that somewhere else, a backup without it opens nothing. A running server \
            writes the file, as its own user. Of a PostgreSQL the command itself writes one of the same kind, from one \
            moment, while the servers go on. Copies of the whole PostgreSQL, to any moment of the past, are made by its own \
            tools: pg_basebackup, pgBackRest, Barman.

            EXAMPLE
              homing backup /var/backups/homing-$(date +%F).db
            """)

    @Argument(help: "A file that is not there yet.") var path: String
    @OptionGroup var format: OutputOptions

    var work: PostgresDriver.Purpose { .maintenance }

    var request: BackupCommand {
        var request = self
        request.path = FilePath.absolute(path)
        return request
    }

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        guard output.server == nil || path.hasPrefix("/") else {
            throw ValidationError("\(path) is no absolute path: a running server stands in another folder")
        }
        do {
            // Before the copy, so that the copy tells of itself as well.
            try await homing.audit.note("backup", of: path, by: .command)
        } catch {
            // A disk that is full is a reason for a backup.
            output.note("the audit log has no entry of this backup: \(error)")
        }
        let size = try await write(homing, output.progress)
        output.answer(
            format, json: ["path": .string(path), "bytes": .int(size)],
            lines: ["\(path) holds everything but the key (\(size) bytes)"])
    }

    private func write(_ homing: Homing, _ progress: ProgressReporter) async throws -> Int64 {
        let file = NewFile(path: path)
        // A server's own copy would be its whole cluster, in a format of its own.
        guard homing.database.dialect.hasOneProcess else {
            return try await file.write(all: homing.database, progress).bytes
        }
        return try await file.write { draft in
            do {
                try await homing.database.copy(to: draft) { done, total in
                    progress(Progress("copying", done: done, of: total, .bytes))
                }
            } catch {
                throw DatabaseFault(
                    "\(path) could not be written: \(error); free some space there, or give another folder")
            }
        }
    }
}
