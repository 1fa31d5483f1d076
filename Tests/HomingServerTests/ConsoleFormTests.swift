// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCore
import HomingProjects
import HomingServer
import HomingShortLinks
import HomingStore
import HomingTesting
import HomingTexts
import HomingWire
import Testing

/// A form as somebody fills it in, and what the page then says beside which fields.
private struct FormExample: Sendable, CustomTestStringConvertible {
    let path: String
    let typed: [(String, String)]
    let faults: [String: String]

    init(_ path: String, _ typed: KeyValuePairs<String, String>, _ faults: [String: String]) {
        self.path = path
        self.typed = typed.map { ($0.key, $0.value) }
        self.faults = faults
    }

    var testDescription: String { "\(path): \(faults.keys.sorted().joined(separator: ", ")) of \(typed)" }
}

@Suite struct `Forms of the console` {
    private static let long = String(repeating: "n", count: 201)
    private static let sha256 = Array(repeating: "AB", count: 32).joined(separator: ":")

    private static let projects = [
        FormExample(
            "/console", ["id": "My Shop", "name": "Mine"], ["id": "A project id is 1 to 63 of a-z, 0-9 and -"]),
        FormExample("/console", ["id": "shop", "name": "Mine"], ["id": "There is a project with this id already"]),
        FormExample(
            "/console", ["id": "-", "name": long, "domain": "https://a.example/"],
            [
                "id": "does not begin with -", "name": "The name of a project has 1 to 100 characters",
                "domain": "Write the host alone",
            ]),
        FormExample("/console", ["id": "new", "domain": "*.example"], ["domain": "A wildcard needs two labels"]),
    ]

    private static let operators = [
        FormExample(
            "/console/operators", ["address": "ann", "role": "editor", "projects": "shop none"],
            [
                "address": "This is not an email address that Homing takes",
                "projects": "There is no project none. The ids stand under Projects.",
            ]),
        FormExample(
            "/console/operators", ["address": "ann@example.com", "role": "king"],
            ["role": "Choose owner, editor or viewer"]
        ),
        FormExample(
            "/console/operators", ["address": "ann@example.com", "role": "owner", "projects": "shop"],
            ["projects": "An owner is one of all projects"]),
        FormExample(
            "/console/operators", ["address": "owner0@example.com", "role": "editor"],
            ["address": "This person is an operator already. Change what they may do in the list."]),
        FormExample(
            "/console/operators", ["edit": "owner0@example.com", "was:role": "owner", "role": "editor"],
            ["role": "Nobody changes their own role: another owner does"]),
    ]

    private static let domains = [
        FormExample("domains", ["add": ""], ["add": "Write host, *.host or host:port"]),
        FormExample("domains", ["add": "https://shop.example/"], ["add": "Write the host alone"]),
        FormExample("domains", ["add": "shop.example:99999"], ["add": "The port must be a number"]),
        FormExample("link-domains", ["add": "ftp://go.example"], ["add": "without https://"]),
        FormExample("link-domains", ["add": "go.example/a//b"], ["add": "A prefix is made of letters"]),
        FormExample("link-domains", ["add": "go.example/healthz"], ["add": "This prefix is one of the server's own"]),
        FormExample("link-domains", ["add": "go.example:0"], ["add": "The port must be a number"]),
        FormExample(
            "link-domains", ["add": "go.other.example"],
            ["add": "Project other has the link domain go.other.example already"]),
    ]

    private static let projectSettings = [
        FormExample(
            "settings", ["was:displayName": "Shop", "displayName": ""],
            ["displayName": "The name of a project has 1 to 100 characters"]),
        FormExample("delete", ["id": "Shop"], ["id": "Type shop, the project's id."]),
    ]

    private static let apps = [
        FormExample(
            "apps", ["form": "apple", "bundle": "example", "team": "abc", "store": "id12", "scheme": "my scheme"],
            [
                "bundle": "An app id looks like com.example.app", "team": "A team id is ten capital letters and digits",
                "store": "An App Store id is 6 to 15 digits", "scheme": "A URL scheme is a letter and then letters",
            ]),
        FormExample("apps", ["form": "apple", "team": "ABCDE12345"], ["bundle": "An app id looks like"]),
        FormExample(
            "apps", ["form": "android", "package": "no", "fingerprints": "SHA1: AB:CD"],
            ["package": "An app id looks like com.example.app", "fingerprints": "There is no SHA-256 fingerprint"]),
        FormExample(
            "apps",
            [
                "form": "android", "package": "com.example.android",
                "fingerprints": (0..<41).map { _ in sha256 }.joined(separator: "\n"),
            ], ["fingerprints": "An app has at most 40 fingerprints of a kind"]),
    ]

    private static let settings = [
        FormExample(
            "sign-in",
            [
                "was:displayName": "Shop", "displayName": "", "was:passwordPolicyConfig.minPasswordLength": "6",
                "passwordPolicyConfig.minPasswordLength": "five", "was:notification.sendEmail.callbackUri": "",
                "notification.sendEmail.callbackUri": "javascript:alert(1)",
                "was:actionCodes.lifetimeSeconds.PASSWORD_RESET": "3600",
                "actionCodes.lifetimeSeconds.PASSWORD_RESET": "0", "was:notification.defaultLocale": "en",
                "notification.defaultLocale": "de!",
            ],
            [
                "displayName": "A name has 1 to 100 characters",
                "passwordPolicyConfig.minPasswordLength": "This takes a whole number from 6 to 30.",
                "notification.sendEmail.callbackUri": "This takes an https URL",
                "actionCodes.lifetimeSeconds.PASSWORD_RESET": "This takes a time from 1 second to 90 days.",
                "notification.defaultLocale": "This takes a language tag, such as de or pt-BR",
            ]),
        FormExample(
            "sign-in/advanced", ["was:idToken.algorithm": "RS256", "idToken.algorithm": "none"],
            ["idToken.algorithm": "This takes RS256 or ES256."]),
        FormExample(
            "sign-in",
            [
                "was:passwordPolicyConfig.minPasswordLength": "6", "passwordPolicyConfig.minPasswordLength": "12",
                "was:passwordPolicyConfig.maxPasswordLength": "1024", "passwordPolicyConfig.maxPasswordLength": "8",
            ], ["passwordPolicyConfig.maxPasswordLength": "No password is at least 12 and at most 8 characters long."]),
    ]

    private static let keys = [
        FormExample(
            "keys", ["do": "create", "name": long, "key": "short"],
            ["name": "The name of an API key has 1 to 100 characters", "key": "An API key has 8 to 128 letters"]),
        FormExample(
            "keys", ["do": "create", "name": "Apps", "key": TestHoming.apiKey],
            ["key": "A project has this key already"]),
        FormExample(
            "keys", ["do": "create-admin", "name": "", "expires": "soon"],
            ["name": "The name of an admin key has 1 to 100 characters", "expires": "The last day is a date"]),
        FormExample(
            "keys", ["do": "create-admin", "name": "back end", "expires": "2020-01-01"],
            ["expires": "This day is over"]),
        FormExample(
            "keys", ["do": "create-account", "name": long],
            ["name": "The name of a service account has 1 to 100 characters"]),
    ]

    private static let links = [
        FormExample(
            "links/new",
            [
                "link": "https://evil.example/", "domain": "go.shop.example", "suffix": "a b", "name": long,
                "do": "create",
            ],
            [
                "link": "domain is not authorised for this project. Add it under Domains",
                "suffix": "An ending is 1 to 100 letters", "name": "A name has 1 to 200 characters",
            ]),
        FormExample(
            "links/new", ["link": "", "domain": "go.shop.example", "do": "create"],
            ["link": "Type the destination, beginning with https://."]),
        FormExample(
            "links/new", ["link": "https://shop.example/", "domain": "none.example", "do": "create"],
            ["domain": "Choose one of the project's link domains."]),
        FormExample(
            "links/new",
            [
                "link": "https://shop.example/", "domain": "go.shop.example", "suffix": "healthz", "do": "create",
            ],
            ["suffix": "no path of the server's own"]),
        FormExample(
            "links/new",
            ["link": "https://sh op.example/", "domain": "go.shop.example", "do": "preview"],
            ["link": "The URL holds a space"]),
        FormExample(
            "links/new",
            [
                "link": "https://play.google.com/store/apps/details?id=com.example.none", "domain": "go.shop.example",
                "do": "create",
            ], ["link": "Register the app under Apps first"]),
        FormExample(
            "links/new",
            [
                "link": "https://shop.example/", "domain": "go.shop.example", "do": "create",
                "st": String(repeating: "t", count: 1025),
            ], ["st": "It is longer than 1024 bytes: shorten it."]),
        FormExample(
            "links/new", ["link": "https://go.shop.example/?link=x", "domain": "go.shop.example", "do": "create"],
            ["link": "The URL is itself a dynamic link"]),
        FormExample(
            "links/new",
            ["link": "https://shop.example/new", "domain": "go.shop.example", "suffix": "taken", "do": "create"],
            ["suffix": "This ending leads elsewhere already."]),
    ]

    private static let mails = [
        FormExample("mail", ["do": "test", "address": "nobody"], ["address": "This is not an email address"]),
        FormExample(
            "templates/PASSWORD_RESET/en",
            [
                "senderName": "a\u{2028}b", "senderLocalPart": "a b", "replyTo": "nobody", "subject": "%OTHER%",
                "text": "no link", "html": "<script>1</script>", "base": "0",
            ],
            [
                "senderName": "It is one line", "senderLocalPart": "can stand before the @, and a b cannot",
                "replyTo": "An email address looks like help@example.com", "subject": "There is no %OTHER% here",
                "text": "PASSWORD_RESET is mailed for its link", "html": "Line 1",
            ]),
        FormExample(
            "templates/PASSWORD_RESET/en", ["way": "test", "address": "nobody"],
            ["address": "This is not an email address"]),
        FormExample(
            "brand", ["color": "red", "support": "nobody", "postal": long],
            [
                "color": "A colour is written as #RRGGBB", "support": "An email address looks like",
                "postal": "A postal line is one line",
            ]),
        FormExample(
            "/console/me", ["do": "password", "password": "short"], ["password": "at least 10 characters"]),
        FormExample("/console/me", ["do": "password", "password": ""], ["password": "Type a password."]),
        FormExample(
            "/console/me", ["do": "password", "password": "1234567890"], ["password": "one of the most common"]),
        FormExample(
            "/console/me", ["do": "confirm", "secret": "AAAAAAAAAAAAAAAAAAAAAAAAAAA", "code": "000"],
            ["code": "This is not the code of now."]),
    ]

    @Test(arguments: projects + projectSettings + operators + domains + apps + settings + keys + links + mails)
    fileprivate func `each refusal stands beside its field, and what was typed stays`(example: FormExample) async throws
    {
        try await withHoming(linkDomains: ["go.shop.example"]) { homing in
            _ = try await homing.projects.create(
                id: "other", name: nil, apiKey: nil, authorizedDomains: [], linkDomains: ["go.other.example"],
                language: nil)
            let domain = try #require(try homing.shop.linkDomains.first)
            _ = try await homing.links.create(
                DynamicLinkParameters(link: "https://shop.example/a"), on: domain, of: homing.shop,
                ending: .custom("taken"), name: "Taken", by: .command)
            let before = try homing.shop
            try await withServer(homing) { server in
                let visitor = try await ConsoleVisitor(.owner, homing, server)
                let page = try await visitor.send(example.path, example.typed)
                #expect(page.status == 400)
                let faults = page.faults
                #expect(faults.keys.sorted() == example.faults.keys.sorted(), "\(faults)")
                for (name, words) in example.faults {
                    #expect(faults[name]?.contains(words) == true, "\(faults[name] ?? "nothing") beside \(name)")
                }
                #expect(faults.values.allSatisfy { !$0.contains("passwordPolicyConfig") && !$0.contains("homing ") })
                for (name, value) in example.typed where example.faults[name] != nil && name != "password" {
                    let isChoice = ["role", "domain", "idToken.algorithm"].contains(name)
                    guard example.path != "/console", !isChoice, !["code"].contains(name) else { continue }
                    let escaped = value.replacing("<", with: "&lt;").replacing(">", with: "&gt;")
                    #expect(page.values(of: name).contains(escaped), "\(name)")
                }
                #expect(try homing.shop == before)
                #expect(try await homing.operators.list().map(\.address) == ["owner0@example.com"])
            }
        }
    }

    @Test func `two people who change the same settings both see what the other one has said`() async throws {
        try await withHoming { homing in
            try await withServer(homing) { server in
                let visitor = try await ConsoleVisitor(.editor, homing, server)
                let (length, flag) = ("passwordPolicyConfig.minPasswordLength", "signIn.anonymous.enabled")
                try await homing.projects.set("shop", length, to: "9")
                try await homing.projects.set("shop", flag, to: "false")
                let page = try await visitor.send(
                    "sign-in",
                    [
                        ("was:\(length)", "6"), (length, "12"), ("was:\(flag)", "true"), (flag, "true"),
                        ("was:displayName", "Shop"), ("displayName", "Store"),
                    ])
                #expect(page.status == 409 && page.text.contains("Somebody else has changed a setting meanwhile"))
                #expect(page.faults == [length: "This is 9 by now, it was 6 when you began."])
                #expect(page.value(of: length) == "12" && page.value(of: "displayName") == "Store")
                #expect(page.value(of: "was:\(length)") == "9", "saving again is a choice")
                #expect(try homing.shop.name == "Shop")
            }
        }
    }

    @Test func `a part that a form leaves out stays as it is`() async throws {
        try await withHoming { homing in
            try await homing.projects.setBrand(BrandChange(supportAddress: "help@shop.example"), of: "shop")
            try await withServer(homing) { server in
                let visitor = try await ConsoleVisitor(.editor, homing, server)
                #expect(try await visitor.send("brand", [("color", "#123456")]).status == 303)
                let brand = try homing.shop.brand
                #expect(brand.color?.text == "#123456" && brand.supportAddress?.text == "help@shop.example")
            }
        }
    }

    @Test func `what no form of a page does is not found`() async throws {
        try await withHoming { homing in
            let before = try homing.shop
            try await withServer(homing) { server in
                let visitor = try await ConsoleVisitor(.owner, homing, server)
                for (path, name) in [
                    ("apps", "form"), ("brand", "way"), ("keys", "do"), ("mail", "do"), ("links/new", "do"),
                    ("templates/PASSWORD_RESET/en", "way"), ("/console/me", "do"),
                ] {
                    let page = try await visitor.send(path, [(name, "nothing"), ("address", "ann@example.com")])
                    #expect(page.status == 404, "\(path)")
                }
                #expect(try homing.shop == before)
            }
        }
    }

    @Test func `a form that no field is to blame for leads back to its page`() async throws {
        try await withHoming { homing in
            try await withServer(homing) { server in
                let visitor = try await ConsoleVisitor(.owner, homing, server)
                let refused = try await visitor.send("keys", [("do", "revoke"), ("key", TestHoming.apiKey)])
                #expect(refused.status == 400 && refused.text.contains("This is the only API key of shop"))
                #expect(refused.text.contains("href=\"/console/projects/shop/keys\">Back to the page</a>"))
            }
        }
    }

    @Test func `everything that a project can set is on a page, and the server's limits are there to read`()
        async throws
    {
        try await withHoming(limits: .safe) { homing in
            try await withServer(homing) { server in
                let visitor = try await ConsoleVisitor(.viewer, homing, server)
                let (daily, advanced) = (
                    try await visitor.get("sign-in").text, try await visitor.get("sign-in/advanced").text
                )
                for key in ProjectSetting.all {
                    let page = key.group.isAdvanced ? advanced : daily
                    #expect(page.contains(" name=\"\(key.name)\""), "\(key.name)")
                    let shown = key.choices.filter { page.contains("<code>\($0.value)</code>") }
                    #expect(shown.isEmpty, "a hint names a choice as the list does")
                }
                #expect(daily.contains("Default: 1 hour.") && daily.contains("Default: 3 days."))
                #expect(daily.contains("Characters, a whole number from 6 to 30. Default: 6."))
                #expect(daily.contains("Default: en."))
                for row in Limits.rows {
                    let value = Limits.safe[keyPath: row.value]
                    // A hint may name the limit above the table.
                    let name = try #require(advanced.ranges(of: "<code>limits.\(row.name)</code>").last)
                    let before = advanced[..<name.lowerBound].suffix(60)
                    #expect(before.contains(">\(value)</td>"), "\(row.name)")
                    #expect(!advanced.contains(" name=\"limits.\(row.name)\""))
                }
                #expect(daily.utf8.count < 60_000 && advanced.utf8.count < 60_000)
            }
        }
    }

    @Test func `a mail too many is refused beside the address, where it was typed`() async throws {
        try await withHoming(limits: Limits(mailPerIPHour: 1)) { homing in
            try await withServer(homing) { server in
                let visitor = try await ConsoleVisitor(.editor, homing, server)
                let forms = [("mail", "do"), ("templates/PASSWORD_RESET/en", "way")]
                let typed = [("address", "ann@example.com")]
                #expect(try await visitor.send("mail", [("do", "test")] + typed).status == 303)
                for (path, verb) in forms {
                    let page = try await visitor.send(path, [(verb, "test")] + typed)
                    #expect(page.faults.keys.sorted() == ["address"] && page.faults["address"]?.hasSuffix(".") == true)
                    #expect(page.value(of: "address") == "ann@example.com")
                }
            }
        }
    }

    @Test func `what is wrong with a sign-in stands beside the address or the password`() async throws {
        try await withHoming(limits: Limits(mailPerAddressHour: 1, signInFailuresPerAccountHour: 1)) { homing in
            try await withServer(homing) { server in
                func send(_ way: String, _ address: String) async throws -> [String: String] {
                    let form = [("way", way), ("address", address), ("password", "wrong")]
                    return try await server.admin.post("/console/sign-in", form: form).faults
                }
                #expect(try await send("link", "ann")["address"]?.hasPrefix("This is not an email address") == true)
                #expect(try await send("link", "ann@example.com").isEmpty)
                #expect(try await send("link", "ann@example.com")["address"]?.hasPrefix("Too many attempts") == true)
                let wrong = try await send("password", "ann@example.com")
                #expect(wrong["password"]?.hasPrefix("Address, password or code is wrong") == true && wrong.count == 1)
                #expect(try await send("password", "ann@example.com")["password"]?.hasPrefix("Too many") == true)
            }
        }
    }
}
