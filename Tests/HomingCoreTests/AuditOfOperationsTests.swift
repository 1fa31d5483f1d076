// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingTesting
import Testing

/// What is in the audit log beside changes of settings: keys, and what leaves the server.
@Suite struct AuditOfOperationsTests {
    private func entries(_ homing: TestHoming) async throws -> Set<String> {
        Set(
            try await homing.audit.list().map {
                "\($0.author) \($0.action) \($0.project ?? "-") \($0.subject) \($0.after ?? "-")"
            })
    }

    @Test func `each step of a change of keys is an entry`() async throws {
        try await withHoming { homing in
            let version = try await homing.keys.add()
            try await homing.keys.use(version)
            try await homing.keys.raiseFloor(to: version)
            let log = try await entries(homing)
            for entry in ["key.add - key version 2 -", "key.use - key version 2 2", "key.floor - key version 2 2"] {
                #expect(log.contains("command \(entry)"), "\(entry)")
            }
        }
    }

    @Test func `a link and a session cookie that a back end is given are entries, without an address`() async throws {
        try await withHoming { homing in
            let ann = try await homing.signUp(TestHoming.ann)
            let shop = try homing.shop
            var request = ActionCodes.Request(
                project: shop, kind: .passwordReset,
                subject: .address(try EmailAddress(parsing: TestHoming.ann)), settings: ActionCodeSettings(),
                language: "en", isMailed: false, isAdmin: true)
            request.author = .backEnd(key: "k1")
            _ = try await homing.actionCodes.request(request)
            _ = try await homing.sessions.cookie(
                for: ann.tokens.idToken, lasting: 300, in: shop, by: .backEnd(key: "k1"))
            let log = try await entries(homing)
            #expect(log.contains("key k1 account.link shop \(ann.account.id) resetPassword"))
            #expect(log.contains("key k1 account.sessionCookie shop \(ann.account.id) 300 s"))
            #expect(!log.contains { $0.contains(TestHoming.ann) })
        }
    }
}
