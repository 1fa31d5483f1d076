// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingTesting
import Testing

@Suite("Audit log")
struct AuditLogTests {
    @Test("A change of a setting is kept with its author, the value before and the value after")
    func tellsBeforeAndAfter() async throws {
        try await withHoming { world in
            let projects = world.homing.projects
            let person = Author.person("ann@example.com")
            try await projects.set(world.project.id, "signIn.email.enabled", to: "false", by: person)
            try await projects.addDomain("www.shop.example", to: world.project.id)

            let entries = try await world.homing.audit.list(project: world.project.id, limit: 2)
            #expect(entries.map(\.action) == ["domain.add", "project.set"])
            #expect(entries.map(\.author) == ["command", "ann@example.com"])
            #expect(entries.last?.subject == "signIn.email.enabled")
            #expect(entries.last?.before == "true")
            #expect(entries.last?.after == "false")
        }
    }

    @Test("Of two people who change one setting, the second is told both values and changes nothing")
    func refusesStaleChange() async throws {
        try await withHoming { world in
            let projects = world.homing.projects
            let (project, name) = (world.project.id, "passwordPolicyConfig.minPasswordLength")
            func change(to value: String) async throws {
                try await projects.set(
                    [SettingChange(name, to: value, expected: "6")], of: project, by: .person("ann@example.com"))
            }
            try await change(to: "8")
            await #expect(
                throws: Refusal.changedMeanwhile("\(name) is 8 by now, it was 6 when you began: look again, then save")
            ) { try await change(to: "10") }
            #expect(projects.project(project)?.settings.value(name) == "8")
        }
    }

    @Test("A change that changes nothing leaves no entry")
    func ignoresSameValue() async throws {
        try await withHoming { world in
            let before = try await world.homing.audit.list(project: world.project.id).count
            try await world.homing.projects.set(world.project.id, "signIn.email.enabled", to: "true")
            #expect(try await world.homing.audit.list(project: world.project.id).count == before)
        }
    }

    @Test("Older entries are read on from the last one")
    func pages() async throws {
        try await withHoming { world in
            for number in 1...3 { try await world.homing.projects.addDomain("d\(number).example", to: world.project.id) }
            let first = try await world.homing.audit.list(limit: 2)
            let rest = try await world.homing.audit.list(before: AuditLog.position(of: try #require(first.last)))
            #expect(first.map(\.subject) == ["d3.example", "d2.example"] || first.count == 2)
            #expect(Set(first.map(\.id)).isDisjoint(with: rest.map(\.id)))
            #expect(rest.contains { $0.subject == "d1.example" || $0.subject == "d2.example" })
        }
    }
}
