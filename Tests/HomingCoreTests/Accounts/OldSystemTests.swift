// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Dispatch
import HomingCore
import HomingDatabase
import HomingPasswords
import HomingProjects
import HomingStore
import HomingTesting
import HomingTransfer
import Testing

@Suite struct `Passwords that an old system verifies` {
    static let ada = "ada@shop.example"
    static let secret = "the pässword of before"

    /// Takes accounts over whose passwords the old system verifies.
    static func settle(
        _ addresses: [String] = [ada], in homing: TestHoming, at system: OldSystem? = ScriptedOldSystem.system
    ) async throws {
        _ = try #require(system)
        let users = addresses.enumerated().map { #"{"id": "old\#($0)", "email": "\#($1)"}"# }
        let people = try accounts(users.joined(separator: "\n"), from: .supabase, oldSystem: system)
            .map { try $0.account.get() }
        let answers = try await homing.core.accounts.take(people, in: try homing.shop)
        #expect(answers == people.map { _ in .taken })
    }

    @Test func `it is asked once, and then never`() async throws {
        let old = ScriptedOldSystem([Self.ada: Self.secret])
        try await withHoming(oldSystem: old) { homing in
            try await Self.settle(in: homing)
            for _ in 0..<2 {
                #expect(try await homing.signIn(Self.ada, password: Self.secret).account.id == "old0")
            }
            let key = try #require(ScriptedOldSystem.system).key
            #expect(old.all == [.init(email: Self.ada, localID: "old0", password: Self.secret, key: key)])
            await #expect(throws: Refusal.invalidLoginCredentials) {
                try await homing.signIn(Self.ada, password: "a wrong one")
            }
            #expect(old.questions.count == 1)
            #expect(try await homing.found(Self.ada)?.passwordHash?.hasPrefix("$argon2id$") == true)
            #expect(homing.core.accounts.oldSystems.counts == [.right: 1, .wrong: 1])
        }
    }

    @Test func `a wrong password is called one, and the next one is asked about`() async throws {
        let old = ScriptedOldSystem([Self.ada: Self.secret])
        try await withHoming(oldSystem: old) { homing in
            try await Self.settle(in: homing)
            await #expect(throws: Refusal.invalidLoginCredentials) {
                try await homing.signIn(Self.ada, password: "a wrong one")
            }
            _ = try await homing.signIn(Self.ada, password: Self.secret)
            #expect(old.questions.map(\.password) == ["a wrong one", Self.secret])
        }
    }

    @Test func `two first sign-ins at once are both in, and keep one hash`() async throws {
        let (isAsked, mayAnswer) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let old = ScriptedOldSystem([Self.ada: Self.secret]) {
            isAsked.signal()
            mayAnswer.wait()
        }
        try await withHoming(oldSystem: old) { homing in
            try await Self.settle(in: homing)
            async let first = homing.signIn(Self.ada, password: Self.secret).account.id
            async let second = homing.signIn(Self.ada, password: Self.secret).account.id
            await Self.blocking { for _ in 0..<2 { isAsked.wait() } }
            for _ in 0..<2 { mayAnswer.signal() }
            #expect(try await [first, second] == ["old0", "old0"])
            _ = try await homing.signIn(Self.ada, password: Self.secret)
            #expect(old.all.count == 2)
        }
    }

    private static let noAnswers: [(OldSystemReply, String)] = [
        (.failed("it is away"), "it is away"),
        (
            .answered(status: 302, body: Array(#"{"valid": true}"#.utf8)),
            "it answered 302, and redirects are not followed"
        ),
        (.answered(status: 500, body: Array(#"{"valid": true}"#.utf8)), "it answered 500"),
        (.answered(status: 201, body: Array(#"{"valid": true}"#.utf8)), "it answered 201"),
        (.answered(status: 200, body: Array("<html>".utf8)), "without"), (.answered(status: 200, body: []), "without"),
        (.answered(status: 200, body: Array(#"{"valid": "true"}"#.utf8)), "without"),
        (.answered(status: 200, body: Array(#"{"valid": 1}"#.utf8)), "without"),
        (.answered(status: 200, body: Array(#"{"valid": false, "valid": true}"#.utf8)), "without"),
        (.answered(status: 200, body: Array("[true]".utf8)), "without"),
        (
            .answered(status: 200, body: Array(#"{"valid": true}"#.utf8) + [UInt8](repeating: 0x20, count: 4096)),
            "without"
        ),
    ]

    @Test(arguments: noAnswers.indices)
    func `no answer is no wrong password, and changes nothing`(index: Int) async throws {
        let old = ScriptedOldSystem([Self.ada: Self.secret])
        try await withHoming(oldSystem: old) { homing in
            try await Self.settle(in: homing)
            let before = try #require(try await homing.found(Self.ada))
            let (reply, reason) = Self.noAnswers[index]
            old.answer(reply)
            for password in [Self.secret, "a wrong one", Self.secret, Self.secret] {
                await #expect(throws: Refusal.overloaded(retryAfterSeconds: 5)) {
                    try await homing.signIn(Self.ada, password: password)
                }
            }
            #expect(try await homing.found(Self.ada)?.passwordHash == before.passwordHash)
            #expect(old.notes.count == 4)
            let note = try #require(old.notes.first)
            #expect(note.hasPrefix("shop https://old.example/verify ") && note.contains(reason))
            #expect(!note.contains(Self.secret) && !note.contains("shop=1"))
            old.answer(nil)
            _ = try await homing.signIn(Self.ada, password: Self.secret)
        }
    }

    @Test func `without an answer tries are counted, for whatever address, so that nobody guesses meanwhile`()
        async throws
    {
        let old = ScriptedOldSystem([Self.ada: Self.secret])
        var limits = Limits.none
        limits.signInFailuresPerAccountHour = 3
        try await withHoming(limits: limits, oldSystem: old) { homing in
            try await Self.settle(in: homing)
            try await homing.signUp("cy@shop.example")
            old.answer(.failed("it is away"))
            for address in [Self.ada, "cy@shop.example", "nobody@shop.example"] {
                for number in 0..<5 {
                    do {
                        _ = try await homing.signIn(address, password: "guess \(number)", from: "\(address) calls")
                        Issue.record("\(address) is in")
                    } catch let refusal as Refusal {
                        if refusal.code == .tooManyAttempts, number >= 3 { continue }
                        #expect(refusal == .overloaded(retryAfterSeconds: 5) && number < 3, "\(address) \(number)")
                    }
                }
            }
        }
    }

    @Test(arguments: ["user", "nobody"])
    func `many who share a caller do not lock it while there is no answer, whosever addresses those are`(
        name: String
    ) async throws {
        let people = (0..<6).map { "user\($0)@shop.example" }
        let old = ScriptedOldSystem()
        var limits = Limits.none
        // Ten tries of one caller.
        limits.signInFailuresPerAccountHour = 1
        try await withHoming(limits: limits, oldSystem: old) { homing in
            try await Self.settle(people, in: homing)
            try await homing.signUp("cy@shop.example")
            old.answer(.failed("it is away"))
            for number in 0..<12 {
                await #expect(throws: Refusal.self) {
                    try await homing.signIn("\(name)\(number % 6)@shop.example", password: Self.secret)
                }
            }
            _ = try await homing.signIn("cy@shop.example")
        }
    }

    @Test func `a caller has ten times as many tries without an answer, and then only passwords that are here`()
        async throws
    {
        let old = ScriptedOldSystem()
        var limits = Limits.none
        limits.signInFailuresPerAccountHour = 1
        try await withHoming(limits: limits, oldSystem: old) { homing in
            try await Self.settle(in: homing)
            try await homing.signUp("cy@shop.example")
            old.answer(.failed("it is away"))
            func isSilent(_ number: Int) async throws -> Bool {
                do {
                    _ = try await homing.signIn("nobody\(number)@shop.example", password: Self.secret)
                    return false
                } catch let refusal as Refusal {
                    return refusal == .overloaded(retryAfterSeconds: 5)
                }
            }
            for number in 0..<100 { #expect(try await isSilent(number), "\(number)") }
            #expect(try await !isSilent(100))
            _ = try await homing.signIn("cy@shop.example")
            #expect(old.all.count == 100)
        }
    }

    @Test func `nobody hears from it who has an account, and who has signed in since`() async throws {
        let old = ScriptedOldSystem([Self.ada: Self.secret, "bob@shop.example": Self.secret])
        try await withHoming(oldSystem: old) { homing in
            try await Self.settle([Self.ada, "bob@shop.example", "dan@shop.example"], in: homing)
            _ = try await homing.signIn("bob@shop.example", password: Self.secret)
            try await homing.signUp("cy@shop.example")
            try await homing.account("eve@shop.example")
            var change = AccountChange()
            change.isDisabled = true
            _ = try await homing.core.accounts.change("old2", change, in: try homing.shop)
            let others = [
                "bob@shop.example", "cy@shop.example", "eve@shop.example", "dan@shop.example", "nobody@shop.example",
            ]
            let typed = "a wrong one"
            for (reply, refusal) in [
                (nil, Refusal.invalidLoginCredentials),
                (.answered(status: 200, body: Array(#"{"valid": true}"#.utf8)), .invalidLoginCredentials),
                (.failed("it is away"), .overloaded(retryAfterSeconds: 5)),
            ] as [(OldSystemReply?, Refusal)] {
                old.answer(reply)
                for address in others {
                    let (asked, waits) = (old.all.count, homing.core.pool.waits.snapshot.count)
                    await #expect(throws: refusal) { try await homing.signIn(address, password: typed) }
                    #expect(
                        old.all.count == asked + 1 && homing.core.pool.waits.snapshot.count == waits + 1, "\(address)")
                }
            }
            #expect(old.questions.map(\.email) == ["bob@shop.example"])
            #expect(old.all.allSatisfy { $0.password != typed })
            // Whom it is asked about costs as many hashes.
            old.answer(nil)
            let waits = homing.core.pool.waits.snapshot.count
            await #expect(throws: Refusal.invalidLoginCredentials) {
                try await homing.signIn(Self.ada, password: typed)
            }
            #expect(homing.core.pool.waits.snapshot.count == waits + 1)
        }
    }

    @Test func `where addresses are no secret, it is asked about nobody`() async throws {
        let old = ScriptedOldSystem()
        try await withHoming(oldSystem: old) { homing in
            try await Self.settle(in: homing)
            try await homing.projects.set("shop", "emailPrivacyConfig.enableImprovedEmailPrivacy", to: "false")
            old.answer(.failed("it is away"))
            await #expect(throws: Refusal.emailNotFound) {
                try await homing.signIn("nobody@shop.example", password: "a wrong one")
            }
            #expect(old.all.isEmpty)
        }
    }

    @Test func `a reset while the question is open wins, and ends the questions`() async throws {
        let (isAsked, mayAnswer) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let old = ScriptedOldSystem([TestHoming.ann: Self.secret]) {
            isAsked.signal()
            mayAnswer.wait()
        }
        try await withHoming(oldSystem: old) { homing in
            try await Self.settle([TestHoming.ann], in: homing)
            let code = try await homing.code(.passwordReset, for: TestHoming.ann)
            async let early: Void = {
                await #expect(throws: Refusal.invalidLoginCredentials) {
                    try await homing.signIn(TestHoming.ann, password: Self.secret)
                }
            }()
            await Self.blocking { isAsked.wait() }
            homing.clock.advance(seconds: 1)
            try await homing.redeem(code, .passwordReset)
            mayAnswer.signal()
            await early
            _ = try await homing.signIn(TestHoming.ann)
            mayAnswer.signal()
            await #expect(throws: Refusal.invalidLoginCredentials) {
                try await homing.signIn(TestHoming.ann, password: Self.secret)
            }
            #expect(old.questions.count == 1)
        }
    }

    /// Waits on a thread of its own.
    private static func blocking(_ wait: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                wait()
                continuation.resume()
            }
        }
    }
}
