// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingConsole
import HomingCore
import HomingLinkRules
import HomingProjects
import HomingServer
import HomingShortLinks
import HomingStore
import HomingTesting
import Testing

@Suite struct `The overview` {
    /// Checks that find the same at each run.
    private static let examination = ConsoleExamination(
        run: { _, tell in
            tell(.looked(at: "go.shop.example", done: 1, of: 1))
            let found: [ConsoleExamination.Finding] = [
                .init(.problem, about: .apps, "project shop", seen: "com.a has no <team> id", advice: "Add it."),
                .init(.warning, about: .mail, "the relay", seen: "it may rewrite links", advice: "Tell it not to."),
                .init(.ok, about: .linkDomains, "go.shop.example", seen: "the certificate is valid", advice: ""),
                .init(
                    .problem, about: .server, "https://auth.shop.example", seen: "it answers 502", advice: "Mend it."),
            ]
            for finding in found { tell(.found(finding)) }
        },
        certificates: { _ in
            [.init(.ok, about: .server, "auth.shop.example", seen: "renewed by itself; 60 days are left", advice: "")]
        })

    /// The number of a tile, by its name.
    private func tile(_ name: String, of page: RESTAnswer) -> String? {
        page.text.components(separatedBy: ">\(name)</a></dt><dd class=\"value\">").dropFirst().first
            .map { String($0.prefix { $0 != "<" }) }
    }

    @Test func `numbers of today and of the week stand on top, each with the page that has more`() async throws {
        try await withHoming(linkDomains: ["go.shop.example"]) { homing in
            try await homing.account(TestHoming.ann)
            try await homing.mail(.verifyEmail, to: TestHoming.ann)
            try await homing.redeem(try await homing.mailedCode(to: TestHoming.ann), .verifyEmail)
            try await homing.mail(.passwordReset, to: TestHoming.ann)
            let domain = try #require(try homing.shop.linkDomains.first)
            homing.links.counts.count(.click, on: .ios, of: "spring", at: domain.text, project: "shop")
            try await withServer(homing) { server in
                let viewer = try await ConsoleVisitor(.viewer, homing, server)
                let page = try await viewer.get("")
                #expect(page.status == 200 && page.text.utf8.count < 60_000)
                #expect(tile("Emails today", of: page) == "1" && page.text.contains("1 delivered to relay, 1 queued"))
                #expect(tile("People came back", of: page) == "1")
                #expect(tile("Clicks on links", of: page) == "1" && tile("Accounts", of: page) == "1")
                #expect(tile("Problems found", of: page) == "–", "nobody has checked")
                for path in ["mail", "mail/funnel?days=7", "links/clicks?days=7", "accounts"] {
                    #expect(page.text.contains("<dt><a href=\"/console/projects/shop/\(path)\""), "\(path)")
                }
                #expect(!page.text.contains("method=\"post\""), "a viewer sends nothing")

                homing.clock.advance(seconds: 1900)
                let late = try await viewer.get("").text
                #expect(
                    late.contains(
                        "tag bad\">Fix</span><div><strong><a href=\"/console/projects/shop/mail?status=queued\""))
            }
        }
    }

    @Test func `the step of the first email mails to whoever reads it`() async throws {
        try await withHoming { homing in
            try await withServer(homing) { server in
                let editor = try await ConsoleVisitor(.editor, homing, server)
                let overview = try await editor.get("")
                #expect(overview.value(of: "address") == "editor0@example.com")
                #expect(overview.form?.action == "/console/projects/shop/mail")
                let sent = try await editor.send("mail", [("do", "test"), ("address", "editor0@example.com")])
                #expect(sent.status == 303)
                try await homing.deliver()
                #expect(homing.transport.mails.contains { $0.recipient == "editor0@example.com" })
                #expect(try await editor.get("").text.contains("The relay has taken emails of this project."))
            }
        }
    }

    @Test func `what the checks find stands on the page that it is about, and is marked in the navigation`()
        async throws
    {
        try await withHoming(linkDomains: ["go.shop.example"]) { homing in
            try await withServer(homing, examination: Self.examination) { server in
                let editor = try await ConsoleVisitor(.editor, homing, server)
                let before = try await editor.get("").text
                #expect(before.contains(">Check now</button>") && before.contains("60 days are left"))
                #expect(before.contains("has not been checked"))
                let checked = try await editor.send("link-domains/check", [])
                #expect(checked.text.contains("2 things to fix.") && checked.text.contains(">Warning</span>"))

                let overview = try await editor.get("")
                #expect(tile("Problems found", of: overview) == "2" && overview.text.contains("and 1 warning"))
                #expect(overview.text.contains("it answers 502") && overview.text.contains(">1 in Apps</a>"))
                let apps = try await editor.get("apps").text
                #expect(apps.contains("com.a has no &lt;team&gt; id") && !apps.contains("it may rewrite links"))
                #expect(apps.contains("1<span class=\"away\"> to fix in Apps</span>"))
                #expect(try await editor.get("mail").text.contains("it may rewrite links"))
                #expect(try await editor.get("link-domains").text.contains("Nothing to fix."))

                let some = try await ConsoleVisitor(.editor, of: ["shop"], homing, server)
                #expect(try await some.get("apps").text.contains("com.a has no"))
                #expect(try await !some.get("mail").text.contains("it may rewrite links"), "another host has said that")
                #expect(try await !some.get("").text.contains("it answers 502"))
                #expect(try await some.send("link-domains/check", []).status == 403)
            }
        }
    }

    @Test func `a project of the same id as a deleted one is not told what was found of that one`() async throws {
        try await withHoming(linkDomains: ["go.shop.example"]) { homing in
            try await withServer(homing, examination: Self.examination) { server in
                let editor = try await ConsoleVisitor(.editor, homing, server)
                _ = try await editor.send("link-domains/check", [])
                #expect(tile("Problems found", of: try await editor.get("")) == "2")
                try await homing.projects.delete("shop", by: .command)
                _ = try await homing.projects.create(
                    id: "shop", name: nil, apiKey: nil, authorizedDomains: [], linkDomains: [], language: nil,
                    by: .command)
                #expect(tile("Problems found", of: try await editor.get("")) == "–")
            }
        }
    }

    @Test func `an app without a team id keeps its step open, which says what is missing`() async throws {
        try await withHoming { homing in
            let app = RegisteredApp(platform: .apple, id: "com.example.ios")
            try await homing.projects.addApp(app, to: "shop", by: .command)
            try await withServer(homing) { server in
                let page = try await ConsoleVisitor(.viewer, homing, server).get("").text
                #expect(page.contains("com.example.ios has no team id, so that no link opens it."))
            }
        }
    }

    @Test func `snippets name the project's key, the server and where people come back to`() async throws {
        try await withHoming { homing in
            try await withServer(homing) { server in
                let page = try await ConsoleVisitor(.viewer, homing, server).get("").text
                for language in ["Swift", "JavaScript", "Android and REST", "curl"] {
                    #expect(page.contains(">\(language)</label>"), "\(language)")
                }
                let url = homing.core.publicURL
                #expect(page.contains("\(url)/__/homing/1/homing.js"))
                #expect(page.contains("key=\(TestHoming.apiKey)") && page.contains("https://localhost/"))
            }
        }
    }
}
