// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingServer
import HomingStore
import HomingTesting
import HomingWire
import Testing

@Suite struct `The console's second factor` {
    private let ann = "ann@example.com"
    private let codePath = "/console/sign-in/code"

    /// An operator with an authenticator app, whose last code is half a minute old.
    private func app(of address: String, _ homing: TestHoming) async throws -> TOTP {
        _ = try await homing.operators.add(address, role: .owner, projects: nil)
        let totp = homing.operators.newSecondFactor()
        _ = try #require(
            try await homing.operators.setSecondFactor(totp, code: totp.code(at: homing.clock.now), of: address))
        homing.clock.advance(seconds: 60)
        return totp
    }

    /// The cookie of a name that an answer sets, as a browser sends it.
    private func cookie(_ name: String, of answer: RESTAnswer) -> [(String, String)] {
        answer.headers.filter { $0.name.lowercased() == "set-cookie" && $0.value.hasPrefix("\(name)=") }
            .map { ("Cookie", String($0.value.prefix { $0 != ";" })) }
    }

    @Test func `a link alone opens nothing where there is an authenticator app, and a code opens the console`()
        async throws
    {
        try await withHoming { homing in
            let totp = try await app(of: ann, homing)
            try await withServer(homing) { server in
                let link = try await homing.operators.newLink(for: ann)
                let entered = try await server.admin.post("/enter", form: [("ticket", link)])
                #expect(entered.status == 303 && entered.header("Location") == codePath)
                #expect(cookie("homing_admin", of: entered).isEmpty)
                let waiting = cookie("homing_code", of: entered)
                let secret = try #require(waiting.first?.1.split(separator: "=").last)
                for value in [waiting, [("Cookie", "homing_admin=\(secret)")]] {
                    #expect(try await server.admin.get("/console/", headers: value).status == 303)
                }
                #expect(try await server.admin.post("/enter", form: [("ticket", String(secret))]).status == 403)
                let page = try await server.admin.get(codePath, headers: waiting)
                #expect(page.status == 200 && page.text.contains("autocomplete=\"one-time-code\""))
                let wrong = try await server.admin.post(codePath, form: [("code", "000000")], headers: waiting)
                #expect(wrong.status == 403 && cookie("homing_admin", of: wrong).isEmpty)
                let code = totp.code(at: homing.clock.now)
                let foreign = try await server.admin.post(
                    codePath, form: [("code", code)], headers: waiting + [("Origin", "https://evil.example")])
                #expect(foreign.status == 403)
                let right = try await server.admin.post(codePath, form: [("code", code)], headers: waiting)
                #expect(right.status == 303 && right.header("Location") == "/console/")
                let session = cookie("homing_admin", of: right)
                #expect(try await server.admin.get("/console/", headers: session).status == 200)
                #expect(try await server.admin.get(codePath, headers: waiting).status == 303, "once")
            }
        }
    }

    @Test func `a password without a code leads to the question for one`() async throws {
        try await withHoming { homing in
            _ = try await homing.operators.add(ann, role: .owner, projects: nil)
            let link = try await homing.operators.newLink(for: ann)
            let first = try #require(try await homing.adminSessions.redeem(link))
            let own = try #require(try await homing.adminSessions.find(first.secret))
            try await homing.operators.setPassword("a long enough phrase", of: ann, keeping: own)
            let totp = try await app(of: ann, homing)
            try await withServer(homing) { server in
                let asked = try await server.admin.post(
                    "/console/sign-in",
                    form: [("way", "password"), ("address", ann), ("password", "a long enough phrase")])
                #expect(asked.status == 403 && asked.text.contains("One more step"))
                #expect(cookie("homing_admin", of: asked).isEmpty)
                let passed = try await server.admin.post(
                    codePath, form: [("code", totp.code(at: homing.clock.now))],
                    headers: cookie("homing_code", of: asked))
                #expect(passed.status == 303 && !cookie("homing_admin", of: passed).isEmpty)
            }
        }
    }

    @Test func `where owners require one, nothing opens before it is set up, and the page says that it is on`()
        async throws
    {
        try await withHoming(keepsMail: true) { homing in
            try await withServer(homing, showsMailbox: true) { server in
                let owner = try await ConsoleVisitor(.owner, homing, server)
                let saved = try await owner.send(
                    "/console/operators", [("require", "second-factor"), ("second-factor", "true")])
                #expect(saved.status == 303)
                for path in ["/console/", "/console/operators", "/console/projects/shop/mail"] {
                    let page = try await owner.get(path)
                    #expect(page.status == 303 && page.header("Location") == "/console/me", "\(path)")
                }
                #expect(try await owner.get("/mailbox").status == 401)
                #expect(try await owner.send("/console/operators", [("link", "x@example.com")]).status == 303)
                #expect(try await owner.get("/console/me").text.contains("must have a second factor"))
                let enrolment = try await owner.send("/console/me", [("do", "enrol")])
                let secret = try #require(enrolment.value(of: "secret"))
                let totp = TOTP(secret: try #require(Base64URL.decode(secret)))
                let confirmed = try await owner.send(
                    "/console/me",
                    [("do", "confirm"), ("secret", secret), ("code", totp.code(at: homing.clock.now))])
                #expect(confirmed.status == 200 && confirmed.text.contains("It is on"))
                #expect(!confirmed.text.contains("must have a second factor"))
                #expect(try await owner.get("/console/").status == 200)
                #expect(!(try await owner.get("/console/me").text.contains("Remove both")))
            }
        }
    }

    @Test func `the server's settings require one, whatever the owners say`() async throws {
        try await withHoming { homing in
            homing.adminSessions.requiresSecondFactor.set(true)
            try await withServer(homing) { server async throws in
                let viewer = try await ConsoleVisitor(.viewer, homing, server)
                #expect(try await viewer.get("/console/").header("Location") == "/console/me")
            }
        }
    }

    @Test func `the page takes the second factor away for a code of it`() async throws {
        try await withHoming { homing in
            try await withServer(homing) { server in
                let editor = try await ConsoleVisitor(.editor, homing, server)
                let address = "editor0@example.com"
                let totp = homing.operators.newSecondFactor()
                _ = try await homing.operators.setSecondFactor(
                    totp, code: totp.code(at: homing.clock.now), of: address, keeping: editor.session)
                homing.clock.advance(seconds: 60)
                for code in ["", "000000"] {
                    let refused = try await editor.send("/console/me", [("do", "remove"), ("present", code)])
                    #expect(refused.status == 400 && refused.faults["present"]?.contains("not the code") == true)
                }
                #expect(try await homing.operators.find(address).hasSecondFactor)
                let other = homing.operators.newSecondFactor()
                let replaced = try await editor.send(
                    "/console/me",
                    [
                        ("do", "confirm"), ("secret", Base64URL.encode(other.secret)),
                        ("code", other.code(at: homing.clock.now)), ("present", "000000"),
                    ])
                #expect(replaced.status == 400, "another app takes the first one away")
                let code = totp.code(at: homing.clock.now)
                let removed = try await editor.send("/console/me", [("do", "remove"), ("present", code)])
                #expect(removed.status == 303)
                #expect(try await !homing.operators.find(address).hasSecondFactor)
            }
        }
    }

    // MARK: Ways in and out

    @Test func `a link for somebody else asks a signed-in person who they want to be`() async throws {
        try await withHoming { homing in
            _ = try await homing.operators.add(ann, role: .viewer, projects: nil)
            try await withServer(homing) { server in
                let owner = try await ConsoleVisitor(.owner, homing, server)
                let own = try await homing.operators.newLink(for: "owner0@example.com")
                #expect(try await owner.get("/enter?ticket=\(own)").header("Location") == "/console/")
                let link = try await homing.operators.newLink(for: ann)
                let question = try await owner.get("/enter?ticket=\(link)")
                #expect(question.status == 200 && question.text.contains("Who do you want to be?"))
                #expect(question.text.contains(ann) && question.text.contains("owner0@example.com"))
                #expect(try await owner.get("/console/").status == 200, "asking changes nothing")
                let entered = try await server.admin.post("/enter", form: [("ticket", link)], headers: owner.cookie)
                let page = try await server.admin.get("/console/", headers: cookie("homing_admin", of: entered))
                #expect(page.text.contains(ann))
                #expect(try await owner.get("/console/").status == 303, "the session before has ended")
            }
        }
    }

    @Test func `a sign-in leads to the page that was wanted, and to no other host`() async throws {
        try await withHoming { homing in
            _ = try await homing.operators.add(ann, role: .viewer, projects: nil)
            try await withServer(homing) { server in
                func enter(_ cookies: [(String, String)]) async throws -> String? {
                    let link = try await homing.operators.newLink(for: ann)
                    return try await server.admin.post("/enter", form: [("ticket", link)], headers: cookies)
                        .header("Location")
                }
                let page = "/console/projects/shop/mail?state=failed"
                let away = try await server.admin.get(page, headers: [("Accept", "text/html")])
                #expect(away.header("Location") == "/console/sign-in")
                #expect(try await enter(cookie("homing_wanted", of: away)) == page)
                for target in ["https://evil.example/", "//evil.example/", "/console/\\evil", "/enter", "/console/ x"] {
                    let planted = [("Cookie", "homing_wanted=\(Base64URL.encode(Array(target.utf8)))")]
                    #expect(try await enter(planted) == "/console/", "\(target)")
                }
            }
        }
    }

    @Test func `sessions are listed under one's own address, and ended there`() async throws {
        try await withHoming { homing in
            try await withServer(homing) { server in
                let here = try await ConsoleVisitor(.editor, homing, server)
                let there = try await ConsoleVisitor(.editor, homing, server)
                let stranger = try await ConsoleVisitor(.viewer, homing, server)
                let page = try await here.get("/console/me")
                #expect(page.text.contains("this session") && page.text.contains("127.0.0.1"))
                let id = try #require(page.value(of: "session"))
                _ = try await stranger.send("/console/me", [("do", "end"), ("session", id)])
                #expect(try await there.get("/console/").status == 200, "nobody ends a stranger's")
                #expect(try await here.send("/console/me", [("do", "end"), ("session", id)]).status == 303)
                #expect(try await there.get("/console/").status == 303)
                #expect(try await here.get("/console/").status == 200)
                let third = try await ConsoleVisitor(.editor, homing, server)
                #expect(try await here.send("/console/me", [("do", "end-others")]).status == 303)
                #expect(try await third.get("/console/").status == 303)
                #expect(try await here.get("/console/").status == 200)
            }
        }
    }
}
