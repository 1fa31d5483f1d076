// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingConsole
import HomingCore
import HomingProjects
import HomingServer
import HomingStore
import HomingTesting
import Testing

@Suite struct `The console of accounts` {
    private func withVisitor(
        _ role: Operator.Role = .editor, limits: Limits = .none,
        _ body: @Sendable (ConsoleVisitor, TestHoming) async throws -> Void
    ) async throws {
        try await withHoming(limits: limits) { homing in
            try await withServer(homing) { server in
                try await body(try await ConsoleVisitor(role, homing, server), homing)
            }
        }
    }

    // MARK: The list

    @Test func `accounts are counted, filtered and sorted`() async throws {
        try await withVisitor { visitor, homing async throws in
            #expect(try await visitor.get("accounts").text.contains("No accounts yet"))
            for name in ["eva", "bob", "cem"] {
                homing.clock.advance(seconds: 1)
                try await homing.account("\(name)@home.example", isVerified: name == "bob")
            }
            func names(_ query: String) async throws -> [String] {
                let page = try await visitor.get("accounts?\(query)")
                #expect(page.status == 200)
                return page.text.matches(of: /<bdi>([a-z]+)@home\.example<\/bdi>/).map { String($0.1) }
            }
            #expect(try await visitor.get("accounts").text.contains("<p>3 accounts</p>"))
            #expect(try await names("") == ["cem", "bob", "eva"])
            #expect(try await names("order=address") == ["bob", "cem", "eva"])
            #expect(try await names("verified=yes") == ["bob"])
            #expect(try await names("verified=no&order=address") == ["cem", "eva"])
            for nobody in ["status=disabled", "signin=password"] { #expect(try await names(nobody) == []) }
            let found = try await visitor.get("accounts?search=EV&status=enabled")
            #expect(found.text.contains("<p>1 of 3 accounts</p>") && found.text.contains("eva@home.example"))
        }
    }

    @Test func `a viewer has no order by addresses and no way to change anything`() async throws {
        try await withVisitor(.viewer) { visitor, homing async throws in
            for name in ["sam", "sue"] {
                homing.clock.advance(seconds: 1)
                try await homing.account("\(name)@home.example")
            }
            let page = try await visitor.get("accounts?order=address")
            #expect(page.status == 200 && !page.text.contains("order=address"))
            #expect(!page.text.contains("accounts/new") && !page.text.contains("accounts/export"))
            for path in ["accounts/new", "accounts/import", "accounts/export"] {
                #expect(try await visitor.get(path).status == 403)
                #expect(try await visitor.send(path, []).status == 403)
            }
        }
    }

    @Test func `an editor gets no file with the hashes of passwords`() async throws {
        try await withVisitor { visitor, homing async throws in
            _ = try await homing.signUp(TestHoming.ann)
            #expect(try await !visitor.get("accounts").text.contains("accounts/export"))
            #expect(try await visitor.get("accounts/export").status == 403)
            #expect(try await visitor.send("accounts/export", [("format", "json")]).status == 403)
        }
    }

    @Test func `a form of somebody who may not send it is not read`() async throws {
        try await withVisitor(.viewer) { visitor, _ async throws in
            let answer = try await visitor.server.admin.send(
                "POST", "/console/projects/shop/domains", headers: visitor.cookie,
                body: [UInt8](repeating: 0x61, count: 2 << 20))
            #expect(answer.status == 403, "not that it is too large")
        }
    }

    @Test func `only a file is large`() async throws {
        try await withVisitor { visitor, _ async throws in
            let fields = [("do", "check"), ("from", String(repeating: "a", count: 1 << 20))]
            #expect(try await visitor.send("accounts/import", fields).status == 413)
            let long = String(repeating: "a", count: (1 << 20) + 1)
            #expect(try await check(Self.csv, visitor, [("from", "csv"), ("columns", long)]).status == 413)
        }
    }

    // MARK: One account

    @Test func `an account is created with a password, with an email, and with neither`() async throws {
        try await withVisitor { visitor, homing async throws in
            let page = "accounts/new"
            let password = "correct horse battery"
            let made = try await visitor.send(
                page,
                [
                    ("email", "ada@home.example"), ("displayName", "Ada"), ("way", "password"),
                    ("password", password), ("emailVerified", "true"),
                ])
            let ada = try #require(try await homing.found("ada@home.example"))
            #expect(made.header("Location") == "/console/projects/shop/accounts/\(ada.id)?saved=created")
            #expect(ada.displayName == "Ada" && ada.isEmailVerified)
            _ = try await homing.signIn("ada@home.example", password: password)

            let mailed = try await visitor.send(page, [("email", "bea@home.example"), ("way", "email")])
            #expect(mailed.header("Location")?.hasSuffix("saved=created") == true)
            let code = try await homing.mailedCode(to: "bea@home.example")
            try await homing.redeem(code, .passwordReset)
            #expect(try await homing.found("bea@home.example")?.passwordHash != nil)

            #expect(try await visitor.send(page, [("email", "cyd@home.example"), ("way", "none")]).status == 303)
            #expect(try await homing.found("cyd@home.example")?.passwordHash == nil)
        }
    }

    @Test func `an account that cannot be is refused, and what was typed stays, but for the password`() async throws {
        try await withVisitor { visitor, homing async throws in
            try await homing.account("ada@home.example")
            let refused = try await visitor.send(
                "accounts/new",
                [("email", "no address"), ("displayName", "A & B"), ("way", "password"), ("password", "123")])
            #expect(refused.status == 400 && refused.faults.keys.sorted() == ["email", "password"])
            #expect(refused.text.contains("value=\"A &amp; B\"") && !refused.text.contains("value=\"123\""))
            let taken = try await visitor.send("accounts/new", [("email", "ADA@home.example"), ("way", "none")])
            #expect(taken.faults["email"]?.hasPrefix("An account has this address already") == true)
        }
    }

    @Test func `an account whose id is the name of a page has a page of its own`() async throws {
        try await withVisitor { visitor, homing async throws in
            for id in ["new", "import", "export"] as [AccountID] {
                _ = try await homing.accounts.create(AccountChange(), id: id, in: homing.shop, by: .command)
            }
            let list = try await visitor.get("accounts").text
            for match in list.matches(of: /href="([^"]*\/accounts\/%[^"]*)"/) {
                #expect(try await visitor.get(String(match.1)).text.contains("An account without an address"))
            }
            #expect(list.matches(of: /href="([^"]*\/accounts\/%[^"]*)"/).count == 3)
        }
    }

    @Test func `a profile is edited, and two editors do not write over each other`() async throws {
        try await withVisitor { visitor, homing async throws in
            let account = try await homing.account(TestHoming.ann)
            let page = "accounts/\(account.id)"
            func save(_ seen: String, _ name: String) async throws -> RESTAnswer {
                try await visitor.send(
                    page,
                    [
                        ("do", "profile"), ("was:email", TestHoming.ann), ("email", TestHoming.ann),
                        ("was:emailVerified", "false"), ("emailVerified", "true"), ("was:displayName", seen),
                        ("displayName", name), ("was:photoUrl", ""), ("photoUrl", ""), ("was:phoneNumber", ""),
                        ("phoneNumber", ""),
                    ])
            }
            #expect(try await save("", "Ann").status == 303)
            let changed = try #require(try await homing.found(TestHoming.ann))
            #expect(changed.displayName == "Ann" && changed.isEmailVerified)
            let overtaken = try await save("", "Anna")
            #expect(overtaken.status == 409 && overtaken.faults["displayName"]?.contains("This is Ann by now") == true)
            #expect(try await homing.found(TestHoming.ann)?.displayName == "Ann")
            let wrong = try await visitor.send(
                page, [("do", "profile"), ("was:phoneNumber", ""), ("phoneNumber", "call me")])
            #expect(wrong.status == 400 && wrong.faults.keys.sorted() == ["phoneNumber"])
            try await homing.account("bob@home.example")
            let taken = try await visitor.send(
                page, [("do", "profile"), ("was:email", TestHoming.ann), ("email", "bob@home.example")])
            #expect(taken.faults["email"] == "Another account has this address.")
        }
    }

    @Test func `claims are edited as JSON, and a fault names its line`() async throws {
        try await withVisitor { visitor, homing async throws in
            let account = try await homing.account(TestHoming.ann)
            let page = "accounts/\(account.id)"
            func save(_ seen: String, _ typed: String) async throws -> RESTAnswer {
                try await visitor.send(
                    page, [("do", "claims"), ("was:customAttributes", seen), ("customAttributes", typed)])
            }
            #expect(try await save("", "{\r\n  \"admin\": true\r\n}").status == 303)
            #expect(try await homing.found(TestHoming.ann)?.customAttributes == "{\"admin\":true}")
            let refused = try await save("{\r\n  \"admin\": true\r\n}", "{\r\n  \"admin\": yes\r\n}")
            #expect(refused.faults["customAttributes"]?.hasPrefix("Line 2: ") == true)
            let reserved = try await save("{\r\n  \"admin\": true\r\n}", "{\"aud\": 1}")
            #expect(reserved.faults["customAttributes"]?.lowercased().contains("aud is a name") == true)
            #expect(try await save("", "{\"b\": 1}").status == 409, "somebody else has set claims meanwhile")
            #expect(try await save("{\r\n  \"admin\": true\r\n}", "").status == 303)
            #expect(try await homing.found(TestHoming.ann)?.customAttributes == nil)
        }
    }

    @Test func `an address is verified by an email, and erased once it was typed`() async throws {
        try await withVisitor(.owner) { visitor, homing async throws in
            let account = try await homing.account(TestHoming.ann)
            let page = "accounts/\(account.id)"
            #expect(try await visitor.send(page, [("do", "verify")]).status == 303)
            try await homing.redeem(try await homing.mailedCode(to: TestHoming.ann), .verifyEmail)
            #expect(try await homing.found(TestHoming.ann)?.isEmailVerified == true)
            let shown = try await visitor.get(page).text
            #expect(shown.contains("account.sendVerification") && !shown.contains("Send a verification email"))
            let refused = try await visitor.send(page, [("do", "erase"), ("erased", "bob@home.example")])
            #expect(refused.status == 400 && refused.faults.keys.sorted() == ["erased"])
            let gone = try await visitor.send(page, [("do", "erase"), ("erased", TestHoming.ann)])
            #expect(gone.header("Location") == "/console/projects/shop/accounts?saved=erased")
            #expect(try await homing.found(TestHoming.ann) == nil)
        }
    }

    // MARK: Files

    @Test func `one large file is read at a time, and small forms meanwhile`() async throws {
        let (turn, large) = (UploadTurn(), 2 << 20)
        try await turn.run(bytes: large) {
            for bytes in [large, nil] {
                await #expect(throws: (any Error).self) { try await turn.run(bytes: bytes) {} }
            }
            try await turn.run(bytes: 1000) {}
        }
        try await turn.run(bytes: large) {}
    }

    private static let csv = """
        id,email,disabled
        one,ada@home.example,false
        two,bob@home.example,true
        three,no address,false

        """

    private func check(
        _ file: String, _ visitor: ConsoleVisitor, _ fields: [(String, String)] = [("from", "csv")]
    ) async throws -> RESTAnswer {
        let path = "/console/projects/shop/accounts/import"
        let token = visitor.session.formToken(for: path, ring: visitor.homing.keys.ring, at: visitor.homing.clock.now)
        let parts = ([("token", token), ("do", "check")] + fields).map {
            "--xyz\r\nContent-Disposition: form-data; name=\"\($0.0)\"\r\n\r\n\($0.1)\r\n"
        }
        let upload =
            "--xyz\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n\r\n\(file)\r\n--xyz--\r\n"
        return try await visitor.server.admin.send(
            "POST", path, headers: visitor.cookie + [("Content-Type", "multipart/form-data; boundary=xyz")],
            body: Array((parts.joined() + upload).utf8))
    }

    private func ticket(_ page: RESTAnswer) throws -> String {
        try #require(page.value(of: "ticket"))
    }

    @Test func `a file is checked, and stored once`() async throws {
        try await withVisitor { visitor, homing async throws in
            let checked = try await check(Self.csv, visitor)
            #expect(checked.status == 200 && checked.text.contains("Import these 2 accounts"))
            for word in ["email is invalid", "three", "ada@home.example", "Disabled"] {
                #expect(checked.text.contains(word), "\(word)")
            }
            #expect(try await homing.found("ada@home.example") == nil, "a check stores nothing")
            let fields = [("do", "import"), ("ticket", try ticket(checked))]
            let done = try await visitor.send("accounts/import", fields)
            #expect(done.status == 200 && done.text.contains("<h2>Imported</h2>"))
            #expect(try await homing.found("bob@home.example")?.isDisabled == true)
            let again = try await visitor.send("accounts/import", fields)
            #expect(again.status == 400 && again.text.contains("has begun already"))
            let second = try await check(Self.csv, visitor)
            #expect(second.text.contains("There is nothing to import"), "all are here")
            let entries = try await homing.audit.list(project: "shop").filter { $0.action == "account.import" }
            #expect(entries.map(\.author) == ["editor0@example.com"])
        }
    }

    @Test func `a file waits for its own editor, and not for ever`() async throws {
        try await withVisitor { visitor, homing async throws in
            let owner = try await ConsoleVisitor(.owner, homing, visitor.server)
            let fields = [("do", "import"), ("ticket", try ticket(try await check(Self.csv, visitor)))]
            #expect(try await owner.send("accounts/import", fields).status == 400)
            homing.clock.advance(seconds: 901)
            #expect(try await visitor.send("accounts/import", fields).status == 400)
            #expect(try await homing.found("ada@home.example") == nil)
        }
    }

    @Test func `hashes and their key are on no page`() async throws {
        try await withVisitor { visitor, homing async throws in
            let (hash, key) = ("YSBzZWNyZXQgaGFzaCB0aGF0IGhhcyAzMiBieXRlcy4=", "a2V5IG9mIGFsbCBoYXNoZXM=")
            let file = """
                {"users": [{"localId": "one", "email": "ada@home.example", "passwordHash": "\(hash)", "salt": "c2FsdA=="},
                {"localId": "two", "email": "none", "passwordHash": "\(hash)", "salt": "c2FsdA=="}]}
                """
            let parameters = "algorithm: HMAC_SHA256, base64_signer_key: \(key)"
            let checked = try await check(file, visitor, [("from", "firebase"), ("parameters", parameters)])
            #expect(checked.status == 200 && checked.text.contains("ada@home.example"), "\(checked.text)")
            let done = try await visitor.send(
                "accounts/import", [("do", "import"), ("ticket", try ticket(checked))])
            let refused = try await check("", visitor, [("from", "firebase"), ("parameters", parameters)])
            #expect(refused.status == 400 && refused.faults.keys.sorted() == ["file"])
            for page in [checked, done, refused] {
                #expect(!page.text.contains(hash) && !page.text.contains(key))
            }
            #expect(try await homing.found("ada@home.example")?.passwordHash != nil)
        }
    }

    @Test(arguments: ["{", "\u{0}\u{1}\u{2}", "id\n\"", "name,mail\n1,2\n", "{\"users\": 3}"])
    func `a file that is none is refused beside its field`(file: String) async throws {
        try await withVisitor { visitor, _ async throws in
            let refused = try await check(file, visitor)
            #expect(refused.status == 400 && refused.faults["file"] != nil, "\(refused.text)")
            let wrong = try await check(Self.csv, visitor, [("from", "firebase"), ("parameters", "algorithm: ROT13")])
            #expect(wrong.status == 400 && wrong.faults["parameters"] != nil)
        }
    }

    @Test func `accounts are exported as a file that an import takes, and the log has who took it`() async throws {
        try await withVisitor(.owner) { visitor, homing async throws in
            _ = try await homing.signUp(TestHoming.ann)
            #expect(try await visitor.get("accounts").text.contains("accounts/export"))
            #expect(try await visitor.get("accounts/export").text.contains("Download the file"))
            let file = try await visitor.send("accounts/export", [("format", "json")])
            #expect(file.status == 200 && file.header("Content-Type") == "application/json")
            let name = "attachment; filename=\"shop-accounts.json\""
            #expect(file.header("Content-Disposition") == name && file.header("Cache-Control") == "no-store")
            #expect(file.text.contains("passwordHash") && file.text.contains(TestHoming.ann))
            let csv = try await visitor.send("accounts/export", [("format", "csv")])
            #expect(csv.header("Content-Type") == "text/csv; charset=utf-8" && csv.text.contains(TestHoming.ann))
            #expect(try await visitor.send("accounts/export", [("format", "xml")]).status == 404)
            let entries = try await homing.audit.list(project: "shop").filter { $0.action == "account.export" }
            #expect(entries.count == 2 && entries.allSatisfy { $0.author == "owner0@example.com" })
            try await homing.accounts.delete(
                try #require(try await homing.found(TestHoming.ann)).id, in: homing.shop, by: .command)
            let checked = try await check(file.text, visitor, [("from", "firebase")])
            #expect(checked.text.contains("Import this account"))
            _ = try await visitor.send("accounts/import", [("do", "import"), ("ticket", try ticket(checked))])
            _ = try await homing.signIn(TestHoming.ann)
        }
    }
}
