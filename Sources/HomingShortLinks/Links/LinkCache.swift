// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingLinkRules
import HomingStore
import Synchronization

/// The links that were opened last, in memory: at most twice `generation` of them.
///
/// The cache has two generations instead of a list of uses: a link that is opened moves to the young one, and when that
/// is full the old one is dropped whole. Each entry knows the project that it was read for. Whoever changes a link takes
/// it out after the commit (``forget(_:)``); what was read before that is not kept afterwards (``Mark``).
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

    /// A time in the life of the cache, taken before a link is read.
    struct Mark: Equatable {
        fileprivate let forgotten: Int
    }

    private struct Entries {
        var young: [Key: ParsedLink] = [:]
        var old: [Key: ParsedLink] = [:]
        /// How often a link was taken out.
        var forgotten = 0
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

    var mark: Mark { entries.withLock { Mark(forgotten: $0.forgotten) } }

    /// - Parameter mark: when the link was read; a link that was read before another was taken out is not kept, since it
    ///   may be that one as it was before.
    func keep(_ link: ParsedLink, as key: Key, readSince mark: Mark? = nil) {
        entries.withLock { entries in
            guard mark.map({ $0.forgotten == entries.forgotten }) ?? true else { return }
            keep(link, key, &entries)
        }
    }

    func forget(_ key: Key) {
        entries.withLock { entries in
            entries.forgotten += 1
            entries.young[key] = nil
            entries.old[key] = nil
        }
    }

    /// Takes a link out that is older than another node's version of it.
    func forget(_ key: Key, before version: Int64) {
        entries.withLock { entries in
            if let kept = entries.young[key], kept.version < version { entries.young[key] = nil }
            if let kept = entries.old[key], kept.version < version { entries.old[key] = nil }
        }
    }

    func forgetAll() {
        entries.withLock { $0 = Entries(forgotten: $0.forgotten + 1) }
    }

    private func keep(_ link: ParsedLink, _ key: Key, _ entries: inout Entries) {
        if entries.young.count >= generation {
            entries.old = entries.young
            entries.young = [:]
        }
        entries.young[key] = link
    }
}
