// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingStore
import HomingTesting
import Testing

@Suite struct OperatorTests {
    private let ann = "ann@example.com"

    private func session(_ homing: TestHoming, of address: String) async throws -> String {
        let link = try await homing.operators.newLink(for: address)
        return try #require(try await homing.adminSessions.redeem(link)?.secret)
    }

    @Test func `a link signs an operator in once, with role and projects`() async throws {
        try await withHoming { homing in
            _ = try await homing.operators.add("Ann@Example.com", role: .editor, projects: ["shop"])
            let link = try await homing.operators.newLink(for: ann)
            let secret = try #require(try await homing.adminSessions.redeem(link)?.secret)
            #expect(try await homing.adminSessions.redeem(link) == nil)
            let person = try #require(try await homing.adminSessions.find(secret)?.person)
            #expect(person.address == ann && person.role == .editor)
            #expect(person.sees("shop") && !person.sees("other"))
        }
    }

    @Test func `who is removed is signed out at once, and so is the link that was not opened`() async throws {
        try await withHoming { homing in
            _ = try await homing.operators.add(ann, role: .viewer, projects: nil)
            let secret = try await session(homing, of: ann)
            let link = try await homing.operators.newLink(for: ann)
            try await homing.operators.remove(ann)
            #expect(try await homing.adminSessions.find(secret) == nil)
            #expect(try await homing.adminSessions.redeem(link) == nil)
        }
    }

    @Test func `a changed role is in force at the next request`() async throws {
        try await withHoming { homing in
            _ = try await homing.operators.add(ann, role: .viewer, projects: nil)
            let secret = try await session(homing, of: ann)
            _ = try await homing.operators.add(ann, role: .editor, projects: nil)
            #expect(try await homing.adminSessions.find(secret)?.person?.role == .editor)
        }
    }

    @Test func `the last owner is not lost to the console`() async throws {
        try await withHoming { homing in
            _ = try await homing.operators.add(ann, role: .owner, projects: nil)
            await #expect(throws: Refusal.self) {
                try await homing.operators.remove(ann, by: .person(ann))
            }
            await #expect(throws: Refusal.self) {
                _ = try await homing.operators.add(ann, role: .editor, projects: nil, by: .person(ann))
            }
            _ = try await homing.operators.add("bob@example.com", role: .owner, projects: nil)
            try await homing.operators.remove(ann, by: .person(ann))
            #expect(try await homing.operators.list().map(\.address) == ["bob@example.com"])
        }
    }

    @Test func `a session ends after twelve hours`() async throws {
        try await withHoming { homing in
            _ = try await homing.operators.add(ann, role: .viewer, projects: nil)
            let secret = try await session(homing, of: ann)
            homing.clock.advance(seconds: 12 * 3600 - 1)
            #expect(try await homing.adminSessions.find(secret) != nil)
            homing.clock.advance(seconds: 1)
            #expect(try await homing.adminSessions.find(secret) == nil)
        }
    }

    @Test func `a mailed link opens in the browser that asked, and in no other`() async throws {
        try await withHoming { homing in
            _ = try await homing.operators.add(ann, role: .viewer, projects: nil)
            let browser = try await homing.operators.mailLink(to: ann, caller: "192.0.2.1")
            try await homing.deliver()
            let mail = try #require(homing.transport.mails.last)
            #expect(mail.recipient == ann)
            let link = try #require(mail.text.split(separator: "ticket=").last?.prefix(54)).description
            #expect(try await homing.adminSessions.redeem(link, browser: "another") == nil)
            #expect(try await homing.adminSessions.redeem(link) == nil)
            let secret = try #require(try await homing.adminSessions.redeem(link, browser: browser)?.secret)
            #expect(try await homing.adminSessions.find(secret)?.person?.address == ann)
        }
    }

    @Test func `an address of nobody writes the same rows and gets no mail`() async throws {
        try await withHoming { homing in
            _ = try await homing.operators.add(ann, role: .viewer, projects: nil)
            func cost(_ address: String) async throws -> Int {
                let before = homing.database.counts.statements
                _ = try await homing.operators.mailLink(to: address, caller: "192.0.2.1")
                return homing.database.counts.statements - before
            }
            let (known, unknown) = (try await cost(ann), try await cost("zoe@example.com"))
            #expect(known == unknown)
            try await homing.deliver()
            #expect(homing.transport.mails.map(\.recipient) == [ann])
        }
    }

    @Test func `links to one address are limited, known or not`() async throws {
        try await withHoming(limits: .safe) { homing in
            for address in [ann, "zoe@example.com"] {
                for _ in 1...5 { _ = try await homing.operators.mailLink(to: address, caller: "192.0.2.1") }
                await #expect(throws: Refusal.self) {
                    _ = try await homing.operators.mailLink(to: address, caller: "192.0.2.1")
                }
            }
        }
    }

    @Test func `a password signs in, a wrong one and an unknown address do not`() async throws {
        try await withHoming { homing in
            _ = try await homing.operators.add(ann, role: .viewer, projects: nil)
            let own = try #require(try await homing.adminSessions.find(try await session(homing, of: ann)))
            try await homing.operators.setPassword("a long enough phrase", of: ann, keeping: own)
            func signIn(_ address: String, _ password: String) async throws -> AdminEntry? {
                try await homing.operators.signIn(address, password: password, code: "", caller: "192.0.2.1")
            }
            #expect(try await signIn(ann, "a long enough phrase") != nil)
            #expect(try await signIn(ann, "another phrase") == nil)
            #expect(try await signIn("zoe@example.com", "a long enough phrase") == nil)
        }
    }

    @Test func `with a second factor a password needs a code, which passes once`() async throws {
        try await withHoming { homing in
            _ = try await homing.operators.add(ann, role: .viewer, projects: nil)
            let own = try #require(try await homing.adminSessions.find(try await session(homing, of: ann)))
            try await homing.operators.setPassword("a long enough phrase", of: ann, keeping: own)
            let totp = homing.operators.newSecondFactor()
            #expect(try await homing.operators.setSecondFactor(totp, code: "000000", of: ann) == nil)
            let codes = try #require(
                try await homing.operators.setSecondFactor(totp, code: totp.code(at: homing.clock.now), of: ann))
            func signIn(_ code: String) async throws -> Bool {
                try await homing.operators.signIn(
                    ann, password: "a long enough phrase", code: code, caller: "192.0.2.1")?.awaitsCode == false
            }
            #expect(try await !signIn(""))
            #expect(try await !signIn(totp.code(at: homing.clock.now)), "the code that set it up is spent")
            homing.clock.advance(seconds: 30)
            let fresh = totp.code(at: homing.clock.now)
            #expect(try await signIn(fresh))
            #expect(try await !signIn(fresh))
            #expect(codes.count == 10)
            #expect(try await signIn(codes[3]))
            #expect(try await !signIn(codes[3]))
        }
    }

    /// Ann's authenticator app, in force, whose last code was a minute ago.
    private func app(_ homing: TestHoming, keeping session: AdminSession? = nil) async throws -> TOTP {
        let totp = homing.operators.newSecondFactor()
        _ = try #require(
            try await homing.operators.setSecondFactor(
                totp, code: totp.code(at: homing.clock.now), of: ann, keeping: session))
        homing.clock.advance(seconds: 60)
        return totp
    }

    @Test func `ten wrong codes behind a right password close it for the hour, are mailed, and leave the way by link`()
        async throws
    {
        try await withHoming { homing in
            _ = try await homing.operators.add(ann, role: .viewer, projects: nil)
            let own = try #require(try await homing.adminSessions.find(try await session(homing, of: ann)))
            try await homing.operators.setPassword("a long enough phrase", of: ann, keeping: own)
            let totp = try await app(homing)
            func signIn(_ code: String) async throws -> AdminEntry? {
                try await homing.operators.signIn(
                    ann, password: "a long enough phrase", code: code, caller: "192.0.2.66")
            }
            for _ in 1...9 { #expect(try await signIn("000000") == nil) }
            let waiting = try #require(try await signIn(""))
            guard case .wrong(ann) = try await homing.operators.pass("000000", after: waiting.secret) else {
                Issue.record("the tenth is counted wherever it is typed")
                return
            }
            for code in [totp.code(at: homing.clock.now), "000000"] {
                await #expect(throws: Refusal.self) { _ = try await signIn(code) }
                await #expect(throws: Refusal.self) {
                    _ = try await homing.operators.pass(code, after: waiting.secret)
                }
            }
            try await homing.deliver()
            #expect(homing.transport.mails.count { $0.text.contains("Somebody has your password") } == 1)
            let link = try await homing.operators.newLink(for: ann)
            let entry = try #require(try await homing.adminSessions.redeem(link))
            #expect(entry.awaitsCode)
            guard
                case .passed(let session, ann) = try await homing.operators.pass(
                    totp.code(at: homing.clock.now), after: entry.secret)
            else {
                Issue.record("nobody came in by link and code")
                return
            }
            #expect(try await homing.adminSessions.find(session.secret)?.person?.address == ann)
            homing.clock.advance(seconds: 3600)
            #expect(try await signIn(totp.code(at: homing.clock.now))?.awaitsCode == false, "after the hour")
        }
    }

    @Test func `who waits for a code has no session, and has to begin again after a quarter of an hour`() async throws {
        try await withHoming { homing in
            _ = try await homing.operators.add(ann, role: .viewer, projects: nil)
            let totp = try await app(homing)
            func enter() async throws -> AdminEntry {
                try #require(try await homing.adminSessions.redeem(try await homing.operators.newLink(for: ann)))
            }
            let late = try await enter()
            #expect(try await homing.adminSessions.find(late.secret) == nil)
            #expect(try await homing.adminSessions.redeem(late.secret) == nil)
            homing.clock.advance(seconds: 900)
            guard case .ended = try await homing.operators.pass(totp.code(at: homing.clock.now), after: late.secret)
            else {
                Issue.record("a code came too late, and was taken")
                return
            }
            let forgotten = try await enter()
            try await homing.operators.removeCredentials(of: ann, code: nil, by: .command)
            #expect(try await !homing.adminSessions.awaitsCode(forgotten.secret))
        }
    }

    @Test func `where every operator must have a second factor nobody takes it away, but a command does`() async throws
    {
        try await withHoming { homing in
            _ = try await homing.operators.add(ann, role: .owner, projects: nil)
            let totp = try await app(homing)
            try await homing.operators.requireSecondFactor(true, by: .person(ann))
            await #expect(throws: Refusal.self) {
                _ = try await homing.operators.removeCredentials(
                    of: ann, code: totp.code(at: homing.clock.now), by: .person(ann))
            }
            try await homing.operators.removeCredentials(of: ann, code: nil, by: .command)
            let own = try #require(try await homing.adminSessions.find(try await session(homing, of: ann)))
            #expect(own.lacksSecondFactor && !own.opens(.mailbox))
            try await homing.operators.requireSecondFactor(false, by: .person(ann))
            let free = try #require(try await homing.adminSessions.find(try await session(homing, of: ann)))
            #expect(!free.lacksSecondFactor && free.opens(.mailbox))
            let entries = try await homing.audit.list().filter { $0.action == "operator.requireSecondFactor" }
            #expect(Set(entries.map(\.after)) == ["false", "true"] && entries.allSatisfy { $0.author == ann })
        }
    }

    @Test func `an easy password is refused`() async throws {
        try await withHoming { homing in
            _ = try await homing.operators.add(ann, role: .viewer, projects: nil)
            let own = try #require(try await homing.adminSessions.find(try await session(homing, of: ann)))
            for password in ["", "short", ann, "1234567890"] {
                await #expect(throws: Refusal.self, "\(password)") {
                    try await homing.operators.setPassword(password, of: ann, keeping: own)
                }
            }
        }
    }

    @Test func `a project that is deleted leaves its operators, and a later one of its id is another`() async throws {
        try await withHoming { homing in
            _ = try await homing.operators.add(ann, role: .editor, projects: ["shop"])
            try await homing.projects.delete("shop")
            let person = try await homing.operators.find(ann)
            #expect(person.projects == [] && !person.sees("shop"))
        }
    }

    @Test func `a stranger's wrong passwords lock the stranger out, and not the operator`() async throws {
        try await withHoming(limits: Limits(signInFailuresPerAccountHour: 3)) { homing in
            _ = try await homing.operators.add(ann, role: .viewer, projects: nil)
            let own = try #require(try await homing.adminSessions.find(try await session(homing, of: ann)))
            try await homing.operators.setPassword("a long enough phrase", of: ann, keeping: own)
            func signIn(_ password: String, from caller: String) async throws -> Bool {
                try await homing.operators.signIn(ann, password: password, code: "", caller: caller) != nil
            }
            for _ in 1...3 { #expect(try await !signIn("a wrong phrase", from: "192.0.2.66")) }
            await #expect(throws: Refusal.self) { _ = try await signIn("a long enough phrase", from: "192.0.2.66") }
            for _ in 1...5 {
                #expect(try await signIn("a long enough phrase", from: "192.0.2.1"), "successes count not")
            }
        }
    }

    @Test func `an authenticator goes on when an older key is retired`() async throws {
        try await withHoming { homing in
            _ = try await homing.operators.add(ann, role: .viewer, projects: nil)
            let own = try #require(try await homing.adminSessions.find(try await session(homing, of: ann)))
            try await homing.operators.setPassword("a long enough phrase", of: ann, keeping: own)
            let totp = homing.operators.newSecondFactor()
            _ = try await homing.operators.setSecondFactor(totp, code: totp.code(at: homing.clock.now), of: ann)
            try await homing.keys.use(try await homing.keys.add(by: .command), by: .command)
            try await homing.operators.reseal()
            try await homing.signingKeys.reseal()
            try await homing.keys.retire(1, by: .command)
            homing.clock.advance(seconds: 60)
            let entry = try await homing.operators.signIn(
                ann, password: "a long enough phrase", code: totp.code(at: homing.clock.now), caller: "192.0.2.1")
            #expect(entry?.awaitsCode == false)
        }
    }

    @Test func `a new second factor ends the other sessions`() async throws {
        try await withHoming { homing in
            _ = try await homing.operators.add(ann, role: .viewer, projects: nil)
            let other = try await session(homing, of: ann)
            let mine = try await session(homing, of: ann)
            let own = try #require(try await homing.adminSessions.find(mine))
            let totp = homing.operators.newSecondFactor()
            let code = totp.code(at: homing.clock.now)
            _ = try await homing.operators.setSecondFactor(totp, code: code, of: ann, keeping: own)
            #expect(try await homing.adminSessions.find(mine) != nil)
            #expect(try await homing.adminSessions.find(other) == nil)
        }
    }

    @Test func `sessions that the server's own link began can be ended`() async throws {
        try await withHoming { homing in
            let link = try await homing.adminSessions.newServerLink()
            let secret = try #require(try await homing.adminSessions.redeem(link)?.secret)
            #expect(try await homing.adminSessions.find(secret)?.person?.isOfServer == true)
            try await homing.operators.remove("server")
            #expect(try await homing.adminSessions.find(secret) == nil)
        }
    }

    @Test func `the development mailbox shows no operator's link`() async throws {
        try await withHoming(keepsMail: true) { homing in
            _ = try await homing.operators.add(ann, role: .owner, projects: nil)
            _ = try await homing.operators.mailLink(to: ann, caller: "192.0.2.1")
            try await homing.deliverToMailbox()
            let mail = try #require(try await homing.mailbox.messages().first)
            #expect(mail.recipient == ann && !mail.plain.contains("ticket") && !mail.html.contains("ticket"))
            #expect(mail.note?.contains("homing operator link") == true)
        }
    }

    @Test func `an operator is told by mail of each change of how they sign in, and of no other's`() async throws {
        try await withHoming { homing in
            for address in [ann, "bob@example.com"] {
                _ = try await homing.operators.add(address, role: .viewer, projects: nil)
            }
            let own = try #require(try await homing.adminSessions.find(try await session(homing, of: ann)))
            try await homing.operators.setPassword("a long enough phrase", of: ann, keeping: own)
            let app = homing.operators.newSecondFactor()
            let code = app.code(at: homing.clock.now)
            let recovery = try #require(try await homing.operators.setSecondFactor(app, code: code, of: ann))
            try await homing.operators.removeCredentials(of: ann, code: nil, by: .command)
            try await homing.deliver()
            let mails = homing.transport.mails
            #expect(mails.map(\.recipient) == [ann, ann, ann])
            let headings = [
                "A password was set", "An authenticator app was set up", "Password and authenticator app were removed",
            ]
            for heading in headings { #expect(mails.count { $0.text.contains(heading) } == 1, "\(heading)") }
            for mail in mails {
                #expect(mail.text.contains(ann) && mail.text.contains("UTC"))
                #expect(!recovery.contains { mail.text.contains($0) } && !mail.text.contains("ticket="))
            }
        }
    }

    @Test func `a change of how somebody signs in that is refused is told to nobody`() async throws {
        try await withHoming { homing in
            _ = try await homing.operators.add(ann, role: .viewer, projects: nil)
            let own = try #require(try await homing.adminSessions.find(try await session(homing, of: ann)))
            await #expect(throws: Refusal.self) {
                try await homing.operators.setPassword("short", of: ann, keeping: own)
            }
            #expect(
                try await homing.operators.setSecondFactor(homing.operators.newSecondFactor(), code: "0", of: ann)
                    == nil)
            try await homing.operators.remove(ann)
            await #expect(throws: Refusal.self) {
                try await homing.operators.setPassword("a long enough phrase", of: ann, keeping: own)
            }
            try await homing.deliver()
            #expect(homing.transport.mails.isEmpty)
        }
    }

    @Test func `each sign-in of an operator is in the audit log, and a link to the mailbox`() async throws {
        try await withHoming { homing in
            _ = try await homing.operators.add(ann, role: .viewer, projects: nil)
            let own = try #require(try await homing.adminSessions.find(try await session(homing, of: ann)))
            try await homing.operators.setPassword("a long enough phrase", of: ann, keeping: own)
            func signIn(_ password: String) async throws -> AdminEntry? {
                try await homing.operators.signIn(ann, password: password, code: "", caller: "192.0.2.1")
            }
            #expect(try await signIn("another phrase") == nil)
            #expect(try await signIn("a long enough phrase") != nil)
            _ = try await homing.adminSessions.redeem(try await homing.adminSessions.newServerLink())
            _ = try await homing.adminSessions.redeem(try await homing.adminSessions.newMailboxLink())
            let entries = try await homing.audit.list()
            let signIns = entries.filter { $0.action == "operator.signIn" }
            #expect(
                Set(signIns.map { "\($0.author) \($0.after ?? "")" }) == [
                    "\(ann) link", "\(ann) password", "server link",
                ])
            #expect(signIns.count == 3)
            #expect(entries.contains { $0.action == "mailbox.link" && $0.author == "command" })
        }
    }
}
