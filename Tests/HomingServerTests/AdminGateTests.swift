// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingServer
import HomingTesting
import HomingWire
import Testing

@Suite struct AdminGateTests {
    private static let lookup = "/identitytoolkit.googleapis.com/v1/projects/shop/accounts:lookup"

    private func status(
        _ server: LiveServer, _ authorization: String?, _ headers: [(String, String)] = []
    ) async throws -> Int {
        let own = authorization.map { [("Authorization", $0)] } ?? []
        return try await server.admin.post(Self.lookup, [], headers: own + headers).status
    }

    @Test func `without a valid admin key there is nothing but health`() async throws {
        try await withHoming { homing in
            let (id, secret) = try await homing.adminKeys.create(name: "ci")
            try await withServer(homing, showsMailbox: true) { server in
                #expect(try await server.admin.get("/healthz").status == 200)
                for wrong in [
                    nil, "", "Bearer", "Bearer ", "Bearer owner", "Bearer x", "Basic \(secret)", secret,
                    "Bearer \(secret)x", "Bearer ha_\(id)_", "Bearer \(secret.dropLast())",
                ] {
                    #expect(try await status(server, wrong) == 401, "\(wrong ?? "none")")
                }
                for path in ["/metrics", "/mailbox", "/mailbox/messages", "/mailbox/messages/x.html"] {
                    #expect(try await server.admin.get(path).status == 401)
                }
                #expect(try await status(server, "Bearer \(secret)") == 200)
                #expect(try await status(server, "bearer \(secret)") == 200)
                try await homing.adminKeys.revoke(id)
                #expect(try await status(server, "Bearer \(secret)") == 401)
            }
        }
    }

    @Test func `owner is taken where it is allowed, and never through a browser or a proxy`() async throws {
        try await withHoming { homing in
            try await withServer(homing, acceptsOwner: true) { server in
                #expect(try await status(server, "Bearer owner") == 200)
                for header in [
                    ("Origin", "http://localhost"), ("Origin", "null"), ("Forwarded", "for=127.0.0.1"),
                    ("X-Forwarded-For", "127.0.0.1"), ("X-Forwarded-Host", "x"), ("x-forwarded-proto", "https"),
                    ("Via", "1.1 proxy"),
                ] {
                    #expect(try await status(server, "Bearer owner", [header]) == 401, "\(header)")
                }
                let (_, secret) = try await homing.adminKeys.create(name: "ci")
                #expect(try await status(server, "Bearer \(secret)", [("Origin", "http://localhost")]) == 200)
            }
        }
    }

    @Test(arguments: [
        "evil.example", "evil.example:80", "localhost.evil.example", "auth.shop.example", "127.0.0.2", "x",
    ])
    func `a Host name that is not its own is refused before anything is read`(host: String) async throws {
        try await withHoming { homing in
            try await withServer(homing, acceptsOwner: true) { server in
                for path in ["/healthz", "/metrics"] {
                    let answer = try await server.admin.get(
                        path, headers: [("Authorization", "Bearer owner")], host: host)
                    #expect(answer.status == 421)
                }
            }
        }
    }

    @Test func `it answers to its address and to localhost, with any port`() async throws {
        try await withHoming { homing in
            try await withServer(homing) { server async throws in
                for host in ["localhost", "LOCALHOST:9098", "127.0.0.1", "127.0.0.1:1", "[::1]:9098"] {
                    #expect(try await server.admin.get("/healthz", host: host).status == 200, "\(host)")
                }
            }
        }
    }

    @Test func `the printed link opens the mailbox once, on POST, and its cookie opens nothing else`() async throws {
        try await withHoming(keepsMail: true) { homing in
            try await withServer(homing, acceptsOwner: true, showsMailbox: true) { server in
                let link = try #require(server.ready.mailboxLink)
                let ticket = try #require(link.split(separator: "ticket=").last)
                let door = try await server.admin.get("/enter?ticket=\(ticket)")
                #expect(door.status == 200)
                #expect(door.header("Set-Cookie") == nil)
                let form = try #require(door.form)
                let entered = try await server.admin.post(form.action, form: form.fields)
                #expect(entered.status == 303)
                let cookie = try #require(entered.header("Set-Cookie"))
                #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"))
                #expect(try await server.admin.post(form.action, form: form.fields).status == 403)
                let own = [("Cookie", String(cookie.prefix { $0 != ";" }))]
                #expect(try await server.admin.get("/mailbox", headers: own).status == 200)
                #expect(try await server.admin.get("/mailbox/messages", headers: own).status == 200)
                #expect(
                    try await server.admin.get("/favicon.ico", headers: own).status == 200, "the picture of its tab")
                #expect(try await server.admin.get("/metrics", headers: own).status == 401)
                #expect(try await server.admin.post(Self.lookup, [], headers: own).status == 401)
                homing.clock.advance(seconds: 43_200)
                #expect(try await server.admin.get("/mailbox", headers: own).status == 401)
            }
        }
    }

    @Test func `an unknown project is not found, and a known one answers what it is asked`() async throws {
        try await withHoming { homing in
            let account = try await homing.account("ann@home.example")
            try await withServer(homing, acceptsOwner: true) { server in
                let owner = [("Authorization", "Bearer owner")]
                let missing = try await server.admin.post(
                    "/v1/projects/nowhere/accounts:lookup", [], headers: owner)
                #expect(missing.status == 404)
                #expect(missing.errorMessage == "PROJECT_NOT_FOUND")
                let found = try await server.admin.post(
                    Self.lookup, json: #"{"email":["ann@home.example","no address"],"localId":["\#(account.id)"]}"#,
                    headers: owner)
                let users = try #require(found["users"]?.arrayValue)
                #expect(users.count == 1)
                #expect(users[0].objectValue?["localId"]?.stringValue == account.id)
                let metrics = try await server.admin.get("/metrics", headers: owner)
                #expect(metrics.text.contains("homing_mails{state=\"queued\"} 0\n"))
                #expect(!metrics.text.contains("ann@home.example"))
            }
        }
    }
}
