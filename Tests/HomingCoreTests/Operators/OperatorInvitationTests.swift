// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingStore
import HomingTesting
import Testing

@Suite struct `Invitations and rights of operators` {
    private let ann = "ann@example.com"
    private let bob = "bob@example.com"
    private let byAnn = Authority.person("ann@example.com")
    private let editor = Operator.Rights(role: .editor, projects: ["shop"])

    /// The link's secret in the newest mail.
    private func secret(_ homing: TestHoming) async throws -> String {
        try await homing.deliver()
        let mail = try #require(homing.transport.mails.last)
        return String(try #require(mail.text.split(separator: "ticket=").last?.prefix(54)))
    }

    @Test func `an invitation says who invites, and its link opens the console once, in any browser`() async throws {
        try await withHoming { homing in
            _ = try await homing.operators.add(ann, role: .owner, projects: nil)
            let person = try await homing.operators.invite(bob, editor, by: byAnn)
            #expect(person.role == .editor && person.projects == ["shop"])
            let secret = try await secret(homing)
            let mail = try #require(homing.transport.mails.last)
            #expect(mail.recipient == bob && mail.text.contains("\(ann) has made you an operator"))
            #expect(mail.text.contains("1 day") && !mail.text.contains("the browser that asked"))
            let entry = try #require(try await homing.adminSessions.redeem(secret))
            #expect(try await homing.adminSessions.find(entry.secret)?.person?.address == bob)
            #expect(try await homing.adminSessions.redeem(secret) == nil)
        }
    }

    @Test func `an invitation ends after a day, and another one can be mailed`() async throws {
        try await withHoming { homing in
            _ = try await homing.operators.invite(bob, editor, by: byAnn)
            let first = try await secret(homing)
            homing.clock.advance(seconds: 86_400)
            #expect(try await homing.adminSessions.redeem(first) == nil)
            try await homing.operators.inviteAgain(bob, by: byAnn)
            #expect(try await homing.adminSessions.redeem(try await secret(homing)) != nil)
            await #expect(throws: Refusal.self) {
                try await homing.operators.inviteAgain("zoe@example.com", by: byAnn)
            }
        }
    }

    @Test func `a newer invitation ends the one before, and no session`() async throws {
        try await withHoming { homing in
            _ = try await homing.operators.invite(bob, editor, by: byAnn)
            let first = try await secret(homing)
            let session = try #require(
                try await homing.adminSessions.redeem(try await homing.operators.newLink(for: bob, by: byAnn)))
            try await homing.operators.inviteAgain(bob, by: byAnn)
            let second = try await secret(homing)
            #expect(try await homing.adminSessions.redeem(first) == nil)
            #expect(try await homing.adminSessions.redeem(second) != nil)
            #expect(try await homing.adminSessions.find(session.secret) != nil)
        }
    }

    @Test func `an invitation ends with a change of rights, and not with the same ones again`() async throws {
        try await withHoming { homing in
            _ = try await homing.operators.invite(bob, editor, by: byAnn)
            let secret = try await secret(homing)
            #expect(try await homing.operators.set(bob, to: editor, by: byAnn) == 0)
            let viewer = Operator.Rights(role: .viewer, projects: nil)
            #expect(try await homing.operators.set(bob, to: viewer, by: byAnn) == 1)
            #expect(try await homing.adminSessions.redeem(secret) == nil)
            try await homing.operators.inviteAgain(bob, by: byAnn)
            let session = try #require(try await homing.adminSessions.redeem(try await self.secret(homing)))
            #expect(try await homing.operators.set(bob, to: editor, by: byAnn) == 0)
            #expect(try await homing.adminSessions.find(session.secret)?.person?.role == .editor, "a session goes on")
        }
    }

    @Test func `an invitation ends with its operator, also for one who is invited anew`() async throws {
        try await withHoming { homing in
            _ = try await homing.operators.invite(bob, editor, by: byAnn)
            let first = try await secret(homing)
            try await homing.operators.remove(bob, by: byAnn)
            #expect(try await homing.adminSessions.redeem(first) == nil)
            _ = try await homing.operators.invite(bob, editor, by: byAnn)
            #expect(try await homing.adminSessions.redeem(first) == nil)
        }
    }

    @Test func `invitations to one address have a limit, however often it is removed`() async throws {
        try await withHoming(limits: Limits(mailPerAddressHour: 1)) { homing in
            let rights = editor
            for _ in 1...4 {
                _ = try await homing.operators.invite(bob, rights, by: byAnn)
                try await homing.operators.remove(bob, by: byAnn)
            }
            let refused = await #expect(throws: Refusal.self) {
                _ = try await homing.operators.invite(bob, rights, by: byAnn)
            }
            #expect(refused?.code == .tooManyAttempts)
        }
    }

    @Test func `who is an operator already is not invited again, and keeps what they may do`() async throws {
        try await withHoming { homing in
            _ = try await homing.operators.add(bob, role: .viewer, projects: nil)
            let rights = editor
            let invited = await #expect(throws: Refusal.self) {
                _ = try await homing.operators.invite(bob, rights, by: byAnn)
            }
            let added = await #expect(throws: Refusal.self) {
                _ = try await homing.operators.addWithLink(bob, rights, by: byAnn)
            }
            #expect([invited?.code, added?.code] == [.alreadyExists, .alreadyExists])
            #expect(try await homing.operators.find(bob).role == .viewer)
            try await homing.deliver()
            #expect(homing.transport.mails.isEmpty)
        }
    }

    @Test func `without mail an operator is added with a link to hand over`() async throws {
        try await withHoming { homing in
            let (person, secret) = try await homing.operators.addWithLink(bob, editor, by: byAnn)
            #expect(person.address == bob)
            let entry = try #require(try await homing.adminSessions.redeem(secret))
            #expect(try await homing.adminSessions.find(entry.secret)?.person?.role == .editor)
        }
    }

    @Test func `another owner changes somebody's role, nobody their own, and the last owner stays one`() async throws {
        try await withHoming { homing in
            _ = try await homing.operators.add(ann, role: .owner, projects: nil)
            _ = try await homing.operators.add(bob, role: .owner, projects: nil)
            let rights = editor
            await #expect(throws: Refusal.self) {
                try await homing.operators.set(ann, to: rights, by: byAnn)
            }
            try await homing.operators.set(bob, to: rights, by: byAnn)
            #expect(try await homing.operators.find(bob).rights == rights)
            await #expect(throws: Refusal.self) {
                try await homing.operators.set(ann, to: rights, by: .person(bob))
            }
            #expect(try await homing.operators.find(ann).role == .owner)
            let changed = try await homing.audit.list().first { $0.action == "operator.set" }
            #expect(changed?.author == ann && changed?.before == "owner" && changed?.after == "editor of shop")
        }
    }

    @Test func `of two who change one operator the second sees what the first has done`() async throws {
        try await withHoming { homing in
            _ = try await homing.operators.add(bob, role: .viewer, projects: nil)
            let seen = try await homing.operators.find(bob).rights
            let rights = editor
            try await homing.operators.set(bob, to: rights, seen: seen, by: byAnn)
            let late = await #expect(throws: Refusal.self) {
                try await homing.operators.set(
                    bob, to: Operator.Rights(role: .owner, projects: nil), seen: seen, by: byAnn)
            }
            #expect(late?.code == .changedMeanwhile)
            #expect(try await homing.operators.find(bob).rights == rights)
        }
    }

    @Test func `the last sign-in of each operator is known`() async throws {
        try await withHoming { homing in
            for address in [ann, bob] { _ = try await homing.operators.add(address, role: .viewer, projects: nil) }
            for _ in 1...2 {
                homing.clock.advance(seconds: 60)
                _ = try await homing.adminSessions.redeem(try await homing.operators.newLink(for: ann))
            }
            let times = try await homing.operators.lastSignIns()
            #expect(times.keys.sorted() == [ann] && times[ann] == homing.clock.now)
        }
    }
}
