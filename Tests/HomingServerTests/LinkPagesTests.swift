// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
import HomingStore
import HomingTesting
import HomingWire
import Testing

/// The answers to a click, over HTTP.
@Suite struct LinkPagesTests {
    private static let phone = (
        "User-Agent",
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 "
            + "Mobile/15E148 Safari/604.1"
    )

    private static func withLinks(_ body: (TestHoming, LiveServer) async throws -> Void) async throws {
        try await withHoming(linkDomains: ["go.shop.example"]) { homing in
            try await homing.projects.addApp(
                RegisteredApp(platform: .apple, id: "com.shop.app", teamID: "ABCDE12345"), to: "shop")
            try await withServer(homing) { try await body(homing, $0) }
        }
    }

    @Test func `a link as long as mails have it opens on an iPhone's page`() async throws {
        try await Self.withLinks { _, server in
            let payload = "https://shop.example/?q=" + String(repeating: "a", count: 1900)
            let encoded = percentEncoded(payload)
            let link = "https://go.shop.example/?link=\(encoded)&ibi=com.shop.app&ifl=\(encoded)"
            let hop = try await server.open(link, headers: [Self.phone])
            #expect(hop.status == 302)
            let page = try await server.open(hop.header("Location"), headers: [Self.phone])
            #expect(page.status == 200)
            #expect(page.text.contains("_open=1"))
        }
    }

    @Test func `a macro that an ad network left in the query breaks no page`() async throws {
        try await Self.withLinks { _, server in
            let link =
                "https://go.shop.example/?link=https%3A%2F%2Fshop.example%2F&ibi=com.shop.app&utm_campaign={c}|%5E"
            let hop = try await server.open(link, headers: [Self.phone])
            let page = try await server.open(hop.header("Location"), headers: [Self.phone])
            #expect(page.status == 200)
        }
    }

    @Test func `a code that slipped into a parameter's name is shown nowhere`() async throws {
        let code = String(repeating: "aB3_", count: 13) + "-9"
        try await Self.withLinks { _, server in
            let inner = "https%3A%2F%2Fauth.shop.example%2F__%2Fauth%2Faction%3Fmode%3DresetPassword"
            for tail in [
                "&oobCode%3D\(code)&d=1", "&oobCode%3D\(code)%ff", "&oobCode%00\(code)", "&oobCode=\(code)&d=1",
            ] {
                let answer = try await server.open("https://go.shop.example/?link=\(inner)\(tail)")
                #expect(!answer.text.contains(code), "\(tail)")
            }
        }
    }

    @Test func `HEAD tells the length of the page and counts nothing`() async throws {
        try await Self.withLinks { homing, server async throws in
            let crawler = ("User-Agent", "WhatsApp/2.23")
            let path = "/?link=https%3A%2F%2Fshop.example%2F&st=Spring"
            let get = try await server.client.get(path, headers: [crawler], host: "go.shop.example")
            let head = try await server.client.send("HEAD", path, headers: [crawler], host: "go.shop.example")
            #expect(head.status == 200 && head.text.isEmpty)
            #expect(head.header("Content-Length") == get.header("Content-Length"))
        }
    }

    @Test func `thousands of names that mean nothing are not looked through again and again`() async throws {
        try await Self.withLinks { _, server in
            let names = (0..<2500).map { "a\($0)" }.joined(separator: "&")
            let answer = try await server.open(
                "https://go.shop.example/?link=https%3A%2F%2Fshop.example%2F&d=1&\(names)")
            #expect(answer.status == 200)
            #expect(answer.text.utf8.count < 65_536)
        }
    }

    @Test func `another spelling of a host is the same link domain`() async throws {
        try await Self.withLinks { homing, _ in
            _ = try await homing.projects.create(
                id: "other", name: nil, apiKey: nil, authorizedDomains: [], linkDomains: [], language: nil)
            for spelling in ["go.shop.example:80", "go.shop.example:443", "GO.shop.example"] {
                await #expect(throws: Refusal.self) { try await homing.projects.addLinkDomain(spelling, to: "other") }
            }
        }
    }
}
