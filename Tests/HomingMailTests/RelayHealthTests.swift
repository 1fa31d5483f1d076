// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingMail
import HomingStore
import Logging
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

    @Test func `one mail that is taken ends it`() {
        fail(at: stride(from: 0, through: 2000, by: 50))
        health.succeeded()
        #expect(isOpen(at: 2050))
        fail(at: [2100])
        #expect(isOpen(at: 2150))
    }
}
