// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingStore
import HomingTesting
import HomingTransfer
import HomingWire
import Testing

@Suite struct `What the audit log says of accounts` {
    private static let backEnd = Authority.backEnd(key: "k1")
    private static let secret = "Quite a secret 7 indeed"

    private func entries(about id: AccountID, _ homing: TestHoming) async throws -> [AuditLog.Entry] {
        try await homing.audit.list(project: "shop", limit: 1000).filter { $0.subject == id.text }
    }

    private func changed(_ fill: (inout AccountChange) throws -> Void) rethrows -> AccountChange {
        var change = AccountChange()
        try fill(&change)
        return change
    }

    @Test func `what a back end gives an account is there, before and after`() async throws {
        try await withHoming { homing in
            let shop = try homing.shop
            let wanted = try changed {
                $0.email = .set(try EmailAddress(parsing: TestHoming.ann))
                $0.displayName = .set("Ann")
            }
            let account = try await homing.accounts.create(wanted, id: "u1", in: shop, by: Self.backEnd)
            let made = try #require(try await entries(about: "u1", homing).first)
            #expect(made.author == "key k1" && made.action == "account.create" && made.before == nil)
            #expect(made.after == #"{"email":"ann@home.example","displayName":"Ann"}"#)

            let change = try changed {
                $0.customAttributes = .set(#"{"admin":true}"#)
                $0.isEmailVerified = true
                $0.displayName = .clear
                $0.phoneNumber = .set("+4930123456")
                $0.newIdentity = try AccountIdentity(JSON.Object([("providerId", "google.com"), ("rawId", "7")]))
            }
            _ = try await homing.accounts.change(account.id, change, in: shop, by: Self.backEnd)
            let set = try #require(try await entries(about: "u1", homing).first { $0.action == "account.set" })
            #expect(set.before == #"{"emailVerified":false,"displayName":"Ann"}"#)
            #expect(
                set.after == #"{"emailVerified":true,"providerUserInfo":[{"providerId":"google.com","rawId":"7","#
                    + #""federatedId":"7"}],"customAttributes":{"admin":true},"phoneNumber":"+4930123456"}"#)
        }
    }

    @Test
    func `an account that is disabled and enabled again says so each time, and one that stays as it is says nothing`()
        async throws
    {
        try await withHoming { homing in
            let account = try await homing.account(TestHoming.ann)
            for isDisabled in [true, true, false] {
                let change = changed { $0.isDisabled = isDisabled }
                _ = try await homing.accounts.change(account.id, change, in: try homing.shop, by: Self.backEnd)
            }
            let log = try await entries(about: account.id, homing)
            #expect(
                Set(log.map { "\($0.action) \($0.after ?? "")" }) == [
                    #"account.disable {"disabled":true}"#, #"account.enable {"disabled":false}"#,
                ])
            #expect(log.count == 2)
        }
    }

    @Test func `a password is said to be there, changed and gone, and nothing of it is in the log`() async throws {
        try await withHoming { homing in
            let shop = try homing.shop
            let wanted = changed { $0.password = .set(Self.secret) }
            let account = try await homing.accounts.create(wanted, id: "u1", in: shop, by: Self.backEnd)
            var hashes = [account.passwordHash]
            let another = changed { $0.password = .set(Self.secret + "!") }
            hashes.append(
                try await homing.accounts.change("u1", another, in: shop, by: Self.backEnd).passwordHash)
            _ = try await homing.accounts.change(
                "u1", changed { $0.password = .clear }, in: shop, by: Self.backEnd)
            let log = try await entries(about: "u1", homing).map { "\($0.before ?? "") \($0.after ?? "")" }
            #expect(log.count == 3)
            #expect(log.contains { $0.hasSuffix(#" {"password":"set"}"#) })
            #expect(log.contains { $0.contains(#"{"password":"set"#) && $0.contains(#""password":"changed""#) })
            for hash in hashes.compactMap(\.self) {
                // Its parts: the salt, and the hash itself.
                for part in hash.split(separator: "$") where part.utf8.count > 16 {
                    #expect(!log.contains { $0.contains(part) })
                }
            }
            #expect(!log.contains { $0.contains(Self.secret) })
        }
    }

    @Test func `who changes or deletes the own account leaves no entry: it is no operator's change`() async throws {
        try await withHoming { homing in
            let (account, tokens) = try await homing.signUp(TestHoming.ann)
            let change = changed { $0.displayName = .set("Ann") }
            _ = try await homing.accounts.change(
                try await homing.person(tokens), change, language: "en", from: "192.0.2.1")
            try await homing.accounts.delete(try await homing.person(tokens))
            #expect(try await entries(about: account.id, homing).isEmpty)
        }
    }

    @Test func `accounts that are removed together are one entry with their ids`() async throws {
        try await withHoming { homing in
            for id in ["u1", "u2", "u3"] as [AccountID] {
                _ = try await homing.accounts.create(changed { $0.isDisabled = id != "u3" }, id: id, in: homing.shop)
            }
            let left = try await homing.accounts.delete(
                ["u3", "u2", "u1", "nobody"], evenEnabled: false, in: homing.shop, by: Self.backEnd)
            #expect(left == [0])
            let log = try await homing.audit.list(project: "shop").filter { $0.action == "account.deletePart" }
            #expect(log.map(\.subject) == ["2 accounts"] && log.map(\.before) == ["u1 u2"])
            #expect(log.allSatisfy { $0.author == "key k1" })
        }
    }

    @Test func `accounts that an import brings up to date are named as such`() async throws {
        try await withHoming { homing in
            let shop = try homing.shop
            func people(_ rows: String) throws -> [ImportedAccount] {
                try accounts("id,email,displayName\n" + rows, from: .csv, scheme: nil).map { try $0.account.get() }
            }
            _ = try await homing.core.accounts.take(
                try people("1,ada@shop.example,Ada\n2,bea@shop.example,Bea\n"), in: shop, by: Self.backEnd)
            _ = try await homing.core.accounts.take(
                try people("1,ada@shop.example,Ada L\n2,bea@shop.example,Bea\n3,cleo@shop.example,Cleo\n"), in: shop,
                updating: true, by: Self.backEnd)
            let log = try await homing.audit.list(project: "shop").filter { $0.action == "account.importPart" }
            #expect(
                Set(log.map { "\($0.subject): \($0.before ?? "-"), \($0.after ?? "-")" }) == [
                    "2 accounts: -, 1 2", "2 accounts: 1, 3 1",
                ])
        }
    }

    @Test
    func
        `after a deletion no entry has an address or a claim that the account ever had, and each says what it was about`()
        async throws
    {
        try await withHoming { homing in
            let shop = try homing.shop
            var wanted = AccountChange()
            for address in ["one@home.example", "two@home.example", "three@home.example"] {
                wanted.email = .set(try EmailAddress(parsing: address))
                if address.hasPrefix("one") {
                    _ = try await homing.accounts.create(wanted, id: "u1", in: shop, by: Self.backEnd)
                } else {
                    _ = try await homing.accounts.change("u1", wanted, in: shop, by: Self.backEnd)
                }
            }
            let change = changed {
                $0.customAttributes = .set(#"{"customer":"four@home.example"}"#)
                $0.isDisabled = true
            }
            _ = try await homing.accounts.change("u1", change, in: shop, by: Self.backEnd)
            try await homing.accounts.delete("u1", in: shop, by: Self.backEnd)
            let log = try await entries(about: "u1", homing)
            #expect(log.count == 5)
            #expect(!log.contains { "\($0)".contains("home.example") })
            let disabled = try #require(log.first { $0.action == "account.disable" }?.after)
            #expect(disabled.hasPrefix(#"{"disabled":true,"customAttributes":"erased:"#))
            let names = log.flatMap { [$0.before, $0.after] }.compactMap(\.self).flatMap {
                $0.split(separator: "\"").filter { $0.hasPrefix("erased:") }
            }
            #expect(Set(names).count == 1, "all of one person's have one name")
        }
    }

    @Test func `an address that is erased goes from the entries about whoever had it once`() async throws {
        try await withHoming { homing in
            let shop = try homing.shop
            let wanted = try changed { $0.email = .set(try EmailAddress(parsing: "once@home.example")) }
            _ = try await homing.accounts.create(wanted, id: "u1", in: shop, by: Self.backEnd)
            let change = try changed { $0.email = .set(try EmailAddress(parsing: "now@home.example")) }
            _ = try await homing.accounts.change("u1", change, in: shop, by: Self.backEnd)
            _ = try await homing.accounts.erase(
                try EmailAddress(parsing: "once@home.example"), in: shop, by: .command)
            let log = try await entries(about: "u1", homing)
            #expect(!log.contains { "\($0)".contains("once@") })
            #expect(log.contains { $0.after?.contains(#""email":"now@home.example""#) == true })
        }
    }

    /// A tenant in which an account of this address was made by a back end, as one was in the project.
    private func settle(_ address: String, _ homing: TestHoming) async throws -> Project {
        let tenant = try await homing.projects.createTenant("retail", named: nil, in: "shop")
        let wanted = try changed { $0.email = .set(try EmailAddress(parsing: address)) }
        _ = try await homing.accounts.create(wanted, id: "u1", in: try homing.shop, by: Self.backEnd)
        _ = try await homing.accounts.create(wanted, id: "u1", in: tenant, by: Self.backEnd)
        _ = try await homing.outbox.enqueueTest(to: try EmailAddress(parsing: address), in: tenant, by: .command)
        return tenant
    }

    @Test func `an address that is erased in a project or in its tenant stays in the entries about the other`()
        async throws
    {
        try await withHoming { homing in
            let address = try EmailAddress(parsing: "once@home.example")
            let tenant = try await settle(address.text, homing)
            _ = try await homing.accounts.erase(address, in: try homing.shop, by: .command)
            #expect(!(try await entries(about: "u1", homing)).contains { "\($0)".contains("once@") })
            let others = try await entries(about: "retail/u1", homing)
            #expect(others.map(\.after) == [#"{"email":"once@home.example"}"#])
            _ = try await homing.accounts.erase(address, in: tenant, by: .command)
            #expect(!(try await homing.audit.list(limit: 1000)).contains { "\($0)".contains("once@") })
        }
    }

    @Test(arguments: [false, true])
    func `with a tenant or a project its people go from the log, and not those of others`(
        isWhole: Bool
    ) async throws {
        try await withHoming { homing in
            _ = try await settle("once@home.example", homing)
            if isWhole {
                try await homing.projects.delete("shop")
            } else {
                try await homing.projects.deleteTenant("shop/retail")
                #expect(try await entries(about: "u1", homing).contains { $0.after?.contains("once@") == true })
            }
            let log = try await homing.audit.list(project: "shop", limit: 1000)
            #expect(log.count { $0.action == "account.create" } == 2, "that they were made stays")
            #expect(!log.contains { (isWhole || $0.subject != "u1") && "\($0)".contains("once@") })
        }
    }
}
