// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
import HomingPasswords
import HomingProjects
import HomingStore
import HomingTesting
import HomingTransfer
import Testing

@Suite struct `Reading what firebase auth:export wrote` {
    /// The rows of a file that comes in pieces of this size, or the fault that ends it.
    private func rows(
        _ text: String, pieces size: Int = 1 << 16, scheme: PasswordScheme? = .bcrypt()
    ) throws -> [AccountExportReader.Row] {
        var reader = AccountExportReader(scheme: scheme)
        var rows: [AccountExportReader.Row] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: size) {
            reader.take(Array(bytes[start..<min(start + size, bytes.count)]))
            while let row = try reader.next() { rows.append(row) }
        }
        reader.finish()
        while let row = try reader.next() { rows.append(row) }
        return rows
    }

    private static let json = """
        {"version": {"users": "not these"}, "users": [
        {
          "localId": "u1", "email": "Ada@Shop.Example", "emailVerified": true,
          "passwordHash": "JDJiJDA0JGFiY2RlZmdoaWprbG1ub3BxcnN0dXVuUXlVdzZ6ZzBqY2xoWVRsZzUvekh5ZndHeWNRWjhX", "salt": "",
          "displayName": "Ada } \\" ] L.", "photoUrl": "https://x.example/a", "createdAt": "1500000000000",
          "lastSignedInAt": "1500000001000", "disabled": true, "customAttributes": "{\\"role\\":\\"admin\\"}",
          "phoneNumber": "+4930123456", "providerUserInfo": [{"providerId": "google.com", "rawId": "7"}]
        }, {"localId": "u2", "providerUserInfo": []}]}

        """

    private static let csv =
        "u1,Ada@Shop.Example,true,$2b$04$abcdefghijklmnopqrstuunQyUw6zg0jclhYTlg5/zHyfwGycQZ8W,,\"Ada } \"\" ] L.\","
        + "https://x.example/a,7,,,,,,,,,,,,,,,,1500000000000,1500000001000,+4930123456,true,\"{\"\"role\"\":\"\"admin\"\"}\",\n"
        + "u2,,false,,,,,,,,,,,,,,,,,,,,,,,,,,\n"

    @Test(arguments: [1, 7, 64, 1 << 16])
    func `JSON and CSV say the same, however they are cut into pieces`(size: Int) throws {
        for text in [Self.json, Self.csv, "\u{FEFF}" + Self.json] {
            let rows = try rows(text, pieces: size)
            let accounts = try rows.map { try $0.account.get() }
            #expect(accounts.map(\.id) == ["u1", "u2"])
            #expect(accounts[0].email?.text == "ada@shop.example")
            #expect(accounts[0].isEmailVerified && accounts[0].isDisabled && accounts[0].hasPassword)
            #expect(accounts[0].displayName == "Ada } \" ] L.")
            #expect(accounts[0].createdAt == Moment(milliseconds: 1_500_000_000_000))
            #expect(accounts[0].lastLoginAt == Moment(milliseconds: 1_500_000_001_000))
            #expect(accounts[0].customAttributes == #"{"role":"admin"}"#)
            #expect(accounts[0].notKept.isEmpty && accounts[0].phoneNumber == "+4930123456")
            #expect(accounts[0].identities.map(\.provider) == ["google.com"] && accounts[0].identities[0].id == "7")
            #expect(accounts[1].email == nil && !accounts[1].hasPassword && accounts[1].notKept.isEmpty)
        }
    }

    @Test func `each account is named with its line`() throws {
        #expect(try rows(Self.json).map(\.line) == [2, 8])
        #expect(try rows(Self.csv).map(\.line) == [1, 2])
    }

    @Test(arguments: [
        (#"{"users": [{"email": "a@b.example"}]}"#, "localId is missing"),
        (#"{"users": [{"localId": "u", "email": "a b"}]}"#, "email is invalid"),
        (#"{"users": [{"localId": "u", "passwordHash": "abcd"}]}"#, "passwordHash is none of this algorithm"),
        (#"{"users": [{"localId": "u", "customAttributes": "[]"}]}"#, "Invalid custom claims provided."),
        (#"{"users": [{"localId": "u", "customAttributes": "{\"sub\":1}"}]}"#, "include a reserved claim."),
        (#"{"users": [{"localId": "u", "disabled": "yes"}]}"#, "disabled is not true or false"),
        (#"{"users": [{"localId": "u", "email": }]}"#, "this is no JSON"), ("u,a@b.example,x,,,\n", "column 3"),
        ("u,a@b.example\n", "there are 2 columns"),
    ])
    func `what cannot be taken says why`(text: String, reason: String) throws {
        let rows = try rows(text)
        let row = try #require(rows.first)
        #expect(rows.count == 1)
        do {
            _ = try row.account.get()
            Issue.record("\(text) was taken")
        } catch {
            #expect(error.description.contains(reason))
        }
    }

    @Test(arguments: [
        ("", "is empty"), ("  \n", "is empty"), (#"{"users": [{"localId": "u"}"#, "ends in the middle"),
        (#"{"users": [{"localId": "u"#, "ends in the middle"), (#"{"users": []"#, "ends in the middle"),
        (
            #"{"users": [{"localId": "u"}], "users": [{"localId": "v"}]}"#,
            "the file has a second \"users\", which would not be read"
        ),
        // Behind the claims, and within the id of an identity provider: the row looks whole.
        ("u1,c@b.example,,,,,,,,,,,,,,,,,,,,,,1,2,,false,", "ends in the middle of a row"),
        ("u1,c@b.example,,,,,,,,,,,,,,,,,,,,,,1,2,,false,,001234.ab", "ends in the middle of a row"),
        (#"{"people": [{"localId": "u"}]}"#, "has no \"users\""), (#"{"users": {"localId": "u"}}"#, "has no \"users\""),
        (#"{"users": [[{"localId": "u"}]]}"#, "is an object"), (#"{"users": ["u"]}"#, "is an object"),
        (#"{"users": [7]}"#, "is an object"), (#"{"users": [}]"#, "closes nothing"),
        (#"{"users": []} {}"#, "behind the end"),
        (#"[{"localId": "u"}] x"#, "outside of the brackets"), ("\"u\",\"unclosed", "line 1"),
        (#"[{"a": "# + String(repeating: "[", count: 100), "too many brackets"),
    ])
    func `a file that is broken, or another one, is refused whole`(text: String, reason: String) {
        do {
            _ = try rows(text)
            Issue.record("\(text) was read")
        } catch {
            #expect("\(error)".contains(reason), "\(error)")
        }
    }

    @Test func `hashes without a word about their algorithm are refused, and none are needed`() throws {
        let rows = try rows(Self.json, scheme: nil)
        #expect(throws: ImportedAccount.Fault.self) { try rows[0].account.get() }
        #expect(try rows[1].account.get().id == "u2")
    }

    @Test func `accounts that are here already stay as they are`() async throws {
        try await withHoming { homing in
            let shop = try homing.shop
            let accounts = try rows(Self.json).map { try $0.account.get() }
            #expect(try await homing.core.accounts.look(at: accounts, in: shop) == [.taken, .taken])
            #expect(try await homing.core.accounts.take(accounts, in: shop) == [.taken, .taken])
            #expect(try await homing.core.accounts.look(at: accounts, in: shop) == [.unchanged, .unchanged])
            #expect(
                try await homing.core.accounts.take(accounts, in: shop) == [.unchanged, .unchanged])
            let others = try rows(
                #"{"users": [{"localId": "u1", "email": "x@y.example"}, {"localId": "u3", "email": "ada@shop.example"}]}"#
            ).map { try $0.account.get() }
            let refused = try await homing.core.accounts.take(others, in: shop)
            #expect(refused == (try await homing.core.accounts.look(at: others, in: shop)))
            #expect(
                refused == [
                    .refused(.init("localId belongs to an existing account - can not overwrite.")),
                    .refused(.init("email exists in other account in database", other: "u1")),
                ])
            let ada = try #require(try await homing.found("ada@shop.example"))
            #expect(ada.id == "u1" && ada.isDisabled && ada.createdAt == Moment(milliseconds: 1_500_000_000_000))
        }
    }
}
