// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingProjects
import HomingStore
import HomingTesting
import HomingWire
import Testing

/// What is left of a person whose account was deleted.
@Suite struct ErasureTests {
    enum Way: CaseIterable, CustomTestStringConvertible {
        case person, `operator`, backEnd, erasure

        var testDescription: String { "\(self)" }
    }

    private static let new = "ann@new.example"
    private static let wanted = "ann@third.example"
    private static let gone = [Bounce(action: .failed, status: Bounce.Status(parsing: "5.1.1"), diagnostic: "")]

    private func address(_ text: String) throws -> EmailAddress { try EmailAddress(parsing: text) }

    /// The rows of all tables that have one of the texts.
    private func rows(naming texts: [String], _ homing: TestHoming) async throws -> [String] {
        var found: [String] = []
        for var table in try await homing.rows(homing.database.dialect.tables) {
            let name = try table.text()
            for row in try await homing.rows(SQL(stringLiteral: "SELECT * FROM \(name)")) {
                let values = "\(row.values)"
                if texts.contains(where: values.contains) { found.append("\(name): \(values)") }
            }
        }
        return found
    }

    private func bounce(_ recipient: String, _ homing: TestHoming) async throws {
        let mail = try await homing.outbox.list(to: try address(recipient), in: try homing.shop).first
        _ = try await homing.suppressions.take(Self.gone, about: try #require(mail).id, by: .command)
    }

    /// Somebody who has done everything that leaves an address behind: signed up, asked for mails, changed the address,
    /// wanted another one, mistyped a password, and whose mails came back.
    private func live(_ homing: TestHoming) async throws -> Account {
        try await homing.signUp(TestHoming.ann)
        let proof = try await homing.code(.verifyEmail, for: TestHoming.ann)
        _ = try await homing.actionCodes.apply(proof, in: try homing.shop, language: "en")
        for kind in [ActionCodeKind.passwordReset, .verifyEmail, .signIn] {
            try await homing.mail(kind, to: TestHoming.ann)
        }
        try await homing.deliver()
        let change = try await homing.code(.verifyAndChangeEmail, for: TestHoming.ann, newAddress: Self.new)
        _ = try await homing.actionCodes.apply(change, in: try homing.shop, language: "en")
        try await homing.mail(.verifyAndChangeEmail, to: Self.new, newAddress: Self.wanted)
        try await homing.deliver()
        _ = try? await homing.signIn(Self.new, password: "a wrong one")
        for address in [TestHoming.ann, Self.new] { try await bounce(address, homing) }
        try await homing.suppressions.lift(try address(Self.new), in: try homing.shop, by: .command)
        // This one waits still.
        homing.clock.advance(seconds: 1)
        try await homing.mail(.passwordReset, to: Self.new)
        return try #require(try await homing.found(Self.new))
    }

    private func delete(_ account: Account, _ way: Way, _ homing: TestHoming) async throws {
        let shop = try homing.shop
        switch way {
        case .person:
            let tokens = try await homing.signIn(Self.new).tokens
            try await homing.accounts.delete(try await homing.person(tokens))
        case .operator: try await homing.accounts.delete(account.id, in: shop, by: .command)
        case .backEnd:
            _ = try await homing.accounts.delete([account.id], evenEnabled: true, in: shop, by: .backEnd(key: "k1"))
        case .erasure: _ = try await homing.accounts.erase(try address(Self.new), in: shop, by: .command)
        }
    }

    @Test(arguments: Way.allCases)
    func `after a deletion no row has the person's addresses`(way: Way) async throws {
        try await withHoming(limits: .safe) { homing in
            let account = try await live(homing)
            let addresses = [TestHoming.ann, Self.new, Self.wanted]
            #expect(try await rows(naming: addresses, homing).count >= 8)
            try await delete(account, way, homing)
            #expect(try await rows(naming: addresses, homing) == [])
            #expect(try await homing.deliver().isEmpty)
            #expect(try await rows(naming: addresses, homing) == [])
        }
    }

    @Test func `a suppression outlasts the deletion, and holds for whoever has the address next`() async throws {
        try await withHoming(limits: .safe) { homing in
            let account = try await live(homing)
            try await delete(account, .person, homing)
            let kept = try await homing.suppressions.list(in: try homing.shop, limit: 10)
            #expect(kept.count == 1 && kept.allSatisfy { $0.address.hasPrefix("erased:") })
            homing.clock.advance(seconds: 3601)
            try await homing.account(TestHoming.ann)
            try await homing.mail(.passwordReset, to: TestHoming.ann)
            #expect(try await homing.deliver().isEmpty)
            let held = try await homing.outbox.list(to: try address(TestHoming.ann), in: try homing.shop)
            #expect(held.map(\.lastReply) == ["suppressed: erased"])
            try await homing.suppressions.lift(try address(TestHoming.ann), in: try homing.shop, by: .command)
            homing.clock.advance(seconds: 61)
            try await homing.mail(.passwordReset, to: TestHoming.ann)
            #expect(try await homing.deliver().map(\.recipient) == [TestHoming.ann])
        }
    }

    @Test func `the audit log's entries about one person stay together, without the address`() async throws {
        try await withHoming(limits: .safe) { homing in
            let account = try await live(homing)
            try await bounce(Self.new, homing)
            try await homing.suppressions.lift(try address(Self.new), in: try homing.shop, by: .command)
            try await delete(account, .operator, homing)
            let lifts = try await homing.audit.list(project: "shop").filter { $0.action == "suppression.lift" }
            #expect(lifts.count == 2)
            #expect(Set(lifts.map(\.subject)).count == 1)
            #expect(lifts.allSatisfy { $0.subject.hasPrefix("erased:") && $0.subject.utf8.count == 19 })
        }
    }

    @Test func `somebody whose name changed daily is deleted by as many statements as anybody else`() async throws {
        try await withHoming(limits: .safe) { homing in
            let shop = try homing.shop
            func cost(ofDeletingAfter changes: Int, id: AccountID) async throws -> Int {
                var wanted = AccountChange()
                wanted.email = .set(try address("\(id)@shop.example"))
                let account = try await homing.accounts.create(wanted, id: id, in: shop, by: .backEnd(key: "k1"))
                for day in 1...changes {
                    var change = AccountChange()
                    change.displayName = .set("Ann of day \(day)")
                    _ = try await homing.accounts.change(account.id, change, in: shop, by: .backEnd(key: "k1"))
                }
                let before = homing.database.counts.statements
                try await delete(account, .operator, homing)
                return homing.database.counts.statements - before
            }
            let once = try await cost(ofDeletingAfter: 1, id: "once")
            #expect(try await cost(ofDeletingAfter: 50, id: "daily") == once)
            let entries = try await homing.audit.list(project: "shop", limit: 1000).filter { $0.subject == "daily" }
            let values = entries.flatMap { [$0.before, $0.after] }.compactMap(\.self)
            // The first one gives an address, each other one a name in the place of the last.
            #expect(values.count { $0.hasPrefix(#"{"displayName":"erased:"#) } == 50 + 49)
            #expect(!values.contains { $0.contains("Ann") || $0.contains("@") })
        }
    }

    @Test func `a limit outlasts the deletion: the next account of the address gets no mail sooner`() async throws {
        try await withHoming(limits: .safe) { homing in
            let account = try await homing.account(TestHoming.ann)
            try await homing.mail(.passwordReset, to: TestHoming.ann)
            try await homing.accounts.delete(account.id, in: try homing.shop)
            try await homing.account(TestHoming.ann)
            await #expect(throws: Refusal.self) { try await homing.mail(.passwordReset, to: TestHoming.ann) }
        }
    }

    @Test func `a link that somebody else waits for goes, and its mail leaves nothing`() async throws {
        try await withHoming { homing in
            try await homing.mail(.signIn, to: TestHoming.ann)
            let squatter = try await homing.signUp(TestHoming.ann).tokens
            try await homing.accounts.delete(try await homing.person(squatter))
            #expect(try await homing.deliver().map(\.recipient) == [TestHoming.ann])
            #expect(try await homing.number("SELECT COUNT(*) FROM outbox") == 0)
            let code = try #require(homing.transport.mails.last?.actionLink).code
            try await homing.redeem(code, .signIn)
        }
    }

    @Test func `others keep their mails and codes`() async throws {
        try await withHoming { homing in
            let account = try await homing.account(TestHoming.ann)
            try await homing.account("bob@home.example")
            // She wants an address that somebody has; nothing of his is hers.
            try await homing.mail(.verifyAndChangeEmail, to: TestHoming.ann, newAddress: "bob@home.example")
            try await homing.mail(.passwordReset, to: "bob@home.example")
            let code = try await homing.mailedCode(to: "bob@home.example")
            try await bounce("bob@home.example", homing)
            try await homing.accounts.delete(account.id, in: try homing.shop)
            #expect(try await homing.outbox.list(to: try address("bob@home.example"), in: try homing.shop).count == 1)
            let kept = try await homing.suppressions.list(in: try homing.shop, limit: 10)
            #expect(kept.map(\.address) == ["bob@home.example"])
            let remembered = try await homing.actionCodes.remember(code, in: try homing.shop)
            #expect(remembered?.address.text == "bob@home.example")
        }
    }

    @Test func `an address without an account is erased, also where it is somebody's former one, or was wanted`()
        async throws
    {
        try await withHoming { homing in
            try await homing.signUp(TestHoming.ann)
            let change = try await homing.code(.verifyAndChangeEmail, for: TestHoming.ann, newAddress: Self.new)
            _ = try await homing.actionCodes.apply(change, in: try homing.shop, language: "en")
            try await homing.account("eve@home.example")
            try await homing.mail(.verifyAndChangeEmail, to: "eve@home.example", newAddress: TestHoming.ann)
            try await homing.deliver()
            let former = try address(TestHoming.ann)
            #expect(try await homing.accounts.erase(former, in: try homing.shop, by: .command) == nil)
            #expect(try await rows(naming: [TestHoming.ann], homing) == [])
            #expect(try await homing.found(Self.new)?.initialEmail == nil)
            let entry = try await homing.audit.list(project: "shop").first { $0.action == "account.erase" }
            #expect(entry?.subject.hasPrefix("erased:") == true)
        }
    }
}
