// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// A range of addresses in CIDR notation (RFC 4632, RFC 4291 section 2.3); a lone address is a range of one.
package struct AddressRange: Sendable, Hashable, CustomStringConvertible {
    private let first: IPAddress
    private let prefixLength: Int

    /// Parses `192.0.2.0/24`, `2001:db8::/32` or a lone address.
    ///
    /// Bits behind the prefix must be zero, since `10.1.2.3/8` is more often a slip than a wish; and a prefix of 0 is
    /// refused, because it would trust everybody.
    package init?(parsing text: some StringProtocol) {
        let parts = Substring(text).utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map(Substring.init)
        guard let written = parts.first, let address = IPAddress(parsing: written), parts.count <= 2 else { return nil }
        var length = address.width
        if parts.count == 2 {
            // A mapped IPv4 address counts its prefix from the 128 bits that it was written in.
            let isMapped = address.width == 32 && written.utf8.contains(UInt8(ascii: ":"))
            guard let number = Self.length(parts[1]), number <= (isMapped ? 128 : address.width) else { return nil }
            length = isMapped ? number - 96 : number
        }
        guard length > 0, address.number & Self.hostBits(width: address.width, length: length) == 0 else { return nil }
        first = address
        prefixLength = length
    }

    package func contains(_ address: IPAddress) -> Bool {
        address.width == first.width
            && address.number & ~Self.hostBits(width: first.width, length: prefixLength) == first.number
    }

    package var description: String {
        "\(first)/\(prefixLength)"
    }

    private static func hostBits(width: Int, length: Int) -> UInt128 {
        length == width ? 0 : ~0 >> (128 - width + length)
    }

    private static func length(_ text: Substring) -> Int? {
        guard (1...3).contains(text.utf8.count), text.utf8.allSatisfy(ASCII.isDigit) else {
            return nil
        }
        return Int(text)
    }
}
