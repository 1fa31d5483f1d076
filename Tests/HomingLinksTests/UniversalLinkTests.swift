// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingLinks
import HomingWire
import Testing

@Suite struct UniversalLinkTests {
    private static func check(_ link: DynamicLink?) {
        #expect(link?.url?.absoluteString == Sample.content)
        #expect(link?.matchType == .unique)
        #expect(link?.minimumAppVersion == "2.1")
        #expect(
            link?.utmParametersDictionary as? [String: String] == ["utm_source": "news", "utm_campaign": "spring sale"])
    }

    @Test func `a long link is read on the device, under a prefix with a path too`() async throws {
        let links = try PlayedServer().links()
        for prefix in ["https://links.shop.example", "https://shop.example/app", "https://example.page.link"] {
            let url = try Sample.url(Sample.long.replacingOccurrences(of: "https://links.shop.example", with: prefix))
            Self.check(try await links.handleUniversalLink(url))
            let asked: DynamicLink = try await links.dynamicLink(fromUniversalLink: url)
            Self.check(asked)
            let read: () -> DynamicLink? = { links.dynamicLink(fromUniversalLink: url) }
            Self.check(read())
        }
    }

    @Test func `a long link's statistics are asked for, and their failure is nobody's`() async throws {
        let server = PlayedServer { _ in throw URLError(.notConnectedToInternet) }
        let links = try server.links()
        let url = try Sample.url(Sample.long)
        Self.check(try await links.handleUniversalLink(url))
        let (link, error) = await withCheckedContinuation { continuation in
            let isOurs = links.handleUniversalLink(url) { link, error in continuation.resume(returning: (link, error)) }
            #expect(isOurs)
        }
        Self.check(link)
        #expect(error == nil)
        try await until { server.calls.count == 2 }
        for call in server.calls {
            #expect(call.path == "/firebasedynamiclinks.googleapis.com/v1/reopenAttribution")
            #expect(call.members == ["requestedLink": Sample.long])
        }
    }

    @Test(arguments: ["/", ".", "%20", "%E2%80%8B", ")%22"])
    func `a short link is the app's as a text has left it, and the server says which`(tail: String) async throws {
        let server = PlayedServer(200, Sample.resolved)
        let links = try server.links()
        let url = try Sample.url(Sample.short + tail)
        Self.check(try await links.handleUniversalLink(url))
        #expect(server.calls.map(\.members) == [["requestedLink": url.absoluteString]])
    }

    @Test func `what the Play Store tells of a link is read in both forms`() throws {
        let links = try PlayedServer().links()
        let pairs = "utm_source=news&utm_campaign=spring%20sale&link=https%3A%2F%2Fshop.example%2Fcart%3Fa%3Db"
        let link = try #require(links.dynamicLink(fromInstallReferrer: pairs))
        #expect(link.url?.absoluteString == "https://shop.example/cart?a=b")
        #expect(link.matchType == .unique)
        #expect(
            link.utmParametersDictionary as? [String: String] == ["utm_source": "news", "utm_campaign": "spring sale"])
        for alone in ["https://shop.example/cart?a=b", "https%3A%2F%2Fshop.example%2Fcart%3Fa%3Db"] {
            let link = links.dynamicLink(fromInstallReferrer: alone)
            #expect(link?.url?.absoluteString == "https://shop.example/cart?a=b")
        }
        for none in ["utm_source=google-play&utm_medium=organic", "", "link=javascript%3Aalert(1)"] {
            #expect(links.dynamicLink(fromInstallReferrer: none) == nil)
        }
    }

    @Test func `nobody waits for the statistics`() async throws {
        let server = PlayedServer { _ in
            try await Task.sleep(nanoseconds: 3_600_000_000_000)
            return (200, "{}")
        }
        Self.check(try await server.links().handleUniversalLink(try Sample.url(Sample.long)))
    }

    @Test func `a short link is resolved by the server, which is told the link and nothing else`() async throws {
        let server = PlayedServer(200, Sample.resolved)
        let links = try server.links()
        let url = try Sample.url(Sample.short)
        Self.check(try await links.handleUniversalLink(url))
        let resolved = try await links.resolveShortLink(url)
        #expect(
            resolved.absoluteString.hasPrefix(
                "example.shop.ios://google/link/?deep_link_id=https%3A%2F%2Fwww.shop.example%2Farticles"))
        #expect(links.shouldHandleDynamicLink(fromCustomSchemeURL: resolved))
        Self.check(links.dynamicLink(fromCustomSchemeURL: resolved))
        #expect(server.calls.map(\.members) == [["requestedLink": Sample.short], ["requestedLink": Sample.short]])
    }

    @Test func `completions come once, on the main queue`() async throws {
        let links = try PlayedServer(200, Sample.resolved).links()
        let url = try Sample.url(Sample.short)
        let (link, isMain) = await withCheckedContinuation { continuation in
            links.handleUniversalLink(url) { link, _ in continuation.resume(returning: (link, onMainQueue())) }
        }
        Self.check(link)
        #expect(isMain)
        let resolved = await withCheckedContinuation { continuation in
            links.resolveShortLink(url) { url, error in continuation.resume(returning: (url, error, onMainQueue())) }
        }
        Self.check(links.dynamicLink(fromCustomSchemeURL: try #require(resolved.0)))
        #expect(resolved.1 == nil && resolved.2)
        let long = try Sample.url(Sample.long)
        let read = await withCheckedContinuation { continuation in
            links.dynamicLink(fromUniversalLink: long) { link, error in continuation.resume(returning: (link, error)) }
        }
        Self.check(read.0)
        #expect(read.1 == nil)
    }

    @Test(arguments: [
        "https://www.shop.example/articles/7", "https://links.shop.example/",
        "https://links.shop.example/?link=app%3A%2F%2Fx",
        "https://links.shop.example/?a=b",
        "https://links.shop.example/?link=https%3A%2F%2Fa.example&link=https%3A%2F%2Fb.example",
        "https://links.shop.example@evil.example/Ab12",
        "https://links.shop.example.evil.example/?link=https%3A%2F%2Fa.example",
        "https://shop.example/application?link=https%3A%2F%2Fa.example", "mailto:ann@home.example", "x:",
    ])
    func `what is no dynamic link of this app is said not to be, and nothing is sent`(text: String) async throws {
        let server = PlayedServer()
        let links = try server.links()
        let url = try Sample.url(text)
        #expect(try await links.handleUniversalLink(url) == nil)
        let (link, error) = await withCheckedContinuation { continuation in
            let isOurs = links.handleUniversalLink(url) { link, error in continuation.resume(returning: (link, error)) }
            #expect(!isOurs)
        }
        #expect(link == nil)
        let bridged = try #require(error) as NSError
        #expect(bridged.domain == "com.firebase.dynamicLinks")
        #expect(bridged.code == 1)
        #expect(
            bridged.userInfo[NSLocalizedFailureReasonErrorKey] as? String
                == "Universal link URL could not be parsed by Dynamic Links.")
        await #expect(throws: DynamicLinksError.self) {
            try await links.dynamicLink(fromUniversalLink: url) as DynamicLink
        }
        #expect(server.calls.isEmpty)
    }

    @Test func `a refusal has Firebase's domain and the status of the answer`() async throws {
        let server = PlayedServer(404, #"{"error":{"code":404,"message":"there is no such link in this project"}}"#)
        let error = await #expect(throws: DynamicLinksError.self) {
            try await server.links().handleUniversalLink(try Sample.url(Sample.short))
        }
        let bridged = try #require(error) as NSError
        #expect(bridged.domain == "com.firebase.dynamicLinks")
        #expect(bridged.code == 404)
        #expect(bridged.localizedDescription == "there is no such link in this project")
    }

    @Test(arguments: ["", "{}", "[]", #"{"deepLink":""}"#, #"{"deepLink":7}"#, "<html>"])
    func `an answer that says nothing is an error and no crash`(text: String) async throws {
        let links = try PlayedServer(200, text).links()
        let url = try Sample.url(Sample.short)
        let error = await #expect(throws: DynamicLinksError.self) { try await links.handleUniversalLink(url) }
        #expect(error?.code == 0)
        await #expect(throws: DynamicLinksError.self) { try await links.resolveShortLink(url) }
    }

    @Test func `a server that is not reached is an error with its cause`() async throws {
        let links = try PlayedServer { _ in throw URLError(.timedOut) }.links()
        let error = await #expect(throws: DynamicLinksError.self) {
            try await links.handleUniversalLink(try Sample.url(Sample.short))
        }
        #expect(error?.code == 0)
        #expect((error?.underlyingError as? URLError)?.code == .timedOut)
    }

    @Test func `without a scheme a short link is handled all the same`() async throws {
        let links = try PlayedServer(200, Sample.resolved).links(schemes: [])
        let url = try Sample.url(Sample.short)
        Self.check(try await links.handleUniversalLink(url))
        let error = await #expect(throws: DynamicLinksError.self) { try await links.resolveShortLink(url) }
        #expect(error?.message.contains("linkDomains") == true)
    }

    @Test func `without an app long links are read and short ones say what is missing`() async throws {
        let links = DynamicLinks.dynamicLinks(app: .unconfigured)
        let url = try Sample.url("https://example.page.link/?link=https%3A%2F%2Fwww.shop.example%2F")
        #expect(try await links.handleUniversalLink(url)?.url?.absoluteString == "https://www.shop.example/")
        let error = await #expect(throws: DynamicLinksError.self) {
            try await links.handleUniversalLink(try Sample.url("https://example.page.link/Ab12"))
        }
        #expect(error?.message.contains("HomingApp.configure") == true)
    }
}
