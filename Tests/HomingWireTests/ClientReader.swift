// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation

/// The readers of links in Firebase's clients, each by its own rules; none of our readers is used.
enum ClientReader {
    /// The parts of an action that a client reads.
    struct Action: Equatable {
        var mode: String?
        var code: String?
        var language: String?
        var continueURL: String?
        var apiKey: String?
    }

    /// The client for JavaScript: from the first `?` to the next `#`, pieces at every `=` of which two count, the last
    /// of a name wins, one decoding; then one level of `link` or `deep_link_id` is taken off.
    enum JavaScript {
        static func innerLink(_ url: String) -> String {
            let link = values(url)["link"]
            let deepLink = values(url)["deep_link_id"]
            let candidates = [
                deepLink.flatMap { values($0)["link"] }, deepLink, link.flatMap { values($0)["deep_link_id"] }, link,
            ]
            return candidates.compactMap(\.self).first { !$0.isEmpty } ?? url
        }

        static func action(_ url: String) -> Action {
            Action(values(innerLink(url)))
        }

        private static func values(_ url: String) -> [String: String] {
            guard let mark = url.utf8.firstIndex(of: UInt8(ascii: "?")) else { return [:] }
            let query = url.utf8[url.utf8.index(after: mark)...].prefix { $0 != UInt8(ascii: "#") }
            var values: [String: String] = [:]
            for piece in query.split(separator: UInt8(ascii: "&")) {
                let halves = piece.split(separator: UInt8(ascii: "="), omittingEmptySubsequences: false)
                let texts = halves.prefix(2).compactMap { String(Substring($0)).removingPercentEncoding }
                values[texts.first ?? ""] = texts.count == 2 ? texts[1] : ""
            }
            return values
        }
    }

    /// The client for iOS that signs people in. It removes no wrapper: the query that it gets has been decoded once
    /// already, so that the names of the inner link are beside those of the outer one.
    enum IOSAuth {
        /// Versions differ in the `=` at which a piece is cut, and in the piece that counts of two with one name.
        struct Version: CaseIterable {
            let cutsAtEveryEqualsSign: Bool
            let firstWins: Bool

            static let allCases = [(true, true), (true, false), (false, true), (false, false)].map(Version.init)
        }

        static func action(_ url: String, _ version: Version) -> Action {
            var values: [String: String] = [:]
            for piece in (URLComponents(string: url)?.query ?? "").components(separatedBy: "&") {
                let halves =
                    version.cutsAtEveryEqualsSign
                    ? piece.components(separatedBy: "=")
                    : piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                guard halves.count >= 2, let name = halves[0].removingPercentEncoding,
                    let value = halves[1].removingPercentEncoding
                else { continue }
                if values[name] == nil || !version.firstWins { values[name] = value }
            }
            return Action(values)
        }
    }

    /// The client of Dynamic Links for iOS: a piece without exactly one `=` is dropped; one decoding; `+` is a plus.
    enum IOSDynamicLinks {
        static func values(_ url: String) -> [String: String] {
            var values: [String: String] = [:]
            for piece in (URLComponents(string: url)?.percentEncodedQuery ?? "").components(separatedBy: "&") {
                let halves = piece.components(separatedBy: "=")
                if halves.count == 2 { values[halves[0]] = halves[1].removingPercentEncoding }
            }
            return values
        }
    }

    /// Android's `Uri`: cut at the first `=`, the first of a name wins, one decoding, and `+` is a space.
    enum Android {
        static func value(_ name: String, of url: String) -> String? {
            for piece in (URLComponents(string: url)?.percentEncodedQuery ?? "").components(separatedBy: "&") {
                let halves = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
                    $0.replacingOccurrences(of: "+", with: " ").removingPercentEncoding
                }
                if halves.first == name { return halves.count == 2 ? halves[1] : "" }
            }
            return nil
        }

        static func action(_ url: String) -> Action {
            let inner = value("link", of: url) ?? url
            return Action(
                mode: value("mode", of: inner), code: value("oobCode", of: inner), language: value("lang", of: inner),
                continueURL: value("continueUrl", of: inner), apiKey: value("apiKey", of: inner))
        }
    }
}

extension ClientReader.Action {
    fileprivate init(_ values: [String: String]) {
        self.init(
            mode: values["mode"], code: values["oobCode"], language: values["lang"],
            continueURL: values["continueUrl"], apiKey: values["apiKey"])
    }
}
