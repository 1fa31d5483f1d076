// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingPasswords
import HomingProjects
import HomingStore
import HomingTesting
import HomingTransfer
import Testing

@Suite struct `Files of accounts that are nearly right` {
    private static let md5 = PasswordScheme.digest(.md5, rounds: 1, isSaltFirst: true)

    @Test(arguments: [
        "id,Email,PasswordHash,Disabled", "ID, email, passwordHash, disabled", "Id,E-Mail,password_hash,DISABLED",
        " id ,email,Password Hash,Disabled",
    ])
    func `a column is known whatever its case, spaces and underscores`(header: String) throws {
        let text = header + "\n1, ada@shop.example ,5f4dcc3b5aa765d61d8327deb882cf99, TRUE\n"
        let person = try #require(try accounts(text, from: .csv, scheme: Self.md5).first).account.get()
        #expect(person.id == "1" && person.email?.text == "ada@shop.example")
        #expect(person.hasPassword && person.isDisabled && person.notKept.isEmpty)
    }

    @Test(arguments: [
        ("id,email,disbaled", "disbaled", "may mean disabled: say so with --columns disabled="),
        ("id,email,is_disabled", "is_disabled", "may mean disabled"),
        ("id,email,Blocked", "Blocked", "may mean disabled"),
        ("id,email,banned_at", "banned_at", "may mean disabled"),
        ("id,email,active", "active", "may say the opposite of disabled: make a column disabled of it"),
        ("id,mail", "mail", "may mean email"), ("id,Email Address", "Email Address", "may mean email"),
        ("id,email,hash", "hash", "may mean passwordHash"), ("id,email,verified", "verified", "may mean emailVerified"),
        ("id,email,emial_verified", "emial_verified", "may mean emailVerified"),
        ("id,email,phone", "phone", "may mean phoneNumber"),
    ])
    func `a column that is nearly a field is refused by its name, unless it is to be left out`(
        header: String, column: String, says: String
    ) throws {
        let row = header.split(separator: ",").map { $0 == "id" ? "1" : "" }.joined(separator: ",")
        let text = "\(header)\n\(row)\n"
        do {
            _ = try accounts(text, from: .csv)
            Issue.record("\(header) was read")
        } catch {
            #expect("\(error)".contains("\"\(column)\"") && "\(error)".contains(says), "\(error)")
        }
        let person = try #require(try accounts(text, from: .csv, ignoring: [column]).first).account.get()
        #expect(person.id == "1" && person.notKept.isEmpty)
    }

    @Test func `a column of another kind is counted, and so is one beside the field that it resembles`() throws {
        let text = """
            id,email,tier,First Name,backup_email,disabled,blocked_by
            1,ada@shop.example,gold,Ada,x@y.example,true,bob
            """
        let person = try #require(try accounts(text, from: .csv).first).account.get()
        #expect(person.isDisabled && person.notKept == ["tier", "First Name", "backup_email", "blocked_by"])
    }

    @Test func `columns that the operator names are found in another spelling, and have to be there`() throws {
        let text = "User ID,Mail,phone\n7,ada@shop.example,x\n"
        let rows = try accounts(
            text, from: .csv, columns: "id=user_id,Email=mail", ignoring: ["Phone"])
        #expect(try rows.first?.account.get().email?.text == "ada@shop.example")
        #expect(throws: AccountExportReader.Fault.self) {
            try accounts(text, from: .csv, columns: "id=user_id,email=mail,disabled=gone", ignoring: ["phone"])
        }
        #expect(throws: AccountExportReader.Fault.self) {
            try accounts(text, from: .csv, columns: "id=user_id,email=mail", ignoring: ["fax"])
        }
        #expect(throws: AccountExportReader.Fault.self) { try accounts("id,Email,email\n", from: .csv) }
    }

    @Test func `the columns of other systems are known in any case, and a slip is refused there, too`() throws {
        let text = "ID,Email,Banned_Until,tenant\n1,ada@shop.example,infinity,t\n"
        let person = try #require(try accounts(text, from: .supabase).first).account.get()
        #expect(person.email?.text == "ada@shop.example" && person.isDisabled)
        let slip = "id,email,baned_until\n1,ada@shop.example,infinity\n"
        do {
            _ = try accounts(slip, from: .supabase)
            Issue.record("it was read")
        } catch {
            #expect("\(error)".contains("\"baned_until\", which is not known and may mean banned_until"), "\(error)")
        }
    }

    @Test(arguments: ["Disabled", "email_verified", "LocalID"])
    func `a member of Firebase's JSON that is nearly right is refused by its name`(member: String) throws {
        let text = member == "LocalID" ? #"[{"LocalID":"1"}]"# : #"[{"localId":"1","\#(member)":true}]"#
        let row = try #require(try accounts(text, from: .firebase).first)
        do {
            _ = try row.account.get()
            Issue.record("\(text) was taken")
        } catch {
            #expect(error.description.contains("\"\(member)\" is not known and may mean"), "\(error)")
        }
    }

    private static let csv = "id,email,displayName,disabled\n1,ada@shop.example,Zoë 🙂,true\n"
    private static let json =
        #"{"users":[{"localId":"1","email":"ada@shop.example","displayName":"Zoë 🙂","disabled":true}]}"#

    /// A text as spreadsheets and shells write it.
    private static func forms(of text: String) -> [[UInt8]] {
        let little = Array(text.utf16).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let big = Array(text.utf16).flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        return [
            Array(text.utf8), [0xEF, 0xBB, 0xBF] + text.utf8, [0xFF, 0xFE] + little, [0xFE, 0xFF] + big, little, big,
        ]
    }

    @Test func `a file may be in UTF-8 or UTF-16, with a byte order mark or without`() throws {
        let texts: [(String, AccountSource)] = [
            (Self.csv, .csv), (Self.csv.replacing(",", with: ";"), .csv), (Self.csv.replacing(",", with: "\t"), .csv),
            (Self.json, .firebase), ("1,ada@shop.example,false,,,Zoë 🙂\n", .firebase),
        ]
        for (text, source) in texts {
            for bytes in Self.forms(of: text) {
                let rows = try rows(of: bytes, AccountExportReader(source, scheme: nil))
                let person = try #require(rows.first).account.get()
                #expect(rows.count == 1 && person.id == "1" && person.email?.text == "ada@shop.example", "\(text)")
                #expect(person.displayName == "Zoë 🙂", "\(text)")
            }
        }
    }

    @Test(arguments: [
        [0xFF, 0xFE, 0x69, 0x00, 0x64, 0x00, 0x0A], [0xFF, 0xFE, 0x69, 0x00, 0x00, 0xD8, 0x0A, 0x00] as [UInt8],
    ])
    func `half of a character is no text`(bytes: [UInt8]) {
        #expect(throws: AccountExportReader.Fault.self) {
            try rows(of: bytes, AccountExportReader(.csv, scheme: nil))
        }
    }

    @Test func `commas, semicolons and tabs separate, whichever the first row has most of`() throws {
        for text in [
            "id;email;displayName\n1;ada@shop.example;L., Ada\n",
            "id\temail\tdisplayName\r\n1\tada@shop.example\tL., Ada",
            "id,email,displayName\n1,ada@shop.example,\"L., Ada\"\n",
            "id;\"a, b, c, d\";email;displayName\n1;;ada@shop.example;L., Ada\n",
        ] {
            let person = try #require(try accounts(text, from: .csv).first).account.get()
            #expect(person.email?.text == "ada@shop.example" && person.displayName == "L., Ada", "\(text)")
        }
    }

    @Test func `hashes may be hexadecimal, and their salts`() async throws {
        // PBKDF2 with SHA-256 and 1000 rounds of "password".
        let hash = "6ed2147b9b670624275a8ab15759524ca062d8992aadae6a083b4bc148d12027"
        let forms = [(hash, "00112233445566778899aabbccddeeff"), (hash.uppercased(), "ABEiM0RVZneImaq7zN3u/w==")]
        for (written, salt) in forms {
            let text = "id,email,passwordHash,salt\n1,ada@shop.example,\(written),\(salt)\n"
            let scheme = PasswordScheme.pbkdf2(.sha256, rounds: 1000)
            let json =
                #"{"users":[{"localId":"1","email":"ada@shop.example","passwordHash":"\#(written)","#
                + #""salt":"\#(salt)"}]}"#
            for (text, source) in [(text, AccountSource.csv), (json, .firebase)] {
                let person = try #require(try accounts(text, from: source, scheme: scheme).first).account.get()
                try await withHoming { homing in
                    _ = try await homing.core.accounts.take([person], in: try homing.shop)
                    #expect(try await homing.signIn("ada@shop.example", password: "password").account.id == "1")
                }
            }
        }
    }

    @Test func `whoever signs in with the address as a name keeps it, not proven`() throws {
        let files: [(String, AccountSource)] = [
            (#"{"users":[{"id":"1","username":"Ada@Shop.Example","emailVerified":true}]}"#, .keycloak),
            (#"{"pk":1,"fields":{"username":"ada@shop.example","email":"","password":"!"}}"#, .django),
            (#"{"Users":[{"Username":"ada@shop.example","Attributes":[{"Name":"sub","Value":"1"}]}]}"#, .cognito),
        ]
        for (text, source) in files {
            let person = try #require(try accounts(text, from: source).first).account.get()
            #expect(person.id == "1" && person.email?.text == "ada@shop.example" && !person.isEmailVerified)
            #expect(person.notKept.isEmpty)
        }
        let named = try accounts(#"{"users":[{"id":"1","username":"ada"}]}"#, from: .keycloak)[0].account.get()
        #expect(named.email == nil && named.notKept == ["username"])
    }

    @Test func `a phone number that stands with the providers alone is kept, or named`() throws {
        func person(_ number: String) throws -> ImportedAccount {
            let phone = #"{"providerId":"phone","phoneNumber":"\#(number)"}"#
            return try accounts(#"{"users":[{"localId":"1","providerUserInfo":[\#(phone)]}]}"#, from: .firebase)[0]
                .account.get()
        }
        let known = try person("+49 30 123456")
        #expect(known.phoneNumber == "+4930123456" && known.notKept.isEmpty)
        let unknown = try person("ext. 7")
        #expect(unknown.phoneNumber == nil && unknown.notKept == ["phoneNumber"])
    }

    @Test func `an address that is none stops the account, unless it is to come without`() throws {
        let text = "id,email,displayName\n1,nowhere,Ada\n"
        #expect(throws: ImportedAccount.Fault.self) { try accounts(text, from: .csv)[0].account.get() }
        let person = try accounts(text, from: .csv, takesWithoutAddress: true)[0].account.get()
        #expect(person.email == nil && person.displayName == "Ada" && person.notKept == ["email"])
    }
}
