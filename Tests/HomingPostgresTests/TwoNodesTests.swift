// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCertificates
import HomingCore
import HomingDatabase
import HomingLinkRules
import HomingPasswords
import HomingProjects
import HomingStore
import HomingTesting
import HomingTransfer
import Testing

/// Runs a test with a project of two nodes on one PostgreSQL, each with connections of its own.
func withTwoNodes(_ body: (TestHoming, TestHoming) async throws -> Void) async throws {
    try await withWorld(isOnPostgres: true) { world in
        try await world.withHoming { first in
            _ = try await first.projects.create(
                id: "shop", name: "Shop", apiKey: TestHoming.apiKey, authorizedDomains: ["shop.example"],
                linkDomains: [], language: nil)
            try await world.withHoming { second in try await body(first, second) }
        }
    }
}

/// Runs a verb on each of the nodes while another connection holds what a statement locks. Each begins when those
/// before it wait; what is held is let go when all wait: for that, or for one another.
///
/// - Returns: what became of each, in the order of the nodes.
func meeting<Outcome: Sendable>(
    behind lock: SQL, on nodes: [TestHoming], _ verb: @escaping @Sendable (TestHoming, Int) async -> Outcome
) async throws -> [Outcome] {
    let isHeld = Live(false)
    let isFree = Live(false)
    async let holding: Void = nodes[0].database.write { connection in
        try connection.run(lock)
        isHeld.set(true)
        let end = Date(timeIntervalSinceNow: 20)
        while !isFree.value, Date() < end { Thread.sleep(forTimeInterval: 0.005) }
    }
    while !isHeld.value { try await Task.sleep(for: .milliseconds(5)) }
    let outcomes = try await withThrowingTaskGroup(of: (Int, Outcome).self) { group in
        for (place, node) in nodes.enumerated() {
            group.addTask { (place, await verb(node, place)) }
            try await waiting(place + 1, on: node)
        }
        isFree.set(true)
        return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    try await holding
    return nodes.indices.compactMap { outcomes[$0] }
}

private func waiting(_ count: Int, on node: TestHoming) async throws {
    let query: SQL = """
        SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
        """
    for _ in 0..<800 {
        if try await node.number(query) == count { return }
        try await Task.sleep(for: .milliseconds(5))
    }
    Issue.record("\(count) verbs were to wait")
}

/// Two nodes that do at the same time what one of them may do once.
@Suite(.tags(.races)) struct TwoNodesTests {
    /// How many of so many attempts, half of them on each node, succeed.
    private func successes(
        _ count: Int, on nodes: [TestHoming], _ attempt: @escaping @Sendable (TestHoming, Int) async throws -> Void
    ) async -> Int {
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<count {
                group.addTask {
                    do {
                        try await attempt(nodes[number % nodes.count], number)
                        return true
                    } catch {
                        return false
                    }
                }
            }
            var successes = 0
            for await isDone in group where isDone { successes += 1 }
            return successes
        }
    }

    @Test(arguments: ActionCodeKind.allCases)
    func `of 64 who use one code on two nodes one succeeds`(kind: ActionCodeKind) async throws {
        try await withTwoNodes { first, second in
            for round in 0..<3 {
                if round > 0, let owner = try await owner(first) {
                    try await first.accounts.delete(owner.id, in: first.shop)
                }
                let code = try await first.liveCode(kind)
                let sessions = try await first.number("SELECT COUNT(*) FROM sessions")
                let winners = await successes(kind == .passwordReset ? 16 : 64, on: [first, second]) { node, _ in
                    try await node.redeem(code, kind)
                }
                #expect(winners == 1)
                let opened = try await first.number("SELECT COUNT(*) FROM sessions") - sessions
                #expect(opened == (kind == .signIn ? 1 : 0))
                await #expect(throws: Refusal.self) { try await second.redeem(code, kind) }
            }
        }
    }

    @Test func `a certificate that one node gets is shown by both, and either answers for the name`() async throws {
        try await withTwoNodes { first, second in
            let name = "links.shop.example"
            let (ours, theirs) = (Certificates(first.core), Certificates(second.core))
            second.core.takesOver { try await theirs.reload() }
            try await first.core.takeOverChanges()
            try await second.core.takeOverChanges()
            try await ours.want([name], from: "https://ca.example/dir")
            try await theirs.want([name], from: "https://ca.example/dir")
            let winners = await successes(16, on: [first, second]) { node, _ in
                guard try await Certificates(node.core).claim(name, by: .server) != nil else {
                    throw CancellationError()
                }
            }
            #expect(winners == 1)
            let token = String(repeating: "t", count: 43)
            try await ours.publish(token: token, answer: "answer", for: name)
            #expect(try await theirs.answer(toToken: token) == "answer")
            #expect(try await theirs.answer(toName: name) == "answer")
            first.clock.advance(seconds: Certificates.claimSeconds + 1)
            let claim = try #require(try await ours.claim(name, by: .server)).claim
            let now = first.core.system.now()
            try await ours.keep(
                IssuedCertificate(
                    chain: "CHAIN", key: "KEY", issuer: "CN=Test", beginsAt: now, endsAt: now.adding(seconds: 86_400)),
                for: claim)
            #expect(theirs.held(for: name) == nil)
            try await second.core.takeOverChanges()
            #expect(theirs.held(for: name)?.certificate.key == "KEY")
            // Another setting on one of the nodes changes nothing at first.
            await #expect(throws: Refusal.self) {
                try await theirs.want([name], from: "https://another.example/dir")
            }
            let steps = try await ours.states().map {
                CertificatePlan.step(for: $0, at: first.core.system.now())
            }
            #expect(steps == [.rest])
        }
    }

    @Test func `what two nodes count of mails adds up, and a mail that both show is opened once`() async throws {
        try await withTwoNodes { first, second in
            for (number, node) in [first, second, first].enumerated() {
                let address = "reader\(number)@home.example"
                try await node.account(address)
                try await node.mail(.verifyEmail, to: address)
                let text = try await node.mailedCode(to: address)
                for other in [first, second] {
                    let code = try await other.actionCodes.inspect(text, in: other.shop)
                    other.outbox.mailCounts.opened(code, in: try other.shop)
                }
            }
            async let one: Void = first.outbox.mailCounts.flush()
            async let two: Void = second.outbox.mailCounts.flush()
            _ = try await (one, two)
            try await second.outbox.mailCounts.flush()
            let row = try #require(try await first.outbox.mailCounts.rows(of: first.shop, days: 1).first)
            #expect([MailCounts.Step.accepted, .sent, .opened].map { row.numbers[$0] } == [3, 3, 3])
            #expect(first.database.times.waits.snapshot.count > 0, "waits for a connection are timed")
        }
    }

    private func owner(_ homing: TestHoming) async throws -> Account? {
        for address in [TestHoming.ann, "ann@new.example"] {
            if let account = try await homing.found(address) { return account }
        }
        return nil
    }

    /// A stranger signs up with the owner's address and has the verification mailed; the owner resets the password
    /// while the stranger's link is opened.
    @Test func `a verification beside a reset never brings the old password back`() async throws {
        try await withTwoNodes { first, second in
            for round in 0..<10 {
                let address = "user\(round)@home.example"
                try await first.signUp(address, password: "The stranger's 1 password")
                let reset = try await first.code(.passwordReset, for: address)
                let verification = try await first.code(.verifyEmail, for: address)
                let shop = try first.shop
                async let resetting = first.actionCodes.resetPassword(
                    reset, to: TestHoming.password, in: shop, language: nil, from: "192.0.2.1")
                _ = try await second.actionCodes.apply(verification, in: shop, language: nil)
                _ = try await resetting
                let account = try await second.signIn(address).account
                #expect(account.isEmailVerified)
                await #expect(throws: Refusal.invalidLoginCredentials) {
                    try await first.signIn(address, password: "The stranger's 1 password")
                }
            }
        }
    }

    @Test func `of many who sign up with one address on two nodes one gets it`() async throws {
        try await withTwoNodes { (first, second) async throws in
            let winners = await successes(12, on: [first, second]) { node, _ in try await node.signUp(TestHoming.ann) }
            #expect(winners == 1)
            #expect(try await first.number("SELECT COUNT(*) FROM accounts") == 1)
            #expect(try await first.number("SELECT COUNT(*) FROM sessions") == 1)
        }
    }

    @Test func `two nodes never claim the same mail, and a start takes no lease away`() async throws {
        try await withTwoNodes { first, second in
            for number in 0..<60 { try await first.mail(.passwordReset, to: "user\(number)@home.example") }
            let claimed = try await withThrowingTaskGroup(of: [String].self) { group in
                for node in [first, second, first, second] {
                    for _ in 0..<5 { group.addTask { try await node.outbox.claim(limit: 4).map(\.id) } }
                }
                var claimed: [String] = []
                for try await ids in group { claimed += ids }
                return claimed
            }
            #expect(Set(claimed).count == claimed.count)
            try await second.outbox.freeLeases()
            let late = try await second.outbox.claim(limit: 100).map(\.id)
            #expect(Set(late).isDisjoint(with: claimed))
            #expect(late.count + claimed.count == 60)
        }
    }

    @Test func `a verb that goes on after a failed statement is not told that its writes were kept`() async throws {
        try await withTwoNodes { (first, _) async throws in
            await #expect(throws: DatabaseFault.self) {
                try await first.database.write { connection in
                    try connection.run("INSERT INTO key_state (name, value) VALUES ('kept', 'x')")
                    _ = try? connection.run("INSERT INTO nowhere VALUES (1)")
                }
            }
            #expect(try await first.number("SELECT COUNT(*) FROM key_state WHERE name = 'kept'") == 0)
        }
    }

    /// Whoever has stolen a session asks for a change of address at the moment at which the owner's reset ends it.
    @Test func `a request that waits for the account is refused when its session has ended meanwhile`() async throws {
        try await withTwoNodes { first, second in
            let thief = try await second.person(first.signUp(TestHoming.ann).tokens)
            let request = ActionCodes.Request(
                project: try second.shop, kind: .verifyAndChangeEmail, subject: .signedIn(thief),
                newAddress: try EmailAddress(parsing: "thief@evil.example"), settings: ActionCodeSettings(),
                language: "en")
            let isLocked = Live(false)
            async let reset: Void = first.database.write { connection in
                try connection.run("SELECT 1 FROM accounts FOR UPDATE")
                isLocked.set(true)
                Thread.sleep(forTimeInterval: 0.6)
                try connection.run("UPDATE accounts SET password_hash = 'of the owner'")
                try connection.run("UPDATE sessions SET ended_at = 1")
            }
            while !isLocked.value { try await Task.sleep(for: .milliseconds(5)) }
            await #expect(throws: Refusal.tokenExpired) { _ = try await second.actionCodes.request(request) }
            try await reset
            #expect(try await first.number("SELECT COUNT(*) FROM codes WHERE kind = 4 AND state = 0") == 0)
        }
    }

    /// Whoever has stolen a refresh token uses it while the owner ends all sessions.
    @Test func `a refresh that waits for the account is refused when its session has ended meanwhile`() async throws {
        try await withTwoNodes { first, second in
            let stolen = try await first.signUp(TestHoming.ann).tokens
            let isLocked = Live(false)
            async let ending: Void = first.database.write { connection in
                try connection.run("SELECT 1 FROM accounts FOR UPDATE")
                isLocked.set(true)
                Thread.sleep(forTimeInterval: 0.6)
                // As a change of the account: an engine that is serialisable runs the refresh anew for it.
                try connection.run("UPDATE accounts SET display_name = 'Ann'")
                try connection.run("UPDATE sessions SET ended_at = 1")
            }
            while !isLocked.value { try await Task.sleep(for: .milliseconds(5)) }
            await #expect(throws: Refusal.tokenExpired) {
                _ = try await second.core.sessions.refresh(stolen.refreshToken, in: try second.shop)
            }
            try await ending
        }
    }

    @Test func `imports that bring one scheme at once leave it once`() async throws {
        try await withTwoNodes { (first, second) async throws in
            let digest = PasswordScheme.digest(.sha256, rounds: 3, isSaltFirst: true)
            let done = await successes(24, on: [first, second]) { node, _ in
                _ = try await node.core.accounts.schemes.add([digest], to: try node.shop)
            }
            #expect(done == 24)
            #expect(try await first.number("SELECT COUNT(*) FROM password_schemes") == 1)
        }
    }

    @Test func `of two who make the tenth service account at once one gets it`() async throws {
        try await withTwoNodes { first, second in
            let create: @Sendable (TestHoming, Int) async -> Bool = { node, _ in
                let made = try? await node.core.accounts.serviceAccounts.create(
                    named: nil, in: try node.shop, by: .command)
                return made != nil
            }
            for place in 0..<9 { #expect(await create(first, place)) }
            // Nobody can write one then, and everybody count them.
            let done = try await meeting(
                behind: "LOCK TABLE service_accounts IN SHARE MODE", on: [first, second], create)
            #expect(done.count { $0 } == 1)
            #expect(try await first.number("SELECT COUNT(*) FROM service_accounts") == 10)
        }
    }

    @Test func `a late outcome does not free a mail that another node has taken since`() async throws {
        try await withTwoNodes { first, second in
            try await first.account(TestHoming.ann)
            try await first.mail(.passwordReset, to: TestHoming.ann)
            let late = try #require(try await first.outbox.claim(limit: 1).first)
            first.clock.advance(seconds: Outbox.leaseSeconds + 1)
            #expect(try await second.outbox.claim(limit: 1).map(\.id) == [late.id])
            try await first.outbox.settle(late, .postponed(reply: "451 later", seconds: 0))
            #expect(try await first.outbox.claim(limit: 1).isEmpty)
            try await first.outbox.settle(late, .sent(reply: "250 kept"))
            first.clock.advance(seconds: Outbox.leaseSeconds + 1)
            #expect(try await second.outbox.claim(limit: 1).isEmpty)
        }
    }

    @Test func `outcomes that come together share transactions, and each is its own mail's`() async throws {
        try await withTwoNodes { first, second in
            for number in 0..<40 {
                try await first.account("user\(number)@home.example")
                try await first.mail(.verifyEmail, to: "user\(number)@home.example")
            }
            let mails = try await first.outbox.claim(limit: 40)
            let trips = first.database.counts.trips
            try await withThrowingTaskGroup(of: Void.self) { group in
                for mail in mails { group.addTask { try await first.outbox.settle(mail, .failed(reply: mail.id)) } }
                try await group.waitForAll()
            }
            #expect(first.database.counts.trips - trips < 40)
            let others: SQL = "SELECT COUNT(*) FROM outbox WHERE state <> 2 OR last_reply <> id"
            #expect(try await second.number(others) == 0)
            #expect(mails.count == 40)
        }
    }

    @Test func `a send, an apply and a refresh take three round trips at most`() async throws {
        try await withTwoNodes { first, _ in
            let session = try await first.signUp(TestHoming.ann).tokens
            let code = try await first.code(.verifyEmail, for: TestHoming.ann)
            try await first.mail(.passwordReset, to: TestHoming.ann)
            let before = first.database.counts
            try await first.mail(.signIn, to: TestHoming.ann)
            let sent = first.database.counts
            #expect(sent.trips - before.trips <= 3)
            try await first.redeem(code, .verifyEmail)
            let applied = first.database.counts
            #expect(applied.trips - sent.trips <= 3)
            #expect(applied.statements - sent.statements == 3, "the code, the account, its change")
            let changed = String(code.dropLast()) + (code.hasSuffix("A") ? "Q" : "A")
            for text in [String(repeating: "A", count: 54), changed] {
                _ = try? await first.redeem(text, .verifyEmail)
            }
            #expect(first.database.counts.trips == applied.trips, "a forged code costs no question")
            _ = try await first.core.sessions.refresh(session.refreshToken, in: try first.shop)
            #expect(first.database.counts.trips - applied.trips == 2, "account and session, then the end")
        }
    }

    @Test func `many who import the same people at once in different orders all get done`() async throws {
        try await withTwoNodes { first, second in
            var reader = AccountExportReader(.csv, scheme: nil)
            reader.take(Array("id,email\n".utf8))
            for number in 0..<60 { reader.take(Array("id\(number),user\(number)@home.example\n".utf8)) }
            reader.finish()
            var people: [ImportedAccount] = []
            while let row = try reader.next() { people.append(try row.account.get()) }
            let list = people
            let done = await successes(24, on: [first, second]) { node, _ in
                _ = try await node.core.accounts.take(list.shuffled(), in: try node.shop)
            }
            #expect(done == 24)
            #expect(try await first.number("SELECT COUNT(*) FROM accounts") == 60)
        }
    }

    @Test func `a change on a node that has not heard of the last one is decided by the database`() async throws {
        try await withTwoNodes { first, second in
            func domains() async throws -> [String] {
                try await first.rows("SELECT domain FROM authorized_domains ORDER BY domain").map {
                    var row = $0
                    return try row.text()
                }
            }
            // The second node still has it in memory.
            try await first.projects.removeDomain("shop.example", from: "shop")
            try await second.projects.addDomain("shop.example", to: "shop")
            #expect(try await domains() == ["shop.example"])
            try await first.projects.addDomain("new.example", to: "shop")
            try await second.projects.addDomain("newer.example", to: "shop")
            try await first.projects.removeDomain("newer.example", from: "shop")
            #expect(try await domains() == ["new.example", "shop.example"])
            await #expect(throws: Refusal.self) {
                try await second.projects.removeDomain("newer.example", from: "shop")
            }
            try await first.projects.addLinkDomain("go.shop.example", to: "shop")
            try await second.projects.removeLinkDomain("go.shop.example", from: "shop")
            try await first.projects.addLinkDomain("go.shop.example", to: "shop")
            #expect(try await first.number("SELECT COUNT(*) FROM link_domains") == 1)
            let actions = try await first.audit.list(project: "shop").map(\.action)
            #expect(actions.filter { $0 == "domain.add" }.count == 3, "what changed nothing is not noted")
        }
    }
}
