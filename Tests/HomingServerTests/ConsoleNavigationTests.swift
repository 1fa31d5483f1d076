// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
import HomingProjects
import HomingServer
import HomingShortLinks
import HomingStore
import HomingTesting
import HomingWire
import Testing

@Suite struct `The header and the navigation of the console` {
    private func withTwoProjects(
        _ body: (TestHoming, LiveServer) async throws -> Void
    ) async throws {
        try await withHoming(linkDomains: ["go.shop.example"]) { homing in
            _ = try await homing.projects.create(
                id: "other", name: "Other shop", apiKey: nil, authorizedDomains: [], linkDomains: [], language: nil)
            try await withServer(homing) { server in try await body(homing, server) }
        }
    }

    private func hrefs(_ page: RESTAnswer) -> [String] {
        page.text.matches(of: /href="([^"]*)"/).map { String($0.1) }
    }

    @Test func `another project is chosen in the same section, and none that somebody may not see`() async throws {
        try await withTwoProjects { homing, server in
            let editor = try await ConsoleVisitor(.editor, homing, server)
            #expect(hrefs(try await editor.get("apps")).contains("/console/projects/other/apps"))
            #expect(hrefs(try await editor.get("mail/funnel")).contains("/console/projects/other/mail"))
            #expect(hrefs(try await editor.get("/console/me")).contains("/console/projects/other/"))
            let some = try await ConsoleVisitor(.viewer, of: ["shop"], homing, server)
            #expect(try await !some.get("apps").text.contains("other"))
        }
    }

    @Test func `pages of the server keep the project that was shown last`() async throws {
        try await withTwoProjects { homing, server in
            let owner = try await ConsoleVisitor(.owner, homing, server)
            let cookie = try #require(try await owner.get("apps").header("Set-Cookie"))
            #expect(cookie == "homing_project=shop; Path=/console; HttpOnly; SameSite=Strict")
            func page(_ value: String, _ visitor: ConsoleVisitor) async throws -> RESTAnswer {
                let both = "\(visitor.cookie[0].1); homing_project=\(value)"
                return try await server.admin.get("/console/operators", headers: [("Cookie", both)])
            }
            #expect(hrefs(try await page("shop", owner)).contains("/console/projects/shop/keys"))
            for value in ["gone", "%ff", "\u{22}%3E%3Cb%3E", String(repeating: "a", count: 500)] {
                let answer = try await page(value, owner)
                #expect(answer.status == 200 && !hrefs(answer).contains { $0.hasSuffix("/keys") }, "\(value)")
            }
            let some = try await ConsoleVisitor(.viewer, of: ["shop"], homing, server)
            let both = "\(some.cookie[0].1); homing_project=other"
            let mine = try await server.admin.get("/console/me", headers: [("Cookie", both)])
            #expect(!mine.text.contains("/projects/other/"), "it is not theirs to see")
        }
    }

    @Test func `every section has its link by its exact name, in groups`() async throws {
        try await withTwoProjects { homing, server in
            let page = try await ConsoleVisitor(.owner, homing, server).get("keys").text
            let names = page.matches(of: /<li><a href="[^"]*"[^>]*><svg[^>]*>.*?<\/svg>([^<]+)<\/a>/).map {
                String($0.1)
            }
            let daily = ["Overview", "Accounts", "Mail", "Links"]
            let setUp = ["Apps", "Domains", "Link domains", "Sign-in", "Templates", "Brand", "Keys"]
            #expect(names == daily + setUp + ["Projects", "Operators", "Audit"])
            #expect(
                page.matches(of: /class="group" id="[^"]*">([^<]*)</).map { String($0.1) } == [
                    "Daily", "Set-up", "Server",
                ])
            let viewer = try await ConsoleVisitor(.viewer, homing, server).get("keys").text
            #expect(!viewer.contains(">Operators</a>") && !viewer.contains(">Audit</a>"))
        }
    }

    // MARK: Search

    private func make(_ ending: String, _ name: String, in homing: TestHoming) async throws {
        let domain = try #require(try homing.shop.linkDomains.first)
        let content = LinkContent(DynamicLinkParameters(link: "https://shop.example/a"), name: name)
        _ = try await homing.links.create(
            content, on: domain, of: homing.shop, ending: .custom(LinkSuffix(ending)), by: .command)
    }

    @Test func `what names one thing leads to its page, from wherever it is looked for`() async throws {
        try await withTwoProjects { homing, server in
            let account = try await homing.account(TestHoming.ann)
            try await homing.mail(.passwordReset, to: TestHoming.ann)
            try await make("spring", "Sale in March", in: homing)
            let mail = try #require(try await homing.outbox.newest(in: homing.shop, limit: 1).first)
            let editor = try await ConsoleVisitor(.editor, homing, server)
            let shop = "/console/projects/shop"
            let expected = [
                ("Ann%40home.example", "\(shop)/accounts/\(account.id.text)"),
                (account.id.text, "\(shop)/accounts/\(account.id.text)"),
                (mail.id, "\(shop)/mail/\(mail.id)"),
                ("http%3A%2F%2Fgo.shop.example%2Fspring%3Futm_source%3Da", "\(shop)/links/go.shop.example/spring"),
                ("spring", "\(shop)/links/go.shop.example/spring"),
                ("in+march", "\(shop)/links/go.shop.example/spring"),
                ("other", "/console/projects/other/"), ("OTHER+SHOP", "/console/projects/other/"),
            ]
            for (text, path) in expected {
                for place in text == "in+march" ? ["&project=shop"] : ["", "&project=shop", "&project=other"] {
                    let found = try await editor.get("/console/search?q=\(text)\(place)")
                    #expect(found.status == 303 && found.header("Location") == path, "\(text)\(place)")
                }
            }
            let nothing = try await editor.get("/console/search?q=%3Cb%3Enobody&project=shop")
            #expect(nothing.status == 200 && nothing.text.contains("Nothing found"))
            #expect(nothing.text.contains("value=\"&lt;b&gt;nobody\""), "what was typed stays")
            for text in ["", "+", "%00", "%ff", String(repeating: "a", count: 2000)] {
                #expect(
                    try await editor.get("/console/search?q=\(text)&project=shop").status == 200, "\(text.prefix(9))")
            }
        }
    }

    @Test func `from a tenant the links of its project are found, too`() async throws {
        try await withTwoProjects { homing, server in
            _ = try await homing.projects.createTenant("acme", named: "Acme", in: "shop", by: .command)
            try await make("spring", "Sale in March", in: homing)
            let editor = try await ConsoleVisitor(.editor, homing, server)
            let found = try await editor.get("/console/search?q=spring&project=shop%2Facme")
            #expect(found.header("Location") == "/console/projects/shop/links/go.shop.example/spring")
        }
    }

    @Test func `what could be several things is listed by their kinds`() async throws {
        try await withTwoProjects { homing, server in
            for address in ["ann@home.example", "anna@home.example"] { try await homing.account(address) }
            try await make("shop", "Shop", in: homing)
            let editor = try await ConsoleVisitor(.editor, homing, server)
            let accounts = try await editor.get("/console/search?q=ann&project=shop").text
            #expect(accounts.contains("<h2>Accounts</h2>") && accounts.contains("anna@home.example"))
            let both = try await editor.get("/console/search?q=shop&project=shop").text
            #expect(both.contains("<h2>Projects</h2>") && both.contains("<h2>Links</h2>"))
        }
    }

    @Test func `nobody finds what they may not see, nor parts of an address behind its mask`() async throws {
        try await withTwoProjects { homing, server in
            let account = try await homing.account(TestHoming.ann)
            let stranger = try await ConsoleVisitor(.editor, of: ["other"], homing, server)
            for text in ["ann%40home.example", account.id.text, "shop"] {
                let page = try await stranger.get("/console/search?q=\(text)&project=shop")
                #expect(
                    page.status == 303
                        ? page.header("Location") == "/console/projects/other/"
                        : !page.text.contains("/projects/shop/"), "\(text)")
            }
            let viewer = try await ConsoleVisitor(.viewer, homing, server)
            let part = try await viewer.get("/console/search?q=ann%40&project=shop")
            #expect(part.status == 200 && part.text.contains("Nothing found"))
            let whole = try await viewer.get("/console/search?q=ann%40home.example&project=shop")
            #expect(whole.header("Location") == "/console/projects/shop/accounts/\(account.id.text)")
        }
    }

    // MARK: Emails

    @Test func `emails are listed by their status and their kind`() async throws {
        try await withTwoProjects { homing, server in
            try await homing.account(TestHoming.ann)
            try await homing.mail(.passwordReset, to: TestHoming.ann)
            try await homing.deliver()
            homing.clock.advance(seconds: 1)
            try await homing.mail(.signIn, to: TestHoming.ann)
            let mails = try await homing.outbox.newest(in: homing.shop, limit: 10)
            let (signIn, reset) = (mails[0].id, mails[1].id)
            let editor = try await ConsoleVisitor(.editor, homing, server)
            let cases: [(String, [String])] = [
                ("status=queued", [signIn]), ("status=sent", [reset]), ("kind=PASSWORD_RESET", [reset]),
                ("status=sent&kind=EMAIL_SIGNIN", []), ("status=nonsense", [signIn, reset]),
                ("q=ann%40home.example&status=queued", [signIn]),
            ]
            for (query, expected) in cases {
                let links = hrefs(try await editor.get("mail?\(query)")).filter {
                    $0.hasPrefix("/console/projects/shop/mail/")
                }
                #expect([signIn, reset].filter { id in links.contains { $0.hasSuffix(id) } } == expected, "\(query)")
            }
        }
    }
}
