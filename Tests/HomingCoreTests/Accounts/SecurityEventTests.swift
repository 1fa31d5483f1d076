// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingShortLinks
import HomingStore
import HomingTesting
import HomingWire
import Logging
import Synchronization
import Testing

/// The events that an operator who looks for an attack finds in the log.
@Suite struct SecurityEventTests {
    private static let stranger = "nobody@home.example"

    @Test func `failed and locked sign-ins are reported, with the account when there is one`() async throws {
        try await withHoming(limits: Limits(signInFailuresPerAccountHour: 2)) { homing in
            let ann = try await homing.signUp(TestHoming.ann).account.id.text
            _ = homing.world.securityEvents.take()
            for address in [TestHoming.ann, TestHoming.ann, TestHoming.ann, Self.stranger] {
                await #expect(throws: Refusal.self) { try await homing.signIn(address, password: "wrong password") }
            }
            #expect(
                homing.world.securityEvents.take() == [
                    SecurityEvent(.signInFailed, project: "shop", subject: ann),
                    SecurityEvent(.signInFailed, project: "shop", subject: ann),
                    SecurityEvent(.signInLocked, project: "shop", subject: ann),
                    SecurityEvent(.signInFailed, project: "shop"),
                ])
        }
    }

    @Test func `a good sign-in is no event`() async throws {
        try await withHoming { homing in
            try await homing.signUp(TestHoming.ann)
            _ = homing.world.securityEvents.take()
            _ = try await homing.signIn(TestHoming.ann)
            #expect(homing.world.securityEvents.take().isEmpty)
        }
    }

    @Test(arguments: [
        (ActionCodeKind.passwordReset, SecurityEvent.Kind.passwordReset),
        (.verifyAndChangeEmail, .addressChanged), (.recoverEmail, .accountRecovered),
    ])
    func `the effect of a code on an account is reported after the commit`(
        kind: ActionCodeKind, event: SecurityEvent.Kind
    ) async throws {
        try await withHoming { homing in
            let code = try await homing.liveCode(kind)
            _ = homing.world.securityEvents.take()
            await #expect(throws: Refusal.self) { try await homing.redeem(code + "A", kind) }
            #expect(homing.world.securityEvents.take().isEmpty)
            try await homing.redeem(code, kind)
            let events = homing.world.securityEvents.take()
            #expect(events.map(\.kind) == [event])
            #expect(events.first?.project == "shop")
            #expect(events.first?.subject?.isEmpty == false)
            await #expect(throws: Refusal.self) { try await homing.redeem(code, kind) }
            #expect(homing.world.securityEvents.take().isEmpty)
        }
    }

    @Test func `a link that a back end is given is reported, a mailed one is not`() async throws {
        try await withHoming { homing in
            let ann = try await homing.account(TestHoming.ann).id.text
            try await homing.mail(.passwordReset, to: TestHoming.ann)
            #expect(homing.world.securityEvents.take().isEmpty)
            _ = try await homing.code(.passwordReset, for: TestHoming.ann)
            #expect(
                homing.world.securityEvents.take() == [SecurityEvent(.linkHandedOver, project: "shop", subject: ann)])
        }
    }

    @Test func `an address that the operator changes is reported, another field is not`() async throws {
        try await withHoming { homing in
            let ann = try await homing.account(TestHoming.ann).id
            var change = AccountChange()
            change.displayName = .set("Ann")
            _ = try await homing.accounts.change(ann, change, in: try homing.shop)
            #expect(homing.world.securityEvents.take().isEmpty)
            change.email = .set(try EmailAddress(parsing: "ann@new.example"))
            _ = try await homing.accounts.change(ann, change, in: try homing.shop)
            #expect(
                homing.world.securityEvents.take() == [
                    SecurityEvent(.addressChanged, project: "shop", subject: ann.text)
                ])
        }
    }

    @Test func `an admin key that is refused is reported, a call without one is not`() async throws {
        try await withHoming { homing in
            let (_, secret) = try await homing.adminKeys.create(name: "ci")
            try await withServer(homing) { server in
                func status(_ authorization: String?) async throws -> Int {
                    let headers = authorization.map { [("Authorization", "Bearer \($0)")] } ?? []
                    return try await server.admin.get("/metrics", headers: headers).status
                }
                let quiet = try await [status(nil), status(secret)]
                #expect(quiet == [401, 200])
                #expect(homing.world.securityEvents.take().isEmpty)
                let refused = try await status("ha_x")
                #expect(refused == 401)
                let events = homing.world.securityEvents.take()
                #expect(events.map(\.kind) == [.adminKeyRefused] && events.first?.subject == "/metrics")
                #expect(events.first?.author == "nobody" && events.first?.caller.map { "\($0)" } == "127.0.0.1")
            }
        }
    }

    @Test func `an event is one line with author, caller, subject and outcome`() throws {
        let store = LogLines.Store()
        let logger = Logger(label: "test") { _ in LogLines(store: store) }
        Asker.$current.withValue(Asker(IPAddress(parsing: "192.0.2.66"), author: "app")) {
            SecurityEvent(.signInFailed, project: "shop", subject: "a1").log(to: logger, more: 3)
        }
        SecurityEvent(.adminKeyRefused).log(to: logger)
        let lines = store.lines.withLock { $0 }
        #expect(lines.map(\.level) == [.info, .notice])
        #expect(lines.map(\.message) == ["sign-in failed", "admin key refused"])
        #expect(
            lines.map(\.metadata) == [
                [
                    "event": "sign_in_failed", "outcome": "refused", "author": "app", "caller": "192.0.2.66",
                    "project": "shop", "subject": "a1", "more": "3",
                ],
                ["event": "admin_key_refused", "outcome": "refused", "author": "command"],
            ])
    }
}
