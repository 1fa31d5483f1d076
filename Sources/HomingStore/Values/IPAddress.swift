// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// An IPv4 or IPv6 address as a number, so that every spelling of one address is one value.
///
/// An IPv4-mapped IPv6 address (`::ffff:192.0.2.1`, RFC 4291 section 2.5.5.2) is its IPv4 address: a socket of both
/// families reports clients in this form, and no client may escape a list or a limit by the form.
package struct IPAddress: Sendable, Hashable, CustomStringConvertible {
    /// The address in the low bits.
    let number: UInt128
    /// 32 or 128.
    let width: Int

    package init(number: UInt128, width: Int) {
        let isMapped = width == 128 && number >> 32 == 0xFFFF
        self.number = isMapped ? number & 0xFFFF_FFFF : number
        self.width = isMapped ? 32 : width
    }

    /// Parses dotted decimal or the IPv6 forms of RFC 4291 section 2.2, without brackets, zone or port.
    package init?(parsing text: some StringProtocol) {
        guard (2...45).contains(text.utf8.count), text.utf8.allSatisfy(ASCII.isVisible) else { return nil }
        let isV6 = text.utf8.contains(UInt8(ascii: ":"))
        var bytes = [UInt8](repeating: 0, count: isV6 ? 16 : 4)
        guard inet_pton(isV6 ? AF_INET6 : AF_INET, String(text), &bytes) == 1 else { return nil }
        self.init(bytes: bytes)
    }

    /// - Parameter bytes: 4 or 16 of them, in network order.
    package init(bytes: [UInt8]) {
        self.init(number: bytes.reduce(0) { $0 << 8 | UInt128($1) }, width: bytes.count * 8)
    }

    /// The canonical text (RFC 5952), without brackets.
    package var description: String {
        if width == 32 {
            return "\(number >> 24).\(number >> 16 & 255).\(number >> 8 & 255).\(number & 255)"
        }
        let bytes = (0..<width / 8).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(AF_INET6, bytes, &text, socklen_t(text.count)) != nil else { return "" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The network that limits count: an IPv4 address itself, an IPv6 address's /64, which one subscriber has whole.
    package var network: IPAddress {
        width == 32 ? self : IPAddress(number: (number >> 64) << 64, width: 128)
    }

    /// The network as text, `192.0.2.1` or `2001:db8::/64`.
    package var networkKey: String {
        width == 32 ? description : "\(network)/64"
    }

    /// Roughly where the address is, as text: its /24 or its /48, which many people share.
    package var neighbourhood: String {
        let (kept, host) = width == 32 ? (24, 8) : (48, 80)
        return "\(IPAddress(number: (number >> host) << host, width: width))/\(kept)"
    }

    /// 127.0.0.0/8 and ::1.
    package var isLoopback: Bool {
        width == 32 ? number >> 24 == 127 : number == 1
    }

    /// 0.0.0.0 and ::, which stand for every address of the machine.
    package var isWildcard: Bool {
        number == 0
    }

    /// Whether the address is one of the internet's: none of this machine, of a private network, of a link, of a group
    /// or of nobody (RFC 6890). One that holds an IPv4 address for a gateway (RFC 6052) is what that one is.
    package var isPublic: Bool {
        if width == 128, number >> 32 == Self.translated {
            return IPAddress(number: number & 0xFFFF_FFFF, width: 32).isPublic
        }
        // All that has been given out of IPv6 (RFC 4291, section 2.4).
        guard width == 32 || number >> 125 == 1 else { return false }
        return !Self.others.contains { $0.contains(self) }
    }

    /// 64:ff9b::/96.
    private static let translated = UInt128(0x0064_FF9B) << 64
    private static let others = [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.168.0.0/16", "198.18.0.0/15", "224.0.0.0/4", "240.0.0.0/4",
        "2001::/32", "2002::/16",
    ].compactMap { AddressRange(parsing: $0) }

    /// Whether the address is written in brackets where a port may follow.
    package var isVersion6: Bool {
        width == 128
    }
}
