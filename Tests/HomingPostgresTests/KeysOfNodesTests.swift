// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingProjects
import HomingStore
import HomingTesting
import HomingWire
import Testing

/// Two nodes, each with a copy of the key file, while the operator changes the key.
@Suite(.tags(.races)) struct KeysOfNodesTests {
    private func withNodes(_ body: (TestHoming, TestHoming) async throws -> Void) async throws {
        try await withWorld(isOnPostgres: true) { world in
            try await world.withHoming { first in
                // The database's clock cannot be set, so the test's is.
                world.clock.advance(seconds: -(try await first.nodes.clockSkew()) / 1000)
                _ = try await first.projects.create(
                    id: "shop", name: "Shop", apiKey: TestHoming.apiKey, authorizedDomains: ["shop.example"],
                    linkDomains: [], language: nil)
                try await world.withKeyFile("second.key").withHoming { second in try await body(first, second) }
            }
        }
    }

    /// Uses a version that the second node's file lacks, as `homing key use --force` lets one.
    private func useForgotten(_ first: TestHoming, _ second: TestHoming) async throws {
        try await first.keys.use(try await first.keys.add(by: .command), by: .command)
        try await first.signingKeys.rotate(by: .command)
        try? await second.core.takeOverChanges()
    }

    private func beat(_ homing: TestHoming, _ name: String) async throws {
        _ = try await homing.nodes.beat(name: name, version: "1", mails: 0, keys: homing.keys.ring.fingerprints)
    }

    @Test func `a code or token of a version whose copy has just arrived is taken at once`() async throws {
        try await withNodes { first, second in
            try await first.account(TestHoming.ann)
            _ = try await first.keys.add(by: .command)
            try first.world.copyKeyFile(to: second.world)
            try await first.keys.use(2, by: .command)
            let code = try await first.liveCode(.verifyEmail)
            let tokens = try await first.signUp("bea@home.example").tokens
            #expect(Base64URL.decode(code)?.first == 2)
            // It has heard neither of the file nor of its use.
            let shop = try second.shop
            #expect(second.keys.ring.active == 1 && second.keys.ring.versions == [1])
            _ = try await second.sessions.refresh(tokens.refreshToken, in: shop)
            try await second.redeem(code, .verifyEmail)
        }
    }

    @Test func `a mail whose key this node lacks waits for a node that has it, and counts no attempt`() async throws {
        try await withNodes { first, second in
            try await first.account(TestHoming.ann)
            _ = try await first.keys.add(by: .command)
            try await first.keys.use(2, by: .command)
            try await first.mail(.passwordReset, to: TestHoming.ann)
            // It has not heard that the version is in use, and claims.
            #expect(try await second.deliver().isEmpty)
            let entry = try #require(try await first.outbox.list(project: "shop").first)
            #expect(entry.state == .queued && entry.attempts == 0)
            #expect(entry.lastReply?.contains("key version 2") == true)
            first.clock.advance(seconds: 7)
            #expect(try await first.deliver().count == 1)
        }
    }

    @Test func `a node that lacks the key in use is not ready, says which, and claims nothing`() async throws {
        try await withNodes { first, second in
            try await first.account(TestHoming.ann)
            try await useForgotten(first, second)
            #expect(second.keys.ring.gap == .lacking(2))
            let readiness = await second.core.readiness()
            #expect(readiness == .keyMissing(2) && "\(readiness)".contains("key version 2"))
            #expect(await first.core.readiness() == .ready)
            try await first.mail(.passwordReset, to: TestHoming.ann)
            await second.deliver(for: .milliseconds(500))
            #expect(second.outbox.outcomes.isEmpty)
            try first.world.copyKeyFile(to: second.world)
            second.keys.ring.lookAtFile()
            try await second.core.takeOverChanges()
            #expect(await second.core.readiness() == .ready)
            #expect(second.signingKeys.jsonWebKeySet() == first.signingKeys.jsonWebKeySet())
            #expect(try await second.deliver().count == 1)
        }
    }

    @Test func `what a node without the key cannot seal it refuses before anything is written`() async throws {
        try await withNodes { first, second in
            let code = try await first.liveCode(.signIn)
            let change = try await first.liveCode(.verifyAndChangeEmail)
            let tokens = try await first.signUp("bea@home.example").tokens
            try await useForgotten(first, second)
            let shop = try second.shop
            let tables = ["accounts", "sessions", "codes", "outbox", "limits"]
            func counts() async throws -> [Int] {
                var counts: [Int] = []
                for table in tables {
                    counts.append(try await first.number("SELECT COUNT(*) FROM \(sql: SQL(stringLiteral: table))"))
                }
                return counts
            }
            let before = try await counts()
            await #expect(throws: Refusal.keyMissing) { try await second.redeem(code, .signIn) }
            await #expect(throws: Refusal.keyMissing) { try await second.redeem(change, .verifyAndChangeEmail) }
            await #expect(throws: Refusal.keyMissing) { try await second.signUp("new@home.example") }
            await #expect(throws: Refusal.keyMissing) { try await second.mail(.passwordReset, to: TestHoming.ann) }
            #expect(try await counts() == before)
            // What is made with the new key is not called worthless.
            let fresh = try await first.signIn("bea@home.example").tokens
            await #expect(throws: Refusal.keyMissing) { try await second.person(fresh) }
            await #expect(throws: Refusal.keyMissing) {
                try await second.sessions.refresh(fresh.refreshToken, in: shop)
            }
            await #expect(throws: Refusal.keyMissing) {
                try await second.redeem(try await first.code(.verifyEmail, for: "bea@home.example"), .verifyEmail)
            }
            // What needs no new secret goes on, and nothing was burnt.
            _ = try await second.sessions.refresh(tokens.refreshToken, in: shop)
            try await first.redeem(code, .signIn)
            try await first.redeem(change, .verifyAndChangeEmail)
        }
    }

    @Test func `a node that lacks the key in use still learns that a signing key is trusted no more`() async throws {
        try await withNodes { first, second in
            let tokens = try await first.signUp(TestHoming.ann).tokens
            _ = try await second.person(tokens)
            try await useForgotten(first, second)
            _ = try await second.person(tokens)
            try await first.signingKeys.retireOlder(by: .command)
            await #expect(throws: Refusal.keyMissing) { try await second.core.takeOverChanges() }
            await #expect(throws: Refusal.self) { try await second.person(tokens) }
        }
    }

    @Test func `nodes tell which keys they have, and who has another secret under a version has it not`() async throws {
        try await withNodes { first, second in
            try await beat(first, "a:1")
            try await beat(second, "b:1")
            _ = try await first.keys.add(by: .command)
            let key = try #require(first.keys.ring.fingerprint(2))
            #expect(try await first.nodes.lacking(key).map(\.name) == ["a:1", "b:1"])
            try await beat(first, "a:1")
            #expect(try await first.nodes.lacking(key).map(\.name) == ["b:1"])
            // Added there, too, instead of copied.
            _ = try await second.keys.add(by: .command)
            try await beat(second, "b:1")
            #expect(try await first.nodes.list().map(\.node.keys?.count) == [2, 2])
            #expect(try await first.nodes.lacking(key).map(\.name) == ["b:1"])
            try first.world.copyKeyFile(to: second.world)
            second.keys.ring.lookAtFile()
            try await beat(second, "b:1")
            #expect(try await first.nodes.lacking(key).isEmpty)
            // A node of the release before tells of none.
            try await first.rows("UPDATE nodes SET keys = NULL WHERE name = 'b:1'")
            #expect(try await first.nodes.lacking(key).map(\.name) == ["b:1"])
        }
    }

    @Test func `another secret under the version in use is found out, and nothing is made with it`() async throws {
        try await withNodes { first, second in
            _ = try await first.keys.add(by: .command)
            _ = try await second.keys.add(by: .command)
            try await first.keys.use(2, by: .command)
            try? await second.core.takeOverChanges()
            #expect(second.keys.ring.gap == .foreign(2))
            #expect(await second.core.readiness() == .keyMissing(2))
            await #expect(throws: Refusal.keyMissing) { try await second.signUp(TestHoming.ann) }
            // Its pages and their forms go on, by the key before.
            #expect(second.keys.ring.newestHere == 1)
            try first.world.copyKeyFile(to: second.world)
            try await second.signUp(TestHoming.ann)
        }
    }

    @Test func `a forged version makes a node look at its file, and read it only when it is another one`() async throws
    {
        try await withNodes { first, second in
            try await first.account(TestHoming.ann)
            var code = try #require(Base64URL.decode(try await first.liveCode(.verifyEmail)))
            code[0] = 9
            let forged = Base64URL.encode(code)
            let trips = second.database.counts.trips
            for _ in 0..<50 {
                await #expect(throws: Refusal.codeInvalid(.malformed)) { try await second.redeem(forged, .verifyEmail) }
            }
            #expect(second.database.counts.trips == trips, "a forged code never asks the database")
        }
    }
}
