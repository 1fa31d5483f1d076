// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingStore
package import NIOCore

extension IPAddress {
    /// The address of a peer; nil for a Unix socket.
    package init?(_ address: SocketAddress) {
        // By offset (RFC 3493 section 3.3) and not by name: a debug build cannot tell which module names the fields.
        switch address {
        case .v4(let peer):
            let number = withUnsafeBytes(of: peer.address) { $0.loadUnaligned(fromByteOffset: 4, as: UInt32.self) }
            self.init(number: UInt128(UInt32(bigEndian: number)), width: 32)
        case .v6(let peer): self = withUnsafeBytes(of: peer.address) { IPAddress(bytes: Array($0[8..<24])) }
        case .unixDomainSocket: return nil
        }
    }
}
