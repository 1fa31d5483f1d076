// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCore
import HomingProjects
import HomingStore
import HomingTesting
import HomingWire
import Testing

/// The forms of an action link (docs/wire.md), byte for byte, in every combination.
@Suite struct LinkShapeTests {
    enum App: String, CaseIterable, Sendable {
        case none, apple, android, androidInstalled, both
    }

    enum Domain: String, CaseIterable, Sendable {
        case none, linkDomain, dynamicLinkDomain, both
    }

    private static let state = "https://shop.example/cart?item=7&note=a%20b+c#top"
    private static let handler = "\(TestWorld.publicURL)/__/auth/action"

    /// Percent-encodes every byte but the unreserved ones of RFC 3986, with Foundation's code and not the product's.
    private func encoded(_ text: String) -> String {
        let unreserved = CharacterSet(
            charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        return text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    private func wrapped(_ link: String, _ app: App, _ domain: Domain, host: String) -> String {
        let link = encoded(link)
        guard domain == .dynamicLinkDomain else { return "https://\(host)/__/auth/links?link=\(link)" }
        let android = "&apn=com.example.android&amv=12"
        let apple = "&ibi=com.example.ios&ifl=\(link)"
        return "https://\(host)/?link=\(link)"
            + [
                App.none: "", .apple: apple, .android: "\(android)&afl=\(link)", .androidInstalled: android,
                .both: "\(android)\(apple)&afl=\(link)",
            ][app, default: ""]
    }

    private func body(_ app: App, _ domain: Domain, inApp: Bool, state: String = Self.state) -> String {
        var members: [(String, JSON)] = [
            ("requestType", "PASSWORD_RESET"), ("email", .string(TestHoming.ann)), ("returnOobLink", true),
            ("continueUrl", .string(state)), ("canHandleCodeInApp", .bool(inApp)),
        ]
        if app == .apple || app == .both { members.append(("iOSBundleId", "com.example.ios")) }
        if app != .none, app != .apple {
            members += [("androidPackageName", "com.example.android"), ("androidMinimumVersion", "12")]
        }
        if app == .androidInstalled { members.append(("androidInstallApp", true)) }
        if domain == .linkDomain || domain == .both { members.append(("linkDomain", "second.example/l")) }
        if domain == .dynamicLinkDomain || domain == .both { members.append(("dynamicLinkDomain", "second.example/l")) }
        return String(decoding: JSON.object(JSON.Object(members)).write(pretty: false), as: UTF8.self)
    }

    private func link(_ server: LiveServer, _ body: String) async throws -> (link: String, code: String) {
        let answer = try await server.admin.post(
            "/v1/projects/shop/accounts:sendOobCode", json: body, headers: [("Authorization", "Bearer owner")])
        #expect(answer.status == 200, "\(answer.text)")
        return (answer.string("oobLink") ?? "", answer.string("oobCode") ?? "none")
    }

    @Test func `a link has its form for every combination of app, domain and who handles the code`()
        async throws
    {
        try await withHoming(linkDomains: ["first.example", "second.example/l"]) { homing in
            try await homing.account(TestHoming.ann)
            try await withServer(homing, acceptsOwner: true) { server in
                for app in App.allCases {
                    for domain in Domain.allCases {
                        let host = domain == .none ? "first.example" : "second.example/l"
                        for inApp in [true, false] {
                            let (link, code) = try await link(server, body(app, domain, inApp: inApp))
                            #expect(code.utf8.count == 54)
                            let action = [("mode", "resetPassword"), ("oobCode", code)]
                            let key = [("apiKey", TestHoming.apiKey)]
                            let back = inApp || app == .none ? Self.state : wrapped(Self.state, app, domain, host: host)
                            let query =
                                (inApp ? key + action : action + key) + [("continueUrl", encoded(back))]
                            let plain = Self.handler + "?" + query.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
                            let expected = inApp && app != .none ? wrapped(plain, app, domain, host: host) : plain
                            #expect(
                                link.utf8.elementsEqual(expected.utf8),
                                "\(app) \(domain) in app \(inApp)\n\(link)\n\(expected)")
                        }
                    }
                }
            }
        }
    }

    @Test func `the longest continue URL makes a link that opens, in every form`() async throws {
        let base = "https://shop.example/?"
        let longest = base + String(repeating: "/{", count: (2_048 - base.utf8.count) / 2)
        try await withHoming(linkDomains: ["first.example", "second.example/l"]) { homing in
            try await homing.account(TestHoming.ann)
            try await withServer(homing, acceptsOwner: true) { server in
                let forms: [(App, Domain)] = [
                    (.none, .none), (.both, .linkDomain), (.both, .dynamicLinkDomain), (.apple, .dynamicLinkDomain),
                ]
                for (app, domain) in forms {
                    for inApp in [true, false] {
                        let body = body(app, domain, inApp: inApp, state: longest)
                        let (link, code) = try await link(server, body)
                        var page = try await server.open(link)
                        if inApp, app != .none {
                            #expect(page.status == 302, "\(app) \(domain): \(page.status)")
                            page = try await server.open(page.header("Location"))
                        }
                        #expect(page.status == 200, "\(app) \(domain) in app \(inApp): \(page.status)")
                        let form = try #require(page.form)
                        #expect(form["oobCode"] == code)
                        let done = try await server.client.post(
                            form.action, form: form.fields + [("newPassword", "a long and lonely password")])
                        let onward = try #require(done.continueHref)
                        guard !onward.utf8.elementsEqual(longest.utf8) else { continue }
                        #expect(!inApp && app != .none)
                        let last = try await server.open(onward)
                        #expect(last.header("Location")?.utf8.elementsEqual(longest.utf8) == true, "\(app) \(domain)")
                    }
                }
            }
        }
    }

    @Test func `without a link domain every link is the plain one and carries the caller's URL`() async throws {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann)
            try await withServer(homing, acceptsOwner: true) { server in
                for app in App.allCases {
                    let (link, code) = try await link(server, body(app, .none, inApp: false))
                    let expected =
                        "\(Self.handler)?mode=resetPassword&oobCode=\(code)&apiKey=\(TestHoming.apiKey)"
                        + "&continueUrl=\(encoded(Self.state))"
                    #expect(link.utf8.elementsEqual(expected.utf8), "\(app)")
                }
                // The SDK always names its bundle id, also in a project that has no link domain yet.
                let (link, code) = try await link(server, body(.apple, .none, inApp: true))
                let expected =
                    "\(Self.handler)?apiKey=\(TestHoming.apiKey)&mode=resetPassword&oobCode=\(code)"
                    + "&continueUrl=\(encoded(Self.state))"
                #expect(link.utf8.elementsEqual(expected.utf8))
                // A domain that is named is another matter.
                let refused = try await server.admin.post(
                    "/v1/projects/shop/accounts:sendOobCode", json: body(.apple, .dynamicLinkDomain, inApp: true),
                    headers: [("Authorization", "Bearer owner")])
                #expect(refused.errorMessage == "DYNAMIC_LINK_NOT_ACTIVATED : add a link domain")
            }
        }
    }

    @Test func `without a continue URL the parameter is not there`() async throws {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann)
            try await withServer(homing, acceptsOwner: true) { server in
                for (type, mode) in [
                    ("PASSWORD_RESET", "resetPassword"), ("VERIFY_EMAIL", "verifyEmail"), ("EMAIL_SIGNIN", "signIn"),
                ] {
                    let (link, code) = try await link(
                        server, #"{"requestType":"\#(type)","email":"\#(TestHoming.ann)","returnOobLink":true}"#)
                    #expect(link == "\(Self.handler)?mode=\(mode)&oobCode=\(code)&apiKey=\(TestHoming.apiKey)")
                }
            }
        }
    }

    @Test(
        arguments: [
            (nil, nil), ("de", "de"), ("pt_br", "pt-BR"), ("ZH-hans_cn", "zh-Hans-CN"), ("tlh", "tlh"),
            ("de_AT.UTF-8", nil), ("d", nil), ("en-US,en;q=0.9", nil), ("", nil),
        ] as [(String?, String?)])
    func `a link names the language that the request names, and none where it names none`(
        named: String?, shown: String?
    ) async throws {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann)
            try await homing.projects.set("shop", "notification.defaultLocale", to: "it")
            try await withServer(homing) { server in
                let answer = try await server.call(
                    "accounts:sendOobCode", [("requestType", "PASSWORD_RESET"), ("email", TestHoming.ann)],
                    headers: named.map { [("X-Firebase-Locale", $0)] } ?? [])
                #expect(answer.status == 200)
                let mail = try #require(try await homing.deliver().first)
                #expect(mail.actionLink?.language == shown)
                #expect(mail.links.first?.contains("&lang=") == (shown != nil))
                let spoken = ["pt-BR": "pt-BR", "zh-Hans-CN": "zh-Hans", "de": "de"][shown ?? "", default: "it"]
                #expect(mail.header("Content-Language") == spoken)
            }
        }
    }

    @Test func `an operator's own handler leads every link`() async throws {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann)
            try await homing.projects.set(
                "shop", "notification.sendEmail.callbackUri", to: "https://shop.example/act?theme=dark")
            try await withServer(homing, acceptsOwner: true) { server in
                let (link, code) = try await link(
                    server, #"{"requestType":"VERIFY_EMAIL","email":"\#(TestHoming.ann)","returnOobLink":true}"#)
                #expect(
                    link == "https://shop.example/act?theme=dark&mode=verifyEmail&oobCode=\(code)"
                        + "&apiKey=\(TestHoming.apiKey)")
            }
        }
    }

    @Test func `no request header ever shows in a link`() async throws {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann)
            try await withServer(homing) { server in
                let answer = try await server.client.send(
                    "POST", LiveServer.path("accounts:sendOobCode"),
                    headers: [
                        ("X-Forwarded-Host", "evil.example"), ("X-Forwarded-Proto", "gopher"),
                        ("Forwarded", "host=evil.example"), ("Origin", "https://evil.example"),
                        ("Referer", "https://evil.example/"), ("X-Original-URL", "https://evil.example/"),
                    ],
                    host: "evil.example",
                    body: Array(#"{"requestType":"PASSWORD_RESET","email":"\#(TestHoming.ann)"}"#.utf8))
                #expect(answer.status == 200)
                let mail = try #require(try await homing.deliver().first)
                #expect(!mail.source.contains("evil.example") && !mail.text.contains("evil.example"))
                #expect(mail.actionLink?.handler == Self.handler)
            }
        }
    }
}
