// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingProjects
import HomingStore
import HomingTesting
import HomingTransfer
import Synchronization
import Testing

@Suite(.tags(.races)) struct `Anonymous accounts that nobody uses` {
    private static let day: Int64 = 86_400

    private func switchCleanUp(_ value: String, in homing: TestHoming) async throws {
        try await homing.projects.set("shop", "autodeleteAnonymousUsers", to: value)
    }

    private func anonymous(in homing: TestHoming) async throws -> (id: AccountID, tokens: Tokens) {
        let (account, tokens) = try await homing.core.accounts.signUpAnonymously(in: try homing.shop)
        return (account.id, tokens)
    }

    private func isThere(_ id: AccountID, in homing: TestHoming) async throws -> Bool {
        try await homing.core.accounts.find(id: id, in: try homing.shop) != nil
    }

    private func delete(in homing: TestHoming) async throws -> [Scope: Int] {
        let counts = Mutex<[Scope: Int]>([:])
        try await UnusedAccounts(homing.core).delete { project, count in
            counts.withLock { $0[project, default: 0] += count }
        }
        return counts.withLock { $0 }
    }

    /// What goes a day from now, by a look that had another one a day before.
    private func goneTomorrow(in homing: TestHoming) async throws -> [Scope: Int] {
        _ = try await delete(in: homing)
        homing.clock.advance(seconds: Self.day)
        return try await delete(in: homing)
    }

    @Test func `go thirty days after their last use, and their session with them`() async throws {
        try await withHoming { homing async throws in
            try await switchCleanUp("true", in: homing)
            let (gone, used) = (try await anonymous(in: homing), try await anonymous(in: homing))
            homing.clock.advance(seconds: 28 * Self.day)
            _ = try await homing.core.sessions.refresh(used.tokens.refreshToken, in: try homing.shop)
            #expect(try await goneTomorrow(in: homing) == [:])
            #expect(try await goneTomorrow(in: homing) == ["shop": 1])
            #expect(try await isThere(used.id, in: homing))
            #expect(try await !isThere(gone.id, in: homing))
            await #expect(throws: Refusal.userNotFound) {
                try await homing.core.sessions.refresh(gone.tokens.refreshToken, in: try homing.shop)
            }
            #expect(try await homing.number("SELECT COUNT(*) FROM sessions WHERE ended_at IS NULL") == 1)
        }
    }

    @Test func `stay where the project says nothing`() async throws {
        try await withHoming { homing async throws in
            let kept = try await anonymous(in: homing)
            homing.clock.advance(seconds: 1000 * Self.day)
            #expect(try await goneTomorrow(in: homing) == [:])
            #expect(try await isThere(kept.id, in: homing))
        }
    }

    @Test func `stay for thirty days after it was switched on, and again after it was off`() async throws {
        try await withHoming { homing async throws in
            let old = try await anonymous(in: homing)
            homing.clock.advance(seconds: 100 * Self.day)
            try await switchCleanUp("true", in: homing)
            homing.clock.advance(seconds: 28 * Self.day)
            // Another change of settings is no new beginning.
            try await homing.projects.set("shop", "notification.defaultLocale", to: "it")
            #expect(try await goneTomorrow(in: homing) == [:])
            try await switchCleanUp("false", in: homing)
            try await switchCleanUp("true", in: homing)
            homing.clock.advance(seconds: 28 * Self.day)
            #expect(try await goneTomorrow(in: homing) == [:])
            #expect(try await isThere(old.id, in: homing))
            #expect(try await goneTomorrow(in: homing) == ["shop": 1])
        }
    }

    @Test(arguments: [
        "email = 'ann@home.example'", "password_hash = 'a hash'", "custom_auth = 1", "phone_number = '+4930123456'",
        "identities = '[]'", "initial_email = 'ann@home.example'", "last_refresh_at = NULL",
    ])
    func `are none where somebody could come back, ever had an address, or has never been`(
        column: String
    ) async throws {
        try await withHoming { homing async throws in
            try await switchCleanUp("true", in: homing)
            let kept = try await anonymous(in: homing)
            let assignment = SQL(stringLiteral: column)
            try await homing.core.database.write { connection in
                _ = try connection.run("UPDATE accounts SET \(sql: assignment) WHERE id = \(kept.id)")
            }
            homing.clock.advance(seconds: 60 * Self.day)
            #expect(try await goneTomorrow(in: homing) == [:])
            #expect(try await isThere(kept.id, in: homing))
        }
    }

    @Test func `that came with an import stay, because nobody has used them here`() async throws {
        try await withHoming { homing async throws in
            try await switchCleanUp("true", in: homing)
            homing.clock.advance(seconds: 40 * Self.day)
            // An export of Firebase's tells of nobody that custom tokens signed them in.
            let taken = try accounts(
                #"{"users":[{"localId":"old","createdAt":"1500000000000","lastSignedInAt":"1500000000000"}]}"#,
                from: .firebase
            ).map { try $0.account.get() }
            _ = try await homing.core.accounts.take(taken, in: try homing.shop)
            #expect(try await goneTomorrow(in: homing) == [:])
            #expect(try await isThere("old", in: homing))
        }
    }

    @Test func `go from a tenant where the tenant says so, whatever its project says`() async throws {
        try await withHoming { homing async throws in
            for (id, value) in [("red", "true"), ("blue", "false")] as [(TenantID, String)] {
                let settings = [
                    SettingChange("enableAnonymousUser", to: "true"),
                    SettingChange("autodeleteAnonymousUsers", to: value),
                ]
                let tenant = try await homing.projects.createTenant(id, named: "", settings: settings, in: "shop")
                _ = try await homing.core.accounts.signUpAnonymously(in: tenant)
            }
            try await switchCleanUp("true", in: homing)
            homing.clock.advance(seconds: 29 * Self.day)
            #expect(try await goneTomorrow(in: homing) == ["shop/red": 1])
        }
    }

    @Test func `stay while the clock is ahead for a moment`() async throws {
        try await withHoming { homing async throws in
            try await switchCleanUp("true", in: homing)
            homing.clock.advance(seconds: 40 * Self.day)
            let kept = try await anonymous(in: homing)
            #expect(try await goneTomorrow(in: homing) == [:])
            homing.clock.advance(seconds: 40 * Self.day)
            #expect(try await delete(in: homing) == [:])
            homing.clock.advance(seconds: -40 * Self.day)
            #expect(try await delete(in: homing) == [:])
            #expect(try await goneTomorrow(in: homing) == [:])
            #expect(try await isThere(kept.id, in: homing))
        }
    }

    @Test func `go all in one round, however many there are`() async throws {
        try await withHoming { homing async throws in
            try await switchCleanUp("true", in: homing)
            let now = homing.clock.now
            try await homing.core.database.write { connection in
                for number in 0..<600 {
                    try connection.run(
                        """
                        INSERT INTO accounts (project, id, email_verified, email_link, valid_since, created_at, disabled,
                            last_refresh_at)
                        VALUES ('shop', \("account\(number)"), 0, 0, 0, \(now), 0, \(now))
                        """)
                }
            }
            homing.clock.advance(seconds: 29 * Self.day)
            #expect(try await goneTomorrow(in: homing) == ["shop": 600])
        }
    }

    @Test func `are not taken from somebody who gives an address at the same moment`() async throws {
        for round in 0..<20 {
            try await withHoming { homing async throws in
                try await switchCleanUp("true", in: homing)
                let account = try await anonymous(in: homing)
                let person = try await homing.person(account.tokens)
                homing.clock.advance(seconds: 29 * Self.day)
                _ = try await delete(in: homing)
                homing.clock.advance(seconds: Self.day)
                var change = AccountChange()
                change.email = .set(try EmailAddress(parsing: "ann@home.example"))
                let wanted = change
                async let deletion = delete(in: homing)
                let isUpgraded: Bool
                do {
                    _ = try await homing.core.accounts.change(
                        person, wanted, isLink: true, language: "en", from: "192.0.2.1")
                    isUpgraded = true
                } catch let refusal as Refusal {
                    #expect([.userNotFound, .tokenExpired].contains(refusal), "\(refusal)")
                    isUpgraded = false
                }
                #expect(try await deletion == (isUpgraded ? [:] : ["shop": 1]), "round \(round)")
                #expect(try await isThere(account.id, in: homing) == isUpgraded)
            }
        }
    }
}
