// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingStore
import HomingTesting
import Testing

/// Several who make one new database at the same time, as `homing migrate` on each machine of a new cluster does.
@Suite struct NewDatabaseTests {
    /// What `homing migrate` does.
    private func migrate(_ url: PostgresURL, keyFile: String) async throws -> String? {
        try await Database(driver: try PostgresDriver(url, for: .maintenance)).closing { database in
            try await Migrator(Schema.migrations).migrate(database, now: 1)
            let keys = try await Keys.open(database, path: keyFile, system: .real, mayCreate: true)
            try await SigningKeys.open(keys.store)
            return keys.ring.checkValue(version: 1)
        }
    }

    private func withEmptyDatabase(_ body: (TestWorld, PostgresURL) async throws -> Void) async throws {
        try await withEmptyWorld { world in
            let server = try await PostgresServer.shared.value
            let name = try server.newDatabase()
            defer { server.drop(name) }
            try await body(world, try #require(server.url(of: name)))
        }
    }

    private func count(_ table: SQL, _ url: PostgresURL) async throws -> Int64? {
        try await Database(driver: try PostgresDriver(url)).closing { database in
            try await database.read { try $0.run("SELECT COUNT(*) FROM \(sql: table)").firstInt() }
        }
    }

    @Test func `many with one key file make one key, one of each signing key, and all of them can go on`() async throws
    {
        try await withEmptyDatabase { world, url in
            let checks = try await withThrowingTaskGroup(of: String?.self) { group in
                for _ in 0..<4 { group.addTask { try await migrate(url, keyFile: world.keyFile) } }
                var checks: Set<String?> = []
                for try await check in group { checks.insert(check) }
                return checks
            }
            #expect(checks.count == 1 && !checks.contains(nil))
            #expect(try await count("signing_keys", url) == 3)
            // Nobody has put another file in its place since.
            #expect(checks == [try await migrate(url, keyFile: world.keyFile)])
        }
    }

    @Test func `who comes second with no file makes none, and is told where the file is`() async throws {
        try await withEmptyDatabase { world, url in
            _ = try await migrate(url, keyFile: world.keyFile)
            let other = world.folder.file("other.key")
            let fault = await #expect(throws: MasterKeyFault.self) { _ = try await migrate(url, keyFile: other) }
            guard case .missing(other, let first?) = fault else { Issue.record("\(String(describing: fault))"); return }
            #expect(first.hasSuffix(":\(world.keyFile)"))
            #expect(fault?.description.contains("copy it from") == true)
            #expect(world.content(of: "other.key").isEmpty)
        }
    }

    @Test func `who comes second with a file of its own keeps it as it is, and is told where the other one is`()
        async throws
    {
        try await withEmptyDatabase { world, url in
            _ = try await migrate(url, keyFile: world.keyFile)
            let other = world.folder.file("other.key")
            try MasterKeyFile(firstSecret: Array(repeating: 7, count: 32)).write(to: other)
            let before = world.content(of: "other.key")
            let fault = await #expect(throws: MasterKeyFault.self) { _ = try await migrate(url, keyFile: other) }
            guard case .foreign(other, _?) = fault else { Issue.record("\(String(describing: fault))"); return }
            #expect(world.content(of: "other.key") == before)
        }
    }

    @Test func `a key file that is there already is the new database's`() async throws {
        try await withEmptyDatabase { world, url in
            try MasterKeyFile(firstSecret: Array(repeating: 7, count: 32)).write(to: world.keyFile)
            let before = world.content(of: "homing.key")
            _ = try await migrate(url, keyFile: world.keyFile)
            #expect(world.content(of: "homing.key") == before)
        }
    }
}
