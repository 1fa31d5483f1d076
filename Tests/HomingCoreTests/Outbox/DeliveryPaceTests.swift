// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingMail
import HomingProjects
import HomingStore
import HomingTesting
import Logging
import Synchronization
import Testing

/// The number of mails under way, and the time for which a claim is good.
@Suite struct DeliveryPaceTests {
    /// A relay with two connections, or as many as are asked for, that runs the test's code when a mail comes.
    private final class Relay: MailTransport {
        private struct State {
            var takenAt: [Moment] = []
            var mayGo = 0
        }

        let concurrency: Int
        let relayHost = "relay.example"
        private let state = Mutex(State())
        private let clock: TestClock
        private let onMail: @Sendable (Relay, _ number: Int) -> Void

        /// The answer to the first mail; all others are accepted.
        private let first: DeliveryOutcome?

        init(
            clock: TestClock, connections: Int = 2, first: DeliveryOutcome? = nil,
            onMail: @escaping @Sendable (Relay, Int) -> Void
        ) {
            concurrency = connections
            self.first = first
            self.clock = clock
            self.onMail = onMail
        }

        var takenAt: [Moment] { state.withLock { $0.takenAt } }

        /// Lets so many mails go altogether.
        func release(_ count: Int) { state.withLock { $0.mayGo = max($0.mayGo, count) } }

        /// Where the machine was so busy that the mails took seconds, delivery gives the relay no more than two at
        /// once: then more have to go before the next one comes.
        func release(_ count: Int, andThen more: Int) {
            release(count)
            Task {
                try await Task.sleep(for: .seconds(5))
                release(more)
            }
        }

        var keepsOurBytes: Bool { true }
        func deliver(_ envelope: MailEnvelope) async -> DeliveryOutcome {
            let now = clock.now
            let number = state.withLock { state in
                state.takenAt.append(now)
                return state.takenAt.count
            }
            onMail(self, number)
            while state.withLock({ $0.mayGo }) < number {
                do { try await Task.sleep(for: .milliseconds(1)) } catch { return .relayUnavailable("given up") }
            }
            if number == 1, let first { return first }
            return .accepted(reply: "250 kept")
        }
    }

    /// Delivers so many mails, or as many as go within so many seconds.
    private static func run(_ homing: TestHoming, _ relay: Relay, mails: Int, seconds: Int = 60) async throws {
        for number in 0..<mails {
            let address = "person\(number)@home.example"
            try await homing.account(address)
            try await homing.mail(.passwordReset, to: address)
        }
        let delivery = Delivery(
            homing: homing.core, way: .relay(relay), sender: SenderAddress(name: nil, address: "noreply@shop.example"),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await delivery.run() }
            let waiting: SQL = "SELECT COUNT(*) FROM outbox WHERE state = 0"
            for _ in 0..<(seconds * 200) where try await homing.number(waiting) > 0 {
                try await Task.sleep(for: .milliseconds(5))
            }
            group.cancelAll()
        }
    }

    @Test func `each connection has its next mail at hand before it is done with the last`() async throws {
        try await withHoming { homing in
            let relay = Relay(clock: homing.clock) { relay, number in
                // Nothing goes before the second mail of each connection has come.
                if number == 4 { relay.release(.max) }
            }
            try await Self.run(homing, relay, mails: 6)
            #expect(relay.takenAt.count == 6)
        }
    }

    @Test func `the next mails come when there is room for several`() async throws {
        try await withHoming { homing in
            let takenBehindOne = Live(0)
            let relay = Relay(clock: homing.clock, connections: 4) { relay, number in
                guard number == 8 else { return }
                relay.release(1)
                Task {
                    try await Task.sleep(for: .milliseconds(100))
                    takenBehindOne.set(relay.takenAt.count)
                    relay.release(.max)
                }
            }
            try await Self.run(homing, relay, mails: 12)
            #expect(relay.takenAt.count == 12)
            #expect(takenBehindOne.value == 8)
        }
    }

    @Test func `a mail that waited too long for its turn is claimed anew before it is sent`() async throws {
        try await withHoming { homing in
            let relay = Relay(clock: homing.clock) { relay, number in
                // One mail goes, four more are claimed, and the first of those finds the relay slow.
                if number == 4 { relay.release(1, andThen: 3) }
                if number == 5 {
                    homing.clock.advance(seconds: 20)
                    relay.release(.max)
                }
            }
            try await Self.run(homing, relay, mails: 8)
            #expect(relay.takenAt.count == 8)
            let ends = try await homing.rows("SELECT next_at FROM outbox WHERE state = 1 ORDER BY next_at")
                .map {
                    var row = $0
                    return try row.int()
                }
            let taken = relay.takenAt.map(\.milliseconds).sorted()
            try #require(ends.count == taken.count)
            for (end, taken) in zip(ends, taken) { #expect(end - taken >= 45_000) }
        }
    }

    @Test func `a mail that is put off goes when it is due, not when its claim would have ended`() async throws {
        try await withHoming { homing in
            let relay = Relay(clock: homing.clock, first: .temporary(reply: "451 later")) { relay, number in
                guard number == 1 else { return }
                Task {
                    // By then delivery has found no other mail, and waits.
                    try await Task.sleep(for: .milliseconds(200))
                    relay.release(.max)
                    while try await homing.number("SELECT COUNT(*) FROM outbox WHERE attempts = 1") == 0 {
                        try await Task.sleep(for: .milliseconds(5))
                    }
                    homing.clock.advance(seconds: Outbox.delays[0] * 6 / 5)
                }
            }
            // Delivery looks without being asked after half a minute.
            try await Self.run(homing, relay, mails: 1, seconds: 20)
            #expect(relay.takenAt.count == 2)
        }
    }

    @Test(arguments: [(nodes: 1, claimed: 4), (nodes: 3, claimed: 12), (nodes: 100, claimed: 16)])
    func `a node among several claims more at a time`(nodes: Int, claimed: Int) async throws {
        try await withHoming { homing in
            homing.outbox.batch.set(nodes: nodes)
            let inHand = Mutex(0)
            let relay = Relay(clock: homing.clock) { relay, number in
                guard number == 4 else { return }
                inHand.withLock { $0 = homing.outbox.inHand }
                relay.release(.max)
            }
            try await Self.run(homing, relay, mails: 20)
            #expect(relay.takenAt.count == 20)
            #expect(inHand.withLock { $0 } == claimed)
        }
    }

    @Test func `a node among several leaves more mails to the others when its relay takes its time`() async throws {
        try await withHoming { homing in
            homing.outbox.batch.set(nodes: 4)
            let inHand = Mutex(0)
            let relay = Relay(clock: homing.clock) { relay, number in
                // The first claim was of sixteen. The next one follows it when most of those have gone, four at a time.
                if number == 17 { inHand.withLock { $0 = homing.outbox.inHand } }
                Task {
                    try await Task.sleep(for: .milliseconds(200))
                    relay.release(number)
                }
            }
            try await Self.run(homing, relay, mails: 24)
            #expect(relay.takenAt.count == 24)
            #expect((1..<16).contains(inHand.withLock { $0 }))
        }
    }
}
