// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingCore
import HomingStore
internal import HomingWire

/// The address of a listener: `host:port`, an IPv6 address in brackets; port 0 lets the system pick one.
package struct ListenAddress: Sendable, Hashable, CustomStringConvertible {
    /// The host without brackets, as a socket needs it.
    package let host: String
    package let port: Int
    /// Nil for a name.
    private let address: IPAddress?

    package init?(parsing text: String) {
        guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")),
            let port = ASCII.number(text[text.utf8.index(after: colon)...], atMost: 65_535)
        else { return nil }
        var written = text[..<colon]
        let isBracketed = written.utf8.first == UInt8(ascii: "[") && written.utf8.last == UInt8(ascii: "]")
        if isBracketed { written = written.dropFirst().dropLast() }
        if let address = IPAddress(parsing: written) {
            guard isBracketed == written.utf8.contains(UInt8(ascii: ":")) else { return nil }
            self.address = address
            host = String(written)
        } else {
            guard !isBracketed, let name = WebHost(parsing: written), !name.isAddress else { return nil }
            address = nil
            host = name.text
        }
        self.port = port
    }

    /// A port of 127.0.0.1.
    package init(loopbackPort port: Int) {
        host = "127.0.0.1"
        address = IPAddress(parsing: host)
        self.port = port
    }

    /// Whether the address is 127.0.0.0/8, [::1] or `localhost`; other names that resolve to one of them may change.
    package var isLoopback: Bool {
        address?.isLoopback ?? host.utf8.elementsEqual("localhost".utf8)
    }

    /// Whether the listener is bound to every address of the machine, and so to none that a link could name.
    package var isWildcard: Bool {
        address?.isWildcard ?? false
    }

    /// The host in the form of a URL.
    package var urlHost: String {
        host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
    }

    /// Whether the host is a name and not an address.
    package var isName: Bool {
        address == nil
    }

    package var description: String {
        "\(urlHost):\(port)"
    }
}
