// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingStore
import HomingTesting
import Testing

@Suite struct AuditLogTests {
    @Test func `a change of a setting is kept with its author, the value before and the value after`() async throws {
        try await withHoming { homing in
            homing.clock.advance(seconds: 1)
            homing.clock.advance(seconds: 1)
            try await homing.projects.set(
                "shop", "signIn.email.enabled", to: "false", by: .person("ann@example.com"))
            homing.clock.advance(seconds: 1)
            try await homing.projects.addDomain("new.shop.example", to: "shop")

            let entries = try await homing.audit.list(project: "shop", limit: 2)
            #expect(entries.map(\.action) == ["domain.add", "project.set"])
            #expect(entries.map(\.author) == ["command", "ann@example.com"])
            #expect(entries.last?.subject == "signIn.email.enabled")
            #expect(entries.last?.before == "true")
            #expect(entries.last?.after == "false")
        }
    }

    @Test func `of two people who change one setting, the second is told both values and changes nothing`() async throws
    {
        try await withHoming { homing in
            let name = "passwordPolicyConfig.minPasswordLength"
            func change(to value: String) async throws {
                try await homing.projects.set(
                    [SettingChange(name, to: value, expected: "6")], of: "shop", by: .person("ann@example.com"))
            }
            try await change(to: "8")
            await #expect(
                throws: Refusal.changedMeanwhile("\(name) is 8 by now, it was 6 when you began: refresh, then save")
            ) { try await change(to: "10") }
            #expect(try homing.shop.settings.value(name) == "8")
        }
    }

    @Test func `a change that changes nothing leaves no entry`() async throws {
        try await withHoming { homing in
            let before = try await homing.audit.list(project: "shop").count
            try await homing.projects.set("shop", "signIn.email.enabled", to: "true")
            try await homing.projects.addDomain(try #require(try homing.shop.authorizedDomains.first).text, to: "shop")
            #expect(try await homing.audit.list(project: "shop").count == before)
        }
    }

    @Test func `older entries are read on from the last one`() async throws {
        try await withHoming { homing in
            for number in 1...3 {
                homing.clock.advance(seconds: 1)
                try await homing.projects.addDomain("d\(number).example", to: "shop")
            }
            let first = try await homing.audit.list(limit: 2)
            let rest = try await homing.audit.list(before: AuditLog.position(of: try #require(first.last)))
            #expect(first.map(\.subject) == ["d3.example", "d2.example"])
            #expect(rest.first?.subject == "d1.example")
        }
    }
}
