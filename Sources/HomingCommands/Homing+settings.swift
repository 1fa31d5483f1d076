// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCore
import HomingDatabase

extension Homing {
    /// Opens the database of the settings, with all parts that work on it, for a command or for the server.
    ///
    /// - Throws: ``DatabaseFault`` that names the path when there is no database and none is to be made.
    static func open(_ settings: Settings, creating: Bool, publicURL: String? = nil) async throws -> Homing {
        let database = try openDatabase(settings, creating: creating)
        do {
            let system = System.real
            try await Migrator(Schema.migrations).migrate(database, now: system.now().milliseconds)
            let options = Homing.Options(
                publicURL: publicURL ?? settings.publicURL(boundTo: settings.listen.port).description,
                keyFile: settings.keyFile, limits: settings.limits, keepsMail: settings.relay == .mailbox,
                hashingThreads: settings.limits.passwordHashes)
            return try await Homing.open(database, options: options, system: system)
        } catch {
            await database.close()
            throw error
        }
    }

    /// Opens the database alone, with its present schema.
    static func openDatabase(_ settings: Settings, creating: Bool) throws -> Database {
        guard case .sqlite(let path) = settings.database else {
            throw DatabaseFault("this build keeps its data in SQLite: HOMING_DATABASE_URL=sqlite:PATH")
        }
        if !FileManager.default.fileExists(atPath: path) {
            guard creating else {
                throw DatabaseFault(
                    "there is no database at \(path): start with homing project create, or set HOMING_DATABASE_URL")
            }
            let folder = (path as NSString).deletingLastPathComponent
            if !folder.isEmpty {
                try FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            }
        }
        // Nobody else may read the database or the log beside it.
        umask(0o077)
        return Database(driver: try SQLiteDriver(path: path))
    }
}
