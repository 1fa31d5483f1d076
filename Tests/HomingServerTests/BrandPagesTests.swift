// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingPages
import HomingProjects
import HomingServer
import HomingStore
import HomingTesting
import HomingTexts
import Testing

@Suite struct BrandPagesTests {
    private static let svg =
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 8 8\"><circle cx=\"4\" cy=\"4\" r=\"4\"/></svg>"
    private let page = "/__/auth/reset?apiKey=\(TestHoming.apiKey)&lang=en"

    @Test func `a page shows the logo, the colour and the lines below, and its policy names its styles`() async throws {
        try await withHoming { homing in
            try await homing.projects.setBrand(
                BrandChange(
                    logo: Array(Self.svg.utf8), color: "#FFE600", supportAddress: "help@shop.example",
                    postalLine: "Shop <b>, 1 Main Street"), of: "shop")
            try await withServer(homing) { server in
                let answer = try await server.client.get(page)
                let html = String(decoding: answer.body, as: UTF8.self)
                #expect(html.contains("<img class=\"logo\" src=\"/__/logo/shop?v="))
                #expect(
                    html.contains(
                        "<a href=\"mailto:help@shop.example\">help@shop.example</a><br>Shop &lt;b&gt;, 1 Main"))
                let styles = html.split(separator: "<style>").dropFirst()
                    .compactMap { $0.split(separator: "</style>").first.map { InlineSource(String($0)) } }
                #expect(styles.count == 2)
                let policy = try #require(answer.header("Content-Security-Policy"))
                #expect(policy.contains("style-src \(styles.map(\.hash).joined(separator: " "));"))
                #expect(!policy.contains("unsafe"))
            }
        }
    }

    @Test func `the logo is served for caches, runs nothing, and is gone with the brand`() async throws {
        try await withHoming { homing in
            try await withServer(homing) { server in
                #expect(try await server.client.get("/__/logo/shop").status == 404)
                try await homing.projects.setBrand(BrandChange(logo: Array(Self.svg.utf8)), of: "shop")
                let answer = try await server.client.get("/__/logo/shop?v=1")
                #expect(answer.status == 200 && answer.body == Array(Self.svg.utf8))
                #expect(answer.header("Content-Type") == "image/svg+xml")
                #expect(answer.header("X-Content-Type-Options") == "nosniff")
                #expect(
                    answer.header("Content-Security-Policy") == "default-src 'none'; style-src 'unsafe-inline'; sandbox"
                )
                let tag = try #require(answer.header("ETag"))
                let again = try await server.client.send("GET", "/__/logo/shop", headers: [("If-None-Match", tag)])
                #expect(again.status == 304 && again.body.isEmpty)
                #expect(try await server.client.get("/__/logo/nobody").status == 404)
                #expect(try await server.client.get("/__/logo/..%2fshop").status == 404)
                try await homing.projects.setBrand(.reset, of: "shop")
                #expect(try await server.client.get("/__/logo/shop").status == 404)
            }
        }
    }

    @Test func `a brand that is taken back leaves a page as it was`() async throws {
        try await withHoming { homing in
            try await withServer(homing) { server in
                func shown() async throws -> String {
                    let answer = try await server.client.get(page)
                    // The form's token changes with the time.
                    return String(decoding: answer.body, as: UTF8.self).replacing(
                        /name="token" value="[^"]*"/, with: "")
                }
                let before = try await shown()
                try await homing.projects.setBrand(BrandChange(color: "#FFE600"), of: "shop")
                #expect(try await shown() != before)
                try await homing.projects.setBrand(.reset, of: "shop")
                #expect(try await shown() == before)
            }
        }
    }
}
