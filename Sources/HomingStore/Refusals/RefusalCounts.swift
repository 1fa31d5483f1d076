// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Synchronization

/// How often requests were refused, by code.
package final class RefusalCounts: Sendable {
    /// More than there are codes, so that no mistake in a code fills the memory.
    private static let most = 200

    private let counted = Mutex<[String: Int]>([:])

    package init() {}

    package func count(_ refusal: Refusal) {
        let code = refusal.wireCode
        counted.withLock { counts in
            guard counts[code] != nil || counts.count < Self.most else { return }
            counts[code, default: 0] += 1
        }
    }

    package var counts: [String: Int] { counted.withLock { $0 } }
}
