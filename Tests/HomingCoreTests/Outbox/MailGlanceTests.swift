// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingShortLinks
import HomingStore
import HomingTesting
import Testing

/// What the console asks at each look.
@Suite struct `A glance at a project` {
    @Test func `counts end at a limit, whatever there is`() async throws {
        try await withHoming(linkDomains: [TestHoming.linkDomain]) { homing in
            #expect(try await homing.core.accounts.count(in: homing.shop, upTo: 10) == 0)
            try await homing.fill(20)
            let (accounts, links, shop) = (homing.core.accounts, homing.core.links, try homing.shop)
            #expect(try await accounts.count(in: shop, upTo: 10) == 10)
            #expect(try await accounts.count(in: shop, upTo: 100) == 40, "20 of them without an address")
            // One a second, back from now.
            let start = homing.clock.now.adding(seconds: -5)
            #expect(try await links.countMade(from: start, in: shop, upTo: 100) == 6)
            #expect(try await links.countMade(from: start, in: shop, upTo: 3) == 3)
        }
    }

    @Test func `a list of some emails goes on where so many were looked at`() async throws {
        try await withHoming(linkDomains: [TestHoming.linkDomain]) { homing in
            try await homing.fill(Outbox.mostLookedAt + 10)
            let (outbox, shop) = (homing.core.outbox, try homing.shop)
            let failed = MailFilter(state: .failed)
            let first = try await outbox.newest(in: shop, only: failed, limit: 5)
            #expect(first.mails.isEmpty)
            let next = try #require(first.next)
            #expect(try await outbox.newest(in: shop, before: next, only: failed, limit: 5).next == nil)

            var seen: [String] = []
            var place: String?
            repeat {
                let sent = MailFilter(state: .sent, kind: .verifyEmail)
                let page = try await outbox.newest(in: shop, before: place, only: sent, limit: 700)
                seen += page.mails.map(\.id)
                place = page.next
            } while place != nil
            #expect(seen.count == Outbox.mostLookedAt + 10 && Set(seen).count == seen.count)
            #expect(seen == seen.sorted { $1.utf8.lexicographicallyPrecedes($0.utf8) })
        }
    }

    @Test func `the queue has its length and the time of its oldest email`() async throws {
        try await withHoming { homing in
            #expect(try await homing.core.outbox.queue(of: homing.shop).oldest == nil)
            try await homing.account(TestHoming.ann)
            let first = homing.clock.now
            try await homing.mail(.passwordReset, to: TestHoming.ann)
            homing.clock.advance(seconds: 100)
            try await homing.mail(.verifyEmail, to: TestHoming.ann)
            // Which goes to nobody.
            try await homing.mail(.passwordReset, to: "nobody@home.example")
            let queue = try await homing.core.outbox.queue(of: homing.shop)
            #expect(queue.count == 2 && queue.oldest == first)
            try await homing.deliver()
            #expect(try await homing.core.outbox.queue(of: homing.shop).count == 0)
        }
    }
}
