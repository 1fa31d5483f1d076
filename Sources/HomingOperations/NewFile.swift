// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
import HomingCore
package import HomingDatabase
import HomingStore

/// A file that is not there yet, such as a database. It is written in a folder that nobody else can enter, and the
/// complete file gets its name at the end: no link that somebody has put at that path is followed, and no half of a
/// file is ever found.
package struct NewFile {
    package let path: String

    package init(path: String) {
        self.path = path
    }

    /// Refuses a path at which there is something.
    package func check() throws {
        guard Self.size(of: path) == nil else { throw fault(EEXIST) }
    }

    /// - Parameter write: writes the file at the path that it is given.
    /// - Returns: the size of the file.
    package func write(_ write: (String) async throws -> Void) async throws -> Int64 {
        try check()
        Self.removeAbandoned(in: FilePath.folder(of: path))
        var template = Array("\(FilePath.folder(of: path))/\(Self.prefix)XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw fault(errno) }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let held = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard held >= 0, flock(held, LOCK_EX | LOCK_NB) == 0 else { throw fault(errno) }
        defer { close(held) }
        let draft = folder + "/draft.db"
        try await write(draft)
        if let left = Self.size(of: draft + "-wal"), left > 0 {
            throw DatabaseFault("\(path) could not be closed whole: it was not made, try again")
        }
        guard chmod(draft, 0o600) == 0, let size = Self.size(of: draft) else { throw fault(errno) }
        guard link(draft, path) == 0 else { throw fault(errno) }
        return size
    }

    private static let prefix = ".homing-new-"

    /// Removes the drafts of those that were killed: nobody holds their folders any more.
    private static func removeAbandoned(in parent: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? [] where name.hasPrefix(prefix) {
            let folder = "\(parent)/\(name)"
            let held = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
            guard held >= 0 else { continue }
            defer { close(held) }
            let owner = try? FileManager.default.attributesOfItem(atPath: folder)[.ownerAccountID] as? NSNumber
            guard owner?.uint32Value == geteuid(), flock(held, LOCK_EX | LOCK_NB) == 0 else { continue }
            try? FileManager.default.removeItem(atPath: folder)
        }
    }

    /// Writes a file that only its owner can read, piece by piece.
    ///
    /// - Parameter write: hands the pieces over.
    /// - Returns: the size of the file.
    package func writeBytes(_ write: (_ put: ([UInt8]) throws -> Void) async throws -> Void) async throws -> Int64 {
        try await self.write { draft in
            let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw fault(errno) }
            defer { close(descriptor) }
            try await write { bytes in
                if let reason = Descriptor.write(bytes, to: descriptor) { throw fault(reason) }
            }
            guard fsync(descriptor) == 0 else { throw fault(errno) }
        }
    }

    /// The size of what is at a path, be it a link that leads nowhere; nil where there is nothing.
    private static func size(of path: String) -> Int64? {
        try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int64
    }

    /// Fills the file with all that another database holds.
    ///
    /// - Returns: the number of rows, and the size of the file.
    package func write(all source: Database, _ progress: ProgressReporter) async throws -> (rows: Int64, bytes: Int64) {
        var rows: Int64 = 0
        let bytes = try await write { draft in
            umask(0o077)
            rows = try await Database(driver: try SQLiteDriver(path: draft))
                .closing { try await source.copyAll(to: $0, progress) }
        }
        return (rows, bytes)
    }

    private func fault(_ reason: CInt) -> any Error {
        let folder = FilePath.folder(of: path)
        switch reason {
        case EEXIST:
            return Refusal.alreadyExists("\(path) exists already, and is never written over: give another path")
        case ENOENT: return DatabaseFault("\(path) cannot be written: there is no folder \(folder): mkdir -p \(folder)")
        case EACCES, EPERM, EROFS:
            return DatabaseFault(
                "\(path) cannot be written by the user that runs homing (uid \(geteuid())): "
                    + "give it the folder \(folder), or give another one")
        default: return DatabaseFault("\(path) cannot be written: \(String(cString: strerror(reason)))")
        }
    }
}

extension Database {
    /// Brings an empty database to the present schema and copies all rows of this one into it.
    package func copyAll(to target: Database, _ progress: ProgressReporter) async throws -> Int64 {
        try await Schema.copy.refuseStrangers(in: target)
        try await Migrator(Schema.migrations).migrate(target, now: System.real.now().milliseconds)
        return try await Schema.copy.run(from: self, into: target) { step in
            progress(
                Progress(
                    step.isComparing ? "comparing" : "copying", done: step.done, of: step.total, .items,
                    detail: step.table))
        }
    }
}
