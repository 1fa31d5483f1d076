// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingLinks
import HomingTesting
import Synchronization
import Testing

/// The library against a real server.
@Suite struct LiveLinksTests {
    private static let domain = "https://links.shop.example"

    /// Real requests, counted when they are answered: a test waits for requests that nobody else waits for.
    private final class Counting: HomingTransport {
        private let inner = URLSessionTransport()
        private let answered = Mutex<[String]>([])

        func count(_ operation: String) -> Int {
            answered.withLock { $0.count { $0.hasSuffix(operation) } }
        }

        func send(_ request: TransportRequest) async throws -> TransportAnswer {
            let answer = try await inner.send(request)
            answered.withLock { $0.append(request.url.path) }
            return answer
        }
    }

    private static func withLinks(_ body: (DynamicLinks, Counting) async throws -> Void) async throws {
        try await withHoming(linkDomains: ["links.shop.example"]) { homing in
            try await withServer(homing) { server in
                let transport = Counting()
                let app = HomingApp(
                    endpoint: try Sample.url("http://127.0.0.1:\(server.client.port)"), apiKey: TestHoming.apiKey,
                    transport: transport, sessionStore: MemorySessionStore())
                app.linkDomains = LinkDomains([domain], schemes: [Sample.scheme])
                try await body(DynamicLinks.dynamicLinks(app: app), transport)
            }
        }
    }

    private static func components() throws -> DynamicLinkComponents {
        let components = try #require(
            DynamicLinkComponents(link: try Sample.url(Sample.content), domainURIPrefix: domain))
        components.analyticsParameters = DynamicLinkGoogleAnalyticsParameters(
            source: "news", medium: "email", campaign: "spring sale")
        let ios = DynamicLinkIOSParameters(bundleID: "example.shop.ios")
        ios.minimumAppVersion = "2.1"
        components.iOSParameters = ios
        return components
    }

    private static func check(_ link: DynamicLink?) {
        #expect(link?.url?.absoluteString == Sample.content)
        #expect(link?.matchType == .unique)
        #expect(link?.minimumAppVersion == "2.1")
        #expect(link?.utmParametersDictionary["utm_campaign"] as? String == "spring sale")
    }

    @Test func `a link is made, shortened, opened and resolved`() async throws {
        try await Self.withLinks { links, transport in
            let components = try Self.components()
            let options = DynamicLinkComponentsOptions()
            options.pathLength = .short
            let long = try #require(components.url)
            let (short, warnings) = try await links.shortenURL(long, options: options)
            #expect(short.absoluteString.hasPrefix(Self.domain + "/"))
            #expect(short.lastPathComponent.count < 17)
            #expect(warnings.contains { $0.hasPrefix("ibi ") }, "\(warnings)")
            #expect(links.matchesShortLinkFormat(short))
            Self.check(try await links.handleUniversalLink(short))
            let url = try await links.resolveShortLink(short)
            Self.check(links.dynamicLink(fromCustomSchemeURL: url))
            Self.check(try await links.checkForPendingDynamicLink(in: short.absoluteString))
            Self.check(try await links.handleUniversalLink(long))
            Self.check(try await links.checkForPendingDynamicLink(in: long.absoluteString))
            #expect(try await links.shortenURL(long).0.lastPathComponent.count == 17)
            // The last of the three is for the long link, which was read before.
            try await until { transport.count("reopenAttribution") == 3 }
        }
    }

    @Test func `a link that the server does not know is an error, and nothing when it was pasted`() async throws {
        try await Self.withLinks { links, _ in
            let error = await #expect(throws: DynamicLinksError.self) {
                try await links.handleUniversalLink(try Sample.url(Self.domain + "/nosuch"))
            }
            #expect(error?.code == 404)
            let pasted = try await links.checkForPendingDynamicLink(in: Self.domain + "/nosuch")
            #expect(pasted == nil)
        }
    }

    @Test func `a link to a target that the project does not allow is not made`() async throws {
        try await Self.withLinks { links, _ in
            let components = try #require(
                DynamicLinkComponents(link: try Sample.url("https://evil.example/"), domainURIPrefix: Self.domain))
            let error = await #expect(throws: DynamicLinkShortenerError.self) {
                try await links.shortenURL(try #require(components.url))
            }
            #expect(error?.remoteErrorCode == 400)
            #expect(error?.message.hasPrefix("UNAUTHORIZED_DOMAIN") == true, "\(error?.message ?? "")")
            let foreign = try #require(
                DynamicLinkComponents(link: try Sample.url(Sample.content), domainURIPrefix: "https://other.example"))
            let refusal = await #expect(throws: DynamicLinkShortenerError.self) {
                try await links.shortenURL(try #require(foreign.url))
            }
            #expect(refusal?.message.hasPrefix("INVALID_DYNAMIC_LINK_DOMAIN") == true)
        }
    }
}
