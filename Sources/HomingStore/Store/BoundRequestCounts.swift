// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Synchronization

/// How often bound requests were made, and how they came to their ends, since this process began.
package final class BoundRequestCounts: Sendable {
    struct Event: Hashable, Sendable {
        let kind: ActionCodeKind
        let outcome: String
    }

    private let counted = Mutex<[Event: Int]>([:])

    package init() {}

    /// - Parameter outcome: a name of ours.
    package func count(_ kind: ActionCodeKind, _ outcome: String) {
        count(Event(kind: kind, outcome: outcome))
    }

    func count(_ event: Event) { counted.withLock { $0[event, default: 0] += 1 } }

    /// In a fixed order.
    package var counts: [(kind: ActionCodeKind, outcome: String, count: Int)] {
        counted.withLock { $0 }
            .map { (kind: $0.key.kind, outcome: $0.key.outcome, count: $0.value) }
            .sorted { ($0.kind.name, $0.outcome) < ($1.kind.name, $1.outcome) }
    }
}
