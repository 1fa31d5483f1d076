// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingServer
import HomingShortLinks
import HomingStore
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
                #expect(users[0].objectValue?["localId"]?.stringValue == account.id.text)
                let metrics = try await server.admin.get("/metrics", headers: owner)
                #expect(metrics.text.contains("homing_mails{state=\"queued\"} 0\n"))
                #expect(!metrics.text.contains("ann@home.example"))
            }
        }
    }

    /// A server with the projects `shop` and `other`, each with a link domain, and a key for `shop`.
    private func withBoundKey(
        _ body: @Sendable (TestHoming, LiveServer, _ own: [(String, String)]) async throws -> Void
    ) async throws {
        try await withHoming(linkDomains: ["go.shop.example"], keepsMail: true) { homing in
            _ = try await homing.projects.create(
                id: "other", name: nil, apiKey: nil, authorizedDomains: ["other.example"],
                linkDomains: ["go.other.example"], language: nil)
            let (_, secret) = try await homing.adminKeys.create(name: "backend of the shop", projects: ["shop"])
            try await withServer(homing, showsMailbox: true) { server in
                try await body(homing, server, [("Authorization", "Bearer \(secret)")])
            }
        }
    }

    @Test(arguments: ["other", "nowhere"])
    func `a key is refused by name outside its projects, whether there is such a project or not`(
        project: String
    ) async throws {
        try await withBoundKey { _, server, own in
            #expect(try await server.admin.post(Self.lookup, [], headers: own).status == 200)
            let refused = try await server.admin.post("/v1/projects/\(project)/accounts:lookup", [], headers: own)
            #expect(refused.status == 403)
            #expect(refused.string("error", "status") == "PERMISSION_DENIED")
            #expect(
                refused.errorMessage
                    == "INSUFFICIENT_PERMISSION : The admin key backend of the shop is for project shop only.")
        }
    }

    @Test func `a key makes and counts links of its projects, reads metrics, and no mailbox of all`() async throws {
        try await withBoundKey { homing, server, own in
            func create(on domain: String, to target: String) async throws -> RESTAnswer {
                try await server.admin.post(
                    "/firebasedynamiclinks.googleapis.com/v1/managedShortLinks:create",
                    json: #"{"name":"Spring","longDynamicLink":"https://\#(domain)/?link=https://\#(target)/a"}"#,
                    headers: own)
            }
            let made = try await create(on: "go.shop.example", to: "shop.example")
            #expect(made.status == 200)
            #expect(try await create(on: "go.other.example", to: "other.example").status == 403)
            let author = try await homing.audit.list(project: "shop").first { $0.action == "link.create" }?.author
            #expect(author?.hasPrefix("key ") == true)
            let other = try homing.projects.existing("other")
            let foreign = try await homing.links.create(
                DynamicLinkParameters(link: "https://other.example/"), on: try #require(other.linkDomains.first),
                of: other, ending: .custom("theirs"), by: .command)
            for (link, status) in [
                (try #require(made.string("managedShortLink", "link")), 200),
                ("https://go.other.example/\(foreign.suffix)", 403), ("https://go.other.example/none", 403),
            ] {
                let path = "/firebasedynamiclinks.googleapis.com/v1/\(percentEncoded(link))/linkStats"
                #expect(try await server.admin.get(path, headers: own).status == status, "\(link)")
            }
            #expect(try await server.admin.get("/metrics", headers: own).status == 200)
            for path in ["/mailbox", "/mailbox/newest", "/mailbox/messages", "/mailbox/messages/x.html"] {
                let refused = try await server.admin.get(path, headers: own)
                #expect(refused.status == 403)
                #expect(refused.text.contains("without --project"))
            }
        }
    }

    @Test func `a key reports bounces of mails of its projects`() async throws {
        try await withBoundKey { homing, server, own in
            let other = try homing.projects.existing("other")
            let address = try EmailAddress(parsing: "ann@home.example")
            for (project, status) in [(try homing.shop, 200), (other, 403)] {
                let mail = try await homing.outbox.enqueueTest(to: address, in: project, by: .command)
                let token = try #require(
                    BounceAddress(parsing: "bounces@shop.example")?.sender(of: mail, ring: homing.keys.ring))
                let answer = try await server.admin.post(
                    "/mail/bounces", [("token", token), ("status", "5.1.1")], headers: own)
                #expect(answer.status == status)
            }
            #expect(try await homing.suppressions.count(in: other) == 0)
        }
    }

    @Test func `a key that has ended is told so`() async throws {
        try await withHoming { homing in
            let (_, secret) = try await homing.adminKeys.create(
                name: "brief", expiresAt: homing.clock.now.adding(seconds: 60))
            try await withServer(homing) { server in
                let own = [("Authorization", "Bearer \(secret)")]
                #expect(try await server.admin.post(Self.lookup, [], headers: own).status == 200)
                homing.clock.advance(seconds: 60)
                let refused = try await server.admin.post(Self.lookup, [], headers: own)
                #expect(refused.status == 401)
                #expect(refused.errorMessage?.contains("The admin key brief ended at ") == true)
            }
        }
    }
}
