// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingPasswords
import HomingProjects
import HomingStore
import HomingTesting
import Testing

@Suite struct GuessablePasswordTests {
    private static let address = "ann.lee@home.example"

    @Test func `the table holds three thousand digests in order`() {
        let text = CommonPasswords.digests.withUTF8Buffer { String(decoding: $0, as: UTF8.self) }
        let digests = text.split { $0 == " " || $0 == "\n" }
        #expect(digests.count == 3000)
        #expect(digests.allSatisfy { $0.utf8.count == 16 })
        #expect(zip(digests, digests.dropFirst()).allSatisfy { $0 < $1 })
        #expect(text.utf8.count == 3000 * 17 - 1)
    }

    @Test(arguments: [
        "123456", "password", "PassWord", "12345678", "qwerty", "111111", "letmein", "iloveyou", "1q2w3e4r", "karolina",
        "000000", "zxcvbnm", "trustno1", "princess", "fuck_inside", "0.0.0.000",
    ])
    func `a password that many have is found, in any case`(password: String) {
        #expect(CommonPasswords.contains(password))
        #expect(CommonPasswords.contains(password.uppercased()))
    }

    @Test(arguments: [
        "", "12345", "a good one 1", "password!", " password", "correct horse battery", "johanna", "пароль", "密码",
    ])
    func `a password that few have is not`(password: String) {
        #expect(!CommonPasswords.contains(password))
    }

    @Test(arguments: [
        ("ann.lee@home.example", PasswordWeakness.address), ("ANN.LEE@home.example", .address), ("ann.lee", .address),
        ("Ann Lee", .address), ("annlee", .address), ("The Shop", .appName), ("theshop", .appName),
        ("THE-SHOP!", .appName), ("password", .common),
    ])
    func `a person's address, the app's name and a common password are weak`(
        password: String, weakness: PasswordWeakness
    ) throws {
        let address = try EmailAddress(parsing: Self.address)
        #expect(PasswordWeakness.found(in: password, of: [address], app: "The Shop") == weakness)
    }

    @Test(arguments: [
        "ann.lee7", "the shop 7", "shop the", "home.example", "lee.ann", "ann.lee@home", "!?-#%$", "......", "theshops",
    ])
    func `a text with more characters, or fewer, is another password`(password: String) throws {
        let address = try EmailAddress(parsing: Self.address)
        #expect(PasswordWeakness.found(in: password, of: [address], app: "The Shop") == nil)
    }

    @Test(arguments: ["", "!", "X", "Go!", "1", "😀😀😀"])
    func `a very short name takes no password away`(app: String) throws {
        for password in ["x!!!!!", "g.o!!!", "1.!!!!", "!!!!!!", "😀😀😀😀😀😀"] {
            #expect(PasswordWeakness.found(in: password, of: [], app: app) == nil)
        }
    }

    @Test func `a name in another script is compared as well`() {
        #expect(PasswordWeakness.found(in: "ДОБРЫЙ магазин", of: [], app: "Добрый Магазин") == .appName)
        #expect(PasswordWeakness.found(in: "灯塔通讯订阅", of: [], app: "灯塔 通讯 订阅") == .appName)
    }

    @Test(arguments: [
        ("qwerty", PasswordWeakness.common), ("ann.lee", .address), ("ann.new", .address), ("the shop", .appName),
    ])
    func `nobody can choose such a password, and who tries has changed nothing`(
        password: String, weakness: PasswordWeakness
    ) async throws {
        try await withHoming { homing in
            try await homing.projects.set("shop", "displayName", to: "The Shop")
            if password != "ann.new" {
                await #expect(throws: Refusal.weakPassword(weakness)) {
                    try await homing.signUp(Self.address, password: password)
                }
                #expect(try await homing.found(Self.address) == nil)
            }
            let (account, tokens) = try await homing.signUp(Self.address)
            try await homing.projects.set("shop", "emailPrivacyConfig.enableImprovedEmailPrivacy", to: "false")
            var change = AccountChange()
            change.password = .set(password)
            change.email = .set(try EmailAddress(parsing: "ann.new@home.example"))
            let person = try await homing.person(tokens)
            await #expect(throws: Refusal.weakPassword(weakness)) {
                try await homing.accounts.change(person, change, language: "en", from: "192.0.2.1")
            }
            #expect(try await homing.found(Self.address) == account)
            if password != "ann.new" {
                let code = try await homing.code(.passwordReset, for: Self.address)
                await #expect(throws: Refusal.weakPassword(weakness)) {
                    try await homing.redeem(code, .passwordReset, password: password)
                }
                try await homing.redeem(code, .passwordReset)
            }
        }
    }

    @Test func `a device's own account takes no such password either when it gets an address`() async throws {
        try await withHoming { homing in
            let (_, tokens) = try await homing.accounts.signUpAnonymously(in: try homing.shop)
            var change = AccountChange()
            change.email = .set(try EmailAddress(parsing: Self.address))
            for (password, weakness) in [("annlee", PasswordWeakness.address), ("123456", .common)] {
                change.password = .set(password)
                let person = try await homing.person(tokens)
                await #expect(throws: Refusal.weakPassword(weakness)) {
                    try await homing.accounts.change(
                        person, change, isLink: true, language: "en", from: "192.0.2.1")
                }
            }
        }
    }

    @Test func `the operator may set any, and whoever has one signs in with it`() async throws {
        try await withHoming { homing in
            var wanted = AccountChange()
            wanted.email = .set(try EmailAddress(parsing: Self.address))
            wanted.password = .set("123456")
            let account = try await homing.accounts.create(wanted, id: nil, in: try homing.shop)
            for enforced in ["false", "true"] {
                try await homing.projects.set("shop", "passwordPolicyConfig.forceUpgradeOnSignin", to: enforced)
                #expect(try await homing.signIn(Self.address, password: "123456").account.id == account.id)
            }
            wanted.password = .set("password")
            _ = try await homing.accounts.change(account.id, wanted, in: try homing.shop)
            #expect(try await homing.signIn(Self.address, password: "password").account.id == account.id)
        }
    }

    @Test func `a project can switch it off, and only that`() async throws {
        try await withHoming { homing in
            let name = "passwordPolicyConfig.refuseGuessablePasswords"
            try await homing.projects.set("shop", "passwordPolicyConfig.passwordPolicyEnforcementState", to: "OFF")
            await #expect(throws: Refusal.weakPassword(.common)) {
                try await homing.signUp(Self.address, password: "123456")
            }
            try await homing.projects.set("shop", name, to: "false")
            #expect(try homing.shop.settings.passwordPolicy.rules == [.minimumLength(6)])
            try await homing.signUp(Self.address, password: "123456")
            await #expect(throws: Refusal.weakPassword(.short)) {
                try await homing.signUp("bob@home.example", password: "12345")
            }
            try await homing.projects.set("shop", name, to: "")
            #expect(try homing.shop.settings.passwordPolicy.rules == [.minimumLength(6), .hardToGuess])
        }
    }
}
