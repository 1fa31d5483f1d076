// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation

/// What a reader can subscribe to.
enum Plan: String, CaseIterable, Sendable {
    case monthly, yearly, patron
}

/// Where somebody is in the newsletter, with all that has to be there again when a mail brings them back.
///
/// It travels as the continue URL, and that URL is a page of the newsletter's site too: whoever opens the mail where
/// this app is not gets to the same place in a browser.
enum Place: Equatable, Sendable {
    /// A letter, and how far somebody had read; the first part is 1.
    case letter(name: String, part: Int)
    /// The subscription with the plan that was chosen.
    case subscription(Plan)

    /// The place as a page of the site.
    func url(on site: URL) -> URL {
        var parts = URLComponents()
        switch self {
        case .letter(let name, let part):
            parts.path = "/articles/\(name)"
            parts.fragment = "letter-\(part)"
        case .subscription(let plan):
            parts.path = "/subscribe"
            parts.queryItems = [URLQueryItem(name: "plan", value: plan.rawValue)]
        }
        return parts.url(relativeTo: site)?.absoluteURL ?? site
    }

    /// Where a sign-in link leads: in a browser that page signs in and goes on to the place.
    func signInURL(on site: URL) -> URL {
        var parts = URLComponents()
        parts.path = "/finish"
        parts.queryItems = [URLQueryItem(name: "next", value: url(on: site).absoluteString)]
        return parts.url(relativeTo: site)?.absoluteURL ?? site
    }

    /// The place of a page; nil for a page of another site and for one that this app does not have.
    init?(_ url: URL, on site: URL) {
        guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
            parts.scheme == site.scheme, parts.host == site.host, parts.port == site.port
        else { return nil }
        let query = Dictionary(
            (parts.queryItems ?? []).map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { first, _ in first })
        let path = parts.path.split(separator: "/").map(String.init)
        switch (path.first, path.count) {
        case ("articles", 2):
            let part = parts.fragment.flatMap { $0.hasPrefix("letter-") ? Int($0.dropFirst("letter-".count)) : nil }
            self = .letter(name: path[1], part: max(part ?? 1, 1))
        case ("subscribe", 1):
            self = .subscription(query["plan"].flatMap(Plan.init) ?? .monthly)
        case ("finish", 1):
            guard let next = query["next"].flatMap(URL.init), next.path != url.path else { return nil }
            self.init(next, on: site)
        default:
            return nil
        }
    }
}
