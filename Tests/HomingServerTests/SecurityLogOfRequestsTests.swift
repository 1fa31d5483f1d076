// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingServer
import HomingStore
import HomingTesting
import Testing

/// What the security log says of requests: who, from where, about what.
@Suite struct SecurityLogOfRequestsTests {
    private func line(_ event: SecurityEvent) -> String {
        [
            event.kind.rawValue, event.kind.outcome.rawValue, event.author, event.caller.map { "\($0)" },
            event.project?.text, event.subject,
        ].map { $0 ?? "-" }.joined(separator: " ")
    }

    private func lines(_ homing: TestHoming) -> [String] { homing.world.securityEvents.take().map(line) }

    @Test func `who may not see a page is named, with the page and the caller`() async throws {
        try await withHoming { homing in
            _ = try await homing.projects.create(
                id: "other", name: nil, apiKey: nil, authorizedDomains: [], linkDomains: [], language: nil)
            try await withServer(homing) { server in
                let viewer = try await ConsoleVisitor(.viewer, of: ["other"], homing, server)
                let person = "viewer1@example.com"
                #expect(lines(homing) == ["operator_signed_in done \(person) 127.0.0.1 - \(person)"])
                #expect(try await viewer.get("/console/operators").status == 403)
                #expect(try await viewer.get("/console/projects/shop/mail").status == 404)
                let forged = try await server.admin.post(
                    "/console/me", form: [("token", "x"), ("do", "remove")], headers: viewer.cookie)
                #expect(forged.status == 403)
                #expect(
                    lines(homing) == [
                        "operator_refused refused \(person) 127.0.0.1 - /console/operators",
                        "operator_refused refused \(person) 127.0.0.1 shop /console/projects/shop/mail",
                        "form_refused refused \(person) 127.0.0.1 - /console/me",
                    ])
            }
        }
    }

    @Test func `a key at another project, a forged token, code or API key, and a wrong password are lines`()
        async throws
    {
        try await withHoming { homing in
            _ = try await homing.projects.create(
                id: "other", name: nil, apiKey: nil, authorizedDomains: [], linkDomains: [], language: nil)
            let ann = try await homing.signUp(TestHoming.ann).account.id
            let (id, secret) = try await homing.adminKeys.create(name: "ci", projects: ["other"])
            try await withServer(homing, trustedProxies: [try #require(AddressRange(parsing: "127.0.0.1"))]) { server in
                let lookup = "/identitytoolkit.googleapis.com/v1/projects/shop/accounts:lookup"
                _ = try await server.admin.post(lookup, [], headers: [("Authorization", "Bearer \(secret)")])
                _ = try await server.call("accounts:lookup", [("idToken", "a.b.c")])
                _ = try await server.call("accounts:resetPassword", [("oobCode", "forged")])
                _ = try await server.client.post(LiveServer.path("accounts:lookup", key: "nobodys"), [])
                _ = try await server.call(
                    "accounts:signInWithPassword", [("email", TestHoming.ann), ("password", "not this one")],
                    headers: [("X-Forwarded-For", "203.0.113.7")])
                let path = "/identitytoolkit.googleapis.com/v1/accounts:"
                #expect(
                    lines(homing) == [
                        "project_refused refused key \(id) 127.0.0.1 - \(lookup)",
                        "token_refused refused app 127.0.0.1 - \(path)lookup",
                        "code_refused refused app 127.0.0.1 - \(path)resetPassword",
                        "api_key_refused refused app 127.0.0.1 - \(path)lookup",
                        "sign_in_failed refused app 203.0.113.7 shop \(ann)",
                    ])
            }
        }
    }

    @Test func `a wrong password, a wrong code and a used link at the console are lines`() async throws {
        try await withHoming { homing in
            let address = "ann@example.com"
            _ = try await homing.operators.add(address, role: .owner, projects: nil)
            let totp = homing.operators.newSecondFactor()
            _ = try await homing.operators.setSecondFactor(totp, code: totp.code(at: homing.clock.now), of: address)
            try await withServer(homing) { server in
                let form = [("way", "password"), ("address", address), ("password", "not this one")]
                #expect(try await server.admin.post("/console/sign-in", form: form).status == 403)
                let link = try await homing.operators.newLink(for: address)
                let entered = try await server.admin.post("/enter", form: [("ticket", link)])
                let waiting = [("Cookie", String(try #require(entered.header("Set-Cookie")).prefix { $0 != ";" }))]
                let wrong = try await server.admin.post(
                    "/console/sign-in/code", form: [("code", "000000")], headers: waiting)
                #expect(wrong.status == 403)
                #expect(try await server.admin.post("/enter", form: [("ticket", link)]).status == 403)
                #expect(
                    lines(homing) == [
                        "operator_sign_in_failed refused nobody 127.0.0.1 - \(address)",
                        "operator_code_wrong refused nobody 127.0.0.1 - \(address)",
                        "operator_link_refused refused nobody 127.0.0.1 - -",
                    ])
            }
        }
    }
}
