// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCore
import HomingDatabase
import HomingPasswords
import HomingProjects
import HomingStore
import HomingTesting
import HomingTransfer
import Testing

@Suite struct `Accounts whose old system is named` {
    private static let secret = "the password of before"
    private static let bcrypt = "$2a$10$abcdefghijklmnopqrstuuxmM2LWfxFfsw7CBLfyuCzOrhaxxlSDy"

    private func system(_ url: String = "https://old.example/verify", key: Character = "k") throws -> OldSystem {
        try OldSystem(url: url, key: String(repeating: key, count: 32))
    }

    @Test(arguments: [
        "http://old.example/verify", "https://", "ftp://old.example/", "https://user@old.example/", "old.example",
        "https://old.example/#a", "https://old.example/a b", "http://127.0.0.1.evil.example/",
    ])
    func `a password is sent over https alone, or to this machine`(url: String) {
        #expect(throws: Refusal.self) { try system(url) }
    }

    @Test(arguments: [
        "https://10.0.0.7:8443/verify?a=b", "http://localhost:8000/verify", "http://127.0.0.1:1/", "http://[::1]/",
    ])
    func `an operator names any host`(url: String) throws {
        #expect(try system(url).url == url)
    }

    @Test(arguments: [
        "", "short", String(repeating: "k", count: 31), String(repeating: "k ", count: 32),
        String(repeating: "k", count: 31) + "\r\n",
    ])
    func `a key that can be guessed, or breaks a header, is refused`(key: String) {
        #expect(throws: Refusal.self) { try OldSystem(url: "https://old.example/", key: key) }
    }

    @Test func `it is asked about whoever has an address and no hash that is verified here`() throws {
        let text = """
            {"pk":"bob","fields":{"email":"bob@shop.example","password":"bcrypt$\(Self.bcrypt)"}}
            {"pk":"cy","fields":{"email":"cy@shop.example","password":"rot13$abc"}}
            {"pk":"dee","fields":{"email":"","password":"!"}}
            {"pk":"eve","fields":{"email":"eve@shop.example","password":"!"}}
            """
        let old = try system()
        let people = try accounts(text, from: .django, oldSystem: old).map { try $0.account.get() }
        #expect(people.map(\.scheme) == [.bcrypt(cost: 10), .oldSystem(old), nil, .oldSystem(old)])
        #expect(people.allSatisfy { $0.notKept.isEmpty })
        for (text, source) in [
            (
                #"{"Users":[{"Username":"a","Attributes":[{"Name":"sub","Value":"1"},{"Name":"email","Value":"a@b.example"}]}]}"#,
                .cognito
            ),
            ("id,email\n1,a@b.example\n", .csv), ("1,a@b.example,true,,\n", .firebase),
            (#"{"users":[{"localId":"1","email":"a@b.example","passwordHash":"AAAA"}]}"#, .firebase),
        ] as [(String, AccountSource)] {
            let account = try #require(try accounts(text, from: source, oldSystem: old).first).account.get()
            #expect(account.scheme == .oldSystem(old), "\(text)")
        }
    }

    @Test func `they leave without the key, and come back where it is named again`() async throws {
        let exported = try await withHoming { homing in
            try await `Passwords that an old system verifies`.settle(in: homing)
            try await homing.account("bob@shop.example")
            let all = try await homing.core.accounts.schemes.all(of: try homing.shop)
            var writer = AccountExportWriter(.json, schemes: all)
            let page = try await homing.core.accounts.page(in: try homing.shop, after: "", limit: 10)
            let text = String(decoding: writer.beginning + writer.page(page) + writer.end, as: UTF8.self)
            #expect(
                (writer.count, writer.withPassword, writer.withoutTheirHash, writer.verifiedElsewhere) == (2, 0, 0, 1))
            return text
        }
        let key = try #require(ScriptedOldSystem.system).key
        #expect(!exported.contains(key) && !exported.contains("shop=1"))
        #expect(exported.contains(#""algorithm":"VERIFY_WITH","url":"https://old.example/verify""#))
        func schemes(_ old: OldSystem?, takesWithoutPassword: Bool = false) throws -> [PasswordScheme?] {
            try accounts(exported, from: .firebase, takesWithoutPassword: takesWithoutPassword, oldSystem: old)
                .map { try $0.account.get() }.sorted { $0.email?.text ?? "" < $1.email?.text ?? "" }.map(\.scheme)
        }
        // Nothing in a file says where passwords are sent to.
        #expect(throws: ImportedAccount.Fault.self) { try schemes(nil) }
        #expect(try schemes(nil, takesWithoutPassword: true) == [nil, nil])
        let old = try system("https://elsewhere.example/")
        #expect(try schemes(old) == [.oldSystem(old), nil])
    }

    @Test func `a project has one old system, that of the last import`() async throws {
        let asked = ScriptedOldSystem(["ada@shop.example": Self.secret])
        try await withHoming(oldSystem: asked) { homing in
            let schemes = homing.core.accounts.schemes
            try await `Passwords that an old system verifies`.settle(in: homing)
            let (first, second) = (try #require(ScriptedOldSystem.system), try system("https://new.example/", key: "n"))
            let hash = PasswordScheme.digest(.md5, rounds: 1, isSaltFirst: true)
            let ids = try await schemes.add([.oldSystem(second), hash], to: try homing.shop)
            let kept = try await schemes.all(of: try homing.shop)
            #expect(
                kept.count == 2 && kept.contains { $0.scheme == .oldSystem(second) && $0.id == ids[.oldSystem(second)] }
            )
            #expect(!kept.contains { $0.scheme == .oldSystem(first) })
            _ = try await homing.signIn("ada@shop.example", password: Self.secret)
            #expect(asked.questions.map(\.key) == [second.key])
            for row in try await homing.rows("SELECT sealed FROM password_schemes") {
                var row = row
                let sealed = Data(try row.bytes())
                #expect(
                    sealed.range(of: Data(second.key.utf8)) == nil && sealed.range(of: Data("new.example".utf8)) == nil)
            }
        }
    }

    @Test func `at its end whoever has not come has no password`() async throws {
        let asked = ScriptedOldSystem(["ada@shop.example": Self.secret])
        try await withHoming(oldSystem: asked) { homing in
            let accounts = homing.core.accounts
            #expect(try await accounts.endOldSystem(of: try homing.shop, by: .command) == nil)
            try await `Passwords that an old system verifies`.settle(
                ["ada@shop.example", "bob@shop.example"], in: homing)
            #expect(try await accounts.countUnverified(in: try homing.shop) == 2)
            _ = try await homing.signIn("ada@shop.example", password: Self.secret)
            #expect(try await accounts.countUnverified(in: try homing.shop) == 1)
            #expect(try await accounts.endOldSystem(of: try homing.shop, by: .command) == 1)
            #expect(try await homing.found("bob@shop.example")?.passwordHash == nil)
            _ = try await homing.signIn("ada@shop.example", password: Self.secret)
            await #expect(throws: Refusal.invalidLoginCredentials) {
                try await homing.signIn("bob@shop.example", password: Self.secret)
            }
            #expect(asked.all.count == 1)
        }
    }
}
