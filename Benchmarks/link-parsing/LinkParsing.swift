// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingAuth
import HomingClient
import HomingLinks
import HomingWire

/// How long the SDK reads on a link, in every form in which one may reach an app; nothing is asked of a server.
///
/// One line of JSON. `link-parsing [COUNT] [ROUNDS]`: how many links to a round, and how many rounds.
@main
enum LinkParsing {
    private struct Report: Encodable {
        /// Microseconds for one link, by its form and by who reads it: the fastest of the rounds, which the machine's
        /// other work disturbs least.
        let microseconds: [String: [String: Double]]
        let slowest: Double
    }

    private struct Malformed: Error {}

    static func main() throws {
        let numbers = CommandLine.arguments.dropFirst().compactMap { Int($0) }
        let count = numbers.first ?? 20_000
        let rounds = numbers.dropFirst().first ?? 5
        let app = HomingApp(
            endpoint: try url("https://auth.shop.example"), apiKey: apiKey, transport: URLSessionTransport(),
            sessionStore: MemorySessionStore())
        app.linkDomains = LinkDomains(["https://links.shop.example", "https://shop.example/app"], schemes: [scheme])
        let auth = Auth.auth(app: app)
        let links = DynamicLinks.dynamicLinks(app: app)

        var times: [String: [String: Double]] = [:]
        for (form, link) in forms {
            let url = try url(link)
            times[form] = [
                "ActionCodeURL": fastest(count, rounds) { ActionCodeURL(link: link) != nil },
                "Auth.handle": fastest(count, rounds) { auth.handle(url) != .notOurs },
                "DynamicLinks": fastest(count, rounds) {
                    links.matchesShortLinkFormat(url) || links.reads(url)
                        || links.dynamicLink(fromCustomSchemeURL: url) != nil
                },
            ]
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let report = Report(microseconds: times, slowest: times.values.flatMap(\.values).max() ?? 0)
        FileHandle.standardOutput.write(try encoder.encode(report) + Data("\n".utf8))
    }

    private static func fastest(_ count: Int, _ rounds: Int, _ work: () -> Bool) -> Double {
        (0..<rounds).map { _ in
            var taken = 0
            let start = ContinuousClock.now
            for _ in 0..<count where work() { taken += 1 }
            let spent = start.duration(to: .now) / .microseconds(1)
            precondition(taken == 0 || taken == count)
            return spent / Double(count)
        }.min() ?? .infinity
    }

    private static func url(_ text: String) throws -> URL {
        guard let url = URL(string: text) else { throw Malformed() }
        return url
    }

    // MARK: The links

    private static let apiKey = "hk_4Zr8tVw2yB5nM7qS0uXc3eGhJkLpAiDf"
    private static let scheme = "example.shop.ios"
    private static let content = "https://www.shop.example/articles/7?cart=12&from=newsletter&email=ann@home.example"

    private static var forms: [(String, String)] {
        let action = ActionLink(
            handler: "https://auth.shop.example/__/auth/action", mode: .resetPassword,
            code: "ATy5QmXk2vR8wJp0Zs1NcLhB7dGfUoVaEi3xK9tMlPqCrYbWnSgDzH", apiKey: apiKey, continueURL: content,
            language: "pt-BR"
        ).url(order: .inApp)
        let domain = "https://links.shop.example"
        let wrapped = WrappedLink.authLink(action, base: domain)
        let apps = WrappedLink.Apps(
            androidPackageName: "com.example.android", androidMinimumVersion: "12", iosBundleID: scheme)
        let hop = "\(scheme)://google/link/?deep_link_id=\(percentEncoded(wrapped))"
        return [
            ("plain", action), ("wrapped", wrapped),
            ("dynamic", WrappedLink.dynamicLink(action, base: domain, apps: apps)), ("scheme", hop),
            ("scanned", "https://nam02.safelinks.protection.outlook.com/?url=\(percentEncoded(wrapped))&data=05%7C02"),
            ("continue", WrappedLink.authLink(content, base: domain)),
            ("long", WrappedLink.dynamicLink(content, base: domain, apps: apps)), ("short", "\(domain)/Ab12xYz"),
            ("foreign", content),
        ]
    }
}

extension DynamicLinks {
    /// Reads a link without telling the statistics of it.
    fileprivate func reads(_ url: URL) -> Bool {
        if case .none = read(url) { false } else { true }
    }
}
