// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingLinkRules
import HomingProjects
import HomingStore
import HomingTesting
import Testing

/// What one test leaves in its database for the next one, which is nothing.
@Suite struct PoolTests {
    private func withPool(
        _ body: (PostgresPool, (String) throws -> TestWorld) async throws -> Void
    ) async throws {
        try await withWorld(isOnPostgres: true) { world in
            let server = try await PostgresServer.shared.value
            let template = try server.newDatabase()
            defer { server.drop(template) }
            func at(_ name: String) throws -> TestWorld { world.with(try #require(server.url(of: name))) }
            try await at(template).openDatabase().close()
            try await body(PostgresPool(of: template, on: server), at)
        }
    }

    /// Every row of every table, and where every sequence is.
    private func content(_ world: TestWorld) async throws -> [String] {
        try await world.openDatabase().closing { database in
            try await database.read { connection in
                let tables = try texts(
                    connection.run(
                        "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"))
                let rows = try tables.flatMap { table in
                    try texts(connection.run("SELECT \(table) || t::text FROM \(sql: SQL(stringLiteral: table)) t"))
                }
                let sequences = try texts(
                    connection.run("SELECT sequencename || coalesce(last_value, 0) FROM pg_sequences"))
                return (rows + sequences).sorted()
            }
        }
    }

    private func texts(_ rows: [Row]) throws -> [String] {
        try rows.map { row in
            var row = row
            return try row.text()
        }
    }

    @Test func `a database that is given back is lent again as it was at first`() async throws {
        try await withPool { pool, at in
            let name = try pool.lend()
            let before = try await content(at(name))
            try await at(name).withHoming { homing in
                _ = try await homing.projects.create(
                    id: "shop", name: "Shop", apiKey: TestHoming.apiKey, authorizedDomains: ["shop.example"],
                    linkDomains: ["links.shop.example"], language: nil)
                try await homing.account(TestHoming.ann)
                try await homing.mail(.passwordReset, to: TestHoming.ann)
                try await homing.deliver()
            }
            #expect(try await content(at(name)) != before)
            #expect(await pool.takeBack(name))
            #expect(try pool.lend() == name)
            #expect(try await content(at(name)) == before)
            await pool.takeBack(name)
        }
    }

    @Test func `a connection that a test has left open ends, and what it holds is free`() async throws {
        try await withPool { pool, at in
            let name = try pool.lend()
            let left = try await at(name).openDatabase()
            #expect(await pool.takeBack(name))
            await left.close()
        }
    }

    @Test(
        arguments: [
            "CREATE TABLE more (id BIGINT)", "ALTER TABLE accounts ADD COLUMN more BIGINT",
            "DROP INDEX accounts_anonymous",
            "CREATE FUNCTION more() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
            "DO 'BEGIN EXECUTE format(''ALTER DATABASE %I SET lock_timeout = 7'', current_database()); END'",
        ] as [SQL])
    func `a database that has become another one is lent to nobody`(change: SQL) async throws {
        try await withPool { pool, at in
            let name = try pool.lend()
            try await at(name).openDatabase().closing { database in
                _ = try await database.write { try $0.run(change) }
            }
            #expect(await pool.takeBack(name) == false)
            #expect(try pool.lend() != name)
        }
    }
}
