// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
package import HomingCore
package import HomingDatabase
internal import HomingMail
import HomingServer
import HomingStore

extension Homing {
    /// Opens the database of the settings, with all parts that work on it, for a command or for the server.
    ///
    /// A file is brought to the present schema, as this process owns the file. A database that several nodes share must
    /// have the schema already (`homing migrate`).
    ///
    /// - Throws: ``DatabaseFault`` that names the path when there is no database and none is to be made.
    package static func open(
        _ settings: Settings, creating: Bool, for purpose: PostgresDriver.Purpose = .verbs, publicURL: String? = nil,
        consoleURL: String? = nil
    ) async throws -> Homing {
        let database = try openDatabase(settings, creating: creating, for: purpose)
        do {
            let system = System.real
            let migrator = Migrator(Schema.migrations)
            switch settings.database {
            case .sqlite: try await migrator.migrate(database, now: system.now().milliseconds)
            case .postgres: try await migrator.check(database)
            }
            return try await Homing.open(
                database, options: options(settings, publicURL: publicURL, consoleURL: consoleURL), system: system)
        } catch {
            await database.close()
            throw error
        }
    }

    package static func options(
        _ settings: Settings, publicURL: String? = nil, consoleURL: String? = nil
    ) -> Homing.Options {
        var options = Homing.Options(
            publicURL: publicURL ?? settings.publicURL(boundTo: settings.listen.port).description,
            consoleURL: consoleURL ?? settings.consoleURL(boundTo: settings.adminListen.port).description,
            keyFile: settings.keyFile, limits: settings.limits, keepsMail: settings.relay == .mailbox,
            hashingThreads: settings.limits.passwordHashes)
        options.sendsMail = settings.relay != .noMail
        options.serverMail = settings.serverMail
        options.securityContact = settings.securityContact
        options.oldSystemAsker = OldSystemCall()
        options.requiresSecondFactor = settings.requiresSecondFactor
        return options
    }

    /// A fresh link that opens the console once; without a server it leads to where one would listen.
    package func newConsoleLink(for address: String) async throws -> String {
        (consoleURL ?? "") + HomingServer.signInPath(try await operators.newLink(for: address, by: .command))
    }

    /// Opens the database alone, with its present schema.
    package static func openDatabase(
        _ settings: Settings, creating: Bool, for purpose: PostgresDriver.Purpose = .verbs
    ) throws -> Database {
        let file: DatabaseFile
        switch settings.database {
        case .postgres(let url): return Database(driver: try PostgresDriver(url, for: purpose))
        case .sqlite(let named): file = named
        }
        if !FileManager.default.fileExists(atPath: file.path) {
            guard creating else {
                throw DatabaseFault(
                    "there is no database at \(file.path): start with homing project create, or set HOMING_DATABASE_URL"
                )
            }
            let folder = (file.path as NSString).deletingLastPathComponent
            if !folder.isEmpty {
                try FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            }
        }
        // Nobody else may read the database or the log beside it.
        umask(0o077)
        return Database(driver: try SQLiteDriver(path: file.path))
    }
}
