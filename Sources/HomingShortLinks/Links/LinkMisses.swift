// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Synchronization

/// How often link domains were asked for what is no link, since the server was started.
package final class LinkMisses: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        /// The link domain itself, `/`.
        case root
        /// An ending or a path that no link has.
        case ending
    }

    private let roots = Atomic(0)
    private let endings = Atomic(0)

    package func count(_ kind: Kind) {
        switch kind {
        case .root: roots.add(1, ordering: .relaxed)
        case .ending: endings.add(1, ordering: .relaxed)
        }
    }

    package subscript(kind: Kind) -> Int {
        switch kind {
        case .root: roots.load(ordering: .relaxed)
        case .ending: endings.load(ordering: .relaxed)
        }
    }
}
