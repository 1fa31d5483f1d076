// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingStore
import HomingTesting
import Testing

@Suite(.tags(.races)) struct AdminSessionTests {
    private func signIn(_ homing: TestHoming) async throws -> String {
        let link = try await homing.adminSessions.newMailboxLink()
        return try #require(try await homing.adminSessions.redeem(link)).secret
    }

    @Test func `a link leads where it was made for, once`() async throws {
        try await withHoming { homing in
            let link = try await homing.adminSessions.newMailboxLink()
            #expect(try await homing.adminSessions.page(ofLink: link) == .mailbox)
            #expect(try await homing.adminSessions.page(ofLink: link) == .mailbox, "looking uses nothing up")
            let entry = try #require(try await homing.adminSessions.redeem(link))
            #expect(entry.page == .mailbox && !entry.awaitsCode)
            #expect(try await homing.adminSessions.find(entry.secret) != nil)
            #expect(try await homing.adminSessions.page(ofLink: link) == nil)
            #expect(try await homing.adminSessions.redeem(link) == nil)
        }
    }

    @Test func `of many who redeem a link at once one is let in`() async throws {
        try await withHoming { homing in
            let link = try await homing.adminSessions.newMailboxLink()
            let sessions = try await withThrowingTaskGroup(of: String?.self) { group in
                for _ in 0..<16 { group.addTask { try await homing.adminSessions.redeem(link)?.secret } }
                var sessions: [String] = []
                for try await session in group { if let session { sessions.append(session) } }
                return sessions
            }
            #expect(sessions.count == 1)
            #expect(try await homing.number("SELECT COUNT(*) FROM admin_sessions") == 1)
        }
    }

    @Test func `a link lives an hour and a session twelve`() async throws {
        try await withHoming { homing in
            let late = try await homing.adminSessions.newMailboxLink()
            homing.clock.advance(seconds: 3599)
            #expect(try await homing.adminSessions.page(ofLink: late) == .mailbox)
            homing.clock.advance(seconds: 1)
            #expect(try await homing.adminSessions.page(ofLink: late) == nil)
            #expect(try await homing.adminSessions.redeem(late) == nil)
            let session = try await signIn(homing)
            homing.clock.advance(seconds: 43_199)
            #expect(try await homing.adminSessions.find(session) != nil)
            homing.clock.advance(seconds: 1)
            #expect(try await homing.adminSessions.find(session) == nil)
        }
    }

    @Test func `a link is no session, a session is no link, and a digest is neither`() async throws {
        try await withHoming { homing in
            let link = try await homing.adminSessions.newMailboxLink()
            let session = try await signIn(homing)
            #expect(try await homing.adminSessions.find(link) == nil)
            #expect(try await homing.adminSessions.redeem(session) == nil)
            #expect(try await homing.adminSessions.find(session) != nil)
            for wrong in ["", "x", String(link.dropLast()), link + "x", String(link.reversed()), session.lowercased()] {
                #expect(try await homing.adminSessions.find(wrong) == nil)
                #expect(try await homing.adminSessions.redeem(wrong) == nil)
            }
        }
    }

    @Test func `a restart signs nobody out, and signing out ends one session`() async throws {
        try await withWorld { world in
            let (link, first, second) = try await world.withHoming { homing in
                (
                    try await homing.adminSessions.newMailboxLink(), try await signIn(homing),
                    try await signIn(homing)
                )
            }
            try await world.withHoming { homing in
                let session = try #require(try await homing.adminSessions.find(first))
                try await homing.adminSessions.end(session)
                #expect(try await homing.adminSessions.find(first) == nil)
                #expect(try await homing.adminSessions.find(second) != nil)
                #expect(try await homing.adminSessions.page(ofLink: link) == .mailbox)
                try await homing.adminSessions.endAll()
                #expect(try await homing.adminSessions.find(second) == nil)
                #expect(try await homing.adminSessions.redeem(link) == nil)
            }
        }
    }

    @Test func `the database has neither secret`() async throws {
        try await withHoming { homing in
            let link = try await homing.adminSessions.newMailboxLink()
            let session = try await signIn(homing)
            for name in ["homing.db", "homing.db-wal"] {
                let content = homing.world.content(of: name)
                for secret in [link, session] { #expect(content.firstRange(of: Array(secret.utf8)) == nil) }
            }
        }
    }

    @Test func `expired rows are swept, and no live ones`() async throws {
        try await withHoming { homing in
            _ = try await homing.adminSessions.newMailboxLink()
            let session = try await signIn(homing)
            homing.clock.advance(seconds: 3600)
            let link = try await homing.adminSessions.newMailboxLink()
            try await Sweep(homing.core).run()
            #expect(try await homing.number("SELECT COUNT(*) FROM admin_sessions") == 2)
            #expect(try await homing.adminSessions.find(session) != nil)
            #expect(try await homing.adminSessions.page(ofLink: link) == .mailbox)
            homing.clock.advance(seconds: 43_200)
            try await Sweep(homing.core).run()
            #expect(try await homing.number("SELECT COUNT(*) FROM admin_sessions") == 0)
        }
    }

    @Test func `a form's token goes with one session and one path, as long as a session lives`() async throws {
        try await withHoming { homing in
            let ring = homing.keys.ring
            let session = try #require(try await homing.adminSessions.find(try await signIn(homing)))
            let other = try #require(try await homing.adminSessions.find(try await signIn(homing)))
            let made = homing.clock.now
            let token = session.formToken(for: "/sign-out", ring: ring, at: made)
            #expect(try session.isToken(token, for: "/sign-out", ring: ring, at: made.adding(seconds: 43_199)))
            #expect(try !session.isToken(token, for: "/sign-out", ring: ring, at: made.adding(seconds: 43_200)))
            #expect(try !session.isToken(token, for: "/sign-out/", ring: ring, at: made))
            #expect(try !other.isToken(token, for: "/sign-out", ring: ring, at: made))
            #expect(try !session.isToken("", for: "/sign-out", ring: ring, at: made))
        }
    }
}
