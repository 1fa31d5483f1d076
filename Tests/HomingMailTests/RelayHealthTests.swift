// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingMail
import HomingStore
import Logging
import Synchronization
import Testing

/// The pauses of a relay that does not answer.
@Suite struct RelayHealthTests {
    private let health = RelayHealth()

    /// Mails that fail at these milliseconds.
    private func fail(at moments: some Sequence<Int64>) {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        for moment in moments {
            _ = health.failed(at: Moment(milliseconds: moment), reply: "connection refused", logger: logger)
        }
    }

    private func isOpen(at milliseconds: Int64) -> Bool { health.isOpen(at: Moment(milliseconds: milliseconds)) }

    @Test func `mails that fail in the same second are one outage`() {
        fail(at: stride(from: 0, to: 900, by: 10))
        #expect(isOpen(at: 1000))
    }

    @Test func `a steady stream of mails that fail pauses the relay after the third second`() {
        fail(at: stride(from: 0, through: 2000, by: 50))
        #expect(!isOpen(at: 2050))
        #expect(isOpen(at: 12_000))
    }

    @Test func `the pause grows to half a minute`() {
        fail(at: stride(from: 0, through: 60_000, by: 1000))
        #expect(!isOpen(at: 89_000))
        #expect(isOpen(at: 90_000))
    }

    @Test func `a pause that began while the clock was ahead is over when it is put right`() {
        fail(at: stride(from: 86_400_000, through: 86_402_000, by: 50))
        #expect(!isOpen(at: 86_402_050))
        #expect(isOpen(at: 1000))
        fail(at: stride(from: 1000, through: 3000, by: 50))
        #expect(!isOpen(at: 3050))
    }

    @Test func `a relay that refuses this server is told once for each reason, and again after a mail went`() {
        let told = Told()
        let logger = Logger(label: "test") { _ in told }
        func refuse(_ reply: String, at seconds: Int64) {
            #expect(health.refused(at: Moment(seconds: seconds), reply: reply, logger: logger) == 30)
            #expect(!isOpen(at: seconds * 1000 + 29_000))
        }
        for second in stride(from: Int64(0), through: 300, by: 30) {
            refuse("535 5.7.3 Authentication unsuccessful [\(second)]", at: second)
        }
        #expect(told.count == 1)
        refuse("no access token: the client secret has expired", at: 330)
        #expect(told.count == 2)
        health.succeeded()
        refuse("no access token: the client secret has expired", at: 360)
        #expect(told.count == 3)
    }

    @Test func `a wait that the relay asks for holds, whatever else it takes, until it is over`() {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        func ask(_ seconds: Int64, at milliseconds: Int64) -> Int64 {
            health.asked(toWait: seconds, at: Moment(milliseconds: milliseconds), reply: "429", logger: logger)
        }
        #expect(ask(20, at: 0) == 20)
        #expect(ask(5, at: 1000) == 5)
        health.succeeded()
        #expect(!isOpen(at: 19_000) && health.secondsToWait(at: Moment(milliseconds: 19_500)) == 1)
        #expect(isOpen(at: 20_000) && health.secondsToWait(at: Moment(milliseconds: 20_000)) == nil)
        #expect(ask(100_000, at: 30_000) == 3_600)
        health.open()
        #expect(isOpen(at: 31_000))
    }

    @Test func `a relay that fails three times is away since the first, until a mail is taken`() {
        let now = Moment(milliseconds: 5000)
        fail(at: [1000, 2000])
        #expect(health.away(at: now) == nil && !health.hasAnswered)
        fail(at: [3000])
        let away = MailState.Away(since: Moment(milliseconds: 1000), .silent, reply: "connection refused")
        #expect(health.away(at: now) == away)
        health.open()
        #expect(isOpen(at: 5000) && health.away(at: now) == away, "another try has not shown yet that it is back")
        health.succeeded()
        #expect(health.away(at: now) == nil && health.hasAnswered)
    }

    @Test func `a relay that asks for a long wait is away until its end, one that sets a pace is not`() {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        func ask(_ seconds: Int64) {
            _ = health.asked(
                toWait: seconds, at: Moment(seconds: 0), reply: "429 slow down ann@home.example", logger: logger)
        }
        ask(20)
        #expect(health.away(at: Moment(seconds: 1)) == nil)
        ask(300)
        let away = health.away(at: Moment(seconds: 1))
        #expect(away?.fault == .asksToWait(until: Moment(seconds: 300)) && away?.since == Moment(seconds: 0))
        #expect(away?.reason == "429 slow down (an address)")
        #expect(health.away(at: Moment(seconds: 300)) == nil)
    }

    @Test func `what makes no transport is told once, and no other try changes that`() {
        let told = Told()
        health.close(at: Moment(seconds: 1), reason: "there is no secret", logger: Logger(label: "test") { _ in told })
        for second in stride(from: Int64(1), through: 301, by: 30) {
            health.open()
            #expect(!isOpen(at: second * 1000))
        }
        #expect(told.count == 1)
        let away = MailState.Away(since: Moment(seconds: 1), .refuses, reply: "there is no secret")
        #expect(health.away(at: Moment(seconds: 400)) == away)
    }

    @Test func `one mail that is taken ends it`() {
        fail(at: stride(from: 0, through: 2000, by: 50))
        health.succeeded()
        #expect(isOpen(at: 2050))
        fail(at: [2100])
        #expect(isOpen(at: 2150))
    }
}

/// Counts errors.
private final class Told: LogHandler, Sendable {
    private let errors = Mutex(0)

    var count: Int { errors.withLock { $0 } }

    var logLevel: Logger.Level {
        get { .error }
        set {}
    }
    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }

    func log(event: LogEvent) { errors.withLock { $0 += 1 } }
}
