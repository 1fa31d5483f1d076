// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// The parts of a sender policy (RFC 7208) that decide its cost and its end.
package struct SPFRecord: Sendable, Equatable {
    /// The treatment of hosts that no mechanism names: the qualifier of `all`.
    package enum Rest: Sendable, Equatable {
        case pass, neutral, softFail, fail
    }

    /// Nil without `all`; then `redirect` decides, or nothing does, which is neutral (section 4.7).
    package private(set) var rest: Rest?
    package private(set) var includes: [String] = []
    package private(set) var redirect: String?
    /// Mechanisms that ask the DNS themselves, without a policy of their own: `a`, `mx`, `ptr`, `exists`.
    package private(set) var plainLookups = 0
    /// Whether a mechanism besides `all` lets somebody send.
    package private(set) var namesSenders = false

    /// Whether a TXT record is a sender policy (section 4.5): the version, then a space or the end.
    package static func isPolicy(_ text: String) -> Bool {
        let words = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        return words.first?.lowercased() == "v=spf1"
    }

    package init(parsing text: String) {
        for word in text.split(separator: " ").dropFirst() {
            let term = word.lowercased()
            let name = term.drop { "+-~?".contains($0) }
            let mechanism = name.prefix { ":/=".contains($0) == false }
            let isMechanism = ["ip4", "ip6", "a", "mx", "ptr", "exists", "include"].contains(mechanism)
            if isMechanism, term.first != "-" { namesSenders = true }
            if name == "all" {
                rest = rest ?? Self.rest(of: term)
            } else if let domain = Self.value(of: name, after: "include:") {
                includes.append(domain)
            } else if let domain = Self.value(of: name, after: "redirect=") {
                redirect = domain
            } else if ["a", "mx", "ptr", "exists"].contains(mechanism) {
                plainLookups += 1
            }
        }
        if rest != nil { redirect = nil }
    }

    private static func rest(of term: String) -> Rest {
        switch term.first {
        case "-": .fail
        case "~": .softFail
        case "?": .neutral
        default: .pass
        }
    }

    private static func value(of term: Substring, after prefix: String) -> String? {
        term.hasPrefix(prefix) ? String(term.dropFirst(prefix.count)) : nil
    }
}
