// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingStore
import HomingWire

/// The URLs of a host that belong to the apps of one project: everything under its prefixes, except the server's own
/// paths and the prefixes of other projects.
///
/// The first pattern that matches decides, in Apple's files and in Android's.
struct LinkScope: Sendable {
    private enum Rule {
        case includes(String)
        case excludes(String)
    }

    private let rules: [Rule]

    /// - Parameters:
    ///   - prefixes: values of ``LinkDomain/prefix``; the empty one is the whole host.
    ///   - others: prefixes of other projects on the same host.
    init(prefixes: [String], excluding others: [String]) {
        rules = prefixes.sorted { $0.utf8.count > $1.utf8.count }.flatMap { prefix -> [Rule] in
            let inner = others.filter { $0.utf8.starts(with: (prefix + "/").utf8) }
            var rules: [Rule] = OwnPath.claimed.map { .includes(prefix + $0.pattern) }
            for path in inner { rules += [.excludes(path), .excludes(path + "/*")] }
            rules += OwnPath.excluded(isWholeHost: prefix.isEmpty).map { .excludes(prefix + $0.pattern) }
            if !prefix.isEmpty { rules.append(.includes(prefix)) }
            rules.append(.includes(prefix + "/*"))
            return rules
        }
    }

    /// The rules for iOS 13, Android 15 and later. The debug page opens in the browser, even where the app is.
    var components: JSON {
        let debug: JSON = ["/": "*", "?": ["d": "1"], "exclude": true]
        return .array(
            [debug]
                + rules.map { rule in
                    switch rule {
                    case .includes(let path): ["/": .string(path)]
                    case .excludes(let path): ["/": .string(path), "exclude": true]
                    }
                })
    }

    /// The rules for iOS 12 and older, which look at the path only.
    var paths: JSON {
        .array(
            rules.map { rule in
                switch rule {
                case .includes(let path): .string(path)
                case .excludes(let path): .string("NOT " + path)
                }
            })
    }
}
