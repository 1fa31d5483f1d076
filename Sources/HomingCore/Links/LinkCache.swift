// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingLinkRules
import HomingStore
import Synchronization

/// The links that were opened last, in memory: at most twice `generation` of them.
///
/// The cache has two generations instead of a list of uses: a link that is opened moves to the young one, and when that
/// is full the old one is dropped whole. Entries never become wrong: a link never changes its target, and each entry
/// knows the project that it was read for.
final class LinkCache: Sendable {
    struct Key: Hashable, Sendable {
        let domain: String
        /// The suffix of a short link, the query of a long one.
        let name: String

        /// Hashes the name alone: few links have the same name on two domains.
        func hash(into hasher: inout Hasher) {
            hasher.combine(name)
        }
    }

    private struct Entries {
        var young: [Key: ParsedLink] = [:]
        var old: [Key: ParsedLink] = [:]
    }

    private let generation: Int
    private let entries = Mutex(Entries())

    init(generation: Int) {
        self.generation = generation
    }

    func link(_ key: Key) -> ParsedLink? {
        entries.withLock { entries in
            if let link = entries.young[key] { return link }
            guard let link = entries.old[key] else { return nil }
            keep(link, key, &entries)
            return link
        }
    }

    func keep(_ link: ParsedLink, as key: Key) {
        entries.withLock { keep(link, key, &$0) }
    }

    private func keep(_ link: ParsedLink, _ key: Key, _ entries: inout Entries) {
        if entries.young.count >= generation {
            entries.old = entries.young
            entries.young = [:]
        }
        entries.young[key] = link
    }
}
