// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingProjects
import HomingStore
import HomingTesting
import Synchronization
import Testing

/// A code that is bound to the client that asked for it.
@Suite struct BoundCodeTests {
    private static let other = String(repeating: "w", count: 43)

    private func endedBy(_ bound: BoundCode, _ homing: TestHoming) async throws -> String? {
        try await homing.rows("SELECT ended_by FROM codes WHERE id = \(bound.sealed.id)").firstText()
    }

    private func number(_ column: SQL, of bound: BoundCode, _ homing: TestHoming) async throws -> Int {
        try await homing.number("SELECT \(sql: column) FROM codes WHERE id = \(bound.sealed.id)")
    }

    // MARK: Here

    @Test(arguments: ActionCodeKind.requested)
    func `the client that asked finishes with its verifier, and is asked for no number`(kind: ActionCodeKind)
        async throws
    {
        try await withHoming { homing in
            let bound = try await homing.bound(kind)
            try await homing.redeem(bound.code, kind, proof: .verifier(TestHoming.verifier))
            #expect(try await endedBy(bound, homing) == "here")
            await #expect(throws: Refusal.codeInvalid(.used)) {
                try await homing.redeem(bound.code, kind, proof: .verifier(TestHoming.verifier))
            }
        }
    }

    @Test(arguments: ActionCodeKind.requested)
    func `without its verifier a bound code does nothing, and stays alive`(kind: ActionCodeKind) async throws {
        try await withHoming { homing in
            let bound = try await homing.bound(kind)
            for proof in [CodeProof.none, .verifier(Self.other), .verifier("")] {
                await #expect(throws: Refusal.missingCodeVerifier) {
                    try await homing.redeem(bound.code, kind, proof: proof)
                }
            }
            #expect(try await number("state", of: bound, homing) == 0)
            #expect(try await homing.actionCodes.inspect(bound.code, in: try homing.shop).isBound)
            try await homing.redeem(bound.code, kind, proof: .verifier(TestHoming.verifier))
        }
    }

    @Test(arguments: ActionCodeKind.requested)
    func `an unbound code goes on as ever, whatever is shown beside it`(kind: ActionCodeKind) async throws {
        try await withHoming { homing in
            for proof in [CodeProof.none, .verifier(TestHoming.verifier), .number("17"), .number("")] {
                if kind == .verifyAndChangeEmail, let moved = try await homing.found("ann@new.example") {
                    try await homing.accounts.delete(moved.id, in: try homing.shop)
                }
                let code = try await homing.liveCode(kind)
                try await homing.redeem(code, kind, proof: proof)
            }
            #expect(try await homing.number("SELECT COUNT(*) FROM codes WHERE ended_by IS NOT NULL") == 0)
        }
    }

    @Test func `a reset whose proof is wrong hashes no password`() async throws {
        try await withHoming { homing in
            let bound = try await homing.bound(.passwordReset)
            // The policy would refuse this one: it is not even looked at.
            await #expect(throws: Refusal.missingCodeVerifier) {
                try await homing.redeem(bound.code, .passwordReset, password: "x")
            }
            await #expect(throws: Refusal.wrongNumber(triesLeft: 2)) {
                try await homing.redeem(
                    bound.code, .passwordReset, password: "x", proof: .number(bound.wrongNumber))
            }
        }
    }

    // MARK: Elsewhere

    @Test func `a sign-in that is approved elsewhere happens at the client that asked, once`() async throws {
        try await withHoming { homing in
            let shop = try homing.shop
            let bound = try await homing.bound(.signIn, for: TestHoming.ann)
            #expect(
                homing.actionCodes.question(of: try await homing.actionCodes.inspect(bound.code, in: shop), in: shop)
                    == .ofAskingDevice)
            await #expect(throws: Refusal.codeInvalid(.used)) {
                _ = try await homing.actionCodes.collect(bound.sealed, verifier: TestHoming.verifier, in: shop)
            }
            try await homing.actionCodes.approve(bound.code, number: bound.number, in: shop)
            #expect(try await homing.number("SELECT COUNT(*) FROM sessions") == 0, "nobody is signed in by the page")
            #expect(try await homing.actionCodes.waiting(requestID: bound.requestID, in: shop).state == .approved)
            await #expect(throws: Refusal.codeInvalid(.used)) {
                try await homing.actionCodes.approve(bound.code, number: bound.number, in: shop)
            }
            await #expect(throws: Refusal.codeInvalid(.used)) {
                _ = try await homing.actionCodes.collect(bound.sealed, verifier: Self.other, in: shop)
            }
            let arrival = try await homing.actionCodes.collect(bound.sealed, verifier: TestHoming.verifier, in: shop)
            #expect(arrival.account.email?.text == TestHoming.ann && arrival.account.isEmailVerified && !arrival.isNew)
            await #expect(throws: Refusal.codeInvalid(.used)) {
                _ = try await homing.actionCodes.collect(bound.sealed, verifier: TestHoming.verifier, in: shop)
            }
            #expect(try await homing.number("SELECT COUNT(*) FROM sessions") == 1)
            #expect(try await endedBy(bound, homing) == "elsewhere")
        }
    }

    @Test func `what was approved elsewhere is the client's by its link as well`() async throws {
        try await withHoming { homing in
            let bound = try await homing.bound(.signIn)
            try await homing.actionCodes.approve(bound.code, number: bound.number, in: try homing.shop)
            await #expect(throws: Refusal.codeInvalid(.used)) { try await homing.redeem(bound.code, .signIn) }
            try await homing.redeem(bound.code, .signIn, proof: .verifier(TestHoming.verifier))
            #expect(try await endedBy(bound, homing) == "elsewhere")
        }
    }

    @Test(arguments: [ActionCodeKind.passwordReset, .verifyEmail, .verifyAndChangeEmail])
    func `every other kind is finished elsewhere by the number`(kind: ActionCodeKind) async throws {
        try await withHoming { homing in
            let bound = try await homing.bound(kind)
            try await homing.redeem(bound.code, kind, proof: .number(bound.number))
            #expect(try await endedBy(bound, homing) == "elsewhere")
        }
    }

    /// Gives a number for a code, as its page does.
    private func give(_ number: String, for bound: BoundCode, _ homing: TestHoming) async throws {
        if bound.kind == .signIn {
            try await homing.actionCodes.approve(bound.code, number: number, in: try homing.shop)
        } else {
            try await homing.redeem(bound.code, bound.kind, proof: .number(number))
        }
    }

    @Test(arguments: ActionCodeKind.requested)
    func `the third wrong number ends the code, tells whoever waits and owes a notice`(kind: ActionCodeKind)
        async throws
    {
        try await withHoming { homing in
            let asked = AskedFrom(device: Device(browser: .firefox, system: .linux), network: "192.0.2.0/24")
            let bound = try await homing.bound(kind, from: asked)
            #expect(try await homing.actionCodes.inspect(bound.code, in: try homing.shop).asked == asked)
            let heard = Mutex<[CodeChange]>([])
            homing.store.hearsOfCodes.set { change in heard.withLock { $0.append(change) } }
            _ = homing.world.securityEvents.take()
            for left in [2, 1, 0] {
                await #expect(throws: Refusal.wrongNumber(triesLeft: left)) {
                    try await give(bound.wrongNumber, for: bound, homing)
                }
            }
            for number in [bound.number, bound.wrongNumber] {
                await #expect(throws: Refusal.codeInvalid(.declined)) { try await give(number, for: bound, homing) }
            }
            await #expect(throws: Refusal.codeInvalid(.declined)) {
                try await homing.redeem(bound.code, kind, proof: .verifier(TestHoming.verifier))
            }
            #expect(try await endedBy(bound, homing) == "numbers")
            #expect(
                try await homing.actionCodes.waiting(requestID: bound.requestID, in: try homing.shop).state
                    == .declined)
            #expect(heard.withLock { $0.last } == CodeChange(kind, of: .id(bound.sealed.id), in: "shop"))
            #expect(homing.world.securityEvents.take().map(\.kind) == [.numbersWrong])
            let notices = try await homing.outbox.list(project: "shop")
            // The mailbox that the link went to.
            let mailbox = kind == .verifyAndChangeEmail ? "ann@new.example" : TestHoming.ann
            #expect(notices.map(\.kind) == ["WRONG_NUMBERS"] && notices.first?.recipient == mailbox)
        }
    }

    @Test func `a number that is missing or none costs no try, and digits of every script are read`() async throws {
        try await withHoming { homing in
            let bound = try await homing.bound(.signIn)
            for number in ["", " ", "4", "abc", "\(bound.number)0", "4x", String(repeating: "4", count: 300)] {
                await #expect(throws: Refusal.wrongNumber(triesLeft: 3)) {
                    try await give(number, for: bound, homing)
                }
            }
            #expect(try await number("number_tries", of: bound, homing) == 0)
            let arabic = String(
                String.UnicodeScalarView(
                    bound.number.utf8.compactMap { Unicode.Scalar(UInt32($0) - 0x30 + 0x0660) }))
            try await give(" \(arabic) ", for: bound, homing)
        }
    }

    @Test func `approval shortly before the end leaves five minutes to collect`() async throws {
        try await withHoming { homing in
            let shop = try homing.shop
            for (wait, isThere) in [(299 as Int64, true), (300, false)] {
                let bound = try await homing.bound(.signIn)
                homing.clock.advance(seconds: 3599)
                try await homing.actionCodes.approve(bound.code, number: bound.number, in: shop)
                homing.clock.advance(seconds: wait)
                if isThere {
                    _ = try await homing.actionCodes.collect(bound.sealed, verifier: TestHoming.verifier, in: shop)
                } else {
                    #expect(
                        try await homing.actionCodes.waiting(requestID: bound.requestID, in: shop).state == .expired)
                    await #expect(throws: Refusal.self) {
                        _ = try await homing.actionCodes.collect(bound.sealed, verifier: TestHoming.verifier, in: shop)
                    }
                }
            }
            let late = try await homing.bound(.signIn)
            homing.clock.advance(seconds: 3600)
            await #expect(throws: Refusal.codeExpired) {
                try await homing.actionCodes.approve(late.code, number: late.number, in: shop)
            }
        }
    }

    @Test func `an approval outlives the server, and is collected once`() async throws {
        try await withWorld { world in
            let bound = try await world.withHoming { homing in
                _ = try await homing.projects.create(
                    id: "shop", name: nil, apiKey: nil, authorizedDomains: [], linkDomains: [], language: nil)
                let bound = try await homing.bound(.signIn)
                try await homing.actionCodes.approve(bound.code, number: bound.number, in: try homing.shop)
                return bound
            }
            try await world.withHoming { homing in
                let shop = try homing.shop
                _ = try await homing.actionCodes.collect(bound.sealed, verifier: TestHoming.verifier, in: shop)
                await #expect(throws: Refusal.codeInvalid(.used)) {
                    _ = try await homing.actionCodes.collect(bound.sealed, verifier: TestHoming.verifier, in: shop)
                }
            }
        }
    }

    // MARK: Typed

    private func enter(_ typed: String, for bound: BoundCode, by verifier: String, _ homing: TestHoming) async throws
        -> ActionCodes.Typed
    {
        try await homing.actionCodes.redeemTyped(
            bound.sealed, bound.kind, typed: typed, verifier: verifier, in: try homing.shop)
    }

    @Test func `the code in the mail signs the client in that asked, in whatever groups it is typed`() async throws {
        try await withHoming { homing in
            let forms: [(String) -> String] = [
                { $0 }, { "\($0.prefix(4)) \($0.suffix(4))" }, { "\($0.prefix(4))-\($0.suffix(4))" },
                { "\u{200E}\($0.prefix(4))\u{00A0}\($0.suffix(4)) " },
                { typed in
                    String(
                        String.UnicodeScalarView(
                            typed.utf8.compactMap { Unicode.Scalar(UInt32($0) - 0x30 + 0xFF10) }))
                },
            ]
            for form in forms {
                let bound = try await homing.bound(.signIn)
                guard
                    case .signedIn(let account, _, _) = try await enter(
                        form(bound.typed), for: bound, by: TestHoming.verifier, homing)
                else {
                    Issue.record("nobody is signed in")
                    return
                }
                #expect(account.email?.text == TestHoming.ann)
                #expect(try await endedBy(bound, homing) == "typed")
                await #expect(throws: Refusal.codeInvalid(.used)) {
                    _ = try await enter(bound.typed, for: bound, by: TestHoming.verifier, homing)
                }
            }
        }
    }

    @Test func `after five wrong codes the right one is worth nothing, and the link still is`() async throws {
        try await withHoming { homing in
            let bound = try await homing.bound(.signIn)
            for left in [4, 3, 2, 1, 0, 0] {
                await #expect(throws: Refusal.wrongTypedCode(triesLeft: left)) {
                    _ = try await enter(bound.wrongTyped, for: bound, by: TestHoming.verifier, homing)
                }
            }
            await #expect(throws: Refusal.wrongTypedCode(triesLeft: 0)) {
                _ = try await enter(bound.typed, for: bound, by: TestHoming.verifier, homing)
            }
            try await homing.redeem(bound.code, .signIn, proof: .verifier(TestHoming.verifier))
        }
    }

    @Test func `whoever has another verifier neither types a code nor uses up a try`() async throws {
        try await withHoming { homing in
            let bound = try await homing.bound(.signIn)
            for typed in [bound.typed, bound.wrongTyped, "1234"] {
                for verifier in [Self.other, ""] {
                    await #expect(throws: Refusal.invalidRequestID) {
                        _ = try await enter(typed, for: bound, by: verifier, homing)
                    }
                }
            }
            // Half a code is no try either.
            await #expect(throws: Refusal.wrongTypedCode(triesLeft: 5)) {
                _ = try await enter("1234", for: bound, by: TestHoming.verifier, homing)
            }
            #expect(try await number("typed_tries", of: bound, homing) == 0)
        }
    }

    @Test(arguments: [ActionCodeKind.passwordReset, .verifyEmail, .verifyAndChangeEmail])
    func `typed for another kind than a sign-in it answers the code of the link`(kind: ActionCodeKind) async throws {
        try await withHoming { homing in
            let bound = try await homing.bound(kind)
            guard case .goesOn(let code) = try await enter(bound.typed, for: bound, by: TestHoming.verifier, homing)
            else {
                Issue.record("the code does not go on")
                return
            }
            #expect(code == bound.code)
            await #expect(throws: Refusal.wrongTypedCode(triesLeft: 4)) {
                _ = try await enter(bound.wrongTyped, for: bound, by: TestHoming.verifier, homing)
            }
            try await homing.redeem(code, kind, proof: .verifier(TestHoming.verifier))
        }
    }

    @Test func `typed on the page that waits it approves, and only the client that asked is signed in`() async throws {
        try await withHoming { homing in
            let shop = try homing.shop
            let bound = try await homing.bound(.signIn)
            await #expect(throws: Refusal.wrongTypedCode(triesLeft: 4)) {
                _ = try await homing.actionCodes.finish(
                    requestID: bound.requestID, typed: bound.wrongTyped, in: shop)
            }
            guard
                case .approved = try await homing.actionCodes.finish(
                    requestID: bound.requestID, typed: bound.typed, in: shop)
            else {
                Issue.record("the sign-in is not approved")
                return
            }
            #expect(try await homing.number("SELECT COUNT(*) FROM sessions") == 0)
            _ = try await homing.actionCodes.collect(bound.sealed, verifier: TestHoming.verifier, in: shop)
            #expect(try await endedBy(bound, homing) == "typed")
        }
    }

    // MARK: Declined, deleted

    @Test(arguments: ActionCodeKind.requested)
    func `the reader of a mail ends a request that somebody else made`(kind: ActionCodeKind) async throws {
        try await withHoming { homing in
            let shop = try homing.shop
            let bound = try await homing.bound(kind)
            _ = homing.world.securityEvents.take()
            #expect(try await homing.actionCodes.decline(bound.code, in: shop).kind == kind)
            #expect(homing.world.securityEvents.take().map(\.kind) == [.codeDeclined])
            let request = try await homing.actionCodes.waiting(requestID: bound.requestID, in: shop)
            #expect(request.state == .declined && request.endedBy == .declined)
            for proof in [CodeProof.verifier(TestHoming.verifier), .number(bound.number), .none] {
                await #expect(throws: Refusal.codeInvalid(.declined)) {
                    try await homing.redeem(bound.code, kind, proof: proof)
                }
            }
            await #expect(throws: Refusal.codeInvalid(.declined)) {
                try await homing.actionCodes.decline(bound.code, in: shop)
            }
            let unbound = try await homing.liveCode(kind)
            await #expect(throws: Refusal.codeInvalid(.malformed)) {
                try await homing.actionCodes.decline(unbound, in: shop)
            }
            try await homing.redeem(unbound, kind)
        }
    }

    @Test func `an approved sign-in can be declined until it is collected`() async throws {
        try await withHoming { homing in
            let shop = try homing.shop
            let bound = try await homing.bound(.signIn)
            try await homing.actionCodes.approve(bound.code, number: bound.number, in: shop)
            try await homing.actionCodes.decline(bound.code, in: shop)
            await #expect(throws: Refusal.self) {
                _ = try await homing.actionCodes.collect(bound.sealed, verifier: TestHoming.verifier, in: shop)
            }
            #expect(try await homing.number("SELECT COUNT(*) FROM sessions") == 0)
        }
    }

    @Test func `a deleted account's approved sign-in is dead`() async throws {
        try await withHoming { homing in
            let shop = try homing.shop
            let bound = try await homing.bound(.signIn)
            try await homing.actionCodes.approve(bound.code, number: bound.number, in: shop)
            let account = try #require(try await homing.found(TestHoming.ann))
            try await homing.accounts.delete(account.id, in: shop)
            await #expect(throws: Refusal.self) {
                _ = try await homing.actionCodes.collect(bound.sealed, verifier: TestHoming.verifier, in: shop)
            }
            #expect(try await homing.found(TestHoming.ann) == nil)
        }
    }

    @Test func `what the erasure of an address leaves names it in no digest`() async throws {
        try await withHoming { homing in
            let shop = try homing.shop
            let asked = AskedFrom(device: nil, network: "192.0.2.0/24")
            let ann = try EmailAddress(parsing: TestHoming.ann)
            let digest = homing.store.ring.digest(of: ann, in: "shop")
            // Before she signs up, and after.
            let void = try await homing.ask(.passwordReset, for: TestHoming.ann, from: asked)
            _ = try await homing.bound(.signIn, from: asked)
            _ = try await homing.bound(.verifyEmail, from: asked)
            #expect(try await homing.number("SELECT COUNT(*) FROM codes WHERE digest = \(digest)") == 3)
            _ = try await homing.accounts.erase(ann, in: shop, by: .command)
            #expect(try await homing.number("SELECT COUNT(*) FROM codes WHERE digest IS NOT NULL") == 0)
            #expect(try await homing.number("SELECT COUNT(*) FROM codes WHERE asked IS NOT NULL") == 0)
            #expect(try await homing.actionCodes.waiting(requestID: void.requestID, in: shop).state == .pending)
        }
    }

    // MARK: Request ids

    @Test func `the id of a request is of no use in another project or tenant, and no code`() async throws {
        try await withHoming { homing in
            let shop = try homing.shop
            let other = try await homing.projects.create(
                id: "other", name: nil, apiKey: nil, authorizedDomains: [], linkDomains: [], language: nil)
            let tenant = try await homing.projects.createTenant("guests", named: "Guests", settings: [], in: "shop")
            let bound = try await homing.bound(.signIn)
            let before = homing.database.counts
            for project in [other, tenant] {
                #expect(throws: Refusal.invalidRequestID) {
                    try homing.actionCodes.request(withID: bound.requestID, in: project)
                }
            }
            for text in ["", bound.code, String(bound.requestID.dropLast()), bound.requestID + "A"] {
                #expect(throws: Refusal.invalidRequestID) { try homing.actionCodes.request(withID: text, in: shop) }
            }
            await #expect(throws: Refusal.codeInvalid(.malformed)) {
                try await homing.redeem(bound.requestID, .signIn, proof: .verifier(TestHoming.verifier))
            }
            #expect(homing.database.counts == before, "nothing forged costs a statement")
        }
    }
}
