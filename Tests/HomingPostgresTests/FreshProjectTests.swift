// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingProjects
import HomingStore
import HomingTesting
import Testing

/// Mails of projects and tenants that were made on one node a moment ago, in the hands of another that has not heard of
/// them.
@Suite(.tags(.races)) struct FreshProjectTests {
    private func withNodes(_ body: (TestHoming, TestHoming) async throws -> Void) async throws {
        try await withWorld(isOnPostgres: true) { world in
            try await world.withHoming { first in
                try await world.withHoming { second in try await body(first, second) }
            }
        }
    }

    private func makeProject(_ id: ProjectID, on homing: TestHoming) async throws -> Project {
        try await homing.projects.create(
            id: id, name: nil, apiKey: nil, authorizedDomains: ["fresh.example"], linkDomains: [], language: nil)
    }

    private func sendTest(of project: Project, on homing: TestHoming) async throws {
        _ = try await homing.outbox.enqueueTest(
            to: try EmailAddress(parsing: TestHoming.ann), in: project, by: .command)
    }

    private func states(_ homing: TestHoming) async throws -> [Outbox.State] {
        try await homing.outbox.list(project: nil).map(\.state)
    }

    @Test func `a mail of a project that another node has just made is sent`() async throws {
        try await withNodes { first, second in
            try await sendTest(of: try await makeProject("fresh", on: first), on: first)
            #expect(try await second.deliver().map(\.recipient) == [TestHoming.ann])
            #expect(try await states(first) == [.sent])
        }
    }

    @Test func `a sign-in link of a tenant that another node has just made is sent`() async throws {
        try await withNodes { first, second in
            _ = try await makeProject("fresh", on: first)
            try await second.projects.reload()
            let tenant = try await first.projects.createTenant(
                "guests", named: "Guests", settings: [SettingChange("enableEmailLinkSignin", to: "true")], in: "fresh")
            _ = try await first.actionCodes.request(
                ActionCodes.Request(
                    project: tenant, kind: .signIn, subject: .address(try EmailAddress(parsing: TestHoming.ann)),
                    settings: ActionCodeSettings(), language: "en"))
            #expect(try await second.deliver().map(\.recipient) == [TestHoming.ann])
            #expect(try await states(first) == [.sent])
        }
    }

    @Test func `many mails of unknown projects are one reading of all projects in a second`() async throws {
        try await withNodes { first, second in
            for number in 0..<6 {
                try await sendTest(of: try await makeProject(ProjectID("fresh\(number)"), on: first), on: first)
            }
            // All are claimed before the first of them is looked at.
            let before = second.database.counts.statements
            #expect(try await second.deliver().count == 6)
            // A reading of all projects is seven statements: six would be past seventy with the rest.
            #expect(second.database.counts.statements - before < 60)
        }
    }

    @Test func `a mail of a project that is gone ends, and one that cannot be read is kept`() async throws {
        try await withNodes { first, second in
            let gone = try await makeProject("gone", on: first)
            let kept = try await makeProject("kept", on: first)
            try await first.projects.delete("gone")
            // From a request that was under way.
            try await sendTest(of: gone, on: first)
            try await sendTest(of: kept, on: first)
            let settings = try await first.rows("SELECT settings FROM projects WHERE id = 'kept'").firstText()
            try await first.rows("UPDATE projects SET settings = 'no JSON' WHERE id = 'kept'")
            #expect(try await second.deliver().isEmpty)
            let waiting = try await first.outbox.list(project: "kept")
            #expect(waiting.map(\.state) == [.queued] && waiting.map(\.attempts) == [0])
            #expect(try await first.outbox.list(project: "gone").map(\.state) == [.expired])
            try await first.rows("UPDATE projects SET settings = \(settings) WHERE id = 'kept'")
            second.clock.advance(seconds: 3)
            #expect(try await second.deliver().count == 1)
        }
    }
}
