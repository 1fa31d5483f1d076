// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCore
import HomingDatabase
import HomingLinkRules
import HomingProjects
import HomingServer
import HomingShortLinks
import HomingStore
import HomingTesting
import HomingWire
import Testing

@Suite struct `The console of people, keys and links` {
    private func withVisitor(
        _ role: Operator.Role = .owner, of projects: [ProjectID]? = nil,
        _ body: @Sendable (ConsoleVisitor, TestHoming) async throws -> Void
    ) async throws {
        try await withHoming(linkDomains: ["go.shop.example", "go.shop.example/two"]) { homing in
            try await withServer(homing) { server in
                try await body(try await ConsoleVisitor(role, of: projects, homing, server), homing)
            }
        }
    }

    @Test func `an account is found, disabled, sent a reset, signed out and deleted`() async throws {
        try await withVisitor(.editor) { visitor, homing async throws in
            let (account, tokens) = try await homing.signUp(TestHoming.ann)
            let page = "accounts/\(account.id)"
            let list = try await visitor.get("accounts?search=ANN")
            #expect(list.status == 200 && list.text.contains("/console/projects/shop/\(page)\""))
            #expect(try await visitor.get("accounts?search=bob").text.contains("No account has"))
            #expect(try await visitor.get(page).text.contains("<h1>\(TestHoming.ann)</h1>"))

            #expect(try await visitor.send(page, [("do", "disable")]).status == 303)
            #expect(try await homing.found(TestHoming.ann)?.isDisabled == true)
            #expect(try await visitor.send(page, [("do", "enable")]).status == 303)
            #expect(try await homing.found(TestHoming.ann)?.isDisabled == false)
            #expect(try await visitor.send(page, [("do", "reset")]).status == 303)
            _ = try await homing.mailedCode(to: TestHoming.ann)
            #expect(try await visitor.get(page).text.contains(MailKind.passwordReset.title))
            #expect(try await visitor.send(page, [("do", "end")]).status == 303)
            await #expect(throws: Refusal.tokenExpired) { try await homing.person(tokens) }
            #expect(try await visitor.send(page, [("do", "nothing")]).status == 404)
            let gone = try await visitor.send(page, [("do", "delete")])
            #expect(gone.header("Location") == "/console/projects/shop/accounts?saved=deleted")
            #expect(try await homing.found(TestHoming.ann) == nil)
            #expect(try await visitor.get(page).status == 404)
            let authors = try await homing.audit.list(project: "shop").filter { $0.subject == account.id.text }
            #expect(authors.count == 5 && authors.allSatisfy { $0.author == "editor0@example.com" })
        }
    }

    @Test func `a viewer sees no address, cannot search for one letter by letter, and changes nothing`() async throws {
        try await withVisitor(.viewer) { visitor, homing async throws in
            let account = try await homing.account("somebody@home.example")
            try await homing.mail(.passwordReset, to: "somebody@home.example")
            try await homing.deliver()
            try await homing.rows("UPDATE outbox SET last_reply = '250 somebody@home.example is fine'")
            for path in ["accounts", "accounts/\(account.id)", "accounts?search=\(account.id.text.prefix(9))"] {
                let page = try await visitor.get(path)
                #expect(page.status == 200 && page.text.contains("s•••@home.example"), "\(path)")
                #expect(!page.text.contains("somebody") && !page.text.contains("method=\"post\""), "\(path)")
            }
            let guess = try await visitor.get("accounts?search=someb")
            #expect(!guess.text.contains(account.id.text), "or the answer would tell the mask's letters")
            #expect(try await visitor.get("accounts?search=somebody%40home.example").text.contains(account.id.text))
            #expect(try await visitor.send("accounts/\(account.id)", [("do", "delete")]).status == 403)
            #expect(try await homing.found("somebody@home.example") != nil)
        }
    }

    @Test func `accounts come page by page`() async throws {
        try await withVisitor(.editor) { visitor, homing async throws in
            for number in 0..<120 { try await homing.account("user\(number)@home.example") }
            var (path, seen): (String?, Set<String>) = ("accounts?search=user", [])
            var pages = 0
            while let next = path {
                let page = try await visitor.get(next)
                #expect(page.text.utf8.count < 60_000)
                let links = page.text.matches(of: /<bdi>(user[0-9]+)@home\.example<\/bdi>/)
                seen.formUnion(links.map { String($0.1) })
                path = page.text.firstMatch(of: /href="([^"]*)">More accounts</)
                    .map { String($0.1).replacing("&amp;", with: "&") }
                pages += 1
            }
            #expect(pages == 6 && seen.count == 120)
        }
    }

    @Test func `API keys are made, used and revoked`() async throws {
        try await withVisitor(.editor) { visitor, homing async throws in
            #expect(try await !visitor.get("keys").text.contains("Revoke this key"), "the last one stays")
            let made = try await visitor.send("keys", [("do", "create"), ("name", "Apps"), ("key", "AIzaOfApps")])
            #expect(made.status == 303)
            #expect(try await visitor.send("keys", [("do", "use"), ("key", "AIzaOfApps")]).status == 303)
            #expect(try homing.shop.linkKey == "AIzaOfApps")
            #expect(try await visitor.send("keys", [("do", "revoke"), ("key", TestHoming.apiKey)]).status == 303)
            #expect(homing.projects.project(apiKey: TestHoming.apiKey) == nil)
            let again = try await visitor.send("keys", [("do", "create"), ("name", "<b>"), ("key", "AIzaOfApps")])
            #expect(again.status == 400 && again.faults.keys.sorted() == ["key"])
            #expect(again.text.contains("value=\"&lt;b&gt;\""), "what was typed stays")
        }
    }

    @Test func `an admin key of the console is for the project, and shown once`() async throws {
        try await withVisitor { visitor, homing async throws in
            let made = try await visitor.send(
                "keys", [("do", "create-admin"), ("name", "back end"), ("expires", "2099-12-31")])
            #expect(made.status == 200 && made.header("Cache-Control") == "no-store")
            let secret = try #require(
                made.text.components(separatedBy: "<pre data-copy=\"admin key\">").last?
                    .components(separatedBy: "</pre>").first)
            let key = try #require(try await homing.adminKeys.find(secret))
            #expect(key.projects == ["shop"] && key.expiresAt?.day == "2100-01-01")
            #expect(try await !visitor.get("keys").text.contains(secret))
            for (name, end) in [("", ""), ("x", "soon"), ("x", "2020-01-01")] {
                let refused = try await visitor.send(
                    "keys", [("do", "create-admin"), ("name", name), ("expires", end)])
                #expect(refused.status == 400)
            }
            #expect(try await visitor.send("keys", [("do", "revoke-admin"), ("id", key.id)]).status == 303)
            #expect(try await homing.adminKeys.find(secret) == nil)
        }
    }

    @Test func `an editor makes no admin key, and one of some projects is not told of others`() async throws {
        try await withVisitor(.editor) { visitor, homing async throws in
            let (id, _) = try await homing.adminKeys.create(name: "ci", projects: ["shop"])
            for fields in [[("do", "create-admin"), ("name", "x")], [("do", "revoke-admin"), ("id", id)]] {
                let answer = try await visitor.send("keys", fields)
                #expect(answer.status == 403 && answer.text.contains("needs the role owner"))
            }
            _ = try await homing.projects.create(
                id: "other", name: nil, apiKey: nil, authorizedDomains: [], linkDomains: [], language: nil)
            _ = try await homing.adminKeys.create(name: "both", projects: ["shop", "other"])
            let some = try await ConsoleVisitor(.editor, of: ["shop"], homing, visitor.server)
            _ = try await homing.adminKeys.create(name: "of everything")
            let page = try await some.get("keys").text
            #expect(page.contains("shop and others") && !page.contains("other, shop"))
            #expect(!page.contains("of everything") && !page.contains("One of your own"))
            for key in [TestHoming.apiKey, "nobody-has-this-key"] {
                let brought = try await some.send("keys", [("do", "create"), ("name", "mine"), ("key", key)])
                #expect(brought.status == 403, "the answer does not tell whether the key is taken")
            }
            #expect(try await some.send("keys", [("do", "create"), ("name", "mine")]).status == 303)
            let foreign = try await homing.adminKeys.create(name: "foreign", projects: ["other"]).id
            let owner = try await ConsoleVisitor(.owner, homing, visitor.server)
            let all = try await owner.get("keys").text
            #expect(all.contains("other, shop") && all.contains("of everything"))
            #expect(try await owner.send("keys", [("do", "revoke-admin"), ("id", foreign)]).status == 404)
            #expect(try await owner.send("keys", [("do", "revoke-admin"), ("id", id)]).status == 303)
        }
    }

    @Test func `a link is previewed, made, found, renamed and archived`() async throws {
        try await withVisitor(.editor) { visitor, homing async throws in
            let typed = [
                ("link", "https://shop.example/a"), ("domain", "go.shop.example/two"), ("suffix", "spring"),
                ("name", "Spring"), ("efr", "true"), ("utm_source", "letter"),
            ]
            let preview = try await visitor.send("links/new", typed + [("do", "preview")])
            #expect(preview.status == 200 && preview.text.contains("<table>"))
            for (_, value) in typed where value != "true" { #expect(preview.text.contains("\"\(value)\"")) }
            #expect(try await homing.links.all(in: homing.shop).isEmpty, "a preview makes nothing")
            let made = try await visitor.send("links/new", typed + [("do", "create")])
            let page = "/console/projects/shop/links/go.shop.example%2Ftwo/spring"
            #expect(made.status == 303 && made.header("Location") == page + "?saved=1")
            let link = try #require(try await homing.links.all(in: homing.shop).first)
            #expect(link.query.contains("utm_source=letter") && link.query.contains("efr=1"))

            #expect(try await visitor.get("links?search=SPR").text.contains("href=\"\(page)\""))
            #expect(try await visitor.get(page).text.contains("Nobody opened it"))
            let renamed = try await visitor.send(
                "\(page)/edit", [("do", "save"), ("was:name", "Spring"), ("name", "March")])
            #expect(renamed.status == 303 && renamed.header("Location") == page + "?saved=1")
            #expect(try await visitor.get(page).text.contains("<h1>March</h1>"))
            let nameless = try await visitor.send(
                "\(page)/edit", [("do", "save"), ("was:name", "March"), ("name", "")])
            #expect(nameless.status == 400 && nameless.text.contains("class=\"fault\""))
            #expect(try await visitor.send(page, [("do", "archive")]).status == 303)
            #expect(try await !visitor.get("links").text.contains(page))
            #expect(try await visitor.get("links?archived=true").text.contains(page))
            #expect(try await visitor.send(page, [("do", "unarchive")]).status == 303)
            for wrong in ["links/go.shop.example/spring", "links/none.example/spring", "links/go.shop.example/none"] {
                #expect(try await visitor.get(wrong).status == 404)
            }
        }
    }

    @Test(arguments: [
        [("link", "https://evil.example/")], [("link", "javascript:alert(1)")], [("link", "")],
        [("link", "https://shop.example/"), ("suffix", "healthz")],
        [("link", "https://shop.example/"), ("domain", "none.example")],
        [("link", "https://shop.example/\"><script>")],
    ])
    func `a link that cannot be is refused, and what was typed stays`(typed: [(String, String)]) async throws {
        try await withVisitor(.editor) { visitor, homing async throws in
            let fields = [("domain", "go.shop.example"), ("name", "A & B")].filter { field in
                !typed.contains { $0.0 == field.0 }
            }
            let refused = try await visitor.send("links/new", fields + typed + [("do", "create")])
            #expect(refused.status == 400 && refused.faults.count == 1)
            #expect(refused.text.contains("value=\"A &amp; B\"") && !refused.text.contains("\"><script>"))
            var everything = LinkQuery()
            everything.includesUnnamed = true
            #expect(try await homing.links.all(everything, in: homing.shop).isEmpty)
        }
    }

    @Test func `a link's pictures and numbers are files, and hostile names are text`() async throws {
        try await withVisitor(.viewer) { visitor, homing async throws in
            let domain = try #require(try homing.shop.linkDomains.first)
            let name = "<script>alert(1)</script> \"\u{301} =1+1 \u{202E}"
            _ = try await homing.links.create(
                DynamicLinkParameters(link: "https://shop.example/a"), on: domain, of: homing.shop,
                ending: .custom("hostile"), name: name, by: .command)
            for _ in 0..<3 {
                homing.links.counts.count(.click, on: .ios, of: "hostile", at: domain.text, project: "shop")
            }
            let page = try await visitor.get("links/go.shop.example/hostile")
            #expect(
                page.status == 200 && !page.text.contains("<script>alert") && !page.text.contains("method=\"post\""))
            #expect(page.text.contains("3 clicks in the last 30 days") && page.text.contains("<div class=\"chart\">"))
            #expect(page.text.utf8.count < 60_000)
            for (file, type) in [
                ("qr.svg", "image/svg+xml"), ("qr.png", "image/png"), ("statistics.csv", "text/csv; charset=utf-8"),
            ] {
                let answer = try await visitor.get("links/go.shop.example/hostile/\(file)")
                #expect(answer.status == 200 && answer.header("Content-Type") == type)
                #expect(answer.header("Content-Disposition")?.hasPrefix("attachment; filename=\"hostile.") == true)
                #expect(try await visitor.get("links/go.shop.example/none/\(file)").status == 404)
            }
            let csv = try await visitor.get("links/go.shop.example/hostile/statistics.csv")
            #expect(csv.text.hasSuffix(",IOS,3,0,0,0\r\n"))
            #expect(try await visitor.get("links/new").status == 403)
        }
    }
}
