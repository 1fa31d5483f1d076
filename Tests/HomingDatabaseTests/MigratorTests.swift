// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
import HomingTesting
import Testing

@Suite struct MigratorTests {
    private static let first = Migration(version: 1, name: "first", statements: ["CREATE TABLE a (id INTEGER)"])
    private static let second = Migration(
        version: 2, name: "second", statements: ["CREATE TABLE b (id INTEGER)", "INSERT INTO b (id) VALUES (1)"])

    private func withDatabase(_ body: (Database) async throws -> Void) async throws {
        try await withFolder { folder in
            let database = Database(driver: try SQLiteDriver(path: folder.file("schema.db")))
            do {
                try await body(database)
            } catch {
                await database.close()
                throw error
            }
            await database.close()
        }
    }

    @Test func `each step is applied once, the missing ones in order`() async throws {
        try await withDatabase { database in
            #expect(try await Migrator([Self.first]).migrate(database, now: 7) == [1])
            #expect(try await Migrator([Self.first, Self.second]).migrate(database, now: 8) == [2])
            #expect(try await Migrator([Self.first, Self.second]).migrate(database, now: 9) == [])
            let record = try await database.read { connection in
                try connection.run("SELECT version, applied_at FROM schema_versions ORDER BY version").map(\.values)
            }
            #expect(record == [[.int(1), .int(7)], [.int(2), .int(8)]])
            #expect(try await database.read { try $0.run("SELECT id FROM b").count } == 1)
        }
    }

    @Test func `a database with a newer schema is refused with both versions named`() async throws {
        try await withDatabase { database in
            try await Migrator([Self.first, Self.second]).migrate(database, now: 0)
            let fault = await #expect(throws: DatabaseFault.self) {
                try await Migrator([Self.first]).migrate(database, now: 0)
            }
            #expect(fault?.description.contains("version 2") == true)
            #expect(fault?.description.contains("up to 1") == true)
            #expect(fault?.description.contains("\n") == false)
        }
    }

    @Test func `a step that was edited after it had run is refused`() async throws {
        try await withDatabase { database in
            try await Migrator([Self.first]).migrate(database, now: 0)
            let edited = Migration(version: 1, name: "first", statements: ["CREATE TABLE a (id BIGINT)"])
            await #expect(throws: DatabaseFault.self) { try await Migrator([edited]).migrate(database, now: 0) }
            await #expect(throws: DatabaseFault.self) {
                try await Migrator([edited, Self.second]).migrate(database, now: 0)
            }
            let tables = try await database.read { try $0.run("SELECT name FROM sqlite_master WHERE name = 'b'") }
            #expect(tables.isEmpty)
        }
    }

    @Test func `the same words cut into other statements are another step`() async throws {
        try await withDatabase { database in
            let whole = Migration(version: 1, name: "x", statements: ["SELECT 1", "SELECT 2"])
            let cut = Migration(version: 1, name: "x", statements: ["SELECT 1SELECT 2"])
            try await Migrator([whole]).migrate(database, now: 0)
            await #expect(throws: DatabaseFault.self) { try await Migrator([cut]).migrate(database, now: 0) }
        }
    }

    @Test func `a step that fails leaves nothing of itself and is tried again`() async throws {
        try await withDatabase { database in
            let broken = Migration(
                version: 2, name: "broken",
                statements: ["CREATE TABLE b (id INTEGER)", "INSERT INTO nowhere VALUES (1)"])
            await #expect(throws: (any Error).self) {
                try await Migrator([Self.first, broken]).migrate(database, now: 0)
            }
            let applied = try await Migrator([Self.first, Self.second]).migrate(database, now: 0)
            #expect(applied == [2])
        }
    }
}
