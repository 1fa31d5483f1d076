// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import Foundation
import HomingCore
import HomingDatabase
import HomingOperations
import HomingStore
import HomingWire

/// `homing restore`: replaces the database by a backup, and makes sure that nothing that was used up since the backup
/// lives again.
struct RestoreCommand: SettingsCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Put a backup in place, on a stopped server.",
        discussion: """
            Every code and refresh token of before is void afterwards, admin keys and service accounts are revoked and operators of the console \
            removed, because the backup may hold them as unused or from before they were removed. The database that was there is kept beside it. A PostgreSQL must be empty: nothing of \
            another backup is written over.

            EXAMPLE
              homing restore /var/backups/homing-2026-11-01.db
            """)

    @Argument(help: "A file that `homing backup` wrote.", completion: .file()) var path: String
    @OptionGroup var format: OutputOptions

    func run(with settings: Settings) async throws -> CommandAnswer {
        try await ProgressLine.during { progress in try await restore(settings, progress) }
    }

    private func restore(_ settings: Settings, _ progress: ProgressReporter) async throws -> CommandAnswer {
        let files = FileManager.default
        guard files.fileExists(atPath: path) else {
            throw DatabaseFault("there is no file \(path): give the path of one that homing backup wrote")
        }
        guard files.isReadableFile(atPath: path) else {
            throw DatabaseFault("\(path) cannot be read by this user (uid \(geteuid())): chown or chmod it")
        }
        umask(0o077)
        switch settings.database {
        case .sqlite(let file): return try await restore(into: file, settings, progress)
        case .postgres(let url): return try await restore(into: url, settings, progress)
        }
    }

    /// The rows get there when everything in them is void that must not live again, and all at once.
    private func restore(
        into url: PostgresURL, _ settings: Settings, _ progress: ProgressReporter
    ) async throws -> CommandAnswer {
        try await Database(driver: try PostgresDriver(url, for: .maintenance)).closing { target in
            try await Schema.copy.refuseStrangers(in: target)
            try await Migrator(Schema.migrations).migrate(target, now: System.real.now().milliseconds)
            // Before the key file gets a new version for this.
            try await target.read { try Schema.copy.refuseRows(in: $0) }
            let folder = "\(FileManager.default.temporaryDirectory.path)/homing-restore-\(UUID().uuidString)"
            try Self.file("the folder \(folder) cannot be made") {
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            }
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let draft = folder + "/draft.db"
            try Self.file("\(path) cannot be copied into \(folder)") { try copy(to: draft, progress) }
            progress(Progress("ending what was alive in it", done: 0, of: nil, .items))
            let report = try await prepare(draft, settings)
            _ = try await Database(driver: try SQLiteDriver(path: draft))
                .closing { try await $0.copyAll(to: target, progress) }
            return answer(report, target: SecretMask.password(inURL: url.uri), kept: nil)
        }
    }

    private func restore(
        into file: DatabaseFile, _ settings: Settings, _ progress: ProgressReporter
    ) async throws -> CommandAnswer {
        let files = FileManager.default
        // The target of a symbolic link is replaced, not the link.
        let target = FilePath.resolved(file.path)
        let draft = target + ".restoring"
        for leftover in Self.parts(of: draft) { try? files.removeItem(atPath: leftover) }
        let folder = FilePath.folder(of: target)
        try Self.file("the folder \(folder) cannot be made") {
            try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        // Holding the file proves that no server runs; the file is released only to be moved away.
        var current = files.fileExists(atPath: target) ? Database(driver: try SQLiteDriver(path: target)) : nil
        do {
            try Self.file("\(path) cannot be copied into \(folder)") {
                try copy(to: draft, progress)
            }
            progress(Progress("ending what was alive in it", done: 0, of: nil, .items))
            let report = try await prepare(draft, settings)
            await current?.close()
            current = nil
            let kept = try Self.swap(draft, into: target)
            return answer(report, target: target, kept: kept)
        } catch {
            await current?.close()
            for leftover in Self.parts(of: draft) { try? files.removeItem(atPath: leftover) }
            throw error
        }
    }

    /// A backup that has travelled may be readable by all; the copy, and the log to which SQLite gives the same mode,
    /// are the owner's alone.
    private func copy(to draft: String, _ progress: ProgressReporter) throws {
        let source = open(path, O_RDONLY | O_CLOEXEC)
        guard source >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        defer { close(source) }
        let copy = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard copy >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        defer { close(copy) }
        let total = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int64
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        var done: Int64 = 0
        while true {
            let count = read(source, &bytes, bytes.count)
            guard count >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
            guard count > 0 else { return }
            if let reason = Descriptor.write(Array(bytes[..<count]), to: copy) {
                throw POSIXError(POSIXErrorCode(rawValue: reason) ?? .EIO)
            }
            done += Int64(count)
            progress(Progress("copying", done: done, of: total, .bytes))
        }
    }

    private struct Report {
        let accounts: Int
        let newest: Moment?
        let revoked: Int
        /// Service accounts, whose keys make custom tokens.
        let signers: Int
        let operators: [Operator]
        let version: UInt8
    }

    /// Opens the copy, voids everything that must not live again, and reports its age.
    private func prepare(_ draft: String, _ settings: Settings) async throws -> Report {
        let database: Database
        do {
            database = Database(driver: try SQLiteDriver(path: draft))
        } catch {
            throw DatabaseFault("\(path) is no backup of homing (\(error)): give a file that homing backup wrote")
        }
        return try await database.closing { try await void($0, settings) }
    }

    private func void(_ database: Database, _ settings: Settings) async throws -> Report {
        let system = System.real
        let isOurs = try await database.read { connection in
            try !connection.run(database.dialect.lookup(ofTable: "key_state")).isEmpty
        }
        guard isOurs else {
            throw DatabaseFault("\(path) is no backup of homing: give a file that homing backup wrote")
        }
        try await Migrator(Schema.migrations).migrate(database, now: system.now().milliseconds)
        let keys = try await Keys.open(database, path: settings.keyFile, system: system)
        let version = try await keys.add(by: .command)
        try await keys.use(version, by: .command)
        try await keys.raiseFloor(to: version, by: .command)
        let adminKeys = AdminKeys(store: keys.store)
        let inForce = try await adminKeys.list().filter { $0.revokedAt == nil }
        for key in inForce { try await adminKeys.revoke(key.id, by: .command) }
        try await AdminSessions(store: keys.store).endAll()
        let operators = try await Operators.removeAll(keys.store)
        try await AuditLog(store: keys.store).note(
            "restore", of: path, after: "key version \(version) and up", by: .command)
        // Sessions that have ended since the backup would live again for the hour of their ID tokens.
        let now = system.now()
        let signers = try await database.write { connection in
            try connection.run("UPDATE sessions SET ended_at = \(now) WHERE ended_at IS NULL")
            // One that was revoked since the backup would sign in whomever it likes.
            return try connection.run(
                "UPDATE service_accounts SET revoked_at = \(now) WHERE revoked_at IS NULL RETURNING id"
            ).count
        }
        let (accounts, newest) = try await database.read { connection in
            var row = try connection.run(
                """
                SELECT COUNT(*), (SELECT MAX(created_at) FROM outbox), MAX(last_refresh_at) FROM accounts
                """
            )[0]
            let accounts = Int(try row.int())
            let times = [try row.optionalInt(), try row.optionalInt()].compactMap(\.self)
            return (accounts, times.max().map { Moment(milliseconds: $0) })
        }
        return Report(
            accounts: accounts, newest: newest, revoked: inForce.count, signers: signers,
            operators: operators, version: version)
    }

    private static func parts(of path: String) -> [String] {
        ["", "-wal", "-shm"].map { path + $0 }
    }

    /// Names the operation, the reason of its failure, and a possible remedy.
    private static func file(_ what: String, _ body: () throws -> Void) throws(DatabaseFault) {
        do {
            try body()
        } catch {
            let error = error as NSError
            let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError
            let reason = (cause?.domain == NSPOSIXErrorDomain ? cause : nil)?.localizedDescription
            throw DatabaseFault(
                "\(what): \(reason ?? error.localizedDescription); nothing was replaced. "
                    + "Look at the space and the rights there (uid \(geteuid()))")
        }
    }

    private static func swap(_ draft: String, into target: String) throws -> String? {
        let files = FileManager.default
        let journal = try? files.attributesOfItem(atPath: draft + "-wal")[.size] as? Int64
        guard (journal ?? 0) == 0 else {
            throw DatabaseFault("\(draft) could not be closed whole: nothing was replaced, try again")
        }
        var kept: String?
        if files.fileExists(atPath: target) {
            let stem = target + ".before-restore-\(Int(Date().timeIntervalSince1970))"
            let name = ([stem] + (2...99).map { "\(stem)-\($0)" }).first { !files.fileExists(atPath: $0) } ?? stem
            try file("\(target) cannot be moved to \(name)") {
                let suffixes = ["", "-wal", "-shm"].filter { files.fileExists(atPath: target + $0) }
                do {
                    for suffix in suffixes { try files.moveItem(atPath: target + suffix, toPath: name + suffix) }
                } catch {
                    for suffix in suffixes { try? files.moveItem(atPath: name + suffix, toPath: target + suffix) }
                    throw error
                }
            }
            kept = name
        }
        do {
            try files.moveItem(atPath: draft, toPath: target)
        } catch {
            if let kept { try files.moveItem(atPath: kept, toPath: target) }
            throw error
        }
        for leftover in parts(of: draft) { try? files.removeItem(atPath: leftover) }
        return kept
    }

    private func answer(_ report: Report, target: String, kept: String?) -> CommandAnswer {
        var output = CommandOutput()
        let age = report.newest.map { MailCommand.time($0) } ?? "unknown"
        var lines = [
            "\(target) is now the backup \(path), with \(Printable.count(report.accounts, "account")); its newest entry is of \(age)",
            "passwords, addresses and settings are those of then: what was changed since is undone",
            "codes and refresh tokens of before are void (key version \(report.version) and up only); "
                + "revoked: \(Printable.count(report.revoked, "admin key")): homing admin-key create",
        ]
        if report.signers > 0 {
            lines.append(
                "revoked: \(Printable.count(report.signers, "service account")), so that no custom token signs in: homing "
                    + "service-account create"
            )
        }
        lines += report.operators.map { person in
            let projects = (person.projects ?? []).map { " --project \($0)" }.joined()
            return "\(person.address) is no operator any more: homing operator add \(person.address) --role "
                + person.role.rawValue + projects
        }
        if let kept { lines.append("the database that was there is kept as \(kept)") }
        output.answer(
            format,
            json: [
                "database": .string(target), "accounts": .int(Int64(report.accounts)), "newest": .string(age),
                "floor": .int(Int64(report.version)), "revokedAdminKeys": .int(Int64(report.revoked)),
                "revokedServiceAccounts": .int(Int64(report.signers)),
                "removedOperators": .array(report.operators.map { .string($0.address) }),
                "kept": kept.map { .string($0) } ?? .null,
            ], lines: lines)
        return output.answer()
    }
}
