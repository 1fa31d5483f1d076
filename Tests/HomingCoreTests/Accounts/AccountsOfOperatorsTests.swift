// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingProjects
import HomingStore
import HomingTesting
import Testing

@Suite struct `Accounts that an operator looks for` {
    /// All pages of a search, so many accounts to a page.
    private func pages(
        _ homing: TestHoming, _ beginning: String, limit: Int
    ) async throws -> [[Account]] {
        var pages: [[Account]] = []
        var place: String?
        repeat {
            let page = try await homing.accounts.search(beginning, in: homing.shop, after: place, limit: limit)
            pages.append(page.accounts)
            place = page.next
        } while place != nil && pages.count < 100
        return pages
    }

    @Test func `an address is found by its beginning, whatever the case, and an id by its own`() async throws {
        try await withHoming { homing async throws in
            for address in ["ada@home.example", "adam@home.example", "bob@home.example", "a@home.example"] {
                try await homing.account(address)
            }
            let bob = try #require(try await homing.found("bob@home.example"))
            func found(_ text: String) async throws -> [String?] {
                try await homing.accounts.search(text, in: homing.shop, limit: 10).accounts.map(\.email?.text)
            }
            #expect(try await found("ADA") == ["ada@home.example", "adam@home.example"])
            #expect(try await found("ada@HOME.example") == ["ada@home.example"])
            #expect(try await found(String(bob.id.text.prefix(20))) == ["bob@home.example"])
            #expect(try await found(String(bob.id.text.prefix(20)).lowercased() + "x") == [])
            for nothing in ["home", "%", "_da", "\u{10FFFF}", "é", "'"] { #expect(try await found(nothing) == []) }
        }
    }

    @Test(arguments: [1, 2, 3, 7, 100])
    func `pages have every account once, and come to an end`(limit: Int) async throws {
        try await withHoming { homing async throws in
            // An id that begins as the addresses do, accounts without an address, and one that is both.
            let ids: [AccountID] = ["anna", "an-id", "an:id", "zoe"]
            for id in ids { _ = try await homing.accounts.create(AccountChange(), id: id, in: homing.shop) }
            for number in 0..<5 { try await homing.account("an\(number)@home.example") }
            var both = AccountChange()
            both.email = .set(try EmailAddress(parsing: "andy@home.example"))
            _ = try await homing.accounts.create(both, id: "an-other", in: homing.shop)
            let found = try await pages(homing, "an", limit: limit)
            #expect(found.dropLast().allSatisfy { $0.count == limit })
            let all = found.joined().map { $0.email?.text ?? $0.id.text }
            #expect(
                all == (0..<5).map { "an\($0)@home.example" } + ["andy@home.example", "an-id", "an:id", "anna"])
            let everybody = try await pages(homing, "", limit: limit).joined().map(\.id)
            #expect(everybody.count == 10 && everybody == everybody.sorted())
        }
    }

    @Test func `another project's accounts are not found, and a made-up end of a page is refused`() async throws {
        try await withHoming { homing async throws in
            let other = try await homing.projects.create(
                id: "other", name: nil, apiKey: nil, authorizedDomains: [], linkDomains: [], language: nil)
            try await homing.account("ada@home.example", in: other)
            #expect(try await homing.accounts.search("ada", in: homing.shop, limit: 10).accounts.isEmpty)
            #expect(try await homing.accounts.search("", in: homing.shop, limit: 10).accounts.isEmpty)
            for place in ["", "x", "ids:1", "Address:a"] {
                await #expect(throws: Refusal.self) {
                    try await homing.accounts.search("a", in: homing.shop, after: place, limit: 10)
                }
            }
        }
    }

    @Test func `sessions are shown and ended, and tokens of before are refused at once`() async throws {
        try await withHoming { homing async throws in
            let (account, tokens) = try await homing.signUp(TestHoming.ann)
            homing.clock.advance(seconds: 60)
            _ = try await homing.signIn(TestHoming.ann)
            let sessions = try await homing.accounts.openSessions(of: account.id, in: homing.shop)
            #expect(sessions.map(\.startedAt) == [homing.clock.now, homing.clock.now.adding(seconds: -60)])
            #expect(sessions.allSatisfy { $0.provider == "password" })
            let ended = try await homing.accounts.endSessions(of: account.id, in: homing.shop, by: .command)
            #expect(ended == 2)
            #expect(try await homing.accounts.openSessions(of: account.id, in: homing.shop).isEmpty)
            await #expect(throws: Refusal.tokenExpired) { try await homing.person(tokens) }
            await #expect(throws: Refusal.tokenExpired) {
                try await homing.sessions.refresh(tokens.refreshToken, in: homing.shop)
            }
            #expect(try await homing.found(TestHoming.ann)?.validSince == homing.clock.now.seconds)
            #expect(try await homing.accounts.endSessions(of: account.id, in: homing.shop, by: .command) == 0)
            await #expect(throws: Refusal.userNotFound) {
                try await homing.accounts.endSessions(of: "nobody", in: homing.shop, by: .command)
            }
            #expect(try await homing.signIn(TestHoming.ann).account.id == account.id, "whoever knows the password")
        }
    }

    @Test func `whoever was in an account gets no change of address through once an operator has ended its sessions`()
        async throws
    {
        try await withHoming { homing in
            let code = try await homing.liveCode(.verifyAndChangeEmail)
            let account = try #require(try await homing.found(TestHoming.ann))
            _ = try await homing.accounts.endSessions(of: account.id, in: homing.shop, by: .command)
            await #expect(throws: Refusal.codeInvalid(.replaced)) {
                try await homing.redeem(code, .verifyAndChangeEmail)
            }
        }
    }

    @Test func `a reset goes to the account's address, once a minute`() async throws {
        try await withHoming(limits: .safe) { homing async throws in
            let account = try await homing.account(TestHoming.ann)
            try await homing.actionCodes.sendReset(to: account, in: homing.shop, by: .command)
            let code = try await homing.mailedCode(to: TestHoming.ann)
            await #expect(throws: Refusal.self) {
                try await homing.actionCodes.sendReset(to: account, in: homing.shop, by: .command)
            }
            try await homing.redeem(code, .passwordReset)
            let nameless = try await homing.accounts.create(AccountChange(), id: nil, in: homing.shop)
            await #expect(throws: Refusal.missingEmail) {
                try await homing.actionCodes.sendReset(to: nameless, in: homing.shop, by: .command)
            }
        }
    }

    @Test func `the mails of an address are found among all, those that wait too`() async throws {
        try await withHoming { homing async throws in
            for address in [TestHoming.ann, "bob@home.example"] { try await homing.account(address) }
            try await homing.mail(.passwordReset, to: TestHoming.ann)
            try await homing.mail(.passwordReset, to: "bob@home.example")
            try await homing.deliver()
            homing.clock.advance(seconds: 120)
            try await homing.mail(.signIn, to: TestHoming.ann)
            let mails = try await homing.outbox.list(to: try EmailAddress(parsing: TestHoming.ann), in: homing.shop)
            #expect(mails.map(\.kind) == ["EMAIL_SIGNIN", "PASSWORD_RESET"])
            #expect(mails.map(\.state) == [.queued, .sent])
            let one = try await homing.outbox.list(
                to: try EmailAddress(parsing: TestHoming.ann), in: homing.shop, limit: 1)
            #expect(one.map(\.kind) == ["EMAIL_SIGNIN"])
        }
    }

    @Test func `what an operator does stands in the log, by the account's id and without its address`() async throws {
        try await withHoming { homing async throws in
            let ann = Authority.person("ann@example.com")
            let account = try await homing.account("somebody@home.example")
            var change = AccountChange()
            change.isDisabled = true
            _ = try await homing.accounts.change(account.id, change, in: homing.shop, by: ann)
            try await homing.actionCodes.sendReset(to: account, in: homing.shop, by: ann)
            _ = try await homing.accounts.endSessions(of: account.id, in: homing.shop, by: ann)
            try await homing.accounts.delete(account.id, in: homing.shop, by: ann)
            let entries = try await homing.audit.list(project: "shop").filter { $0.subject == account.id.text }
            #expect(
                Set(entries.map(\.action)) == [
                    "account.disable", "account.sendReset", "account.endSessions", "account.delete",
                ])
            #expect(entries.allSatisfy { $0.author == "ann@example.com" && !"\($0)".contains("somebody") })
        }
    }
}
