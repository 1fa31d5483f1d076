// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCore
import HomingDatabase
import HomingProjects
import HomingStore
import HomingTesting
import Synchronization
import Testing

/// A step of the schema that makes an index on a table with rows, while people write into it.
@Suite(.tags(.races)) struct IndexesBesideTests {
    private static let people = Migration(
        version: 1, name: "expand: people", statements: ["CREATE TABLE people (id BIGINT PRIMARY KEY, name TEXT)"])
    private static let names = Migration(
        version: 2, name: "expand: names", statements: ["CREATE UNIQUE INDEX people_names ON people (name)"])

    /// Two programs on one database with a table of a thousand rows.
    private func withPeople(_ body: (Database, Database, PostgresURL) async throws -> Void) async throws {
        let server = try await PostgresServer.shared.value
        let name = try server.newDatabase()
        defer { server.drop(name) }
        let url = try #require(server.url(of: name))
        try await Database(driver: try PostgresDriver(url, for: .maintenance)).closing { migrating in
            try await Migrator([Self.people]).migrate(migrating, now: 1)
            try await migrating.write {
                try $0.run("INSERT INTO people SELECT i, 'name' || i FROM generate_series(1, 1000) i")
            }
            try await Database(driver: try PostgresDriver(url)).closing { try await body(migrating, $0, url) }
        }
    }

    private func number(_ statement: SQL, _ database: Database) async throws -> Int64? {
        try await database.read { try $0.run(statement).firstInt() }
    }

    private static let valid: SQL =
        "SELECT CASE WHEN indisvalid THEN 1 ELSE 0 END FROM pg_index WHERE indexrelid = 'people_names'::regclass"

    private final class Heard: Sendable {
        let progress = Mutex<[MigrationProgress]>([])
    }

    @Test func `nobody who writes waits for an index, and whoever watches hears what it waits for`() async throws {
        try await withPeople { migrating, serving, _ in
            let isReleased = Live(false)
            let heard = Heard()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    // Somebody's long transaction, which the index has to wait for.
                    try await serving.write { connection in
                        try connection.run("UPDATE people SET name = 'long' WHERE id = 1")
                        while !isReleased.value { Thread.sleep(forTimeInterval: 0.02) }
                    }
                }
                while try await number("SELECT COUNT(*) FROM pg_locks WHERE relation = 'people'::regclass", serving)
                    == 0
                {
                    try await Task.sleep(for: .milliseconds(20))
                }
                group.addTask {
                    let applied = try await Migrator([Self.people, Self.names]).migrate(migrating, now: 2) { progress in
                        heard.progress.withLock { $0.append(progress) }
                    }
                    #expect(applied == [2])
                }
                while !heard.progress.withLock({ $0.contains { $0.detail?.contains("waiting for") == true } }) {
                    try await Task.sleep(for: .milliseconds(20))
                }
                for id in 1001...1010 {
                    try await serving.write { try $0.run("INSERT INTO people VALUES (\(id), \("name\(id)"))") }
                }
                isReleased.set(true)
                try await group.waitForAll()
            }
            #expect(try await number(Self.valid, serving) == 1)
            #expect(heard.progress.withLock { $0.contains { $0.task.contains("people_names") } })
            #expect(try await number("SELECT COUNT(*) FROM schema_versions WHERE version < 0", serving) == 0)
        }
    }

    @Test func `an index that a killed run has left half made is made again`() async throws {
        try await withPeople { migrating, serving, _ in
            let migrator = Migrator([Self.people, Self.names])
            try await migrator.migrate(migrating, now: 2)
            try await migrating.write { connection in
                try connection.run("UPDATE schema_versions SET version = -2 WHERE version = 2")
                try connection.run("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'people_names'::regclass")
            }
            await #expect(throws: DatabaseFault.self, "a step that has begun is not done") {
                try await migrator.check(serving)
            }
            // The program of before goes on beside it.
            try await Migrator([Self.people]).check(serving)
            #expect(try await migrator.migrate(migrating, now: 3) == [2])
            #expect(try await number(Self.valid, serving) == 1)
            try await migrator.check(serving)
        }
    }

    @Test func `an index that the server still makes for a killed run is taken over`() async throws {
        try await withPeople { migrating, serving, url in
            let killed = Database(driver: try PostgresDriver(url, for: .maintenance))
            let isReleased = Live(false)
            func waiting() async throws -> Int64? {
                try await number(
                    "SELECT COUNT(*) FROM pg_locks WHERE relation = 'people'::regclass AND NOT granted", serving)
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    // As VACUUM does, for which an index waits before the server tells of it.
                    try await serving.write { connection in
                        try connection.run("LOCK TABLE people IN SHARE UPDATE EXCLUSIVE MODE")
                        while !isReleased.value { Thread.sleep(forTimeInterval: 0.02) }
                    }
                }
                while try await number("SELECT COUNT(*) FROM pg_locks WHERE relation = 'people'::regclass", serving)
                    == 0
                {
                    try await Task.sleep(for: .milliseconds(20))
                }
                group.addTask {
                    // The two may end in a deadlock, in which either is the one that the server gives up.
                    do {
                        try await killed.runAlone("CREATE UNIQUE INDEX CONCURRENTLY people_names ON people (name)")
                    } catch let fault as PostgresFault where fault.state == "40P01" {
                    }
                }
                while try await waiting() != 1 { try await Task.sleep(for: .milliseconds(20)) }
                group.addTask {
                    let applied = try await Migrator([Self.people, Self.names]).migrate(migrating, now: 2)
                    #expect(applied == [2])
                }
                while try await waiting() != 2 { try await Task.sleep(for: .milliseconds(20)) }
                isReleased.set(true)
                try await group.waitForAll()
            }
            await killed.close()
            #expect(try await number(Self.valid, serving) == 1)
        }
    }

    @Test func `an index that cannot be made leaves nothing behind, and can be tried again`() async throws {
        try await withPeople { migrating, serving, _ in
            try await serving.write { try $0.run("INSERT INTO people VALUES (2000, 'name7')") }
            let migrator = Migrator([Self.people, Self.names])
            await #expect(throws: UniqueViolation.self) { try await migrator.migrate(migrating, now: 2) }
            #expect(try await number("SELECT COUNT(*) FROM pg_class WHERE relname = 'people_names'", serving) == 0)
            try await serving.write { try $0.run("DELETE FROM people WHERE id = 2000") }
            #expect(try await migrator.migrate(migrating, now: 3) == [2])
        }
    }

    @Test func `a schema that grew with its rows is the one that a new database gets`() async throws {
        try await withWorld(isOnPostgres: true) { world in
            let indexes: SQL = "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY indexname"
            func all(_ homing: TestHoming) async throws -> [String] {
                try await homing.rows(indexes).map {
                    var row = $0
                    return try row.text()
                }
            }
            try await world.withHoming { homing in
                let fresh = try await all(homing)
                _ = try await homing.projects.create(
                    id: "shop", name: nil, apiKey: nil, authorizedDomains: [], linkDomains: [], language: nil)
                try await homing.account(TestHoming.ann)
                for name in ["accounts_schemes", "accounts_anonymous"] {
                    try await homing.rows("DROP INDEX \(sql: SQL(stringLiteral: name))")
                }
                try await homing.rows("DELETE FROM schema_versions WHERE version IN (19, 20)")
                #expect(try await Migrator(Schema.migrations).migrate(homing.database, now: 1) == [19, 20])
                #expect(try await all(homing) == fresh)
            }
        }
    }
}
