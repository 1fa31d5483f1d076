// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingServer
import HomingTesting
import Testing

@Suite struct AdminSignInTests {
    private func isIn(_ cookie: [(String, String)], _ server: LiveServer) async throws -> Bool {
        try await server.admin.get("/mailbox", headers: cookie).status == 200
    }

    private func signOutForm(_ cookie: [(String, String)], _ server: LiveServer) async throws -> RESTAnswer.Form {
        try #require(try await server.admin.get("/mailbox", headers: cookie).form)
    }

    @Test func `a restart of the server signs nobody out`() async throws {
        try await withHoming(keepsMail: true) { homing in
            let cookie = try await withServer(homing, showsMailbox: true) { try await $0.signIn() }
            try await withServer(homing, showsMailbox: true) { server async throws in
                #expect(try await isIn(cookie, server))
            }
        }
    }

    @Test func `signing out ends the session on the server and deletes the cookie`() async throws {
        try await withHoming(keepsMail: true) { homing in
            try await withServer(homing, showsMailbox: true) { server in
                let cookie = try await server.signIn()
                let form = try await signOutForm(cookie, server)
                #expect(form.action == "/sign-out")
                let answer = try await server.admin.post(form.action, form: form.fields, headers: cookie)
                #expect(answer.status == 200 && answer.text.contains("You are signed out"))
                #expect(answer.header("Set-Cookie") == "homing_admin=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0")
                #expect(answer.header("Cache-Control") == "no-store")
                #expect(try await !isIn(cookie, server), "also for who has kept the cookie")
                #expect(try await server.admin.post(form.action, form: form.fields, headers: cookie).status == 401)
            }
        }
    }

    @Test func `a form of another site, port, session or path signs nobody out`() async throws {
        try await withHoming(keepsMail: true) { homing in
            try await withServer(homing, showsMailbox: true) { server in
                let cookie = try await server.signIn()
                let form = try await signOutForm(cookie, server)
                let other = try await signOutForm(
                    [("Cookie", "homing_admin=\(try await session(homing))")], server)
                for fields in [
                    [], [("token", "")], [("token", "x")], other.fields, form.fields.map { ($0.0, $0.1 + "x") },
                ] {
                    let answer = try await server.admin.post("/sign-out", form: fields, headers: cookie)
                    #expect(answer.status == 403 && answer.text.contains("Nothing has been changed"))
                    #expect(answer.header("Set-Cookie") == nil)
                }
                for header in [
                    ("Origin", "https://evil.example"), ("Origin", "http://127.0.0.1:1"),
                    ("Origin", "http://127.0.0.1"),
                    ("Origin", "http://localhost:\(server.admin.port)"), ("Sec-Fetch-Site", "cross-site"),
                    ("Sec-Fetch-Site", "same-site"),
                ] {
                    let answer = try await server.admin.post("/sign-out", form: form.fields, headers: cookie + [header])
                    #expect(answer.status == 403, "\(header)")
                }
                let plain = try await server.admin.send(
                    "POST", "/sign-out", headers: cookie + [("Content-Type", "text/plain")], body: Array("{}".utf8))
                #expect(plain.status == 403)
                for method in ["GET", "HEAD", "OPTIONS", "DELETE"] {
                    #expect(
                        try await server.admin.send(method, "/sign-out", headers: cookie).status == 401, "\(method)")
                }
                #expect(try await isIn(cookie, server))
                let own = [("Origin", "http://\(server.admin.host)"), ("Sec-Fetch-Site", "same-origin")]
                #expect(
                    try await server.admin.post("/sign-out", form: form.fields, headers: cookie + own).status == 200)
            }
        }
    }

    @Test func `a cookie that was planted before is never the session's`() async throws {
        try await withHoming(keepsMail: true) { homing in
            try await withServer(homing, showsMailbox: true) { server in
                let planted = [("Cookie", "homing_admin=\(String(repeating: "a", count: 43))")]
                let link = try await homing.adminSessions.newMailboxLink()
                let entered = try await server.admin.post("/enter", form: [("ticket", link)], headers: planted)
                #expect(entered.status == 303 && entered.header("Location") == "/mailbox")
                let set = try #require(entered.header("Set-Cookie"))
                #expect(!set.contains("aaaa") && !set.contains(link))
                #expect(try await !isIn(planted, server))
                let both = [("Cookie", "\(planted[0].1); \(set.prefix { $0 != ";" })")]
                #expect(try await isIn(both, server), "and it locks nobody out")
            }
        }
    }

    @Test func `looking at a link and posting it from another site use nothing up`() async throws {
        try await withHoming(keepsMail: true) { homing in
            try await withServer(homing, showsMailbox: true) { server in
                let link = try await homing.adminSessions.newMailboxLink()
                for method in ["GET", "HEAD"] {
                    let answer = try await server.admin.send(method, "/enter?ticket=\(link)")
                    #expect(answer.status == 200 && answer.header("Cache-Control") == "no-store")
                    #expect(answer.header("Referrer-Policy") == "same-origin", "the link stands in the address")
                }
                let foreign = [("Origin", "http://127.0.0.1:1"), ("Sec-Fetch-Site", "same-site")]
                let refused = try await server.admin.post("/enter", form: [("ticket", link)], headers: foreign)
                #expect(refused.status == 403 && refused.header("Set-Cookie") == nil)
                #expect(try await server.admin.post("/enter", form: [("ticket", link)]).status == 303)
            }
        }
    }

    @Test func `a key that is wrong is refused, whatever cookie comes with it`() async throws {
        try await withHoming(keepsMail: true) { homing in
            try await withServer(homing, showsMailbox: true) { server in
                let cookie = try await server.signIn()
                let wrong = cookie + [("Authorization", "Bearer x")]
                #expect(try await server.admin.get("/mailbox", headers: wrong).status == 401)
            }
        }
    }

    @Test func `who reads the mailbox with a key has nothing to sign out of`() async throws {
        try await withHoming(keepsMail: true) { homing in
            try await withServer(homing, acceptsOwner: true, showsMailbox: true) { server async throws in
                let owner = [("Authorization", "Bearer owner")]
                let page = try await server.admin.get("/mailbox", headers: owner)
                #expect(page.status == 200 && page.form == nil)
                #expect(try await server.admin.post("/sign-out", form: [], headers: owner).status == 404)
            }
        }
    }

    @Test func `without a mailbox no page speaks of one`() async throws {
        try await withHoming { homing in
            try await withServer(homing) { server in
                #expect(server.ready.mailboxLink == nil)
                for path in ["/", "/enter?ticket=x"] {
                    let page = try await server.admin.get(path, headers: [("Accept", "text/html")])
                    #expect([401, 403].contains(page.status) && page.text.contains("<h1>"))
                    #expect(!page.text.contains("mailbox"))
                }
                let link = try await homing.adminSessions.newMailboxLink()
                let entered = try await server.admin.post("/enter", form: [("ticket", link)])
                let cookie = [("Cookie", String(try #require(entered.header("Set-Cookie")).prefix { $0 != ";" }))]
                #expect(try await !isIn(cookie, server))
            }
        }
    }

    private func session(_ homing: TestHoming) async throws -> String {
        let link = try await homing.adminSessions.newMailboxLink()
        return try #require(try await homing.adminSessions.redeem(link)).secret
    }

    @Test func `nobody is signed in by a form of another page, also where a browser sends no Sec-Fetch-Site`()
        async throws
    {
        try await withHoming { homing in
            _ = try await homing.operators.add("ann@example.com", role: .owner, projects: nil)
            let link = try await homing.operators.newLink(for: "ann@example.com")
            let secret = try #require(try await homing.adminSessions.redeem(link)?.secret)
            let own = try #require(try await homing.adminSessions.find(secret))
            try await homing.operators.setPassword("a long enough phrase", of: "ann@example.com", keeping: own)
            try await withServer(homing) { server in
                let ticket = try await homing.operators.newLink(for: "ann@example.com")
                let forms = [
                    ("/enter", [("ticket", ticket)]),
                    (
                        "/console/sign-in",
                        [("way", "password"), ("address", "ann@example.com"), ("password", "a long enough phrase")]
                    ),
                ]
                for (path, form) in forms {
                    let page = try await server.admin.get(path == "/enter" ? "/enter?ticket=\(ticket)" : path)
                    #expect(page.header("Referrer-Policy") == "same-origin" && !page.text.contains("name=\"referrer\""))
                    for foreign in [
                        [("Origin", "null")], [("Origin", "https://evil.example")],
                        [("Origin", "null"), ("Sec-Fetch-Site", "cross-site")],
                        [("Origin", "http://\(server.admin.host)"), ("Sec-Fetch-Site", "same-site")],
                    ] {
                        let answer = try await server.admin.post(path, form: form, headers: foreign)
                        #expect(answer.status == 403 && answer.header("Set-Cookie") == nil, "\(foreign)")
                    }
                    let mine = [("Origin", "http://\(server.admin.host)")]
                    let answer = try await server.admin.post(path, form: form, headers: mine)
                    #expect(answer.status == 303 && answer.header("Set-Cookie") != nil)
                }
            }
        }
    }
}
