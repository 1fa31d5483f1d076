// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCore
import HomingLinkRules
import HomingProjects
import HomingServer
import HomingStore
import HomingTesting
import Testing

@Suite struct ConsoleTests {
    /// Signs somebody in, and answers the cookie in the form that a browser sends.
    private func cookie(
        _ role: Operator.Role, of projects: [ProjectID]? = nil, _ homing: TestHoming, _ server: LiveServer
    ) async throws -> [(String, String)] {
        let address = "\(role.rawValue)@example.com"
        _ = try await homing.operators.add(address, role: role, projects: projects)
        let link = try await homing.operators.newLink(for: address)
        let entered = try await server.admin.post("/enter", form: [("ticket", link)])
        #expect(entered.header("Location") == "/console/")
        return [("Cookie", String(try #require(entered.header("Set-Cookie")).prefix { $0 != ";" }))]
    }

    /// The token of the first form of a page.
    private func token(_ path: String, _ cookie: [(String, String)], _ server: LiveServer) async throws -> (
        String, String
    ) {
        let page = try await server.admin.get(path, headers: cookie)
        return ("token", try #require(page.form?.fields.first { $0.0 == "token" }?.1))
    }

    private static let pages = [
        "/console/", "/console/operators", "/console/audit", "/console/me", "/console/projects/shop/",
        "/console/projects/shop/domains", "/console/projects/shop/apps", "/console/projects/shop/link-domains",
        "/console/projects/shop/sign-in", "/console/projects/shop/sign-in/advanced",
        "/console/projects/shop/templates", "/console/projects/shop/brand",
        "/console/projects/shop/accounts", "/console/projects/shop/keys", "/console/projects/shop/links",
        "/console/projects/shop/mail", "/console/projects/shop/mail/domains", "/console/projects/shop/mail/transport",
    ]

    @Test func `every page has one heading, its place in the navigation, and a policy without exceptions`() async throws
    {
        try await withHoming { homing in
            try await withServer(homing) { server in
                let owner = try await cookie(.owner, homing, server)
                for path in Self.pages {
                    let page = try await server.admin.get(path, headers: owner)
                    #expect(page.status == 200, "\(path)")
                    #expect(page.text.components(separatedBy: "<h1>").count == 2, "\(path)")
                    let name = try #require(
                        page.text.components(separatedBy: "<h1>").last?.components(separatedBy: "</h1>").first)
                    let place = path.contains("/mail/") ? "Mail" : path.contains("/sign-in/") ? "Sign-in" : name
                    let present = page.text.matches(of: /aria-current="page">(?:<svg.*?<\/svg>)?([^<]*)<\/a>/)
                    #expect(present.map { String($0.1) } == (path.hasSuffix("/me") ? [] : [place]), "\(path)")
                    let policy = try #require(page.header("Content-Security-Policy"))
                    #expect(policy.hasPrefix("default-src 'none'") && !policy.contains("unsafe"))
                    #expect(page.header("Cache-Control") == "no-store" && page.header("X-Frame-Options") == "DENY")
                    #expect(page.text.utf8.count < 60_000)
                    #expect(!page.text.contains("&lt;h2&gt;") && !page.text.contains("HTML("), "\(path)")
                }
            }
        }
    }

    @Test func `without a session pages lead to the sign-in, and forms change nothing`() async throws {
        try await withHoming { homing in
            try await withServer(homing) { server in
                for path in Self.pages {
                    let page = try await server.admin.get(path)
                    #expect(page.status == 303 && page.header("Location") == "/console/sign-in", "\(path)")
                    #expect(try await server.admin.post(path, form: [("add", "evil.example")]).status == 401)
                }
                let key = try await homing.adminKeys.create(name: "back end").secret
                let bearer = [("Authorization", "Bearer \(key)")]
                #expect(try await server.admin.get("/console/", headers: bearer).status == 303)
                #expect(try await server.client.get("/console/").status == 404, "never on the public listener")
            }
        }
    }

    @Test func `a form adds a domain, and the log says who did`() async throws {
        try await withHoming { homing in
            try await withServer(homing) { server in
                let editor = try await cookie(.editor, homing, server)
                let path = "/console/projects/shop/domains"
                let token = try await token(path, editor, server)
                let saved = try await server.admin.post(path, form: [token, ("add", "new.example")], headers: editor)
                #expect(saved.status == 303 && saved.header("Location") == "\(path)?saved=1")
                #expect(try homing.shop.authorizedDomains.map(\.text).contains("new.example"))
                let added = try await homing.audit.list(project: "shop").first { $0.action == "domain.add" }
                #expect(added?.author == "editor@example.com" && added?.subject == "new.example")
            }
        }
    }

    @Test func `a form of another site, page, session or of none changes nothing`() async throws {
        try await withHoming { homing in
            try await withServer(homing) { server in
                let editor = try await cookie(.editor, homing, server)
                let owner = try await cookie(.owner, homing, server)
                let path = "/console/projects/shop/domains"
                let good = try await token(path, editor, server)
                let other = try await token("/console/projects/shop/apps", editor, server)
                let foreign = try await token(path, owner, server)
                for field in [("token", ""), other, foreign, ("x", "y")] {
                    let answer = try await server.admin.post(
                        path, form: [field, ("add", "e.example")], headers: editor)
                    #expect(answer.status == 403)
                }
                for header in [("Origin", "https://evil.example"), ("Sec-Fetch-Site", "cross-site")] {
                    let answer = try await server.admin.post(
                        path, form: [good, ("add", "e.example")], headers: editor + [header])
                    #expect(answer.status == 403)
                }
                #expect(try !homing.shop.authorizedDomains.map(\.text).contains("e.example"))
            }
        }
    }

    @Test func `a viewer's form is refused with the role that is needed`() async throws {
        try await withHoming { homing in
            try await withServer(homing) { server in
                let viewer = try await cookie(.viewer, homing, server)
                let path = "/console/projects/shop/domains"
                let page = try await server.admin.get(path, headers: viewer)
                #expect(page.status == 200 && !page.text.contains("Add the domain"))
                // A token of the viewer's own session, as if a form had been there.
                let secret = viewer[0].1.split(separator: "=")[1]
                let session = try #require(try await homing.adminSessions.find(String(secret)))
                let token = session.formToken(for: path, ring: homing.keys.ring, at: homing.clock.now)
                let answer = try await server.admin.post(
                    path, form: [("token", token), ("add", "e.example")], headers: viewer)
                #expect(answer.status == 403 && answer.text.contains("needs the role editor"))
                #expect(try await server.admin.get("/console/operators", headers: viewer).status == 403)
                #expect(try await server.admin.get("/console/audit", headers: viewer).status == 403)
            }
        }
    }

    @Test func `another project looks as if it were not there`() async throws {
        try await withHoming { homing in
            _ = try await homing.projects.create(
                id: "other", name: nil, apiKey: nil, authorizedDomains: [], linkDomains: [], language: nil)
            try await withServer(homing) { server async throws in
                let editor = try await cookie(.editor, of: ["other"], homing, server)
                for path in ["", "domains", "apps", "sign-in"] {
                    #expect(
                        try await server.admin.get("/console/projects/other/\(path)", headers: editor).status == 200)
                    #expect(try await server.admin.get("/console/projects/shop/\(path)", headers: editor).status == 404)
                    #expect(try await server.admin.get("/console/projects/none/\(path)", headers: editor).status == 404)
                }
                #expect(try await !server.admin.get("/console/", headers: editor).text.contains("/projects/shop/"))
            }
        }
    }

    @Test func `what was typed stays, and what is wrong stands beside the field`() async throws {
        try await withHoming { homing in
            try await withServer(homing) { server in
                let editor = try await cookie(.editor, homing, server)
                let path = "/console/projects/shop/domains"
                let token = try await token(path, editor, server)
                let answer = try await server.admin.post(
                    path, form: [token, ("add", "\"><script>x</script>")], headers: editor)
                #expect(answer.status == 400)
                #expect(answer.text.contains("value=\"&quot;&gt;&lt;script&gt;x&lt;/script&gt;\""))
                #expect(answer.text.contains("aria-invalid=\"true\"") && answer.text.contains("class=\"fault\""))
            }
        }
    }

    @Test func `the second of two people who change a setting is shown the difference`() async throws {
        try await withHoming { homing in
            try await withServer(homing) { server in
                let editor = try await cookie(.editor, homing, server)
                let path = "/console/projects/shop/sign-in"
                let name = "passwordPolicyConfig.minPasswordLength"
                let token = try await token(path, editor, server)
                try await homing.projects.set("shop", name, to: "9")
                let answer = try await server.admin.post(
                    path, form: [token, ("was:\(name)", "6"), (name, "12")], headers: editor)
                #expect(answer.status == 409)
                #expect(answer.text.contains("is 9 by now, it was 6"))
                #expect(answer.text.contains("value=\"12\""))
                #expect(try homing.shop.settings.value(name) == "9")
            }
        }
    }

    @Test func `a pasted keytool text registers an Android app`() async throws {
        try await withHoming { homing in
            try await withServer(homing) { server in
                let editor = try await cookie(.editor, homing, server)
                let path = "/console/projects/shop/apps"
                let token = try await token(path, editor, server)
                let sha1 = Array(repeating: "AB", count: 20).joined(separator: ":")
                let sha256 = Array(repeating: "CD", count: 32).joined(separator: ":")
                let pasted = """
                    Certificate fingerprints:
                    \t SHA1: \(sha1)
                    \t SHA256: \(sha256)
                    Signature algorithm name: SHA256withRSA
                    """
                let answer = try await server.admin.post(
                    path,
                    form: [token, ("form", "android"), ("package", "com.example.android"), ("fingerprints", pasted)],
                    headers: editor)
                #expect(answer.status == 303)
                let app = try #require(try homing.shop.apps.first)
                #expect(app.sha256 == [sha256] && app.sha1 == [sha1])
            }
        }
    }

    @Test func `the sign-in has one answer for known and unknown addresses, and binds the browser`() async throws {
        try await withHoming { homing in
            _ = try await homing.operators.add("ann@example.com", role: .owner, projects: nil)
            try await withServer(homing) { server in
                var answers: [String] = []
                for address in ["ann@example.com", "zoe@example.com"] {
                    let answer = try await server.admin.post(
                        "/console/sign-in", form: [("way", "link"), ("address", address)])
                    #expect(answer.status == 200)
                    #expect(answer.header("Set-Cookie")?.contains("HttpOnly; SameSite=Strict") == true)
                    answers.append(answer.text.replacing(address, with: ""))
                    let wrong = try await server.admin.post(
                        "/console/sign-in", form: [("way", "password"), ("address", address), ("password", "x")])
                    #expect(wrong.status == 403 && wrong.header("Set-Cookie") == nil)
                    answers.append(wrong.text.replacing(address, with: ""))
                }
                #expect(answers[0] == answers[2] && answers[1] == answers[3])
            }
        }
    }

    @Test func `a link asked for in one browser opens there, and says so in another`() async throws {
        try await withHoming { homing in
            _ = try await homing.operators.add("ann@example.com", role: .owner, projects: nil)
            try await withServer(homing) { server in
                let asked = try await server.admin.post(
                    "/console/sign-in", form: [("way", "link"), ("address", "ann@example.com")])
                let browser = String(try #require(asked.header("Set-Cookie")).prefix { $0 != ";" })
                let mail = try #require(try await homing.deliver().last)
                let link = String(try #require(mail.links.first { $0.contains("ticket=") }))
                #expect(link.hasPrefix("\(TestWorld.consoleURL)/enter?ticket="))
                let ticket = String(try #require(link.split(separator: "=").last))
                let elsewhere = try await server.admin.post("/enter", form: [("ticket", ticket)])
                #expect(elsewhere.status == 403 && elsewhere.text.contains("Another browser asked"))
                let entered = try await server.admin.post(
                    "/enter", form: [("ticket", ticket)], headers: [("Cookie", browser)])
                #expect(entered.status == 303 && entered.header("Location") == "/console/")
            }
        }
    }

    @Test func `operators below owners do not read other people's mails`() async throws {
        try await withHoming(keepsMail: true) { homing in
            try await withServer(homing, showsMailbox: true) { server async throws in
                let editor = try await cookie(.editor, homing, server)
                #expect(try await server.admin.get("/mailbox", headers: editor).status == 401)
                let owner = try await cookie(.owner, homing, server)
                #expect(try await server.admin.get("/mailbox", headers: owner).status == 200)
                let mailboxOnly = try await server.signIn()
                #expect(try await server.admin.get("/console/", headers: mailboxOnly).status == 303)
            }
        }
    }

    @Test func `whoever opens the server's own link is an owner, and can add the first operator`() async throws {
        try await withHoming { homing in
            try await withServer(homing) { server in
                let link = try await server.ready.newConsoleLink()
                let ticket = String(try #require(link.split(separator: "=").last))
                let entered = try await server.admin.post("/enter", form: [("ticket", ticket)])
                let cookie = [("Cookie", String(try #require(entered.header("Set-Cookie")).prefix { $0 != ";" }))]
                let token = try await token("/console/operators", cookie, server)
                let answer = try await server.admin.post(
                    "/console/operators", form: [token, ("address", "ann@example.com"), ("role", "owner")],
                    headers: cookie)
                #expect(answer.status == 303 && answer.header("Location")?.hasSuffix("?saved=invited") == true)
                #expect(try await homing.operators.list().map(\.role) == [.owner])
            }
        }
    }

    @Test func `an editor adds no link domain on a host of another project or of the server`() async throws {
        try await withHoming { homing in
            _ = try await homing.projects.create(
                id: "other", name: nil, apiKey: nil, authorizedDomains: [], linkDomains: ["links.other.example"],
                language: nil)
            try await withServer(homing) { server async throws in
                let path = "/console/projects/shop/link-domains"
                let editor = try await cookie(.editor, homing, server)
                for host in ["links.other.example/zz", "auth.shop.example/zz"] {
                    let form = [try await token(path, editor, server), ("add", host)]
                    let answer = try await server.admin.post(path, form: form, headers: editor)
                    #expect(answer.status == 400 && answer.text.contains("serves more than this project"), "\(host)")
                    #expect(!answer.text.contains("project other"))
                }
                let owner = try await cookie(.owner, homing, server)
                let form = [try await token(path, owner, server), ("add", "links.other.example/zz")]
                #expect(try await server.admin.post(path, form: form, headers: owner).status == 303)
            }
        }
    }

    @Test func `how somebody signs in is changed soon after a sign-in only`() async throws {
        try await withHoming { homing in
            try await withServer(homing) { server in
                let viewer = try await cookie(.viewer, homing, server)
                let secret = String(viewer[0].1.split(separator: "=")[1])
                let session = try #require(try await homing.adminSessions.find(secret))
                func change() async throws -> RESTAnswer {
                    let token = session.formToken(
                        for: "/console/me", ring: homing.keys.ring, at: homing.clock.now)
                    let form = [("token", token), ("do", "password"), ("password", "a long enough phrase")]
                    return try await server.admin.post("/console/me", form: form, headers: viewer)
                }
                #expect(try await change().status == 303)
                homing.clock.advance(seconds: 900)
                let late = try await change()
                #expect(late.status == 403 && late.text.contains("Sign in again"))
            }
        }
    }
}
