// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingMail
import HomingProjects
import HomingStore
import HomingTesting
import Testing

/// A known address and an unknown one get the same answer at the same cost.
@Suite struct KnownAndUnknownTests {
    private struct Price: Equatable {
        var statements: Int
        var writes: Int
        var commits: Int
        var codes: Int
        var mails: Int
        var counters: Int
    }

    private func price(_ homing: TestHoming, _ ask: () async throws -> Void) async throws -> Price {
        func rows() async throws -> [Int] {
            var counts: [Int] = []
            for sql in ["codes", "outbox", "limits"].map({ SQL(stringLiteral: "SELECT COUNT(*) FROM \($0)") }) {
                counts.append(try await homing.number(sql))
            }
            return counts
        }
        let before = try await rows()
        let counts = homing.database.counts
        try await ask()
        let after = homing.database.counts
        let rowsAfter = try await rows()
        return Price(
            statements: after.statements - counts.statements, writes: after.writes - counts.writes,
            commits: after.commits - counts.commits, codes: rowsAfter[0] - before[0], mails: rowsAfter[1] - before[1],
            counters: rowsAfter[2] - before[2])
    }

    @Test func `a reset costs the same rows and statements for both`() async throws {
        try await withHoming(limits: .safe) { homing in
            try await homing.account(TestHoming.ann)
            let known = try await price(homing) { try await homing.mail(.passwordReset, to: TestHoming.ann) }
            let unknown = try await price(homing) { try await homing.mail(.passwordReset, to: "nobody@home.example") }
            #expect(known == unknown)
            #expect(known.writes == 1 && known.codes == 1 && known.mails == 1 && known.counters == 3)
        }
    }

    @Test func `asking again while the first mail waits costs the same for both, and no more than the first time`()
        async throws
    {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann)
            var prices: [Price] = []
            for address in [TestHoming.ann, TestHoming.ann, "nobody@home.example", "nobody@home.example"] {
                prices.append(try await price(homing) { try await homing.mail(.passwordReset, to: address) })
            }
            #expect(prices.allSatisfy { $0 == prices[0] })
        }
    }

    @Test func `a reset costs the same for both where an address without an account is told so`() async throws {
        try await withHoming { homing in
            try await homing.projects.set("shop", "mail.unknownAddress", to: "tell")
            try await homing.account(TestHoming.ann)
            var prices: [Price] = []
            for address in [TestHoming.ann, TestHoming.ann, "nobody@home.example", "nobody@home.example"] {
                prices.append(try await price(homing) { try await homing.mail(.passwordReset, to: address) })
            }
            #expect(prices[0] == prices[2] && prices[1] == prices[3])
            #expect(prices[0].writes == 1 && prices[0].codes == 1 && prices[0].mails == 1 && prices[0].counters == 1)
        }
    }

    @Test func `a sign-in link where nobody new may sign up costs the same for both`() async throws {
        try await withHoming(limits: .safe) { homing in
            try await homing.projects.set("shop", "client.permissions.disabledUserSignup", to: "true")
            try await homing.account(TestHoming.ann)
            let known = try await price(homing) { try await homing.mail(.signIn, to: TestHoming.ann) }
            let unknown = try await price(homing) { try await homing.mail(.signIn, to: "nobody@home.example") }
            #expect(known == unknown)
            #expect(try await homing.deliver().map(\.recipient) == [TestHoming.ann])
        }
    }

    @Test func `a change to a free and to a taken address leaves the same rows and owes the same notice`() async throws
    {
        try await withHoming(limits: .safe) { homing in
            try await homing.account("taken@home.example")
            var prices: [Price] = []
            for (address, new) in [
                ("one@home.example", "free@home.example"), ("two@home.example", "taken@home.example"),
            ] {
                try await homing.account(address)
                prices.append(
                    try await price(homing) {
                        try await homing.mail(.verifyAndChangeEmail, to: address, newAddress: new)
                    })
            }
            #expect(prices[0] == prices[1])
            #expect(prices[0].writes == 1 && prices[0].codes == 1 && prices[0].mails == 2)
            let told = try await homing.deliver().map(\.recipient).sorted()
            #expect(told == ["free@home.example", "one@home.example", "two@home.example"])
        }
    }

    @Test func `the answer holds the address as it was typed and nothing else`() async throws {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann)
            for address in [TestHoming.ann, "nobody@home.example"] {
                let issued = try await homing.actionCodes.request(
                    ActionCodes.Request(
                        project: try homing.shop, kind: .passwordReset,
                        subject: .address(try EmailAddress(parsing: address)),
                        settings: ActionCodeSettings(), language: "en"))
                #expect(issued.address.text == address)
                #expect(issued.code == nil && issued.link == nil)
            }
        }
    }

    @Test func `nothing of an unknown address is kept, and its rows are dropped by delivery`() async throws {
        try await withHoming { homing in
            try await homing.mail(.passwordReset, to: "nobody@home.example")
            let kept = try await homing.rows(
                """
                SELECT c.address, c.account, o.recipient, o.facts FROM codes c JOIN outbox o ON o.code = c.id
                """)
            #expect(kept.count == 1)
            #expect(kept[0].values.prefix(3) == [.null, .null, .null])
            #expect(!"\(kept[0].values[3])".contains("nobody"))
            #expect(try await homing.deliver().isEmpty)
            #expect(homing.transport.attempts.isEmpty)
            #expect(try await homing.number("SELECT COUNT(*) FROM outbox") == 0)
        }
    }

    @Test func `rows of unknown addresses are swept within ten minutes when nothing is delivered`() async throws {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann)
            try await homing.mail(.passwordReset, to: "nobody@home.example")
            try await homing.mail(.passwordReset, to: TestHoming.ann)
            homing.clock.advance(seconds: 600)
            try await Sweep(homing.core).run()
            #expect(try await homing.number("SELECT COUNT(*) FROM codes") == 1)
            #expect(try await homing.number("SELECT COUNT(*) FROM outbox") == 1)
            #expect(try await homing.deliver().map(\.recipient) == [TestHoming.ann])
        }
    }

    @Test func `without protection an unknown address is named, and nothing is kept of the try`() async throws {
        try await withHoming(limits: .safe) { homing in
            try await homing.projects.set("shop", "emailPrivacyConfig.enableImprovedEmailPrivacy", to: "false")
            await #expect(throws: Refusal.emailNotFound) {
                try await homing.mail(.passwordReset, to: "nobody@home.example")
            }
            for table in ["codes", "outbox", "limits"] {
                #expect(try await homing.number(SQL(stringLiteral: "SELECT COUNT(*) FROM \(table)")) == 0)
            }
        }
    }
}
