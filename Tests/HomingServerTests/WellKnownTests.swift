// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingProjects
import HomingStore
import HomingTesting
import Testing

@Suite struct WellKnownTests {
    private static let path = "/.well-known/change-password"

    @Test func `a password manager finds the page of the host's project`() async throws {
        try await withHoming(linkDomains: ["go.shop.example", "pages.example/l"]) { homing in
            try await withServer(homing) { server in
                let commits = homing.database.counts.commits
                let target = "\(TestWorld.publicURL)/__/auth/reset?apiKey=\(TestHoming.apiKey)"
                for host in [nil, "go.shop.example", "GO.shop.example:443", "pages.example"] {
                    let answer = try await server.client.get(Self.path, host: host)
                    #expect(answer.status == 302 && answer.header("Location") == target, "\(host ?? "none")")
                }
                #expect(try await server.open(target).form != nil)
                #expect(homing.database.counts.commits == commits)

                _ = try await homing.projects.create(
                    id: "other", name: nil, apiKey: nil, authorizedDomains: [], linkDomains: [], language: nil)
                #expect(try await server.client.get(Self.path).status == 404)
                #expect(try await server.client.get(Self.path, host: "go.shop.example").status == 302)
                try await homing.projects.set("shop", "signIn.email.enabled", to: "false")
                #expect(try await server.client.get(Self.path, host: "go.shop.example").status == 404)
            }
        }
    }

    @Test func `whoever finds a weakness is told whom to tell, where the operator says it`() async throws {
        try await withWorld { world in
            for contact in [nil, "mailto:security@example.com"] {
                try await world.withHoming(securityContact: contact) { homing in
                    try await withServer(homing) { server in
                        let answer = try await server.client.get("/.well-known/security.txt")
                        #expect(answer.status == (contact == nil ? 404 : 200))
                        guard let contact else { return }
                        let lines = answer.text.split(separator: "\n")
                        #expect(lines.first == "Contact: \(contact)" && lines.count == 2)
                        let end = lines.last?.split(separator: " ").last.flatMap { Moment(timestamp: String($0)) }
                        let days = try #require(end).seconds - homing.clock.now.seconds
                        #expect((364 * 86_400...365 * 86_400).contains(days))
                        #expect(answer.header("Content-Type") == "text/plain; charset=utf-8")
                    }
                }
            }
        }
    }
}
