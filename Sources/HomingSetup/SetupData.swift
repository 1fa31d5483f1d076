// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCore
import HomingDatabase
import HomingOperations
import HomingProjects
import HomingStore

/// The database, as setup finds it and leaves it: through the server that owns it, else opened as the server's user.
struct SetupData: Sendable {
    private let program: any SetupProgram
    /// What the database has.
    private(set) var standing = SetupStanding()
    /// Whether a server of this machine runs on it.
    private(set) var isServed = false

    init(_ program: any SetupProgram) { self.program = program }

    /// Looks at what there is, and makes nothing.
    mutating func look(_ settings: Settings, _ user: ServiceUser?) async throws {
        if let file = settings.database.file {
            if let standing = try await ask(SetupWishes(), file) {
                (self.standing, isServed) = (standing, true)
                return
            }
            guard FileManager.default.fileExists(atPath: file.path) else { return }
        }
        standing = try await user.run {
            let database = try Homing.openDatabase(settings, creating: false, for: .maintenance)
            guard try await database.closing(after: { try await Keys.areMade(in: $0) }) else { return SetupStanding() }
            return try await Self.make(SetupWishes(), settings)
        }
        isServed = standing.nodes.contains { $0.hasPrefix("\(ProcessInfo.processInfo.hostName):") }
    }

    /// Makes the database, its keys, the project and the operator, as far as they are not there.
    mutating func make(_ wishes: SetupWishes, _ settings: Settings, _ user: ServiceUser?) async throws {
        if isServed, let file = settings.database.file, let standing = try await ask(wishes, file) {
            self.standing = standing
            return
        }
        if let user { try Self.makeFolder(settings, user) }
        standing = try await user.run {
            let database = try Homing.openDatabase(settings, creating: true, for: .maintenance)
            try await database.closing { database in
                let system = System.real
                try await Migrator(Schema.migrations).migrate(database, now: system.now().milliseconds)
                let keys = try await Keys.open(database, path: settings.keyFile, system: system, mayCreate: true)
                try await SigningKeys.open(keys.store)
            }
            return try await Self.make(wishes, settings)
        }
    }

    /// The project that was asked for, or the first.
    func project(_ id: ProjectID?) -> SetupStanding.Project? {
        id.map { id in standing.projects.first { $0.id == id } } ?? standing.projects.first
    }

    /// Runs another command while a server runs; where it opens the database itself, as the server's user.
    ///
    /// - Returns: the lines of its answer.
    func tell(_ words: [String], _ settings: Settings, _ user: ServiceUser?) async throws -> [String] {
        guard settings.database.file == nil else { return try await program.tell(words, settings) }
        return try await user.run { try await program.tell(words, settings) }
    }

    /// What only root can do, before the work as the server's user. It makes no other folder than its own default: a
    /// settings file could name one that the user must never own.
    private static func makeFolder(_ settings: Settings, _ user: ServiceUser) throws {
        guard let folder = settings.database.file?.folder, !FileManager.default.fileExists(atPath: folder),
            folder == DefaultFolders(environment: [:]).dataFolder
        else { return }
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        user.own(folder)
    }

    private func ask(_ wishes: SetupWishes, _ file: DatabaseFile) async throws -> SetupStanding? {
        try await program.make(wishes, inServerOf: file)?.checked()
    }

    private static func make(_ wishes: SetupWishes, _ settings: Settings) async throws -> SetupStanding {
        let homing = try await Homing.open(settings, creating: false)
        do {
            let standing = try await SetupStanding(making: wishes, in: homing)
            await homing.close()
            return standing
        } catch {
            await homing.close()
            throw error
        }
    }
}
