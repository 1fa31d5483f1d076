// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingStore
import HomingTesting
import Testing

/// What becomes of a long statement of a migration or a copy whose connection has been silent for longer than a server
/// is trusted without a question.
@Suite struct SilentServerTests {
    @Test
    func `a statement ends where the server has ended its process and the network says nothing of that`() async throws {
        try await withWorld(isOnPostgres: true) { world in
            let proxy = try await PostgresProxy(to: PostgresServer.shared.value.folder, in: world.folder.path)
            defer { proxy.close() }
            let far = try #require(world.through(proxy, isPreparing: true))
            let isRescued = Live(false)
            try await world.openDatabase().closing { near in
                try await far.openDatabase(for: .maintenance).closing { database in
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        group.addTask {
                            await #expect(throws: DatabaseUnavailable.self) {
                                _ = try await database.read { try $0.run("SELECT 1 FROM pg_sleep(3600)") }
                            }
                        }
                        // Whatever fails from here on, the statement ends.
                        let rescue = Task {
                            try await Task.sleep(for: .seconds(120))
                            isRescued.set(true)
                            proxy.endAll()
                        }
                        try await underWay(near, "SELECT 1 FROM pg_stat_activity WHERE \(sql: Self.sleeping)")
                        proxy.forget()
                        try await near.write {
                            try $0.run(
                                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE \(sql: Self.sleeping)")
                        }
                        try await group.waitForAll()
                        rescue.cancel()
                    }
                }
            }
            #expect(!isRescued.value)
        }
    }

    @Test func `a statement goes on where the server has no connection left for the question`() async throws {
        try await withWorld(isOnPostgres: true) { world in
            let url = try #require(world.postgresURL)
            try await world.openDatabase().closing { near in
                try await near.write { try $0.run("CREATE ROLE limited LOGIN CONNECTION LIMIT 1") }
                let uri = url.uri.replacing("user=homing", with: "user=limited")
                let limited = try #require(PostgresURL(parsing: uri))
                try await Database(driver: try PostgresDriver(limited, for: .maintenance)).closing { database in
                    #expect(throws: DatabaseFault.self) { try PostgresDriver(limited) }
                    // Silent until after the second question, with which the first refusal would be a reason to give
                    // up.
                    let answer = try await database.read { try $0.run("SELECT 7 FROM pg_sleep(24)").firstInt() }
                    #expect(answer == 7)
                }
            }
        }
    }

    private static let sleeping: SQL = """
        datname = current_database() AND pid <> pg_backend_pid() AND state = 'active' AND query LIKE '%pg_sleep(3600)%'
        """

    private func underWay(_ database: Database, _ question: SQL) async throws {
        for _ in 0..<1500 {
            guard try await database.read({ try $0.run(question) }).isEmpty else { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        Issue.record("the statement never began")
    }
}
