// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingStore
import HomingTesting
import HomingWire
import Testing

/// The target of a wrapped link that no app takes: our own handler or an authorised domain, and nothing else.
@Suite struct AuthLinksTests {
    private static let action =
        "\(TestWorld.publicURL)/__/auth/action?apiKey=\(TestHoming.apiKey)&mode=verifyEmail&oobCode=abc&lang=en"

    private func hop(_ server: LiveServer, _ base: String, _ link: String) async throws -> RESTAnswer {
        try await server.open("\(base)link=\(percentEncoded(link))")
    }

    @Test func `a link domain leads to the handler and to authorised domains`() async throws {
        try await withHoming(linkDomains: ["go.shop.example", "pages.example/l"]) { homing in
            try await withServer(homing) { server in
                for base in [
                    "https://go.shop.example/?", "https://go.shop.example/__/auth/links?", "https://pages.example/l/?",
                    "https://pages.example/l?", "https://pages.example/l/__/auth/links?",
                ] {
                    for link in [
                        Self.action, "https://shop.example/a?b=c#d", "https://www.shop.example/",
                        "http://www.shop.example/",
                    ] {
                        let answer = try await hop(server, base, link)
                        #expect(answer.status == 302, "\(base) \(link)")
                        #expect(answer.header("Location")?.utf8.elementsEqual(link.utf8) == true)
                        #expect(answer.header("Cache-Control") == "no-store")
                        #expect(answer.header("Referrer-Policy") == "no-referrer")
                    }
                }
            }
        }
    }

    @Test(arguments: [
        "https://evil.example/", "https://auth.shop.example.evil.example/__/auth/action?x", "javascript:alert(1)",
        "//evil.example/", "/relative", "https://shop.example@evil.example/", "https://evil.example\\@shop.example/",
        "https://shop.example%2eevil.example/", "http://www.shop.example/?oobCode=abc",
        "https://shop.example\r\nSet-Cookie: a=b",
        "",
        "intent://shop.example/#Intent;end", "data:text/html,x",
    ])
    func `it leads nowhere else`(link: String) async throws {
        try await withHoming(linkDomains: ["go.shop.example"]) { homing in
            try await withServer(homing) { server in
                for base in [
                    "https://go.shop.example/?", "https://go.shop.example/__/auth/links?",
                    "https://auth.shop.example/__/auth/links?",
                ] {
                    let answer = try await hop(server, base, link)
                    #expect(answer.status == 400)
                    #expect(answer.header("Location") == nil)
                }
            }
        }
    }

    @Test func `one project's link domain does not lead to another's pages`() async throws {
        try await withHoming(linkDomains: ["go.shop.example"]) { homing in
            _ = try await homing.projects.create(
                id: "other", name: nil, apiKey: nil, authorizedDomains: ["other.example"],
                linkDomains: ["go.other.example"], language: nil)
            try await withServer(homing) { server async throws in
                #expect(try await hop(server, "https://go.shop.example/?", "https://other.example/").status == 400)
                #expect(try await hop(server, "https://go.other.example/?", "https://shop.example/").status == 400)
                #expect(try await hop(server, "https://go.other.example/?", "https://other.example/").status == 302)
            }
        }
    }

    @Test func `a second link parameter, a foreign host and other paths are not followed`() async throws {
        try await withHoming(linkDomains: ["go.shop.example", "pages.example/l"]) { homing in
            try await withServer(homing) { server async throws in
                let link = percentEncoded(Self.action)
                for (url, status) in [
                    ("https://go.shop.example/?link=\(link)&link=\(link)x", 400),
                    ("https://nobody.example/?link=\(link)", 404),
                    ("https://pages.example/?link=\(link)", 404), ("https://pages.example/lx?link=\(link)", 404),
                    ("https://go.shop.example/short?link=\(link)", 404), ("https://go.shop.example/", 404),
                ] {
                    #expect(try await server.open(url).status == status, "\(url)")
                }
            }
        }
    }

    @Test func `on our own host the API key inside tells the project`() async throws {
        try await withHoming { homing in
            try await withServer(homing) { server async throws in
                let base = "\(TestWorld.publicURL)/__/auth/links?"
                #expect(try await hop(server, base, Self.action).status == 302)
                let foreign = Self.action.replacing(TestHoming.apiKey, with: "nobody")
                #expect(try await hop(server, base, foreign).status == 400)
                #expect(try await hop(server, base, "https://shop.example/").status == 400)
            }
        }
    }
}
