// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingLinks
import Testing

@Suite struct PendingLinkTests {
    private static let unique = """
        {"deepLink":"\(Sample.content)","attributionConfidence":"UNIQUE","appMinimumVersion":"2.1","utmSource":"news",\
        "requestedLink":"\(Sample.short)","matchMessage":"Link is uniquely matched for this device."}
        """

    @Test func `a link that a person pasted is found exactly, and nothing about the device is told`() async throws {
        let server = PlayedServer(200, Self.unique)
        let links = try server.links()
        let texts = [Sample.short, "  \(Sample.short)\n", "\(Sample.short)?_icp=1", "\(Sample.short)&_icp=1"]
        for text in texts {
            let link = try #require(try await links.checkForPendingDynamicLink(in: text))
            #expect(link.url?.absoluteString == Sample.content)
            #expect(link.matchType == .unique)
            #expect(link.minimumAppVersion == "2.1")
        }
        #expect(server.calls.allSatisfy { $0.path == "/firebasedynamiclinks.googleapis.com/v1/installAttribution" })
        #expect(server.calls.map(\.members) == texts.map { _ in ["uniqueMatchLinkToCheck": Sample.short] })
    }

    @Test(arguments: [
        "", " ", "hunter2", "https://www.shop.example/", "https://bank.example/transfer?token=secret",
        "links.shop.example/Ab12",
        "see https://links.shop.example/Ab12", "https://links.shop.example@evil.example/Ab12", "\u{0}",
        "4111 1111 1111 1111",
    ])
    func `any other text stays on the device`(text: String) async throws {
        let server = PlayedServer(200, Self.unique)
        #expect(try await server.links().checkForPendingDynamicLink(in: text) == nil)
        #expect(server.calls.isEmpty)
    }

    @Test(arguments: ["UNKNOWN_ATTRIBUTION_CONFIDENCE", "WEAK", "DEFAULT"])
    func `what is not exact is no link`(confidence: String) async throws {
        let server = PlayedServer(200, Self.unique.replacingOccurrences(of: "UNIQUE", with: confidence))
        let links = try server.links()
        #expect(try await links.checkForPendingDynamicLink(in: Sample.short) == nil)
        let (link, error) = await withCheckedContinuation { continuation in
            links.checkForPendingDynamicLink(in: Sample.short) { continuation.resume(returning: ($0, $1)) }
        }
        #expect(link == nil && error == nil)
    }

    @Test func `a server that is not reached may be asked again`() async throws {
        let links = try PlayedServer { _ in throw URLError(.timedOut) }.links()
        await #expect(throws: DynamicLinksError.self) { try await links.checkForPendingDynamicLink(in: Sample.short) }
    }
}
