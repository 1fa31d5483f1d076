// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCore
import HomingProjects
import HomingStore
import HomingTesting
import HomingWire
import Testing

@Suite struct KeyTests {
    private func fault(_ world: TestWorld) async throws -> MasterKeyFault? {
        await #expect(throws: MasterKeyFault.self) { try await world.withHoming { _ in } }
    }

    @Test func `a new database gets a key file that only its owner reads`() async throws {
        try await withEmptyWorld { world in
            try await world.withHoming { _ in }
            let attributes = try FileManager.default.attributesOfItem(atPath: world.keyFile)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
            let again = try MasterKeyFile(reading: world.keyFile)
            #expect(again.entries.map(\.version) == [1])
            try await world.withHoming { _ in }
            #expect(try MasterKeyFile(reading: world.keyFile) == again)
        }
    }

    @Test func `a missing key file stops the start in one line and is not made anew`() async throws {
        try await withWorld { world in
            try FileManager.default.removeItem(atPath: world.keyFile)
            let fault = try #require(try await fault(world))
            guard case .missing = fault else { Issue.record("\(fault)"); return }
            #expect(fault.description.contains(world.keyFile))
            #expect(!fault.description.contains("\n"))
            #expect(!FileManager.default.fileExists(atPath: world.keyFile))
        }
    }

    @Test func `the key file of another database stops the start`() async throws {
        try await withWorld { world in
            try MasterKeyFile(firstSecret: Array(repeating: 7, count: 32)).write(to: world.keyFile)
            let fault = try #require(try await fault(world))
            guard case .foreign = fault else { Issue.record("\(fault)"); return }
        }
    }

    @Test(arguments: [
        "", "# nothing\n", "1 live\n", "1 live AAAA\n", "300 live \(String(repeating: "A", count: 43))=\n",
    ])
    func `a damaged key file stops the start`(content: String) async throws {
        try await withWorld { world in
            try Data(content.utf8).write(to: URL(filePath: world.keyFile))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: world.keyFile)
            let fault = try #require(try await fault(world))
            guard case .unusable = fault else { Issue.record("\(fault)"); return }
        }
    }

    @Test(arguments: [0o644, 0o640, 0o604])
    func `a key file that others can read stops the start`(mode: Int) async throws {
        try await withWorld { world in
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: world.keyFile)
            let fault = try #require(try await fault(world))
            #expect(fault.description.contains("chmod 600"))
        }
    }

    @Test func `a version is added, used and retired, and codes follow`() async throws {
        try await withHoming { homing in
            let first = try await homing.liveCode(.passwordReset)
            #expect(try await homing.keys.add(by: .command) == 2)
            let stillFirst = try await homing.liveCode(.verifyEmail)
            #expect(Base64URL.decode(stillFirst)?.first == 1)
            try await homing.keys.use(2, by: .command)
            let second = try await homing.liveCode(.signIn)
            #expect(Base64URL.decode(second)?.first == 2)
            try await homing.redeem(first, .passwordReset)
            await #expect(throws: Refusal.self) { try await homing.keys.retire(2, by: .command) }
        }
    }

    @Test func `a floor voids codes and refresh tokens of before, and never falls`() async throws {
        try await withHoming { homing in
            let tokens = try await homing.signUp(TestHoming.ann).tokens
            let old = try await homing.liveCode(.passwordReset)
            await #expect(throws: Refusal.self) { try await homing.keys.raiseFloor(to: 2, by: .command) }
            _ = try await homing.keys.add(by: .command)
            try await homing.keys.use(2, by: .command)
            try await homing.keys.raiseFloor(to: 2, by: .command)
            let shop = try homing.shop
            await #expect(throws: Refusal.codeInvalid(.malformed)) { try await homing.redeem(old, .passwordReset) }
            await #expect(throws: Refusal.invalidRefreshToken) {
                try await homing.sessions.refresh(tokens.refreshToken, in: shop)
            }
            try await homing.redeem(try await homing.liveCode(.passwordReset), .passwordReset)
            await #expect(throws: Refusal.self) { try await homing.keys.raiseFloor(to: 1, by: .command) }
        }
    }

    @Test func `version and floor are in force after a restart`() async throws {
        try await withWorld { world in
            let old = try await world.withHoming { homing in
                _ = try await homing.projects.create(
                    id: "shop", name: nil, apiKey: nil, authorizedDomains: [], linkDomains: [], language: nil)
                let old = try await homing.liveCode(.passwordReset)
                _ = try await homing.keys.add(by: .command)
                try await homing.keys.use(2, by: .command)
                try await homing.keys.raiseFloor(to: 2, by: .command)
                return old
            }
            try await world.withHoming { homing in
                await #expect(throws: Refusal.codeInvalid(.malformed)) { try await homing.redeem(old, .passwordReset) }
                let new = try await homing.liveCode(.passwordReset)
                #expect(Base64URL.decode(new)?.first == 2)
            }
        }
    }

    @Test func `a mail that waits when its key version is voided is never sent`() async throws {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann)
            try await homing.mail(.passwordReset, to: TestHoming.ann)
            _ = try await homing.keys.add(by: .command)
            try await homing.keys.use(2, by: .command)
            try await homing.keys.raiseFloor(to: 2, by: .command)
            #expect(try await homing.deliver().isEmpty)
            #expect(try await homing.outbox.list(project: "shop").map(\.state) == [.expired])
        }
    }

    @Test func `an admin key is shown once, valid until it is revoked, and not in the file`() async throws {
        try await withHoming { homing in
            let (id, secret) = try await homing.adminKeys.create(name: "ci")
            #expect(try await homing.adminKeys.find(secret) != nil)
            for wrong in [secret + "x", String(secret.dropLast()), "ha_\(id)_", "", "owner", secret.lowercased()] {
                #expect(try await homing.adminKeys.find(wrong) == nil)
            }
            #expect(homing.world.content(of: "homing.db-wal").firstRange(of: Array(secret.suffix(43).utf8)) == nil)
            try await homing.adminKeys.revoke(id)
            #expect(try await homing.adminKeys.find(secret) == nil)
            await #expect(throws: Refusal.self) { try await homing.adminKeys.revoke(id) }
        }
    }
}
