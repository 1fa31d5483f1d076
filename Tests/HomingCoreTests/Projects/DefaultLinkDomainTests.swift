// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingStore
import HomingTesting
import Testing

@Suite struct `The default link domain` {
    @Test func `is the first one until another is chosen, and nothing else changes`() async throws {
        try await withHoming(linkDomains: ["go.shop.example", "links.shop.example"]) { homing in
            #expect(try homing.shop.defaultLinkDomain?.text == "go.shop.example")
            try await homing.projects.setDefaultLinkDomain("https://links.shop.example/", of: "shop", by: .command)
            #expect(try homing.shop.defaultLinkDomain?.text == "links.shop.example")
            #expect(try homing.shop.linkDomains.map(\.text).sorted() == ["go.shop.example", "links.shop.example"])
            try await homing.projects.setDefaultLinkDomain("go.shop.example", of: "shop", by: .command)
            #expect(try homing.shop.defaultLinkDomain?.text == "go.shop.example")
        }
    }

    @Test(arguments: ["other.example", "shop.page.link", "not a host"])
    func `is one of the project's, on which links arrive`(text: String) async throws {
        try await withHoming(linkDomains: ["go.shop.example", "shop.page.link"]) { homing async throws in
            await #expect(throws: Refusal.self) {
                try await homing.projects.setDefaultLinkDomain(text, of: "shop", by: .command)
            }
            #expect(try homing.shop.defaultLinkDomain?.text == "go.shop.example")
        }
    }

    @Test(arguments: [
        ("https://go.example/", "go.example"), ("HTTP://Go.Example/app/", "go.example/app"),
        (" go.example ", "go.example"),
        ("zürich.example", "xn--zrich-kva.example"),
    ])
    func `and any other is taken as it is pasted`(text: String, domain: String) throws {
        #expect(try LinkDomain(typed: text).text == domain)
    }
}
