// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCore
import HomingLinkRules
import HomingProjects
import HomingShortLinks
import HomingStore
import HomingTesting
import HomingTexts
import HomingWire
import Testing

@Suite struct `Projects, apps and keys in the console` {
    // MARK: Projects

    @Test func `the list says what a project holds and what is to be fixed`() async throws {
        try await withHoming { homing in
            try await homing.projects.addApp(RegisteredApp(platform: .apple, id: "com.example.ios"), to: "shop")
            try await withServer(homing) { server in
                let viewer = try await ConsoleVisitor(.viewer, homing, server)
                let page = try await viewer.get("/console/").text
                #expect(page.contains("1 app · 0 accounts · 0 links · 0 emails today"))
                #expect(page.contains("com.example.ios has no team id, so that no link opens it"))
                #expect(!page.contains("New project"))
                let owner = try await ConsoleVisitor(.owner, homing, server)
                #expect(try await owner.get("/console/").text.contains("<summary class=\"button\">"))
            }
        }
    }

    @Test func `an editor renames a project, and is told when somebody else was faster`() async throws {
        try await withHoming { homing in
            try await withServer(homing) { server in
                let editor = try await ConsoleVisitor(.editor, homing, server)
                let page = try await editor.get("settings")
                #expect(page.status == 200 && !page.text.contains("Delete the project"))
                let form = [("was:displayName", "Shop"), ("displayName", "Corner shop")]
                #expect(try await editor.send("settings", form).status == 303)
                #expect(try homing.shop.name == "Corner shop")
                let late = try await editor.send(
                    "settings", [("was:displayName", "Shop"), ("displayName", "Shop at the corner")])
                #expect(late.status == 409 && late.value(of: "displayName") == "Shop at the corner")
                #expect(try homing.shop.name == "Corner shop")
                let viewer = try await ConsoleVisitor(.viewer, homing, server)
                #expect(try await viewer.send("settings", form).status == 403)
            }
        }
    }

    @Test func `a project is deleted by an owner who types its id`() async throws {
        try await withHoming { homing in
            var wanted = AccountChange()
            wanted.email = .set(try EmailAddress(parsing: "ada@people.example"))
            _ = try await homing.accounts.create(wanted, id: nil, in: homing.shop, by: .command)
            try await withServer(homing) { server in
                let editor = try await ConsoleVisitor(.editor, homing, server)
                #expect(try await editor.get("delete").status == 403)
                #expect(try await editor.send("delete", [("id", "shop")]).status == 403)
                let owner = try await ConsoleVisitor(.owner, homing, server)
                #expect(try await owner.get("delete").text.contains("<li>1 account</li>"))
                #expect(try await owner.send("delete", [("id", "")]).faults.keys.sorted() == ["id"])
                #expect(homing.projects.project("shop") != nil)
                let gone = try await owner.send("delete", [("id", "shop")])
                #expect(gone.header("Location") == "/console/?saved=deleted")
                #expect(homing.projects.project("shop") == nil)
            }
        }
    }

    // MARK: Apps

    private static let sha256 = Array(repeating: "AB", count: 32).joined(separator: ":")
    private static let other = Array(repeating: "CD", count: 32).joined(separator: ":")

    @Test func `an app without a team id says so, and takes it on its card`() async throws {
        try await withHoming { homing in
            try await homing.projects.addApp(RegisteredApp(platform: .apple, id: "com.example.ios"), to: "shop")
            try await withServer(homing) { server in
                let editor = try await ConsoleVisitor(.editor, homing, server)
                let page = try await editor.get("apps").text
                #expect(page.contains("Team id missing: no link opens it."))
                #expect(page.contains("Save the team id") && page.contains("App Store id missing"))
                let form = [
                    ("edit", "com.example.ios"), ("platform", "apple"), ("was:team", ""), ("team", "ABCDE12345"),
                ]
                #expect(try await editor.send("apps", form).status == 303)
                #expect(try homing.shop.apps.first?.teamID == "ABCDE12345")
                #expect(try await !editor.get("apps").text.contains("Team id missing"))
            }
        }
    }

    @Test func `the files and lines of an app are those that the command prints`() async throws {
        try await withHoming(linkDomains: ["links.shop.example"]) { homing in
            try await homing.projects.addApp(RegisteredApp(platform: .apple, id: "com.example.ios"), to: "shop")
            try await withServer(homing) { server in
                let page = try await ConsoleVisitor(.viewer, homing, server).get("apps").text
                let printed = try AppConfiguration.all(
                    in: homing.shop, app: nil, platform: nil, publicURL: homing.core.publicURL)
                #expect(printed.map(\.platform) == [.apple, .web])
                for part in printed.flatMap(\.parts) {
                    #expect(page.contains(HTML(escaping: part.text).utf8Text), "\(part.name)")
                }
            }
        }
    }

    @Test func `fingerprints that a browser sends with its own line ends are taken, and an older one goes`()
        async throws
    {
        try await withHoming { homing in
            let prints = [Self.sha256, Self.other]
            try await homing.projects.addApp(
                RegisteredApp(platform: .android, id: "com.example.android", sha256: prints), to: "shop")
            try await withServer(homing) { server in
                let editor = try await ConsoleVisitor(.editor, homing, server)
                func edit(_ text: String) async throws -> RESTAnswer {
                    let seen = prints.joined(separator: "\r\n")
                    return try await editor.send(
                        "apps",
                        [
                            ("edit", "com.example.android"), ("platform", "android"), ("was:fingerprints", seen),
                            ("fingerprints", text),
                        ])
                }
                #expect(try await edit("SHA1: AB:CD").faults["fingerprints"]?.hasPrefix("There is no SHA-256") == true)
                #expect(try await edit("\(Self.other)\r\n").status == 303)
                #expect(try homing.shop.apps.first?.sha256 == [Self.other])
                #expect(try await edit(Self.sha256).status == 409, "somebody has changed it since")
                #expect(try homing.shop.apps.first?.sha256 == [Self.other])
            }
        }
    }

    @Test func `an app of another project or of none is not edited`() async throws {
        try await withHoming { homing in
            try await withServer(homing) { server in
                let editor = try await ConsoleVisitor(.editor, homing, server)
                let form = [
                    ("edit", "com.example.none"), ("platform", "apple"), ("was:team", ""), ("team", "ABCDE12345"),
                ]
                #expect(try await editor.send("apps", form).status == 404)
                let viewer = try await ConsoleVisitor(.viewer, homing, server)
                #expect(try await viewer.send("apps", form).status == 403)
            }
        }
    }

    @Test func `a link that names an app takes its App Store id, and another one with another app`() async throws {
        try await withHoming(linkDomains: ["go.shop.example"]) { homing in
            for (id, store) in [("com.example.one", "111111111"), ("com.example.two", "222222222")] {
                try await homing.projects.addApp(
                    RegisteredApp(platform: .apple, id: id, teamID: "ABCDE12345", appStoreID: store), to: "shop")
            }
            try await withServer(homing) { server in
                let editor = try await ConsoleVisitor(.editor, homing, server)
                func store() async throws -> String? {
                    let (link, _) = try #require(try await homing.links.named("spring", in: homing.shop))
                    return try link.content().parameters.ios.appStoreID
                }
                let made = try await editor.send(
                    "links/new",
                    [
                        ("do", "create"), ("link", "https://shop.example/a"), ("domain", "go.shop.example"),
                        ("suffix", "spring"), ("ibi", "com.example.one"), ("isi", ""),
                    ])
                #expect(made.status == 303)
                #expect(try await store() == "111111111")
                let edited = try await editor.send(
                    "links/go.shop.example/spring/edit",
                    [
                        ("do", "save"), ("was:ibi", "com.example.one"), ("ibi", "com.example.two"),
                        ("was:isi", "111111111"), ("isi", "111111111"),
                    ])
                #expect(edited.status == 303)
                #expect(try await store() == "222222222")
                let emptied = try await editor.send(
                    "links/go.shop.example/spring/edit", [("do", "save"), ("was:isi", "222222222"), ("isi", "")])
                #expect(emptied.status == 303)
                #expect(try await store() == nil, "it is what somebody typed")
            }
        }
    }

    @Test func `a link's form asks for apps of the platforms that the project has apps of`() async throws {
        try await withHoming(linkDomains: ["go.shop.example"]) { homing in
            try await withServer(homing) { server in
                let editor = try await ConsoleVisitor(.editor, homing, server)
                let none = try await editor.get("links/new").text
                #expect(none.contains("This project has no apps yet") && none.contains(">Register an app</a>"))
                #expect(["ibi", "isi", "apn", "imv"].allSatisfy { !none.contains("name=\"\($0)\"") })
                #expect(none.contains("name=\"ofl\""), "a computer needs no app")
                try await homing.projects.addApp(
                    RegisteredApp(platform: .apple, id: "com.example.one", teamID: "ABCDE12345"), to: "shop")
                let apple = try await editor.get("links/new").text
                #expect(apple.contains("name=\"ibi\"") && apple.contains("name=\"imv\""))
                #expect(!apple.contains("name=\"apn\"") && !apple.contains("name=\"amv\""))
                let imported = try await editor.send(
                    "links/new",
                    [("do", "preview"), ("link", "https://shop.example/a"), ("apn", "com.example.android")])
                #expect(imported.text.contains("name=\"apn\""), "what a link says is shown")
            }
        }
    }

    // MARK: Keys

    @Test func `an owner makes a service account, whose file is shown once, and revokes it`() async throws {
        try await withHoming { homing in
            try await withServer(homing) { server in
                let owner = try await ConsoleVisitor(.owner, homing, server)
                let made = try await owner.send("keys", [("do", "create-account"), ("name", "back end")])
                #expect(made.status == 200)
                let found = try #require(made.text.firstMatch(of: /href="data:application\/json;base64,([^"]+)"/))
                let file = try JSON.parse(Array(try #require(Data(base64Encoded: String(found.1)))))
                #expect(file.objectValue?["type"]?.stringValue == "service_account")
                #expect(file.objectValue?["project_id"]?.stringValue == "shop")
                #expect(made.text.contains("BEGIN PRIVATE KEY"))
                let page = try await owner.get("keys").text
                #expect(page.contains("back end") && !page.contains("PRIVATE KEY"))
                let id = try #require(try await homing.accounts.serviceAccounts.list(in: homing.shop).first?.id)
                #expect(try await owner.send("keys", [("do", "revoke-account"), ("id", id)]).status == 303)
                #expect(try await homing.accounts.serviceAccounts.list(in: homing.shop).first?.revokedAt != nil)
                let editor = try await ConsoleVisitor(.editor, homing, server)
                #expect(try await editor.send("keys", [("do", "create-account"), ("name", "mine")]).status == 403)
            }
        }
    }

    @Test func `a service account may make custom tokens and nothing else`() async throws {
        try await withHoming { homing in
            try await withServer(homing) { server in
                let owner = try await ConsoleVisitor(.owner, homing, server)
                let form = [("do", "create-account"), ("name", "tokens"), ("tokens-only", "true")]
                #expect(try await owner.send("keys", form).status == 200)
                let account = try await homing.accounts.serviceAccounts.list(in: homing.shop).first
                #expect(account?.opensAdmin == false)
            }
        }
    }
}

@Suite struct `Operators in the console` {
    private let bob = "bob@example.com"

    @Test func `somebody is invited by mail, and invited again until they have signed in`() async throws {
        try await withHoming { homing in
            try await withServer(homing) { server in
                let owner = try await ConsoleVisitor(.owner, homing, server)
                let form = [("address", bob), ("role", "editor"), ("projects", "shop")]
                let invited = try await owner.send("/console/operators", form)
                #expect(invited.header("Location") == "/console/operators?saved=invited")
                #expect(try await owner.get("/console/operators").text.contains("Resend the invitation"))
                #expect(try await owner.send("/console/operators", [("invite", bob)]).status == 303)
                try await homing.deliver()
                #expect(homing.transport.mails.map(\.recipient) == [bob, bob])
                let link = try await homing.operators.newLink(for: bob)
                _ = try await homing.adminSessions.redeem(link)
                let page = try await owner.get("/console/operators").text
                #expect(page.contains("last sign-in") && !page.contains("Resend the invitation"))
            }
        }
    }

    @Test func `a role is changed in the list, and the second of two owners sees what the first has done`() async throws
    {
        try await withHoming { homing in
            _ = try await homing.operators.add(bob, role: .viewer, projects: nil)
            try await withServer(homing) { server in
                let owner = try await ConsoleVisitor(.owner, homing, server)
                let seen = [("edit", bob), ("was:role", "viewer"), ("was:projects", "")]
                let saved = try await owner.send(
                    "/console/operators", seen + [("role", "editor"), ("projects", "shop")])
                #expect(saved.status == 303)
                let rights = Operator.Rights(role: .editor, projects: ["shop"])
                #expect(try await homing.operators.find(bob).rights == rights)
                let late = try await owner.send("/console/operators", seen + [("role", "owner"), ("projects", "")])
                #expect(late.status == 409 && late.text.contains("Somebody else has changed"))
                #expect(try await homing.operators.find(bob).rights == rights)
            }
        }
    }

    @Test func `an operator of no project stays one when the role changes`() async throws {
        try await withHoming { homing in
            _ = try await homing.operators.add(bob, role: .viewer, projects: [])
            try await withServer(homing) { server in
                let owner = try await ConsoleVisitor(.owner, homing, server)
                #expect(try await owner.get("/console/operators").text.contains("no project"))
                let form = [
                    ("edit", bob), ("was:role", "viewer"), ("role", "editor"), ("was:projects", "-"), ("projects", "-"),
                ]
                #expect(try await owner.send("/console/operators", form).status == 303)
                #expect(try await homing.operators.find(bob).rights == Operator.Rights(role: .editor, projects: []))
            }
        }
    }

    @Test func `the last owner is neither removed nor made anything else`() async throws {
        try await withHoming { homing in
            try await withServer(homing) { server in
                let owner = try await ConsoleVisitor(.owner, homing, server)
                let address = "owner0@example.com"
                let page = try await owner.get("/console/operators").text
                #expect(page.contains("the last owner stays") && !page.contains("Remove \(address)"))
                #expect(try await owner.send("/console/operators", [("remove", address)]).status == 400)
                let form = [("edit", address), ("was:role", "owner"), ("role", "viewer"), ("was:projects", "")]
                #expect(try await owner.send("/console/operators", form).status == 400)
                #expect(try await homing.operators.find(address).role == .owner)
            }
        }
    }

    @Test func `where mail leaves nowhere a link is shown to hand over`() async throws {
        try await withHoming { homing in
            homing.store.sendsMail.set(false)
            try await withServer(homing) { server in
                let owner = try await ConsoleVisitor(.owner, homing, server)
                let form = [("address", bob), ("role", "viewer"), ("projects", "")]
                let added = try await owner.send("/console/operators", form)
                #expect(added.status == 200 && added.text.contains("/enter?ticket="))
                #expect(try await homing.operators.find(bob).role == .viewer)
                #expect(try await !owner.get("/console/operators").text.contains("Resend the invitation"))
            }
        }
    }
}
