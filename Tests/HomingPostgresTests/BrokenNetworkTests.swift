// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingProjects
import HomingStore
import HomingTesting
import Testing

/// What callers are told when the network between a node and its PostgreSQL breaks at the worst moment.
@Suite struct BrokenNetworkTests {
    private func withBrokenNetwork(_ body: (TestHoming, PostgresProxy) async throws -> Void) async throws {
        try await withWorld(isOnPostgres: true) { world in
            let proxy = try await PostgresProxy(to: PostgresServer.shared.value.folder, in: world.folder.path)
            defer { proxy.close() }
            let far = try #require(world.through(proxy))
            try await far.withHoming { homing in
                _ = try await homing.projects.create(
                    id: "shop", name: "Shop", apiKey: TestHoming.apiKey, authorizedDomains: ["shop.example"],
                    linkDomains: [], language: nil)
                try await body(homing, proxy)
            }
        }
    }

    @Test func `a mail that was committed is answered as accepted, although the answer to the commit was lost`()
        async throws
    {
        try await withBrokenNetwork { homing, proxy in
            try await homing.account(TestHoming.ann)
            proxy.set(.loseCommitAnswer)
            try await homing.mail(.passwordReset, to: TestHoming.ann)
            #expect(try await homing.number("SELECT COUNT(*) FROM outbox") == 1)
        }
    }

    @Test func `a mail whose commit was lost is refused for a moment, and nothing of it is kept`() async throws {
        try await withBrokenNetwork { homing, proxy in
            try await homing.account(TestHoming.ann)
            proxy.set(.loseCommit)
            await #expect(throws: Refusal.databaseUnavailable(.commitUnknown)) {
                try await homing.mail(.passwordReset, to: TestHoming.ann)
            }
            #expect(try await homing.number("SELECT COUNT(*) FROM outbox") == 0)
        }
    }

    @Test(arguments: [ActionCodeKind.verifyEmail, .signIn, .passwordReset])
    func `a code that was used up is answered as used by whom it was, although the answer was lost`(
        kind: ActionCodeKind
    ) async throws {
        try await withBrokenNetwork { homing, proxy in
            let code = try await homing.liveCode(kind)
            proxy.set(.loseCommitAnswer)
            try await homing.redeem(code, kind)
            #expect(try await homing.number("SELECT COUNT(*) FROM codes WHERE ended_at IS NOT NULL") >= 1)
            await #expect(throws: Refusal.self) { try await homing.redeem(code, kind) }
        }
    }

    @Test(arguments: [ActionCodeKind.verifyEmail, .signIn, .passwordReset])
    func `a code whose redemption was lost can still be used`(kind: ActionCodeKind) async throws {
        try await withBrokenNetwork { homing, proxy in
            let code = try await homing.liveCode(kind)
            proxy.set(.loseCommit)
            await #expect(throws: Refusal.databaseUnavailable(.commitUnknown)) { try await homing.redeem(code, kind) }
            try await homing.redeem(code, kind)
        }
    }

    @Test func `connections that the server has ended are made anew, and nobody notices`() async throws {
        try await withBrokenNetwork { homing, _ in
            for _ in 0..<5 {
                _ = try? await homing.rows(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()")
                try await homing.mail(.passwordReset, to: TestHoming.ann)
            }
            #expect(try await homing.number("SELECT COUNT(*) FROM outbox") == 5)
        }
    }

    @Test func `a project of another node is found as soon as the network heals`() async throws {
        try await withBrokenNetwork { homing, proxy in
            try await homing.world.withHoming { other in
                _ = try await other.projects.create(
                    id: "new", name: nil, apiKey: nil, authorizedDomains: [], linkDomains: [], language: nil)
            }
            proxy.set(.swallow)
            await #expect(throws: Refusal.self) { try await homing.projects.lookAgain() }
            #expect(homing.projects.project("new") == nil)
            proxy.set(.none)
            // Some connections are being given up at this moment. By the clock no time passes, and so no pause.
            for _ in 0..<20 where (try? await homing.projects.lookAgain()) == nil {}
            #expect(homing.projects.project("new") != nil)
        }
    }

    @Test func `a network that swallows everything ends in a refusal, and heals`() async throws {
        try await withBrokenNetwork { homing, proxy in
            try await homing.account(TestHoming.ann)
            proxy.set(.swallow)
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<6 {
                    group.addTask {
                        let refusal = await #expect(throws: Refusal.self) {
                            try await homing.mail(.passwordReset, to: TestHoming.ann)
                        }
                        let isOfDatabase = refusal?.code == .overloaded && refusal?.cause is DatabaseUnavailable
                        #expect(isOfDatabase, "\(String(describing: refusal))")
                    }
                }
                group.addTask { #expect(await homing.core.readiness() == .databaseAway) }
            }
            proxy.set(.none)
            // Some connections are being given up at this moment.
            for _ in 0..<20 where (try? await homing.mail(.passwordReset, to: TestHoming.ann)) == nil {}
            try await homing.mail(.passwordReset, to: TestHoming.ann)
            #expect(await homing.core.readiness() == .ready)
        }
    }

    @Test
    func `a backup or a migration goes on while the server works, and ends where the network swallows everything`()
        async throws
    {
        try await withBrokenNetwork { homing, proxy in
            try await homing.world.openDatabase(for: .maintenance).closing { database in
                // Silent for longer than the server is trusted without a question.
                let answer = try await database.read { try $0.run("SELECT 7 FROM pg_sleep(17)").firstInt() }
                #expect(answer == 7)
                proxy.set(.swallow)
                await #expect(throws: DatabaseUnavailable.self) {
                    _ = try await database.read { try $0.run("SELECT 1") }
                }
                proxy.set(.none)
            }
        }
    }
}
