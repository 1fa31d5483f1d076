// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingProjects
import HomingStore
import HomingTesting
import Testing

/// What the client hears that asked for a code and waits.
@Suite struct AwaitTests {
    private static let other = String(repeating: "w", count: 43)

    private func awaited(
        _ requestID: String, _ homing: TestHoming, verifier: String = TestHoming.verifier, typed: String? = nil,
        wait: Double = 0, in project: Project? = nil
    ) async throws -> String {
        let awaited = try await homing.actionCodes.awaited(
            requestID, verifier: verifier, typed: typed, wait: wait, in: try project ?? homing.shop)
        return switch awaited {
        case .pending: "pending"
        case .approved(let account, _, _): "approved \(account.email?.text ?? "nobody")"
        case .goesOn(let code): "goes on \(code)"
        case .done(let end): "done \(end?.rawValue ?? "by nobody")"
        case .declined(let end): "declined \(end?.rawValue ?? "by nobody")"
        case .expired: "expired"
        }
    }

    /// Acts while clients wait for requests, and answers what they hear.
    private func hear(
        _ requests: [String], _ homing: TestHoming, stayingAre count: Int? = nil, _ act: () async throws -> Void
    ) async throws -> [String] {
        try await withThrowingTaskGroup(of: String.self) { group in
            let before = homing.database.counts.statements
            for request in requests { group.addTask { try await awaited(request, homing, wait: 25) } }
            // Whoever has read its row sits down next, and hears what happens in between.
            for _ in 0..<2000
            where homing.database.counts.statements < before + requests.count
                || homing.actionCodes.waitingRoom.count != count ?? requests.count
            {
                try await Task.sleep(for: .milliseconds(5))
            }
            try await act()
            return try await group.reduce(into: [String]()) { $0.append($1) }.sorted()
        }
    }

    // MARK: Elsewhere, here

    @Test func `a sign-in that is approved elsewhere happens at the client that waits, and once`() async throws {
        try await withHoming { homing in
            let bound = try await homing.bound(.signIn)
            let shop = try homing.shop
            let heard = try await hear([bound.requestID], homing) {
                try await homing.actionCodes.approve(bound.code, number: bound.number, in: shop)
            }
            #expect(heard == ["approved \(TestHoming.ann)"])
            #expect(try await awaited(bound.requestID, homing, wait: 25) == "done elsewhere")
            #expect(try await homing.number("SELECT COUNT(*) FROM sessions") == 1)
        }
    }

    @Test func `of sixty-four that collect one approved sign-in one is signed in, and the others hear how`()
        async throws
    {
        try await withHoming { homing in
            let bound = try await homing.bound(.signIn)
            try await homing.actionCodes.approve(bound.code, number: bound.number, in: homing.shop)
            let heard = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<64 { group.addTask { try await awaited(bound.requestID, homing, wait: 25) } }
                return try await group.reduce(into: [String]()) { $0.append($1) }
            }
            #expect(heard.count { $0 == "approved \(TestHoming.ann)" } == 1)
            #expect(heard.count { $0 == "done elsewhere" } == 63)
            #expect(try await homing.number("SELECT COUNT(*) FROM sessions") == 1)
        }
    }

    @Test func `of approvals, typed codes and links at the same time one wins, and one session is opened`()
        async throws
    {
        try await withHoming { homing in
            let bound = try await homing.bound(.signIn)
            let shop = try homing.shop
            let address = try EmailAddress(parsing: TestHoming.ann)
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<64 {
                    group.addTask {
                        switch number % 3 {
                        case 0:
                            _ = try? await homing.actionCodes.approve(bound.code, number: bound.number, in: shop)
                        case 1: _ = try? await awaited(bound.requestID, homing, typed: bound.typed)
                        default:
                            _ = try? await homing.actionCodes.signIn(
                                bound.code, address: address, linking: nil, proof: .verifier(TestHoming.verifier),
                                in: shop)
                        }
                    }
                }
            }
            #expect(try await homing.number("SELECT COUNT(*) FROM sessions") == 1)
            #expect(try await awaited(bound.requestID, homing).hasPrefix("done "))
        }
    }

    @Test func `what is done elsewhere, done here, declined and ended by wrong numbers is heard as it was`()
        async throws
    {
        try await withHoming { homing in
            let shop = try homing.shop
            let elsewhere = try await homing.bound(.verifyEmail)
            var heard = try await hear([elsewhere.requestID], homing) {
                _ = try await homing.actionCodes.apply(elsewhere.code, proof: .number(elsewhere.number), in: shop)
            }
            #expect(heard == ["done elsewhere"])
            let here = try await homing.bound(.verifyEmail)
            heard = try await hear([here.requestID], homing) {
                _ = try await homing.actionCodes.apply(here.code, proof: .verifier(TestHoming.verifier), in: shop)
            }
            #expect(heard == ["done here"])
            let declined = try await homing.bound(.passwordReset)
            heard = try await hear([declined.requestID], homing) {
                try await homing.actionCodes.decline(declined.code, in: shop)
            }
            #expect(heard == ["declined declined"])
            let guessed = try await homing.bound(.signIn)
            heard = try await hear([guessed.requestID], homing) {
                for _ in 0..<3 {
                    _ = try? await homing.actionCodes.approve(guessed.code, number: guessed.wrongNumber, in: shop)
                }
            }
            #expect(heard == ["declined numbers"])
        }
    }

    @Test func `a newer request for the address, its time and a forgotten row are the end of the wait`() async throws {
        try await withHoming { homing in
            let replaced = try await homing.bound(.signIn)
            var heard = try await hear([replaced.requestID], homing) { _ = try await homing.bound(.signIn) }
            #expect(heard == ["expired"])

            let expiring = try await homing.bound(.passwordReset)
            let soon = Moment(milliseconds: homing.clock.now.milliseconds + 20)
            try await homing.rows("UPDATE codes SET expires_at = \(soon) WHERE id = \(expiring.sealed.id)")
            heard = try await hear([expiring.requestID], homing) { homing.clock.advance(seconds: 1) }
            #expect(heard == ["expired"])

            homing.clock.advance(seconds: 2 * 86_400)
            try await Sweep(homing.core).run()
            #expect(try await homing.number("SELECT COUNT(*) FROM codes") == 0)
            #expect(try await awaited(expiring.requestID, homing) == "expired")
        }
    }

    // MARK: Strangers

    @Test func `whoever has no verifier learns nothing, and ends nobody's wait`() async throws {
        try await withHoming { homing in
            _ = try await homing.projects.create(
                id: "other", name: nil, apiKey: nil, authorizedDomains: [], linkDomains: [], language: nil)
            let bound = try await homing.bound(.signIn)
            let otherProject = try homing.projects.existing("other")
            for _ in 0..<5 {
                for verifier in [Self.other, "", "v"] {
                    await #expect(throws: Refusal.invalidRequestID) {
                        try await awaited(bound.requestID, homing, verifier: verifier, wait: 25)
                    }
                    await #expect(throws: Refusal.invalidRequestID) {
                        try await awaited(bound.requestID, homing, verifier: verifier, typed: bound.typed)
                    }
                }
            }
            for id in [bound.code, "", String(bound.requestID.dropLast()), bound.requestID + "A"] {
                await #expect(throws: Refusal.invalidRequestID) { try await awaited(id, homing) }
            }
            await #expect(throws: Refusal.invalidRequestID) {
                try await awaited(bound.requestID, homing, in: otherProject)
            }
            #expect(homing.actionCodes.waitingRoom.count == 0)
            #expect(try await awaited(bound.requestID, homing) == "pending")
        }
    }

    @Test func `an address that nobody has is waited for by the same statements, with the same answers`() async throws {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann, isVerified: true)
            var courses: [[String]] = []
            for address in [TestHoming.ann, "nobody@home.example"] {
                var course: [String] = []
                func note(_ step: () async throws -> String) async throws {
                    let before = homing.database.counts
                    let answer = try await step()
                    let after = homing.database.counts
                    course.append("\(answer) \(after.statements - before.statements) \(after.commits - before.commits)")
                }
                let first = try await homing.ask(.passwordReset, for: address)
                try await note { try await awaited(first.requestID, homing) }
                let typed = try homing.typedCode(of: first.requestID)
                let wrong: String = (typed.hasPrefix("0") ? "1" : "0") + typed.dropFirst()
                for text in [wrong, "none", wrong] {
                    try await note {
                        do {
                            return try await awaited(first.requestID, homing, typed: text)
                        } catch let refusal as Refusal {
                            return "\(refusal)"
                        }
                    }
                }
                _ = try await homing.ask(.passwordReset, for: address)
                try await note { try await awaited(first.requestID, homing) }
                courses.append(course)
            }
            #expect(courses[0] == courses[1])
            #expect(courses[0].first?.hasPrefix("pending ") == true)
            #expect(courses[0].last?.hasPrefix("expired ") == true)
        }
    }

    // MARK: Typed

    @Test func `the code of a sign-in's mail signs in, in any groups, and once`() async throws {
        try await withHoming { homing in
            let bound = try await homing.bound(.signIn)
            let groups = "\(bound.typed.prefix(4)) – \(bound.typed.dropFirst(4))"
            #expect(try await awaited(bound.requestID, homing, typed: groups) == "approved \(TestHoming.ann)")
            #expect(try await awaited(bound.requestID, homing, typed: bound.typed) == "done typed")
            #expect(try await awaited(bound.requestID, homing) == "done typed")
        }
    }

    @Test func `the code of another mail gives the link's, which goes on with the verifier`() async throws {
        try await withHoming { homing in
            let bound = try await homing.bound(.passwordReset)
            #expect(try await awaited(bound.requestID, homing, typed: bound.typed) == "goes on \(bound.code)")
            #expect(try await awaited(bound.requestID, homing) == "pending")
            try await homing.actionCodes.resetPassword(
                bound.code, to: TestHoming.password, proof: .verifier(TestHoming.verifier), in: homing.shop,
                from: "192.0.2.1")
            #expect(try await awaited(bound.requestID, homing, typed: bound.typed) == "done here")
        }
    }

    @Test func `five wrong codes end the typing, and not the link`() async throws {
        try await withHoming { homing in
            let bound = try await homing.bound(.signIn)
            for left in [4, 3, 2, 1, 0] {
                await #expect(throws: Refusal.wrongTypedCode(triesLeft: left)) {
                    try await awaited(bound.requestID, homing, typed: bound.wrongTyped)
                }
            }
            await #expect(throws: Refusal.wrongTypedCode(triesLeft: 0)) {
                try await awaited(bound.requestID, homing, typed: bound.typed)
            }
            try await homing.actionCodes.approve(bound.code, number: bound.number, in: homing.shop)
            #expect(try await awaited(bound.requestID, homing, typed: bound.wrongTyped) == "approved \(TestHoming.ann)")
        }
    }

    // MARK: The room

    @Test func `no statement runs while nothing happens`() async throws {
        try await withHoming { homing in
            let (one, two) = (try await homing.bound(.signIn), try await homing.bound(.passwordReset))
            let heard = try await hear([one.requestID, one.requestID, two.requestID], homing) {
                let before = homing.database.counts
                try await Task.sleep(for: .milliseconds(100))
                let after = homing.database.counts
                #expect(after.statements == before.statements && after.commits == before.commits)
                for bound in [one, two] { try await homing.actionCodes.decline(bound.code, in: homing.shop) }
                #expect(homing.database.counts.writes == before.writes + 2)
            }
            #expect(heard == Array(repeating: "declined declined", count: 3))
        }
    }

    @Test func `the newest four wait for one request, and an older one is answered at once`() async throws {
        try await withHoming { homing in
            let bound = try await homing.bound(.verifyEmail)
            let requests = Array(repeating: bound.requestID, count: 6)
            let heard = try await hear(requests, homing, stayingAre: 4) {
                try await homing.actionCodes.decline(bound.code, in: homing.shop)
            }
            #expect(heard == Array(repeating: "declined declined", count: 4) + ["pending", "pending"])
        }
    }

    @Test func `a server that stops answers all who wait, and lets nobody wait for long`() async throws {
        try await withHoming { homing in
            let bound = try await homing.bound(.signIn)
            let heard = try await hear([bound.requestID], homing) { homing.core.drain() }
            #expect(heard == ["pending"])
            let start = ContinuousClock.now
            #expect(try await awaited(bound.requestID, homing, wait: 25) == "pending")
            #expect(start.duration(to: .now) < .seconds(15))
        }
    }

    @Test func `one look wakes all who wait for what another server has done, and none is taken while nobody waits`()
        async throws
    {
        try await withHoming { homing in
            let idle = homing.database.counts.statements
            try await homing.actionCodes.lookForEnded()
            #expect(homing.database.counts.statements == idle)
            let ended = [try await homing.bound(.signIn), try await homing.bound(.passwordReset)]
            let live = try await homing.bound(.verifyEmail)
            let heard = try await hear((ended + [live]).map(\.requestID), homing) {
                for bound in ended {
                    try await homing.rows(
                        """
                        UPDATE codes SET state = 6, ended_at = \(homing.clock.now), ended_by = 'declined'
                        WHERE id = \(bound.sealed.id)
                        """)
                }
                let before = homing.database.counts.statements
                // Slow commits are looked for again.
                homing.clock.advance(seconds: 20)
                try await homing.actionCodes.lookForEnded()
                #expect(homing.database.counts.statements > before)
                try await homing.actionCodes.decline(live.code, in: homing.shop)
            }
            #expect(heard == Array(repeating: "declined declined", count: 3))
        }
    }
}
