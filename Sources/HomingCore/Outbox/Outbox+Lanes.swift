// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
package import HomingStore
import Synchronization

/// What several lanes of delivery need, each with a transport of its own.
extension Outbox {
    /// Whose turn it is among the projects whose mails leave through one transport.
    package final class Turns: Sendable {
        /// The project whose turn in a claim was the last one.
        let lastServed = Mutex<Scope>("")
        /// Whether the last claim had mails whose link had died.
        let hadDead = Atomic(false)

        package init() {}

        func inOrder(_ scopes: [Scope]) -> [Scope] {
            let last = lastServed.withLock { $0 }
            let sorted = scopes.sorted()
            let next = sorted.firstIndex { last < $0 } ?? 0
            return Array(sorted[next...] + sorted[..<next])
        }
    }

    /// The projects and tenants that have mails waiting, and the time when the first one of each is due.
    package func waitingScopes() async throws -> [(scope: Scope, due: Moment)] {
        try await store.read { tx in
            try tx.run(Claim.waiting).compactMap {
                var row = $0
                let scope: Scope = try row.id()
                return try row.optionalMoment().map { (scope, $0) }
            }
        }
    }
}
