// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import Foundation
import HomingCore
import HomingDatabase
import HomingOperations

/// The database, as setup finds it and leaves it: through the server that owns it, else opened as the server's user.
struct SetupData: Sendable {
    /// What the database has.
    struct Standing: Codable, Sendable {
        struct Project: Codable, Sendable {
            var id: String
            var apiKey: String
            var authorizedDomains: [String]
        }

        var projects: [Project] = []
        var operators: [String] = []
        /// The servers that are alive, where several may be.
        var nodes: [String] = []
        /// Opens the console once.
        var link: String?

        /// What another process answered, as far as it can stand in commands that root is told to copy.
        func checked() throws(Refusal) -> Standing {
            for project in projects {
                try Projects.check(id: project.id)
                try APIKey.check(project.apiKey)
            }
            return self
        }
    }

    private(set) var standing = Standing()
    /// Whether a server of this machine runs on it.
    private(set) var isServed = false

    static let nothing = SetupData()

    private init() {}

    /// Looks at what there is, and makes nothing.
    init(_ command: SetupCommand, _ settings: Settings, _ user: ServiceUser?) async throws {
        var look = command
        (look.project, look.projectName, look.locale, look.person) = (nil, nil, nil, nil)
        (look.authorizedDomains, look.linkDomains) = ([], [])
        if let file = settings.database.file {
            if let standing = try await Self.ask(look, file) {
                (self.standing, isServed) = (standing, true)
                return
            }
            guard FileManager.default.fileExists(atPath: file.path) else { return }
        }
        standing = try await user.run { [look] in
            let database = try Homing.openDatabase(settings, creating: false, for: .maintenance)
            guard try await database.closing(after: { try await Keys.areMade(in: $0) }) else { return Standing() }
            return try await Self.run(look, settings)
        }
        isServed = standing.nodes.contains { $0.hasPrefix("\(ProcessInfo.processInfo.hostName):") }
    }

    /// Makes the database, its keys, the project and the operator, as far as they are not there.
    mutating func make(_ command: SetupCommand, _ settings: Settings, _ user: ServiceUser?) async throws {
        if isServed, let file = settings.database.file, let standing = try await Self.ask(command, file) {
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
            return try await Self.run(command, settings)
        }
    }

    /// The project that was asked for, or the first.
    func project(_ id: String?) -> Standing.Project? {
        id.map { id in standing.projects.first { $0.id == id } } ?? standing.projects.first
    }

    /// Runs another command while a server runs.
    ///
    /// - Returns: the lines of its answer.
    func tell(_ words: [String], _ settings: Settings, _ user: ServiceUser?) async throws -> [String] {
        guard let command = try HomingCommand.parseAsRoot(words) as? any DatabaseCommand else { return [] }
        guard let file = settings.database.file else {
            let answer = try await user.run {
                let homing = try await Homing.open(settings, creating: false)
                let output = CommandOutput(server: RunningServer(homing, settings))
                let answer = await Program.run(command, in: homing, output)
                await homing.close()
                return answer
            }
            return try Self.lines(of: answer)
        }
        guard let answer = try await ControlSocket.ask(database: file, request: CommandRequest(command)) else {
            throw Refusal.notFound(
                "homing \(words.joined(separator: " ")): no server is reached that could do it; try it in a minute")
        }
        return try Self.lines(of: answer)
    }

    private static func lines(of answer: CommandAnswer) throws -> [String] {
        guard answer.status == 0 else { throw SetupStop(answer: answer) }
        return answer.output.split(whereSeparator: \.isNewline).map(String.init)
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

    // MARK: The command itself

    private static func ask(_ command: SetupCommand, _ file: DatabaseFile) async throws -> Standing? {
        guard let answer = try await ControlSocket.ask(database: file, request: CommandRequest(command)) else {
            return nil
        }
        guard answer.status == 0 else { throw SetupStop(answer: answer) }
        return try JSONDecoder().decode(Standing.self, from: Data(answer.output.utf8)).checked()
    }

    private static func run(_ command: SetupCommand, _ settings: Settings) async throws -> Standing {
        let homing = try await Homing.open(settings, creating: false)
        var output = CommandOutput()
        do {
            try await command.run(in: homing, &output)
        } catch {
            await homing.close()
            throw error
        }
        await homing.close()
        return try JSONDecoder().decode(Standing.self, from: Data(output.text.utf8))
    }
}

/// A command that another process has refused, with its answer.
struct SetupStop: Error, CustomStringConvertible {
    let answer: CommandAnswer

    var description: String { answer.errors }
}
