// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingPasswords
import HomingProjects
import HomingStore
import HomingTesting
import HomingTransfer
import HomingWire
import Testing

@Suite struct `Accounts that leave and come back` {
    private static let bcrypt = "$2a$10$abcdefghijklmnopqrstuuxmM2LWfxFfsw7CBLfyuCzOrhaxxlSDy"

    /// The text of an export, in pages of two.
    private func export(_ homing: TestHoming, _ format: AccountExportWriter.Format = .json) async throws -> (
        text: String, writer: AccountExportWriter
    ) {
        let shop = try homing.shop
        var writer = AccountExportWriter(format, schemes: try await homing.core.accounts.schemes.all(of: shop))
        var bytes = writer.beginning
        var last: AccountID = ""
        while true {
            let page = try await homing.core.accounts.page(in: shop, after: last, limit: 2)
            guard let next = page.last?.id else { break }
            bytes += writer.page(page)
            last = next
        }
        return (String(decoding: bytes + writer.end, as: UTF8.self), writer)
    }

    /// People with hashes of Homing, of two other systems, and with none.
    private func fill(_ homing: TestHoming) async throws {
        try await homing.signUp("own@shop.example")
        let others = try accounts(
            """
            {"pk":"bob","fields":{"email":"bob@shop.example","password":"bcrypt$\(Self.bcrypt)","first_name":"Bob \\"B\\" ,<"}}
            {"pk":"cy","fields":{"email":"cy@shop.example","password":"sha1$seasalt$cff36ea83f5706ce9aa7454e63e431fc726b2dc8",
             "is_active":false,"date_joined":"2017-07-14T02:40:00Z","last_login":"2017-07-14T02:40:01Z"}}
            {"pk":"dee","fields":{"email":"","password":"!"}}
            """, from: .django
        ).map { try $0.account.get() }
        _ = try await homing.core.accounts.take(others, in: try homing.shop)
    }

    @Test func `are the same, and people sign in with the passwords that they have`() async throws {
        let (text, ids) = try await withHoming { homing in
            try await fill(homing)
            let (text, writer) = try await export(homing)
            #expect(writer.count == 4 && writer.withPassword == 3 && writer.withoutTheirHash == 0)
            return (text, try await homing.found("own@shop.example")?.id)
        }
        try await withHoming { homing in
            let rows = try accounts(text, from: .firebase)
            let people = try rows.map { try $0.account.get() }
            #expect(rows.map(\.line) == [3, 4, 5, 6])
            #expect(try await homing.core.accounts.take(people, in: try homing.shop) == people.map { _ in .taken })
            #expect(try await export(homing).writer.withPassword == 3)
            let own = try #require(try await homing.found("own@shop.example"))
            #expect(own.id == ids && own.passwordHash?.hasPrefix("$argon2id$") == true)
            _ = try await homing.signIn("own@shop.example")
            #expect(try await homing.found("own@shop.example")?.passwordHash == own.passwordHash)
            #expect(try await homing.found("bob@shop.example")?.displayName == "Bob \"B\" ,<")
            #expect(try await homing.signIn("bob@shop.example", password: "lètmein").account.id == "bob")
            let cy = try #require(try await homing.found("cy@shop.example"))
            #expect(cy.isDisabled && cy.createdAt == Moment(milliseconds: 1_500_000_000_000))
            #expect(cy.lastLoginAt == Moment(milliseconds: 1_500_000_001_000))
            #expect(try await homing.number("SELECT COUNT(*) FROM password_schemes") == 2)
        }
    }

    @Test func `say the same after a second journey`() async throws {
        let first = try await withHoming { homing in
            try await fill(homing)
            return try await export(homing).text
        }
        try await withHoming { homing in
            let people = try accounts(first, from: .firebase).map { try $0.account.get() }
            _ = try await homing.core.accounts.take(people, in: try homing.shop)
            // The names of the schemes are this project's own.
            func plain(_ text: String) -> [Substring] {
                text.replacing(/"hashConfig":"[^"]*"/, with: "").split(separator: "\n").dropFirst(1).map { $0 }
            }
            #expect(plain(try await export(homing).text) == plain(first))
        }
    }

    @Test func `have no hash in CSV that CSV has no words for`() async throws {
        try await withHoming { homing in
            try await fill(homing)
            let (text, writer) = try await export(homing, .csv)
            #expect(writer.count == 4 && writer.withPassword == 1 && writer.withoutTheirHash == 2)
            let people = try accounts(text, from: .firebase, scheme: .argon2()).map { try $0.account.get() }
            #expect(people.count == 4 && people.filter(\.hasPassword).count == 1)
            #expect(people.allSatisfy { $0.scheme == nil })
            let cy = try #require(people.first { $0.id == "cy" })
            #expect(cy.isDisabled && cy.createdAt == Moment(milliseconds: 1_500_000_000_000))
        }
    }

    @Test(arguments: [
        (#"{"hashConfigs":{"a":{"algorithm":"ROT13"}},"users":[]}"#, "none that is known"),
        (#"{"hashConfigs":{"a":{"algorithm":"SHA1","sat":1}},"users":[]}"#, "\"sat\" is no parameter"),
        (#"{"hashConfigs":{"a":{"algorithm":"PBKDF2_SHA256","rounds":9999999999}},"users":[]}"#, "rounds can be 1 to"),
        (#"{"hashConfigs":{"a":[]},"users":[]}"#, "it is no object"),
        (#"{"hashConfigs":{"a":{}},"users":[]}"#, "algorithm is missing"),
        (#"{"hashConfigs":{"a":{}"#, "ends in the middle"),
    ])
    func `do not come with parameters that cannot be`(text: String, reason: String) {
        do {
            _ = try accounts(text, from: .firebase)
            Issue.record("\(text) was read")
        } catch {
            #expect("\(error)".contains(reason), "\(error)")
        }
    }

    @Test func `name a scheme that their file has`() throws {
        let text =
            #"{"hashConfigs":{"a":{"algorithm":"BCRYPT"}},"users":[{"localId":"1","passwordHash":"AAAA","hashConfig":"b"}]}"#
        #expect(throws: ImportedAccount.Fault("hashConfig is none of the file's hashConfigs")) {
            try accounts(text, from: .firebase)[0].account.get()
        }
    }

    @Test(arguments: [
        PasswordScheme.firebaseScrypt(signerKey: [1, 2, 3], saltSeparator: [7], rounds: 8, memoryCost: 14),
        .scrypt(cost: 1024, blockSize: 8, parallelization: 16), .hmac(.md5, key: [1], isSaltFirst: true),
        .hmac(.sha512, key: [1], isSaltFirst: false), .digest(.sha1, rounds: 5, isSaltFirst: false),
        .pbkdf2(.sha1, rounds: 7), .pbkdf2(.sha256, rounds: 7), .pbkdf2(.sha512, rounds: 7), .bcrypt(),
        .bcrypt(digest: .sha256), .argon2(),
    ])
    func `keep every scheme in the words of a file of parameters`(scheme: PasswordScheme) throws {
        var values: [String: String] = [:]
        for member in scheme.config.members {
            let value = member.value.stringValue ?? member.value.integerValue.map { String($0) }
            values[try PasswordScheme.parameter(member.key)] = value
        }
        #expect(try PasswordScheme(values: values) == scheme)
    }
}
