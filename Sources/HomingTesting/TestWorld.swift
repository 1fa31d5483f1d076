// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
package import HomingCore
package import HomingDatabase
import HomingProjects
package import HomingStore

/// The parts that a test's Homing needs: a file, a key, a clock and randomness. Homing can be closed and opened again.
package struct TestWorld: Sendable {
    package let folder: TestFolder
    package private(set) var clock: TestClock
    package let randomness: SeededRandomness
    package let securityEvents = SecurityEvents()

    /// The beginning of every link, whatever port a test's server listens on.
    package static let publicURL = "https://auth.shop.example"

    /// The beginning of links to the console. Without TLS, so that cookies are as they are on a test's server.
    package static let consoleURL = "http://console.shop.example"

    package var databasePath: String { folder.file("homing.db") }
    package var keyFile: String { folder.file(keyFileName) }

    /// The bytes of a file in the folder; none when there is no such file.
    package func content(of name: String) -> [UInt8] {
        FileManager.default.contents(atPath: folder.file(name)).map(Array.init) ?? []
    }

    package var system: System {
        let clock = clock
        let randomness = randomness
        let events = securityEvents
        return System(
            now: { clock.now }, randomBytes: { randomness.bytes($0) }, report: { events.append($0) })
    }

    /// On PostgreSQL: the URL of a database of this world's own.
    package let postgresURL: PostgresURL?
    private var keyFileName = "homing.key"
    /// Where this node's console is.
    package var consoleURL = TestWorld.consoleURL

    init(folder: TestFolder, clock: TestClock, seed: UInt64, postgresURL: PostgresURL? = nil) {
        self.postgresURL = postgresURL
        self.folder = folder
        self.clock = clock
        randomness = SeededRandomness(seed: seed)
    }

    /// The same world, seen through a network that can be broken (``PostgresProxy``). Unless they are to be, statements
    /// are not prepared, so that the proxy can read them.
    package func through(_ proxy: PostgresProxy, isPreparing: Bool = false) -> TestWorld? {
        guard let postgresURL, let start = postgresURL.uri.range(of: "?host=")?.upperBound else { return nil }
        let rest = postgresURL.uri[start...].drop { $0 != "&" }
        let prepared = isPreparing ? "on" : "off"
        let url = PostgresURL(
            parsing: "\(postgresURL.uri[..<start])\(proxy.folder)\(rest)&prepared=\(prepared)&connections=2")
        return TestWorld(self, postgresURL: url)
    }

    /// The same world with one connection, whose prepared statements can then be looked at.
    package var withOneConnection: TestWorld? {
        guard let url = postgresURL.flatMap({ PostgresURL(parsing: "\($0.uri)&connections=1") }) else { return nil }
        return TestWorld(self, postgresURL: url)
    }

    /// The same world with another database on PostgreSQL.
    package func with(_ postgresURL: PostgresURL) -> TestWorld {
        TestWorld(self, postgresURL: postgresURL)
    }

    /// The same world with another copy of the key file, as another machine has one.
    package func withKeyFile(_ name: String) throws -> TestWorld {
        let other = TestWorld(self, postgresURL: postgresURL, keyFileName: name)
        try copyKeyFile(to: other)
        return other
    }

    /// The same world on a machine with a clock of its own.
    package func withClock(_ clock: TestClock) -> TestWorld {
        var other = self
        other.clock = clock
        return other
    }

    package func copyKeyFile(to other: TestWorld) throws {
        // As `cp` and `scp` do it.
        let copy = FileManager.default.createFile(
            atPath: other.keyFile, contents: Data(content(of: keyFileName)), attributes: [.posixPermissions: 0o600])
        guard copy else { throw DatabaseFault("\(other.keyFile) cannot be written") }
    }

    private init(_ world: TestWorld, postgresURL: PostgresURL?, keyFileName: String? = nil) {
        folder = world.folder
        clock = world.clock
        randomness = world.randomness
        self.postgresURL = postgresURL
        self.keyFileName = keyFileName ?? world.keyFileName
        consoleURL = world.consoleURL
    }

    /// Opens the database as `serve` does, or as a command for work on whole tables.
    package func openDatabase(for purpose: PostgresDriver.Purpose = .verbs) async throws -> Database {
        let database =
            if let postgresURL {
                Database(driver: try PostgresDriver(postgresURL, for: purpose))
            } else {
                Database(driver: try SQLiteDriver(path: databasePath))
            }
        do {
            try await Migrator(Schema.migrations).migrate(database, now: clock.now.milliseconds)
        } catch {
            await database.close()
            throw error
        }
        return database
    }

    package func open(
        limits: Limits = .none, keepsMail: Bool = false, oldSystem: any OldSystemAsker = NoOldSystemAsker(),
        securityContact: String? = nil
    ) async throws -> TestHoming {
        let database = try await openDatabase()
        do {
            var options = Homing.Options(
                publicURL: Self.publicURL, consoleURL: consoleURL, keyFile: keyFile, limits: limits,
                keepsMail: keepsMail, hashingThreads: 2)
            options.makesKeys = true
            options.oldSystemAsker = oldSystem
            options.securityContact = securityContact
            let core = try await Homing.open(database, options: options, system: system)
            return TestHoming(core, at: self)
        } catch {
            await database.close()
            throw error
        }
    }

    /// Opens Homing while the body runs.
    @discardableResult
    package func withHoming<Answer: Sendable>(
        limits: Limits = .none, keepsMail: Bool = false, oldSystem: any OldSystemAsker = NoOldSystemAsker(),
        securityContact: String? = nil, _ body: (TestHoming) async throws -> Answer
    ) async throws -> Answer {
        let homing = try await open(
            limits: limits, keepsMail: keepsMail, oldSystem: oldSystem, securityContact: securityContact)
        do {
            let answer = try await body(homing)
            await homing.close()
            return answer
        } catch {
            await homing.close()
            throw error
        }
    }
}

/// A database that was opened once and closed: its RSA key takes most of the time of a start, so each test copies it.
private struct Foundation {
    /// Their names and content.
    let files: [(String, Data)]
    /// On PostgreSQL.
    let pool: PostgresPool?

    static let sqlite = Task { try await Foundation(on: nil) }
    static let postgres = Task { try await Foundation(on: PostgresServer.shared.value) }

    private init(on server: PostgresServer?) async throws {
        let template = try server?.newDatabase()
        let world = TestWorld(
            folder: try TestFolder(), clock: TestClock(), seed: 1, postgresURL: template.flatMap { server?.url(of: $0) }
        )
        defer { world.folder.remove() }
        try await world.withHoming { _ in }
        files = try FileManager.default.contentsOfDirectory(atPath: world.folder.path)
            .filter { !$0.hasSuffix("-shm") }
            .map { ($0, try Data(contentsOf: URL(filePath: world.folder.file($0)))) }
        pool = if let server, let template { try await PostgresPool(of: template, on: server) } else { nil }
    }
}

/// Runs a test in a world with a database and a key, without a project. When the body throws, the seed is printed; with
/// `HOMING_TEST_SEED` the same random bytes come again.
///
/// - Parameter isOnPostgres: `HOMING_TEST_DATABASE=postgresql` decides, unless a test is about PostgreSQL.
@discardableResult
package func withWorld<Answer: Sendable>(
    isOnPostgres: Bool = PostgresServer.isWanted, _ body: (TestWorld) async throws -> Answer
) async throws -> Answer {
    let given = ProcessInfo.processInfo.environment["HOMING_TEST_SEED"].flatMap { UInt64($0) }
    let seed = given ?? UInt64.random(in: .min ... .max)
    return try await withFolder { folder in
        let foundation = try await (isOnPostgres ? Foundation.postgres : Foundation.sqlite).value
        let server = isOnPostgres ? try await PostgresServer.shared.value : nil
        await server?.enter()
        defer { server?.leave() }
        let name = try foundation.pool?.lend()
        for (name, content) in foundation.files {
            let isWritten = FileManager.default.createFile(
                atPath: folder.file(name), contents: content, attributes: [.posixPermissions: 0o600])
            guard isWritten else { throw DatabaseFault("\(folder.file(name)) cannot be written") }
        }
        let world = TestWorld(
            folder: folder, clock: TestClock(), seed: seed, postgresURL: name.flatMap { server?.url(of: $0) })
        do {
            let answer = try await body(world)
            if let name { await foundation.pool?.takeBack(name) }
            return answer
        } catch {
            if let name { await foundation.pool?.takeBack(name) }
            print("HOMING_TEST_SEED=\(seed)")
            throw error
        }
    }
}

/// Runs a test in a world without any file.
@discardableResult
package func withEmptyWorld<Answer: Sendable>(
    _ body: (TestWorld) async throws -> Answer
) async throws -> Answer {
    try await withFolder { folder in
        try await body(TestWorld(folder: folder, clock: TestClock(), seed: UInt64.random(in: .min ... .max)))
    }
}

/// Runs a test in a fresh Homing with one project, ``TestHoming/shop``.
///
/// - Parameters:
///   - limits: no limits, unless a test is about them.
///   - linkDomains: the link domains of the project.
///   - oldSystem: what is asked about passwords of accounts that came from elsewhere.
@discardableResult
package func withHoming<Answer: Sendable>(
    limits: Limits = .none, linkDomains: [String] = [], keepsMail: Bool = false,
    oldSystem: any OldSystemAsker = NoOldSystemAsker(),
    _ body: (TestHoming) async throws -> Answer
) async throws -> Answer {
    try await withWorld { world in
        try await world.withHoming(limits: limits, keepsMail: keepsMail, oldSystem: oldSystem) { homing in
            _ = try await homing.projects.create(
                id: "shop", name: "Shop", apiKey: TestHoming.apiKey,
                authorizedDomains: ["shop.example", "*.shop.example", "localhost"], linkDomains: linkDomains,
                language: nil)
            return try await body(homing)
        }
    }
}
