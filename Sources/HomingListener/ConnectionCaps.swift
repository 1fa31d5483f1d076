// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import NIOCore
internal import Synchronization

/// Counts the open connections of one listener, all of them and per client.
package final class ConnectionCaps: Sendable {
    private struct Counts {
        var all = 0
        var byClient: [String: Int] = [:]
    }

    /// The receipt of ``admit(_:)`` for ``leave(_:)``.
    struct Ticket: Sendable {
        fileprivate let counted: String?
    }

    private let most: Int
    private let mostPerClient: Int
    private let client: @Sendable (SocketAddress) -> String?
    private let counts = Mutex(Counts())

    /// - Parameters:
    ///   - most: of all connections; 0 is no cap.
    ///   - mostPerClient: 0 is no cap.
    ///   - client: whose a peer's connection is; nil counts it among all only.
    package init(most: Int, mostPerClient: Int, client: @escaping @Sendable (SocketAddress) -> String?) {
        self.most = most
        self.mostPerClient = mostPerClient
        self.client = client
    }

    /// Counts a connection in, or returns nil when a cap is reached.
    ///
    /// - Parameter peer: nil when the system no longer knows the peer; such a connection counts among all only.
    func admit(_ peer: SocketAddress?) -> Ticket? {
        let counted = mostPerClient == 0 ? nil : peer.flatMap(client)
        return counts.withLock { counts in
            guard most == 0 || counts.all < most else { return nil }
            if let counted {
                guard counts.byClient[counted, default: 0] < mostPerClient else { return nil }
                counts.byClient[counted, default: 0] += 1
            }
            counts.all += 1
            return Ticket(counted: counted)
        }
    }

    func leave(_ ticket: Ticket) {
        counts.withLock { counts in
            counts.all -= 1
            guard let counted = ticket.counted, let count = counts.byClient[counted] else { return }
            counts.byClient[counted] = count > 1 ? count - 1 : nil
        }
    }

    /// The number of open connections.
    var open: Int {
        counts.withLock { $0.all }
    }
}
