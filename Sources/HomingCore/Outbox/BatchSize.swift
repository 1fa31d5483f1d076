// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Synchronization

/// How many mails a node takes up, and records, at a time.
///
/// Of several nodes each has only a part of the mails. If all worked as one alone does, their transactions would be
/// small and many, and the database is what they cannot have more of. So each works with as many times as many mails as
/// there are nodes.
package final class BatchSize: Sendable {
    /// A node that is killed leaves what it has taken up to the end of its lease, and sends again what it had not
    /// recorded.
    private static let most = 4

    private let nodes = Atomic(1)

    package init() {}

    /// How many times as many as one node alone; 1 to 4.
    package var times: Int { min(max(1, nodes.load(ordering: .relaxed)), Self.most) }

    /// - Parameter count: the living nodes, this one included.
    package func set(nodes count: Int) { nodes.store(count, ordering: .relaxed) }
}
