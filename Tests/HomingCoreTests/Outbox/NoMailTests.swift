// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingStore
import HomingTesting
import Testing

/// A server for links only (`mail.url: none`).
@Suite struct NoMailTests {
    @Test func `what would have to mail somebody is refused by name, for known and unknown alike`() async throws {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann)
            homing.core.store.sendsMail.set(false)
            for address in [TestHoming.ann, "nobody@people.example"] {
                await #expect(throws: Refusal.mailIsOff) { try await homing.mail(.passwordReset, to: address) }
            }
            let ann = try EmailAddress(parsing: TestHoming.ann)
            await #expect(throws: Refusal.mailIsOff) {
                try await homing.outbox.enqueueTest(to: ann, in: try homing.shop, by: .command)
            }
            #expect(Refusal.mailIsOff.wireMessage == "OPERATION_NOT_ALLOWED : This server sends no email.")
            #expect(try await homing.outbox.list(project: nil).isEmpty)
        }
    }

    @Test func `a back end's own link works, and nobody is owed a notice of what it did`() async throws {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann)
            homing.core.store.sendsMail.set(false)
            let code = try await homing.code(.passwordReset, for: TestHoming.ann)
            try await homing.redeem(code, .passwordReset)
            #expect(try await homing.outbox.list(project: nil).isEmpty)
        }
    }
}
