// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Dispatch
import Foundation
import HomingLinks
import HomingWire
import Synchronization
import Testing

/// A server that a test plays.
final class PlayedServer: HomingTransport {
    struct Call: Sendable {
        let path: String
        let members: [String: String]
        let body: JSON.Object
    }

    typealias Answer = @Sendable (Call) async throws -> (Int, String)

    private let answer: Answer
    private let recorded = Mutex<[Call]>([])

    init(_ answer: @escaping Answer) {
        self.answer = answer
    }

    /// Answers everything with one text.
    convenience init(_ status: Int = 200, _ text: String = "{}") {
        self.init { _ in (status, text) }
    }

    var calls: [Call] { recorded.withLock { $0 } }

    func send(_ request: TransportRequest) async throws -> TransportAnswer {
        let body = try JSON.parse(request.body).objectValue ?? JSON.Object()
        let call = Call(
            path: request.url.path,
            members: body.members.reduce(into: [:]) { $0[$1.key] = $1.value.stringValue ?? "?" }, body: body)
        recorded.withLock { $0.append(call) }
        let (status, text) = try await answer(call)
        return TransportAnswer(status: status, body: Data(text.utf8))
    }

    /// An app that uses the server.
    func app(domains: [String] = Sample.domains, schemes: [String] = [Sample.scheme]) throws -> HomingApp {
        let app = HomingApp(
            endpoint: try #require(URL(string: "https://auth.shop.example")), apiKey: "hk_key_of_the_shop",
            transport: self,
            sessionStore: MemorySessionStore())
        app.linkDomains = LinkDomains(domains, schemes: schemes)
        return app
    }

    func links(domains: [String] = Sample.domains, schemes: [String] = [Sample.scheme]) throws -> DynamicLinks {
        DynamicLinks.dynamicLinks(app: try app(domains: domains, schemes: schemes))
    }
}

enum Sample {
    static let domains = ["https://links.shop.example", "https://shop.example/app/"]
    static let scheme = "example.shop.ios"
    static let content = "https://www.shop.example/articles/7?cart=12&from=mail#comments"
    static let short = "https://links.shop.example/Ab12"
    static let long =
        "https://links.shop.example/?link=\(percentEncoded(content))&ibi=example.shop.ios&imv=2.1&utm_source=news"
        + "&utm_campaign=spring%20sale"

    static let resolved = """
        {"deepLink":"\(content)","resolvedLink":"\(long)","iosMinAppVersion":"2.1","utmSource":"news",\
        "utmCampaign":"spring sale"}
        """

    static func url(_ text: String) throws -> URL { try #require(URL(string: text), "\(text)") }
}

/// Lets other tasks run until the condition holds.
func until(_ condition: () -> Bool) async throws {
    for _ in 0..<5000 where !condition() { try await Task.sleep(nanoseconds: 1_000_000) }
    try #require(condition())
}

private let mainQueueMark: DispatchSpecificKey<Bool> = {
    let mark = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: mark, value: true)
    return mark
}()

/// Whether this runs on the main queue, which is not the main thread everywhere.
func onMainQueue() -> Bool { DispatchQueue.getSpecific(key: mainQueueMark) == true }
