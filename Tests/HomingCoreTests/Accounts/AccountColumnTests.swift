// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCore
import HomingDatabase
import HomingProjects
import HomingStore
import HomingTesting
import HomingTransfer
import HomingWire
import Testing

@Suite struct AccountColumnTests {
    /// The texts of the account, by their members in files.
    private static let texts: [(member: String, value: any KeyPath<Account, String?> & Sendable)] = [
        ("displayName", \.displayName), ("photoUrl", \.photoURL), ("customAttributes", \.customAttributes),
        ("phoneNumber", \.phoneNumber),
    ]

    private func row(_ homing: TestHoming, hash: String? = nil) async throws -> Account {
        _ = try await homing.rows(
            """
            INSERT INTO accounts (project, id, email, email_verified, email_link, password_hash, password_updated_at,
                valid_since, created_at, last_login_at, last_refresh_at, disabled, display_name, photo_url,
                custom_attributes, initial_email, custom_auth, phone_number, identities)
            VALUES ('shop', 'ada', 'ada@shop.example', 1, 0, \(hash), 2, 3, 4, 5, 6, 0, 'Ada', 'https://x.example/a',
                '{"role":"admin"}', 'first@shop.example', 1, '+4930123456',
                '[{"providerId":"google.com","rawId":"7"}]')
            """)
        return try #require(try await homing.core.accounts.page(in: try homing.shop, after: "", limit: 1).first)
    }

    @Test func `every column of an account's row is read into its place`() async throws {
        try await withHoming { homing in
            let account = try await row(homing, hash: "a hash")
            #expect(account.id == "ada" && account.email?.text == "ada@shop.example")
            #expect(account.isEmailVerified && !account.usesEmailLink)
            #expect(!account.isDisabled && account.usesCustomTokens)
            #expect(account.passwordHash == "a hash" && account.initialEmail == "first@shop.example")
            #expect(account.passwordUpdatedAt == Moment(milliseconds: 2) && account.validSince == 3)
            #expect(account.createdAt == Moment(milliseconds: 4) && account.lastLoginAt == Moment(milliseconds: 5))
            #expect(account.lastRefreshAt == Moment(milliseconds: 6))
            #expect(account.displayName == "Ada" && account.photoURL == "https://x.example/a")
            #expect(account.customAttributes == #"{"role":"admin"}"# && account.phoneNumber == "+4930123456")
            #expect(account.identities.map(\.provider) == ["google.com"] && account.identities.first?.id == "7")
        }
    }

    @Test func `a name that changes in its Unicode form alone is written, and the log says so`() async throws {
        try await withHoming { homing in
            let account = try await row(homing)
            let (composed, decomposed) = ("Jos\u{E9}", "Jose\u{301}")
            for name in [composed, decomposed] {
                var change = AccountChange()
                change.displayName = .set(name)
                let kept = try await homing.accounts.change(
                    account.id, change, in: try homing.shop, by: .backEnd(key: "k1"))
                #expect(kept.displayName.map { Array($0.utf8) } == Array(name.utf8))
                var row = try #require(try await homing.rows("SELECT display_name FROM accounts").first)
                #expect(Array(try row.text().utf8) == Array(name.utf8))
            }
            let entries = try await homing.audit.list(project: "shop").filter { $0.action == "account.set" }
            #expect(entries.count == 2)
        }
    }

    @Test func `a file carries every text of an account under one name, which the manual has`() async throws {
        try await withHoming { homing in
            let account = try await row(homing)
            var writer = AccountExportWriter(.json, schemes: [])
            let text = String(decoding: writer.beginning + writer.page([account]) + writer.end, as: UTF8.self)
            let read = try accounts(text, from: .firebase)[0].account.get()
            for (member, value) in Self.texts {
                #expect(text.contains("\"\(member)\":"), "\(member)")
                #expect(AccountColumns.fields.contains(member), "\(member)")
                #expect(account[keyPath: value]?.isEmpty == false)
            }
            #expect(read.displayName == account.displayName && read.photoURL == account.photoURL)
            #expect(read.customAttributes == account.customAttributes && read.phoneNumber == account.phoneNumber)
            #expect(read.notKept.isEmpty && read.identities == account.identities)
        }
        var root = URL(fileURLWithPath: #filePath)
        for _ in 1...4 { root.deleteLastPathComponent() }
        let manual = try String(contentsOf: root.appendingPathComponent("docs/moving-accounts.md"), encoding: .utf8)
        for field in AccountColumns.fields { #expect(manual.contains("`\(field)`"), "\(field)") }
    }

    @Test func `a table has a text under the same name, and comes without what cannot be kept`() throws {
        let header = AccountColumns.fields.joined(separator: ",")
        #expect(header.hasPrefix("id,email,"))
        let names = Self.texts.map(\.member).joined(separator: ",")
        let good = try accounts("id,\(names)\n1,Ada,https://x.example/a,{},+49 30 123456\n", from: .csv)[0].account
            .get()
        #expect(good.displayName == "Ada" && good.photoURL == "https://x.example/a" && good.customAttributes == "{}")
        #expect(good.phoneNumber == "+4930123456")
        let long = String(repeating: "x", count: 2049)
        for (column, value, fault) in [
            ("displayName", String(long.prefix(257)), "displayName has more than 256 characters"),
            ("photoUrl", long, "photoUrl has more than 2048 bytes"),
            ("phoneNumber", "nobody", "phone number format is invalid"),
            ("createdAt", "yesterday", "a time is not in milliseconds since 1970"),
            ("lastSignedInAt", "never", "a time is not in milliseconds since 1970"),
        ] {
            let person = try accounts("id,\(column)\n1,\(value)\n", from: .csv)[0].account.get()
            #expect(person.id == "1" && person.notKept == [column])
            // A back end that sends it to the API is told, as at Google.
            let user = JSON.Object([("localId", "1"), (column, .string(value))])
            #expect(throws: ImportedAccount.Fault(fault), "\(column)") { try ImportedAccount(user, nil) }
        }
    }

    @Test(arguments: [
        ("[]", "Invalid custom claims provided."), (#"{"sub":1}"#, "Custom claims provided include a reserved claim."),
        (#"{"a":"\#(String(repeating: "x", count: 1_000))"}"#, "Custom claims provided are too large."),
    ])
    func `nobody comes without their custom claims, which may carry permissions`(claims: String, fault: String) throws {
        let user = JSON.Object([("localId", "1"), ("customAttributes", .string(claims))])
        let file = String(decoding: JSON.object([("users", .array([.object(user)]))]).write(), as: UTF8.self)
        let row = try accounts(file, from: .firebase)[0]
        #expect(throws: ImportedAccount.Fault(fault)) { try row.account.get() }
        #expect(throws: ImportedAccount.Fault(fault)) { try ImportedAccount(user, nil) }
    }
}
