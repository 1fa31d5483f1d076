// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import Foundation
import HomingCore
import HomingDatabase
import HomingWire

/// `homing backup`.
struct BackupCommand: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Write a consistent copy of the database, without the key.",
        discussion: """
            The key file is not in it: keep that somewhere else, a backup without it opens nothing. A running server \
            writes the file, as its own user.

            EXAMPLE
              homing backup /var/backups/homing-$(date +%F).db
            """)

    @Argument(help: "A file that is not there yet.") var path: String
    @OptionGroup var format: OutputOptions

    var request: BackupCommand {
        var request = self
        request.path = FilePath.absolute(path)
        return request
    }

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        guard output.server == nil || path.hasPrefix("/") else {
            throw ValidationError("\(path) is no absolute path: a running server stands in another folder")
        }
        let size = try await write(homing, output.progress)
        output.answer(
            format, json: ["path": .string(path), "bytes": .int(size)],
            lines: ["\(path) holds everything but the key (\(size) bytes)"])
    }

    /// Writes into a folder that nobody else can enter, and gives the complete file its name at the end: no link that
    /// somebody has put at that path is followed, and no half of a backup is ever found.
    private func write(_ homing: Homing, _ progress: ProgressReporter) async throws -> Int64 {
        var status = stat()
        guard lstat(path, &status) != 0 else {
            throw Refusal.alreadyExists("\(path) exists already: a backup never writes over a file")
        }
        let target = FilePath.folder(of: path)
        var folder = Array("\(target)/.homing-backup-XXXXXX".utf8CString)
        guard mkdtemp(&folder) != nil else { throw fault(errno) }
        let draft = String(decoding: folder.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self) + "/draft.db"
        defer { try? FileManager.default.removeItem(atPath: FilePath.folder(of: draft)) }
        do {
            try await homing.database.copy(to: draft) { done, total in
                progress(Progress("copying", done: done, of: total, .bytes))
            }
        } catch {
            throw DatabaseFault("\(path) could not be written: \(error); free some space there, or give another folder")
        }
        guard chmod(draft, 0o600) == 0, stat(draft, &status) == 0 else { throw fault(errno) }
        guard link(draft, path) == 0 else { throw fault(errno) }
        return Int64(status.st_size)
    }

    private func fault(_ reason: CInt) -> any Error {
        let folder = FilePath.folder(of: path)
        switch reason {
        case EEXIST: return Refusal.alreadyExists("\(path) exists already: a backup never writes over a file")
        case ENOENT: return DatabaseFault("\(path) cannot be written: there is no folder \(folder): mkdir -p \(folder)")
        case EACCES, EPERM, EROFS:
            return DatabaseFault(
                "\(path) cannot be written by the user that runs homing (uid \(geteuid())): "
                    + "give it the folder \(folder), or give another one")
        default: return DatabaseFault("\(path) cannot be written: \(String(cString: strerror(reason)))")
        }
    }
}
