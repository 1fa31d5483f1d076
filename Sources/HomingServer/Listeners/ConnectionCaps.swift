// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingCore
internal import NIOCore
internal import Synchronization

/// Counts the open connections of one listener, all of them and per client address.
final class ConnectionCaps: Sendable {
    private struct Counts {
        var all = 0
        var byAddress: [IPAddress: Int] = [:]
    }

    /// The receipt of ``admit(_:)`` for ``leave(_:)``.
    struct Ticket: Sendable {
        fileprivate let counted: IPAddress?
    }

    private let most: Int
    private let mostPerAddress: Int
    private let trustedProxies: Live<[AddressRange]>
    private let counts = Mutex(Counts())

    /// - Parameters:
    ///   - limits: `connections` and `connectionsPerIP`; 0 is no cap.
    ///   - trustedProxies: peers that stand for many clients and are counted among all connections only.
    init(limits: Limits, trustedProxies: Live<[AddressRange]>) {
        most = limits.connections
        mostPerAddress = limits.connectionsPerIP
        self.trustedProxies = trustedProxies
    }

    /// Counts a connection in, or returns nil when a cap is reached.
    ///
    /// - Parameter peer: nil when the system no longer knows the peer; such a connection counts among all only.
    func admit(_ peer: IPAddress?) -> Ticket? {
        let counted = mostPerAddress == 0 ? nil : peer.flatMap { isProxy($0) ? nil : $0.network }
        return counts.withLock { counts in
            guard most == 0 || counts.all < most else { return nil }
            if let counted {
                guard counts.byAddress[counted, default: 0] < mostPerAddress else { return nil }
                counts.byAddress[counted, default: 0] += 1
            }
            counts.all += 1
            return Ticket(counted: counted)
        }
    }

    func leave(_ ticket: Ticket) {
        counts.withLock { counts in
            counts.all -= 1
            guard let counted = ticket.counted, let count = counts.byAddress[counted] else { return }
            counts.byAddress[counted] = count > 1 ? count - 1 : nil
        }
    }

    /// The number of open connections.
    var open: Int {
        counts.withLock { $0.all }
    }

    private func isProxy(_ peer: IPAddress) -> Bool {
        trustedProxies.value.contains { $0.contains(peer) }
    }
}
