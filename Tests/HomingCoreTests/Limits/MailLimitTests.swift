// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingProjects
import HomingStore
import HomingTesting
import Testing

@Suite(.tags(.races)) struct MailLimitTests {
    private static let limits = Limits(mailPerIPHour: 0, mailPerProjectHour: 0)

    private func isThrottled(_ homing: TestHoming, _ kind: ActionCodeKind, _ address: String) async throws -> Bool {
        do {
            try await homing.mail(kind, to: address)
            return false
        } catch Refusal.Code.tooManyAttempts {
            return true
        }
    }

    @Test(arguments: [TestHoming.ann, "nobody@home.example"])
    func `one mail of a kind goes to an address in a minute, known or not`(address: String) async throws {
        try await withHoming(limits: Self.limits) { homing in
            try await homing.account(TestHoming.ann)
            #expect(try await !isThrottled(homing, .passwordReset, address))
            #expect(try await isThrottled(homing, .passwordReset, address))
            #expect(try await isThrottled(homing, .passwordReset, "\(address.uppercased())"))
            #expect(try await !isThrottled(homing, .signIn, address))
            #expect(try await !isThrottled(homing, .passwordReset, "bob@home.example"))
            homing.clock.advance(seconds: 59)
            #expect(try await isThrottled(homing, .passwordReset, address))
            homing.clock.advance(seconds: 1)
            #expect(try await !isThrottled(homing, .passwordReset, address))
        }
    }

    @Test(arguments: [TestHoming.ann, "nobody@home.example"])
    func `five mails go to an address in an hour, whatever their kinds`(address: String) async throws {
        try await withHoming(limits: Self.limits) { homing in
            try await homing.account(TestHoming.ann)
            for kind in [ActionCodeKind.passwordReset, .signIn, .passwordReset, .signIn, .passwordReset] {
                #expect(try await !isThrottled(homing, kind, address))
                homing.clock.advance(seconds: 61)
            }
            #expect(try await isThrottled(homing, .signIn, address))
            homing.clock.advance(seconds: 3600 - 5 * 61 - 1)
            #expect(try await isThrottled(homing, .signIn, address))
            homing.clock.advance(seconds: 1)
            #expect(try await !isThrottled(homing, .signIn, address))
        }
    }

    @Test(arguments: [TestHoming.ann, "nobody@home.example"])
    func `all counters of a mail are counted in one statement of the five that it costs`(address: String) async throws {
        try await withHoming(limits: Self.limits) { homing in
            try await homing.account(TestHoming.ann)
            let before = homing.database.counts.statements
            #expect(try await !isThrottled(homing, .passwordReset, address))
            #expect(homing.database.counts.statements - before == 5)
            let digest = homing.keys.ring.digest(of: try EmailAddress(parsing: address), in: "shop")
            let subjects = ["mail \(digest)", "mail \(digest) PASSWORD_RESET", "hour \(digest) PASSWORD_RESET"]
            for subject in subjects {
                #expect(try await homing.number("SELECT n FROM limits WHERE subject = \(subject)") == 1, "\(subject)")
            }
        }
    }

    @Test func `a mail that is refused leaves no code, no mail and no count behind`() async throws {
        try await withHoming(limits: Self.limits) { homing in
            try await homing.account(TestHoming.ann)
            try await homing.mail(.passwordReset, to: TestHoming.ann)
            let code = try await homing.mailedCode(to: TestHoming.ann)
            for _ in 0..<20 { #expect(try await isThrottled(homing, .passwordReset, TestHoming.ann)) }
            #expect(try await homing.number("SELECT COUNT(*) FROM codes") == 1)
            #expect(try await homing.number("SELECT MAX(n) FROM limits") == 1)
            try await homing.redeem(code, .passwordReset)
        }
    }

    @Test func `of many requests at once one is let through`() async throws {
        try await withHoming(limits: Self.limits) { homing in
            try await homing.account(TestHoming.ann)
            let passed = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<40 {
                    group.addTask { try await !isThrottled(homing, .passwordReset, TestHoming.ann) }
                }
                var passed = 0
                for try await isPassed in group where isPassed { passed += 1 }
                return passed
            }
            #expect(passed == 1)
            #expect(try await homing.number("SELECT COUNT(*) FROM outbox") == 1)
        }
    }

    @Test func `a counter survives a restart`() async throws {
        try await withWorld { world in
            try await world.withHoming(limits: Self.limits) { homing in
                _ = try await homing.projects.create(
                    id: "shop", name: nil, apiKey: nil, authorizedDomains: [], linkDomains: [], language: nil)
                try await homing.mail(.passwordReset, to: TestHoming.ann)
            }
            try await world.withHoming(limits: Self.limits) { homing async throws in
                #expect(try await isThrottled(homing, .passwordReset, TestHoming.ann))
            }
        }
    }

    @Test func `links that the operator's back end gets are not counted`() async throws {
        try await withHoming(limits: Self.limits) { homing in
            try await homing.account(TestHoming.ann)
            for _ in 0..<10 { _ = try await homing.code(.passwordReset, for: TestHoming.ann) }
            #expect(try await !isThrottled(homing, .passwordReset, TestHoming.ann))
        }
    }

    @Test func `notices and recovery mails are sent although the address has had its five`() async throws {
        try await withHoming(limits: Self.limits) { homing in
            try await homing.account(TestHoming.ann)
            for kind in [ActionCodeKind.passwordReset, .signIn, .passwordReset, .signIn, .passwordReset] {
                try await homing.mail(kind, to: TestHoming.ann)
                homing.clock.advance(seconds: 61)
            }
            try await homing.deliver()
            try await homing.redeem(try await homing.code(.passwordReset, for: TestHoming.ann), .passwordReset)
            let change = try await homing.code(
                .verifyAndChangeEmail, for: TestHoming.ann, newAddress: "ann@new.example")
            try await homing.redeem(change, .verifyAndChangeEmail)
            #expect(try await homing.deliver().map(\.recipient) == [TestHoming.ann, TestHoming.ann])
        }
    }

    @Test func `a change counts against the new address, which is the one that could be flooded`() async throws {
        try await withHoming(limits: Self.limits) { homing in
            try await homing.account("one@home.example")
            try await homing.account("two@home.example")
            try await homing.mail(.verifyAndChangeEmail, to: "one@home.example", newAddress: "victim@home.example")
            await #expect(throws: Refusal.self) {
                try await homing.mail(.verifyAndChangeEmail, to: "two@home.example", newAddress: "victim@home.example")
            }
        }
    }

    @Test func `zero switches a limit off`() async throws {
        try await withHoming(limits: .none) { homing async throws in
            for _ in 0..<12 { #expect(try await !isThrottled(homing, .passwordReset, TestHoming.ann)) }
        }
    }
}
