// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCore
import HomingDatabase
import HomingProjects
import HomingStore
import HomingTesting
import Testing

@Suite struct BackupTests {
    @Test(.enabled(if: !PostgresServer.isWanted))
    func `a backup opens with the same key, and knows nothing of what came later`() async throws {
        try await withEmptyWorld { other in
            try await withHoming { homing in
                try await homing.signUp(TestHoming.ann)
                let code = try await homing.liveCode(.passwordReset)
                try await homing.database.copy(to: other.databasePath)
                try FileManager.default.copyItem(atPath: homing.world.keyFile, toPath: other.keyFile)
                try await homing.redeem(code, .passwordReset, password: "after the backup")
                try await other.withHoming { copy in
                    _ = try await copy.signIn(TestHoming.ann)
                    // This is why `restore` raises the floor: the copy holds the used code as unused.
                    try await copy.redeem(code, .passwordReset)
                }
            }
        }
    }

    @Test(.enabled(if: !PostgresServer.isWanted))
    func `a backup has no secret in it and does not open without the key`() async throws {
        try await withEmptyWorld { other in
            try await withHoming { homing in
                let code = try await homing.liveCode(.passwordReset)
                let (_, secret) = try await homing.adminKeys.create(name: "ci")
                try await homing.database.copy(to: other.databasePath)
                let content = other.content(of: "homing.db")
                let key = try String(contentsOfFile: homing.world.keyFile, encoding: .utf8)
                    .split { $0 == " " || $0 == "\n" }.last.flatMap { Data(base64Encoded: String($0)) }
                let needles = [Array(code.utf8), Array(secret.utf8), Array("BEGIN".utf8), Array(try #require(key))]
                for needle in needles { #expect(content.firstRange(of: needle) == nil) }
                await #expect(throws: MasterKeyFault.self) { try await other.withHoming { _ in } }
            }
        }
    }

    @Test(.enabled(if: !PostgresServer.isWanted)) func `a backup taken while mails are asked for is consistent`()
        async throws
    {
        try await withEmptyWorld { other in
            try await withHoming { homing in
                for number in 0..<40 { try await homing.account("user\(number)@home.example") }
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<40 {
                        group.addTask { try await homing.mail(.passwordReset, to: "user\(number)@home.example") }
                    }
                    group.addTask { try await homing.database.copy(to: other.databasePath) }
                    try await group.waitForAll()
                }
                try FileManager.default.copyItem(atPath: homing.world.keyFile, toPath: other.keyFile)
                try await other.withHoming { copy in
                    let lonely = try await copy.number(
                        "SELECT COUNT(*) FROM outbox o LEFT JOIN codes c ON c.id = o.code WHERE c.id IS NULL")
                    #expect(lonely == 0)
                    #expect(
                        try await copy.number("SELECT COUNT(*) FROM codes")
                            == copy.number("SELECT COUNT(*) FROM outbox"))
                    #expect(try await copy.rows("PRAGMA integrity_check").firstText() == "ok")
                }
            }
        }
    }
}
