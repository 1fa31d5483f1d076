// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingLinkRules
import HomingProjects
import HomingShortLinks
import HomingStore
import HomingTesting
import HomingWire
import Testing

@Suite struct ProjectTests {
    private func create(_ homing: TestHoming, _ id: ProjectID, key: String? = nil, links: [String] = []) async throws
        -> Project
    {
        try await homing.projects.create(
            id: id, name: nil, apiKey: key, authorizedDomains: [], linkDomains: links, language: nil)
    }

    @Test(arguments: ["", "-a", "A", "ä", "a b", "a/b", "a.b", String(repeating: "a", count: 64)])
    func `an id of other letters is refused`(id: String) async throws {
        try await withHoming { homing in
            await #expect(throws: Refusal.self) { try await create(homing, ProjectID(id)) }
            #expect(homing.projects.all().map(\.projectID) == ["shop"])
        }
    }

    @Test func `an id and an API key belong to one project`() async throws {
        try await withHoming { homing in
            await #expect(throws: Refusal.self) { try await create(homing, "shop") }
            await #expect(throws: Refusal.self) { try await create(homing, "two", key: TestHoming.apiKey) }
            #expect(homing.projects.project("two") == nil)
            let other = try await create(homing, "two")
            #expect(other.linkKey.utf8.count >= 32)
            #expect(homing.projects.project(apiKey: other.linkKey)?.projectID == "two")
            #expect(homing.projects.project(apiKey: "") == nil)
        }
    }

    @Test func `a refused domain creates no project`() async throws {
        try await withHoming { homing async throws in
            await #expect(throws: Refusal.self) {
                try await create(homing, "two", links: ["links.example", "not a host"])
            }
            #expect(homing.projects.project("two") == nil)
            #expect(try await homing.number("SELECT COUNT(*) FROM link_domains") == 0)
        }
    }

    @Test(arguments: [
        (["a.page.link", "links.example"], "links.example"),
        (["b.app.goo.gl/x", "links.example/p"], "links.example/p"),
        (["links.example", "a.page.link"], "links.example"), (["a.page.link", "b.page.link"], "a.page.link"),
    ])
    func `links are made on a domain of one's own where there is one`(domains: [String], standard: String) async throws
    {
        try await withHoming { homing in
            let project = try await create(homing, "two", links: domains)
            #expect(project.linkDomains.map(\.text) == domains)
            #expect(project.defaultLinkDomain?.text == standard)
        }
    }

    @Test func `every setting has a default that it accepts, and takes nothing else`() async throws {
        try await withHoming { homing in
            for key in ProjectSetting.all {
                let value = try homing.shop.settings.value(key.name)
                if !value.isEmpty { try await homing.projects.set("shop", key.name, to: value) }
                for wrong in ["\u{0}", "nonsense value", "-1", "99999999999999999999", "yes!"] {
                    let refusal = await #expect(throws: Refusal.self, "\(key.name) \(wrong)") {
                        try await homing.projects.set("shop", key.name, to: wrong)
                    }
                    let sentence = refusal?.sentence ?? ""
                    #expect(refusal?.code == .invalidSetting, "\(key.name)")
                    #expect(sentence.contains(key.name) && sentence.contains(key.accepts))
                }
                #expect(try homing.shop.settings.value(key.name) == value)
            }
        }
    }

    @Test func `an unknown setting is refused with the names that there are`() async throws {
        try await withHoming { homing in
            let refusal = await #expect(throws: Refusal.self) {
                try await homing.projects.set("shop", "colour of the sea", to: "true")
            }
            let sentence = refusal?.sentence ?? ""
            #expect(refusal?.code == .invalidSetting)
            #expect(sentence.contains("colour of the sea") && sentence.contains("notification.sendEmail.callbackUri"))
            let near = await #expect(throws: Refusal.self) {
                try await homing.projects.set("shop", "signIn.email.enabledd", to: "true")
            }
            #expect(near?.remedy == .meant("signIn.email.enabled"))
        }
    }

    @Test func `an empty value goes back to the default`() async throws {
        try await withHoming { homing in
            try await homing.projects.set("shop", "notification.defaultLocale", to: "tr")
            #expect(try homing.shop.settings.language == "tr")
            try await homing.projects.set("shop", "notification.defaultLocale", to: "")
            #expect(try homing.shop.settings.language == "en")
        }
    }

    @Test func `a project's language is any language tag, in its usual spelling`() async throws {
        try await withHoming { homing in
            for (typed, kept) in [("de", "de"), ("pt_br", "pt-BR"), ("ZH_HANS_cn", "zh-Hans-CN"), ("tlh", "tlh")] {
                try await homing.projects.set("shop", "notification.defaultLocale", to: typed)
                #expect(try homing.shop.settings.language == kept)
                #expect(try homing.shop.settings.value("notification.defaultLocale") == kept)
            }
            for typed in ["d", "de-", "de at", "../en", "de_AT.UTF-8", "en\u{301}"] {
                await #expect(throws: Refusal.self, "\(typed)") {
                    try await homing.projects.set("shop", "notification.defaultLocale", to: typed)
                }
            }
        }
    }

    @Test func `settings, domains and apps are there after a restart`() async throws {
        try await withWorld { world in
            try await world.withHoming { homing in
                _ = try await create(homing, "shop", links: ["go.shop.example", "shop.example/l"])
                try await homing.projects.set("shop", "idToken.algorithm", to: "ES256")
                try await homing.projects.addDomain("*.Shop.Example", to: "shop")
                try await homing.projects.addApp(
                    RegisteredApp(platform: .apple, id: "com.example.shop", teamID: "ABCDE12345"), to: "shop")
            }
            try await world.withHoming { homing in
                let shop = try homing.shop
                #expect(shop.settings.signingAlgorithm == .es256)
                #expect(shop.authorizedDomains.map(\.text) == ["*.shop.example"])
                #expect(shop.linkDomains.map(\.text) == ["go.shop.example", "shop.example/l"])
                #expect(shop.apps.map(\.id) == ["com.example.shop"])
            }
        }
    }

    @Test func `domains are added once and removed by name`() async throws {
        try await withHoming { homing in
            try await homing.projects.addDomain("new.example", to: "shop")
            try await homing.projects.addDomain("NEW.example", to: "shop")
            #expect(try homing.shop.authorizedDomains.count { $0.text == "new.example" } == 1)
            try await homing.projects.removeDomain("new.example", from: "shop")
            await #expect(throws: Refusal.self) { try await homing.projects.removeDomain("new.example", from: "shop") }
            await #expect(throws: Refusal.self) { try await homing.projects.addDomain("new.example", to: "nowhere") }
            await #expect(throws: Refusal.self) {
                try await homing.projects.addDomain("https://new.example/", to: "shop")
            }
        }
    }

    @Test func `a link domain belongs to one project`() async throws {
        try await withHoming(linkDomains: ["go.shop.example"]) { homing in
            _ = try await create(homing, "two", links: ["go.two.example"])
            for spelling in ["go.shop.example", "GO.shop.example", "go.shop.example:443"] {
                await #expect(throws: Refusal.self) { try await homing.projects.addLinkDomain(spelling, to: "two") }
            }
            try await homing.projects.addLinkDomain("go.shop.example", to: "shop")
            #expect(try homing.shop.linkDomains.count == 1)
            #expect(homing.projects.linkSite(host: "GO.shop.example:443", path: "/x")?.project.projectID == "shop")
            try await homing.projects.removeLinkDomain("go.shop.example", from: "shop")
            #expect(homing.projects.linkSite(host: "go.shop.example", path: "/x") == nil)
            try await homing.projects.addLinkDomain("go.shop.example", to: "two")
        }
    }

    @Test func `a prefix claims its own paths only, the longer one first`() async throws {
        try await withHoming(linkDomains: ["go.example/a"]) { homing in
            _ = try await create(homing, "two", links: ["go.example/a/b"])
            func owner(_ path: String) -> String? {
                homing.projects.linkSite(host: "go.example", path: path)?.project.projectID.text
            }
            #expect(owner("/a") == "shop" && owner("/a/x") == "shop")
            #expect(owner("/a/b") == "two" && owner("/a/b/c") == "two")
            #expect(owner("/ab") == nil && owner("/") == nil && owner("/A") == nil)
            #expect(owner("/a/bc") == "shop")
        }
    }

    @Test func `a deleted project takes everything along, and nothing of its neighbour`() async throws {
        try await withHoming(linkDomains: ["go.shop.example"]) { homing in
            let other = try await create(homing, "two", links: ["go.two.example"])
            for project in [try homing.shop, other] {
                try await homing.account(TestHoming.ann, in: project)
                _ = try await homing.code(.passwordReset, for: TestHoming.ann, in: project)
            }
            try await homing.signUp("bob@home.example")
            try await homing.mail(.passwordReset, to: "bob@home.example")
            try await homing.projects.delete("shop")
            for table in [
                "api_keys", "authorized_domains", "apps", "link_domains", "codes", "outbox", "mailbox", "sessions",
                "limits",
                "accounts",
            ] {
                let left = try await homing.number(
                    SQL(stringLiteral: "SELECT COUNT(*) FROM \(table) WHERE project = 'shop'"))
                #expect(left == 0, "\(table)")
            }
            #expect(try await homing.number("SELECT COUNT(*) FROM codes WHERE project = 'two'") == 1)
            #expect(homing.projects.project(apiKey: TestHoming.apiKey) == nil)
            #expect(homing.projects.linkSite(host: "go.shop.example", path: "/") == nil)
        }
    }

    @Test func `what was under way when a project was deleted is in no later one of that name`() async throws {
        try await withHoming(linkDomains: ["go.shop.example"]) { homing in
            // As requests have it that began before the deletion.
            let former = try homing.shop
            try await homing.projects.delete("shop")
            let tokens = try await homing.signUp(TestHoming.ann, in: former).tokens
            try await homing.account("bob@home.example", in: former)
            _ = try await homing.core.links.create(
                DynamicLinkParameters(link: "https://shop.example/a"), on: former.linkDomains[0], of: former,
                ending: .unguessable, by: .command)
            let later = try await homing.projects.create(
                id: "shop", name: "Later", apiKey: nil, authorizedDomains: [], linkDomains: ["go.shop.example"],
                language: nil)
            for table in ["accounts", "sessions", "links"] {
                let left = try await homing.number("SELECT COUNT(*) FROM \(sql: SQL(stringLiteral: table))")
                #expect(left == 0, "\(table)")
            }
            await #expect(throws: Refusal.self) {
                try await homing.core.sessions.refresh(tokens.refreshToken, in: later)
            }
            try await homing.account(TestHoming.ann, in: later)
            await #expect(throws: Refusal.alreadyExists("project shop exists already", remedy: .showProject("shop"))) {
                try await homing.projects.create(
                    id: "shop", name: nil, apiKey: nil, authorizedDomains: [], linkDomains: [], language: nil)
            }
            // Whoever makes a project that is there takes nothing from it.
            #expect(try await homing.found(TestHoming.ann) != nil)
        }
    }

    @Test func `an app is registered with ids and fingerprints that a store would know`() async throws {
        try await withHoming { homing in
            let print = String(repeating: "ab", count: 32)
            try await homing.projects.addApp(
                RegisteredApp(platform: .android, id: "com.example.android", sha256: [print]), to: "shop")
            let app = try #require(try homing.shop.apps.first)
            #expect(app.sha256.first?.utf8.count == 95)
            let wrong = [
                RegisteredApp(platform: .android, id: "com.example.other"),
                RegisteredApp(platform: .android, id: "com.example.android", sha256: [String(print.dropLast())]),
                RegisteredApp(platform: .android, id: "noDots", sha256: [print]),
                RegisteredApp(platform: .apple, id: "com.example.ios", teamID: "short"),
                RegisteredApp(platform: .apple, id: "com.example.ios", teamID: "ABCDE12345", appStoreID: "id12"),
                RegisteredApp(platform: .apple, id: "com.example/ios", teamID: "ABCDE12345"),
            ]
            for app in wrong {
                await #expect(throws: Refusal.self) { try await homing.projects.addApp(app, to: "shop") }
            }
            #expect(try homing.shop.apps.count == 1)
            try await homing.projects.removeApp("com.example.android", from: "shop")
            #expect(try homing.shop.apps.isEmpty)
        }
    }

    @Test func `properties that a second registration of an app leaves out stay`() async throws {
        try await withHoming { homing async throws in
            func add(_ app: RegisteredApp) async throws -> RegisteredApp {
                try await homing.projects.addApp(app, to: "shop")
            }
            let first = RegisteredApp(
                platform: .apple, id: "com.example.ios", teamID: "ABCDE12345", appStoreID: "123456",
                customScheme: "shop")
            #expect(try await add(first) == first)
            #expect(try await add(RegisteredApp(platform: .apple, id: first.id)) == first)
            var changed = first
            changed.appStoreID = "654321"
            #expect(
                try await add(RegisteredApp(platform: .apple, id: first.id, appStoreID: "654321")) == changed)
            changed.customScheme = nil
            #expect(try await add(RegisteredApp(platform: .apple, id: first.id, customScheme: "")) == changed)
            await #expect(throws: Refusal.self) {
                try await add(RegisteredApp(platform: .apple, id: first.id, teamID: ""))
            }
            #expect(try homing.shop.apps == [changed])
        }
    }

    @Test func `an app has a clip and stores of its own, one by one`() async throws {
        try await withHoming { homing async throws in
            func add(_ app: RegisteredApp) async throws -> RegisteredApp {
                try await homing.projects.addApp(app, to: "shop")
            }
            let ios = RegisteredApp(platform: .apple, id: "com.example.ios", teamID: "ABCDE12345")
            _ = try await add(ios)
            func clip(_ text: String) -> RegisteredApp {
                RegisteredApp(platform: .apple, id: ios.id, clipBundleID: text)
            }
            #expect(try await add(clip("com.example.ios.Clip")).clipBundleID == "com.example.ios.Clip")
            #expect(try await add(RegisteredApp(platform: .apple, id: ios.id)).clipBundleID == "com.example.ios.Clip")
            for wrong in ["com.example.other.Clip", "com.example.ios", "com.example.ios.", "com.example.ios.a b"] {
                await #expect(throws: Refusal.self, "\(wrong)") { try await add(clip(wrong)) }
            }
            #expect(try await add(clip("")).clipBundleID == nil)
            let print = Array(repeating: "AA", count: 32).joined(separator: ":")
            func android(_ stores: [String: String]) -> RegisteredApp {
                RegisteredApp(platform: .android, id: "com.example.android", stores: stores, sha256: [print])
            }
            #expect(try await add(android(["appgallery": "C100"])).stores == ["appgallery": "C100"])
            let both = ["appgallery": "C100", "galaxy": "https://galaxystore.samsung.com/detail/com.example.android"]
            #expect(try await add(android(["galaxy": both["galaxy"] ?? ""])).stores == both)
            for wrong in [
                ["nowhere": "x"], ["galaxy": "com.example.other"], ["galaxy": "https://evil.example/app"],
                ["galaxy": "http://galaxystore.samsung.com/detail/com.example.android"], ["appgallery": "C1/../x"],
                ["play": "com.example.android"], ["fdroid": "https://f-droid.org:8443/packages/com.example.android"],
            ] {
                await #expect(throws: Refusal.self, "\(wrong)") { try await add(android(wrong)) }
            }
            #expect(try homing.shop.apps.first { $0.platform == .android }?.stores == both)
            #expect(try await add(android(["galaxy": "", "appgallery": ""])).stores == nil)
        }
    }

    @Test func `a second fingerprint joins the first, and each can be taken away but the last`() async throws {
        try await withHoming { homing async throws in
            let prints = ["AA", "BB"].map { Array(repeating: $0, count: 32).joined(separator: ":") }
            let sha1 = Array(repeating: "CC", count: 20).joined(separator: ":")
            func add(sha256: [String] = [], sha1: [String] = []) async throws -> RegisteredApp {
                try await homing.projects.addApp(
                    RegisteredApp(platform: .android, id: "com.example.app", sha256: sha256, sha1: sha1), to: "shop")
            }
            func remove(_ sha256: [String], sha1: [String] = []) async throws -> RegisteredApp {
                try await homing.projects.removeFingerprints(
                    sha256: sha256, sha1: sha1, of: "com.example.app", in: "shop")
            }
            #expect(try await add(sha256: [prints[0]]).sha256 == [prints[0]])
            let lower = prints[0].lowercased().replacing(":", with: "")
            #expect(try await add(sha256: [prints[1], lower]).sha256 == prints)
            #expect(try await add(sha1: [sha1]).sha256 == prints)
            for wrong in [[prints[0], sha1], ["AB"], [prints[0].replacing("AA", with: "DD")], prints] {
                await #expect(throws: Refusal.self) { try await remove(wrong) }
            }
            #expect(try homing.shop.apps.first?.sha256 == prints)
            let left = try await remove([lower], sha1: [sha1])
            #expect(left.sha256 == [prints[1]] && left.sha1.isEmpty)
            #expect(try homing.shop.apps == [left])
            await #expect(throws: Refusal.self) {
                try await homing.projects.removeFingerprints(sha256: prints, sha1: [], of: "com.example.b", in: "shop")
            }
        }
    }
}
