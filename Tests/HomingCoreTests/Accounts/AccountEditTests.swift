// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingStore
import HomingTesting
import Testing

@Suite struct `What operators edit` {
    private func expectOvertaken(_ verb: () async throws -> Void) async {
        let refusal = await #expect(throws: Refusal.self) { try await verb() }
        #expect(refusal?.code == .changedMeanwhile)
    }

    @Test func `a change of what somebody else has changed meanwhile is refused`() async throws {
        try await withHoming { homing async throws in
            let account = try await homing.account(TestHoming.ann)
            var mine = AccountChange()
            mine.displayName = .set("Ann")
            await expectOvertaken {
                _ = try await homing.accounts.change(account.id, mine, in: homing.shop, by: .command) { account in
                    account.displayName == "Anne"
                }
            }
            #expect(try await homing.found(TestHoming.ann)?.displayName == nil)
            let changed = try await homing.accounts.change(account.id, mine, in: homing.shop, by: .command) {
                $0.displayName == nil
            }
            #expect(changed.displayName == "Ann")
        }
    }

    @Test func `a verification goes to the account's address, and verifies it`() async throws {
        try await withHoming(limits: .safe) { homing async throws in
            let account = try await homing.account(TestHoming.ann)
            try await homing.actionCodes.sendVerification(to: account, in: homing.shop, by: .command)
            let code = try await homing.mailedCode(to: TestHoming.ann)
            await #expect(throws: Refusal.self) {
                try await homing.actionCodes.sendVerification(to: account, in: homing.shop, by: .command)
            }
            try await homing.redeem(code, .verifyEmail)
            #expect(try await homing.found(TestHoming.ann)?.isEmailVerified == true)
        }
    }

    @Test func `the entries about one account are found among all`() async throws {
        try await withHoming { homing async throws in
            let account = try await homing.account(TestHoming.ann)
            try await homing.account("bob@home.example")
            homing.clock.advance(seconds: 1)
            _ = try await homing.accounts.endSessions(of: account.id, in: homing.shop, by: .command)
            homing.clock.advance(seconds: 1)
            try await homing.accounts.delete(account.id, in: homing.shop, by: .command)
            let entries = try await homing.audit.list(about: account.id.text, in: "shop", limit: 10)
            #expect(entries.map(\.action) == ["account.delete", "account.endSessions"])
            #expect(try await homing.audit.list(about: account.id.text, in: "shop", limit: 1).count == 1)
            #expect(try await homing.audit.list(about: account.id.text, in: "other", limit: 10).isEmpty)
        }
    }

    @Test func `claims are kept without the blanks that were typed for the eye`() throws {
        #expect(try CustomClaims.kept("{\n  \"admin\": true,\n  \"level\": 7\n}") == "{\"admin\":true,\"level\":7}")
        #expect(try CustomClaims.kept(" \n") == "")
    }

    @Test(
        arguments: [
            ("{\n  \"admin\": yes\n}", 2, "JSON"), ("{\"a\": 1,\n\"a\": 2}", 2, "already"),
            ("{\"a\": 1,\n\n\"aud\": 2}", 3, "aud"), ("[1]", nil, "object"), ("{\"a\": 1", 1, "ends"),
            ("{\"a\": \"\(String(repeating: "x", count: 1000))\"}", nil, "1008 bytes"),
            ("{\"\u{E9}\": 1, \"e\u{301}\": 2}", nil, "look the same"),
        ] as [(String, Int?, String)])
    func `claims that cannot be kept are refused with the line and the reason`(
        text: String, line: Int?, word: String
    ) throws {
        let fault = #expect(throws: CustomClaims.Fault.self) { try CustomClaims.kept(text) }
        #expect(fault?.line == line && fault?.reason.contains(word) == true, "\(String(describing: fault))")
    }

    @Test func `a tenant's setting that somebody else has changed meanwhile is not written over`() async throws {
        try await withHoming { homing async throws in
            let tenant = try await homing.projects.createTenant(
                "acme", named: "Acme", settings: [SettingChange("allowPasswordSignup", to: "true")], in: "shop",
                by: .command)
            for expected in ["", "false"] {
                await expectOvertaken {
                    try await homing.projects.setTenant(
                        tenant.scope, settings: [SettingChange("allowPasswordSignup", to: "", expected: expected)],
                        by: .command)
                }
            }
            await expectOvertaken {
                try await homing.projects.setTenant(tenant.scope, named: "Acme Ltd", seen: "Acme Inc", by: .command)
            }
            try await homing.projects.setTenant(
                tenant.scope, named: "Acme Ltd", seen: "Acme",
                settings: [
                    SettingChange("allowPasswordSignup", to: "", expected: "true"),
                    SettingChange("disableAuth", to: "true", expected: "false"),
                ], by: .command)
            let changed = try homing.projects.existingOrTenant(tenant.scope)
            #expect(changed.tenant?.displayName == "Acme Ltd" && changed.isDisabled && !changed.settings.allowsEmail)
        }
    }
}
