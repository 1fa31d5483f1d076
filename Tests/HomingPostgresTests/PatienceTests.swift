// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCore
import HomingDatabase
import HomingStore
import HomingTesting
import Synchronization
import Testing

/// For how long a verb waits, and how often it is run.
@Suite struct PatienceTests {
    private func withDatabase(
        _ parameters: String, for purpose: PostgresDriver.Purpose = .verbs, _ body: (Database) async throws -> Void
    ) async throws {
        try await withWorld(isOnPostgres: true) { world in
            let uri = try #require(world.postgresURL).uri
            let url = try #require(
                PostgresURL(parsing: uri + (uri.contains("?") ? "&" : "?") + parameters))
            try await Database(driver: try PostgresDriver(url, for: purpose)).closing { try await body($0) }
        }
    }

    /// PgBouncer takes no options, and hands each transaction another connection.
    @Test(
        arguments: ["prepared=on", "prepared=off"],
        [
            (purpose: PostgresDriver.Purpose.verbs, times: ["10s", "5s", "30s"]),
            (purpose: .maintenance, times: ["0", "5s", "0"]),
        ])
    func `every transaction has its time-outs at the server, and leaves none behind`(
        parameters: String, expected: (purpose: PostgresDriver.Purpose, times: [String])
    ) async throws {
        try await withDatabase(parameters + "&connections=1", for: expected.purpose) { database in
            let query: SQL = """
                SELECT current_setting('statement_timeout') || ' ' || current_setting('lock_timeout') || ' '
                    || current_setting('idle_in_transaction_session_timeout')
                """
            let times = expected.times.joined(separator: " ")
            // Whatever a connection costs once.
            _ = try await database.read { try $0.run(query) }
            let before = database.counts.trips
            let ofReading = try await database.read { try $0.run(query).firstText() }
            let ofWriting = try await database.write { try $0.run(query).firstText() }
            #expect(ofReading == times)
            #expect(ofWriting == times)
            #expect(database.counts.trips - before == 4, "each a question and an end, and none for the time-outs")
        }
    }

    @Test(arguments: ["prepared=on", "prepared=off"])
    func `a verb that waits for a row is refused while somebody else goes on holding it`(
        parameters: String
    ) async throws {
        try await withDatabase(parameters) { database in
            try await database.write { connection in
                try connection.run("CREATE TABLE held (id BIGINT)")
                try connection.run("INSERT INTO held VALUES (1)")
            }
            let isHeld = Live(false)
            let isFree = Live(false)
            async let holding: Void = database.write { connection in
                try connection.run("SELECT 1 FROM held FOR UPDATE")
                isHeld.set(true)
                let end = Date(timeIntervalSinceNow: 20)
                while !isFree.value, Date() < end { Thread.sleep(forTimeInterval: 0.01) }
                #expect(isFree.value, "the other one is refused by now")
            }
            while !isHeld.value { try await Task.sleep(for: .milliseconds(5)) }
            await #expect(throws: DatabaseUnavailable.self) {
                try await database.write { try $0.run("UPDATE held SET id = 2") }
            }
            isFree.set(true)
            try await holding
            try await database.write { try $0.run("UPDATE held SET id = 2") }
        }
    }

    @Test func `a verb that the database refuses for a conflict each time is run ten times`() async throws {
        try await withDatabase("connections=1") { database in
            let runs = Atomic(0)
            await #expect(throws: DatabaseUnavailable.self) {
                try await database.write { connection in
                    runs.add(1, ordering: .relaxed)
                    try connection.run("DO $$ BEGIN RAISE EXCEPTION 'a conflict' USING ERRCODE = '40001'; END $$")
                }
            }
            #expect(runs.load(ordering: .relaxed) == 10)
        }
    }

    @Test func `behind 4,096 verbs that wait the next ones are refused at once, and those are run`() async throws {
        try await withDatabase("connections=1") { database in
            async let long: Void = database.read { _ = try $0.run("SELECT 1 FROM pg_sleep(3)") }
            try await Task.sleep(for: .milliseconds(200))
            let refused = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<4_300 {
                    group.addTask { (try? await database.read { try $0.run("SELECT 1").count }) == nil }
                }
                var refused = 0
                for await isRefused in group where isRefused { refused += 1 }
                return refused
            }
            try await long
            #expect((204..<4_300).contains(refused))
        }
    }

    @Test func `a verb waits no longer than five seconds for its turn`() async throws {
        try await withDatabase("connections=1") { database in
            let isOver = Live(false)
            async let long: Void = database.read { connection in
                _ = try connection.run("SELECT 1 FROM pg_sleep(8)")
                isOver.set(true)
            }
            try await Task.sleep(for: .milliseconds(200))
            await #expect(throws: DatabaseUnavailable.self) { try await database.read { try $0.run("SELECT 1") } }
            #expect(!isOver.value)
            try await long
        }
    }
}
