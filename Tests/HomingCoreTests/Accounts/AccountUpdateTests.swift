// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingPasswords
import HomingProjects
import HomingStore
import HomingTesting
import HomingTransfer
import Testing

@Suite struct `Accounts that an import brings again` {
    /// MD5 of "password" and of "letmein".
    private static let password = "5f4dcc3b5aa765d61d8327deb882cf99"
    private static let letmein = "0d107d09f5bbe40cade3de5c71e9e9b7"

    /// What becomes of the rows, which a dry run has said before.
    private func bring(_ rows: String, _ homing: TestHoming) async throws -> [Accounts.Imported] {
        let text = "id,email,emailVerified,passwordHash,displayName,disabled\n" + rows
        let scheme = PasswordScheme.digest(.md5, rounds: 1, isSaltFirst: true)
        let people = try accounts(text, from: .csv, scheme: scheme).map { try $0.account.get() }
        let seen = try await homing.core.accounts.look(at: people, in: try homing.shop, updating: true)
        let answers = try await homing.core.accounts.take(people, in: try homing.shop, updating: true)
        #expect(seen == answers)
        return answers
    }

    private func account(_ id: AccountID, _ homing: TestHoming) async throws -> Account {
        try #require(try await homing.core.accounts.find(id: id, in: try homing.shop))
    }

    private func sessions(_ id: AccountID, _ homing: TestHoming) async throws -> Int {
        try await homing.core.accounts.openSessions(of: id, in: try homing.shop).count
    }

    private let nothing = Accounts.Imported.updated(isChanged: false, left: [])
    private let changed = Accounts.Imported.updated(isChanged: true, left: [])

    @Test func `the same file again changes nothing, also after a sign-in, and ends no session`() async throws {
        try await withHoming { homing in
            let row = "1,ada@shop.example,true,\(Self.password),Ada,\n"
            #expect(try await bring(row, homing) == [.taken])
            #expect(try await bring(row, homing) == [nothing])
            _ = try await homing.signIn("ada@shop.example", password: "password")
            #expect(try await account("1", homing).passwordHash?.hasPrefix("$argon2id$") == true)
            #expect(try await bring(row, homing) == [nothing])
            #expect(try await sessions("1", homing) == 1)
            _ = try await homing.signIn("ada@shop.example", password: "password")
        }
    }

    @Test func `a password that is new in the old system is taken, and ends what was open`() async throws {
        try await withHoming { homing in
            _ = try await bring("1,ada@shop.example,true,\(Self.password),Ada,\n", homing)
            _ = try await homing.signIn("ada@shop.example", password: "password")
            #expect(try await bring("1,ada@shop.example,true,\(Self.letmein),Ada L.,\n", homing) == [changed])
            #expect(try await sessions("1", homing) == 0)
            #expect(try await account("1", homing).displayName == "Ada L.")
            await #expect(throws: Refusal.invalidLoginCredentials) {
                try await homing.signIn("ada@shop.example", password: "password")
            }
            _ = try await homing.signIn("ada@shop.example", password: "letmein")
        }
    }

    @Test func `a password that was chosen here stays, and is said`() async throws {
        try await withHoming { homing in
            _ = try await bring("1,ada@shop.example,true,\(Self.password),Ada,\n", homing)
            homing.clock.advance(seconds: 60)
            var wanted = AccountChange()
            wanted.password = .set("chosen here 1")
            _ = try await homing.core.accounts.change("1", wanted, in: try homing.shop)
            let left = Accounts.Imported.updated(isChanged: false, left: ["password"])
            #expect(try await bring("1,ada@shop.example,true,\(Self.letmein),Ada,\n", homing) == [left])
            _ = try await homing.signIn("ada@shop.example", password: "chosen here 1")
        }
    }

    @Test func `a password that was taken away here does not come back`() async throws {
        try await withHoming { homing in
            let row = "1,ada@shop.example,true,\(Self.password),Ada,\n"
            _ = try await bring(row, homing)
            homing.clock.advance(seconds: 60)
            var wanted = AccountChange()
            wanted.password = .clear
            _ = try await homing.core.accounts.change("1", wanted, in: try homing.shop)
            #expect(try await bring(row, homing) == [.updated(isChanged: false, left: ["password"])])
            #expect(try await account("1", homing).passwordHash == nil)
        }
    }

    @Test func `who is blocked there is blocked here, and who is blocked here stays so`() async throws {
        try await withHoming { homing in
            _ = try await bring("1,ada@shop.example,true,\(Self.password),Ada,false\n", homing)
            _ = try await homing.signIn("ada@shop.example", password: "password")
            #expect(try await bring("1,ada@shop.example,true,,,true\n", homing) == [changed])
            #expect(try await account("1", homing).isDisabled)
            #expect(try await sessions("1", homing) == 0)
            let left = Accounts.Imported.updated(isChanged: false, left: ["disabled"])
            #expect(try await bring("1,ada@shop.example,true,\(Self.password),Ada,false\n", homing) == [left])
            #expect(try await account("1", homing).isDisabled)
        }
    }

    @Test func `what a row does not have stays, and a proof is never taken back`() async throws {
        try await withHoming { homing in
            _ = try await bring("1,ada@shop.example,false,\(Self.password),Ada,\n", homing)
            #expect(try await bring("1,ada@shop.example,true,,,\n", homing) == [changed])
            #expect(try await bring("1,ada@shop.example,false,,,\n1b,,,,,\n", homing) == [nothing, .taken])
            let ada = try await account("1", homing)
            #expect(ada.isEmailVerified && ada.displayName == "Ada" && ada.passwordHash != nil)
        }
    }

    @Test func `a row with another address is somebody else's`() async throws {
        try await withHoming { homing in
            _ = try await bring("1,ada@shop.example,true,\(Self.password),Ada,\n", homing)
            let answers = try await bring("1,eve@shop.example,true,\(Self.letmein),Eve,\n", homing)
            let fault = "localId belongs to an existing account with another address, which an import does not change"
            #expect(answers == [.refused(.init(fault))])
            let ada = try await account("1", homing)
            #expect(ada.email?.text == "ada@shop.example" && ada.displayName == "Ada")
            _ = try await homing.signIn("ada@shop.example", password: "password")
        }
    }

    @Test func `nobody gets an address that another account has, in the project or in the file`() async throws {
        try await withHoming { homing in
            _ = try await bring("1,ada@shop.example,true,,Ada,\n2,,,,Bob,\n3,,,,Cy,\n", homing)
            let exists = "email exists in other account in database"
            #expect(
                try await bring("2,ada@shop.example,true,,Bob,\n", homing) == [.refused(.init(exists, other: "1"))])
            let both = "2,bob@shop.example,true,,Bob,\n3,bob@shop.example,true,,Cy,\n"
            #expect(try await bring(both, homing) == [changed, .refused(.init(exists, other: "2"))])
            #expect(try await homing.found("bob@shop.example")?.id == "2")
        }
    }
}
