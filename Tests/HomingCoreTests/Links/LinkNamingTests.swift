// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
import HomingProjects
import HomingShortLinks
import HomingStore
import HomingTesting
import HomingWire
import Testing

/// Finding the link that somebody means.
@Suite struct LinkNamingTests {
    private static let domains = ["go.shop.example", "go.shop.example/app", "z\u{FC}rich.example"]

    private static func make(_ ending: String, on index: Int = 0, in homing: TestHoming) async throws {
        _ = try await homing.links.create(
            DynamicLinkParameters(link: "https://shop.example/\(index)"), on: homing.shop.linkDomains[index],
            of: homing.shop, ending: .custom(LinkSuffix(ending)), by: .command)
    }

    private static func named(_ text: String, in homing: TestHoming) async throws -> String? {
        try await homing.links.named(text, in: homing.shop).map { link, domain in
            #expect(domain.text == link.domain)
            return "\(domain.text)/\(link.suffix)"
        }
    }

    @Test(arguments: [
        "https://go.shop.example/spring", "http://go.shop.example/spring", "HTTPS://GO.Shop.example/spring",
        "go.shop.example/spring", "https://go.shop.example:443/spring", "https://go.shop.example/spring/",
        "https://go.shop.example/spring?utm_source=mail&a=b", "https://go.shop.example/spring#top",
        "https://go.shop.example/spring/?d=1", "https://go.shop.example/%73pring", "go.shop.example/spring\u{200B}",
        "(https://go.shop.example/spring).", "<https://go.shop.example/spring>",
        "\u{201C}go.shop.example/spring\u{201D}", "  https://go.shop.example/spring\n",
        "spring", "/spring", "spring/", "spring.", "%73pring", "spring?utm_source=mail",
    ])
    func `any spelling that people paste finds its link`(text: String) async throws {
        try await withHoming(linkDomains: Self.domains) { homing async throws in
            try await Self.make("spring", in: homing)
            #expect(try await Self.named(text, in: homing) == "go.shop.example/spring")
        }
    }

    @Test(arguments: [
        "", "/", "?", "https://", "https://go.shop.example", "https://go.shop.example/",
        "https://go.shop.example/Spring", "https://go.shop.example/spring/x",
        "https://go.shop.example.evil.example/spring", "https://spring", "https://evil.example/spring",
        "ftp://go.shop.example/spring", "https://x@go.shop.example/spring",
        "https://go.shop.example:8443/spring", "go.shop.example\\spring", "https://go.shop.example/%2573pring",
        "https://go.shop.example/?link=https://go.shop.example/spring", "spring\u{202E}", "sprin", "springs",
        "spring\0",
    ])
    func `what names no link or another finds none`(text: String) async throws {
        try await withHoming(linkDomains: Self.domains) { homing async throws in
            try await Self.make("spring", in: homing)
            #expect(try await Self.named(text, in: homing) == nil)
        }
    }

    @Test func `a link on a second domain is found by its URL, and by its ending where no other has it`() async throws {
        try await withHoming(linkDomains: Self.domains) { homing async throws in
            try await Self.make("sale", on: 1, in: homing)
            try await Self.make("markt", on: 2, in: homing)
            #expect(try await Self.named("go.shop.example/app/sale/", in: homing) == "go.shop.example/app/sale")
            #expect(try await Self.named("sale", in: homing) == "go.shop.example/app/sale")
            #expect(try await Self.named("https://go.shop.example/sale", in: homing) == nil)
            let international = try await Self.named("https://z\u{FC}rich.example/markt", in: homing)
            #expect(international == "xn--zrich-kva.example/markt")
            try await Self.make("sale", on: 2, in: homing)
            #expect(try await Self.named("sale", in: homing) == nil, "two have it, and neither is the default")
            try await Self.make("sale", in: homing)
            #expect(try await Self.named("sale", in: homing) == "go.shop.example/sale", "the default goes first")
        }
    }

    @Test func `an archived link is found, one of another project is not`() async throws {
        try await withHoming(linkDomains: Self.domains) { homing async throws in
            try await Self.make("spring", in: homing)
            try await homing.links.archive(
                LinkSuffix("spring"), on: homing.shop.linkDomains[0], of: homing.shop, true, by: .command)
            #expect(try await Self.named("spring", in: homing) == "go.shop.example/spring")
            let other = try await homing.projects.create(
                id: "other", name: nil, apiKey: nil, authorizedDomains: [], linkDomains: ["go.other.example"],
                language: nil, by: .command)
            #expect(try await homing.links.named("https://go.shop.example/spring", in: other) == nil)
            #expect(try await homing.links.named("spring", in: other) == nil)
        }
    }
}
