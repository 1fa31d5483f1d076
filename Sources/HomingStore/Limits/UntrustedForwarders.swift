// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Synchronization

/// The peers that send `X-Forwarded-For` and are no trusted proxies. One is usually a proxy that nobody has named, whose
/// callers count as one.
package final class UntrustedForwarders: Sendable {
    /// Anybody can send the field, so no more are remembered.
    package static let most = 16

    private let seen = Mutex<[IPAddress]>([])
    private let isFull = Atomic(false)

    package init() {}

    /// Whether another one would be remembered.
    package var takesMore: Bool { !isFull.load(ordering: .relaxed) }

    /// - Returns: whether the peer is remembered now and was not before.
    package func remember(_ peer: IPAddress) -> Bool {
        seen.withLock { seen in
            guard seen.count < Self.most, !seen.contains(peer) else { return false }
            seen.append(peer)
            isFull.store(seen.count == Self.most, ordering: .relaxed)
            return true
        }
    }

    package func knows(_ peer: IPAddress) -> Bool { seen.withLock { $0.contains(peer) } }

    /// In the order in which they came.
    package var addresses: [IPAddress] { seen.withLock { $0 } }
}
