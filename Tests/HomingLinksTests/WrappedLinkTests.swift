// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingLinks
import HomingWire
import Testing

/// Links of mails that a link domain has wrapped, `/__/auth/links?link=`.
@Suite struct WrappedLinkTests {
    private static let domain = "https://links.shop.example"
    private static let action =
        "https://auth.shop.example/__/auth/action?mode=signIn&oobCode=the-code&apiKey=hk_1"
        + "&continueUrl=https%3A%2F%2Fwww.shop.example%2F%3Fa%3Db%26c%3Dd%23e&lang=en"

    private static func wrapped(_ link: String, by base: String = domain) throws -> URL {
        try Sample.url(WrappedLink.authLink(link, base: base))
    }

    @Test(arguments: [action, Sample.content, "https://www.shop.example/?link=https%3A%2F%2Fother.example%2F"])
    func `the link inside is the deep link, byte for byte, and the server is told nothing`(inner: String) async throws {
        let server = PlayedServer { _ in throw URLError(.notConnectedToInternet) }
        let links = try server.links()
        for base in [Self.domain, "https://shop.example/app", "https://auth.shop.example"] {
            let url = try Self.wrapped(inner, by: base)
            let link = try #require(try await links.handleUniversalLink(url))
            #expect(link.url?.absoluteString == inner)
            #expect(link.matchType == .unique)
            #expect(link.minimumAppVersion == nil)
            #expect(link.utmParametersDictionary.isEmpty)
            let read: () -> DynamicLink? = { links.dynamicLink(fromUniversalLink: url) }
            #expect(read() == link)
            #expect(try await links.dynamicLink(fromUniversalLink: url) as DynamicLink == link)
            let handled = await withCheckedContinuation { continuation in
                let isOurs = links.handleUniversalLink(url) { link, error in
                    continuation.resume(returning: (link, error))
                }
                #expect(isOurs)
            }
            #expect(handled.0 == link)
            #expect(handled.1 == nil)
            #expect(!links.matchesShortLinkFormat(url))
        }
        #expect(server.calls.isEmpty)
    }

    @Test func `a dynamic link inside is read like one alone`() async throws {
        let server = PlayedServer(200, Sample.resolved)
        let links = try server.links()
        let long = try #require(try await links.handleUniversalLink(try Self.wrapped(Sample.long)))
        #expect(long.url?.absoluteString == Sample.content)
        #expect(long.minimumAppVersion == "2.1")
        try await until { server.calls.count == 1 }
        let short = try #require(try await links.handleUniversalLink(try Self.wrapped(Sample.short)))
        #expect(short == long)
        let twice = try Self.wrapped(try Self.wrapped(Sample.content).absoluteString)
        #expect(try await links.handleUniversalLink(twice)?.url?.absoluteString == Sample.content)
        // The server knows the link, not its wrapper.
        #expect(server.calls.map(\.members) == [["requestedLink": Sample.long], ["requestedLink": Sample.short]])
    }

    @Test func `wrappers within wrappers have an end`() async throws {
        var link = Sample.content
        for _ in 0..<10 { link = WrappedLink.authLink(link, base: Self.domain) }
        #expect(try await PlayedServer().links().handleUniversalLink(try Sample.url(link)) == nil)
    }

    @Test(arguments: [
        "https://elsewhere.example/__/auth/links?link=https%3A%2F%2Fwww.shop.example%2F",
        "https://links.shop.example.evil.example/__/auth/links?link=https%3A%2F%2Fwww.shop.example%2F",
        "https://links.shop.example@evil.example/__/auth/links?link=https%3A%2F%2Fwww.shop.example%2F",
        "https://links.shop.example/__/auth/links", "https://links.shop.example/__/auth/links?link=",
        "https://links.shop.example/__/auth/links?other=https%3A%2F%2Fwww.shop.example%2F",
        "https://links.shop.example/__/auth/links?link=https%3A%2F%2Fa.example&link=https%3A%2F%2Fb.example",
        "https://links.shop.example/__/auth/action?mode=signIn&oobCode=the-code&apiKey=hk_1",
        "https://links.shop.example/__/auth/links?link=javascript%3Aalert%281%29",
        "https://links.shop.example/__/auth/links?link=otherapp%3A%2F%2Fpay",
        "https://links.shop.example/__/auth/links?link=file%3A%2F%2F%2Fetc%2Fpasswd",
        "https://links.shop.example/__/auth/links?link=https%3A%2F%2Fwww.shop.example%40evil.example%2F",
        "https://links.shop.example/__/auth/links?link=%2F%2Fevil.example%2F",
    ])
    func `what is wrapped elsewhere, or leads out of the web, is no link of this app`(text: String) async throws {
        let server = PlayedServer()
        let links = try server.links()
        let url = try Sample.url(text)
        #expect(try await links.handleUniversalLink(url) == nil)
        await #expect(throws: DynamicLinksError.self) {
            try await links.dynamicLink(fromUniversalLink: url) as DynamicLink
        }
        #expect(try await links.checkForPendingDynamicLink(in: text) == nil)
        #expect(server.calls.isEmpty)
    }

    @Test func `a wrapped link that a person pasted is read on the device: its code is not shown to the statistics`()
        async throws
    {
        let server = PlayedServer()
        let text = " \(try Self.wrapped(Self.action).absoluteString)\n"
        let link = try #require(try await server.links().checkForPendingDynamicLink(in: text))
        #expect(link.url?.absoluteString == Self.action)
        #expect(server.calls.isEmpty)
    }
}
