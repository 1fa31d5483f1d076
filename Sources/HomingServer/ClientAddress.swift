// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HTTPTypes
import HomingCore
package import HomingStore
import HomingWire

/// The client of a request, for limits and logs. Forwarding headers decide nothing else: never a host or a scheme.
package enum ClientAddress {
    /// The client's address: the peer's own unless the peer is a trusted proxy; then the rightmost hop that is not one.
    ///
    /// Every proxy appends the address that it was reached from, so the client wrote everything left of the rightmost
    /// untrusted hop. A request may have both `X-Forwarded-For` and `Forwarded` (RFC 7239); a proxy that maintains one
    /// passes the other through as the client wrote it, hence where they disagree neither is trusted and the request
    /// counts as the proxy's.
    package static func of(
        peer: IPAddress,
        fields: HTTPFields,
        trustedProxies: [AddressRange]
    ) -> IPAddress {
        func isTrusted(_ address: IPAddress) -> Bool { trustedProxies.contains { $0.contains(address) } }
        guard isTrusted(peer) else { return peer }
        let lists = [
            xForwardedFor.map { hops(fields[values: $0], read: address(fromHop:)) },
            forwarded.map { hops(fields[values: $0], read: address(fromElement:)) },
        ]
        let answers = lists.compactMap { $0 }.filter { !$0.isEmpty }
            .map { rightmostUntrusted(of: $0, peer: peer, isTrusted: isTrusted) }
        guard let answer = answers.first, answers.allSatisfy({ $0 == answer }) else { return peer }
        return answer
    }

    /// Whether a request says for whom it was forwarded.
    static func isForwarded(_ fields: HTTPFields) -> Bool { xForwardedFor.map { fields.first($0) != nil } ?? false }

    private static let xForwardedFor = HTTPField.Name("X-Forwarded-For")
    private static let forwarded = HTTPField.Name("Forwarded")

    /// Walks from the nearest hop outwards; a hop that is not an address ends the walk at the proxy that reported it.
    private static func rightmostUntrusted(
        of hops: [IPAddress?],
        peer: IPAddress,
        isTrusted: (IPAddress) -> Bool
    ) -> IPAddress {
        var nearest = peer
        for hop in hops.reversed() {
            guard let hop else { return nearest }
            nearest = hop
            guard isTrusted(hop) else { return hop }
        }
        return nearest
    }

    /// The elements of all lines of one list field, in order (RFC 9110 section 5.3).
    private static func hops(_ lines: [String], read: (Substring) -> IPAddress?) -> [IPAddress?] {
        lines.flatMap { line in
            line.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
                .map { read(ASCII.trimmed(Substring($0))) }
        }
    }

    /// Parses `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1`, `[2001:db8::1]`, `[2001:db8::1]:4711`.
    private static func address(fromHop hop: Substring) -> IPAddress? {
        if hop.utf8.first == UInt8(ascii: "[") {
            guard let end = hop.utf8.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            let behind = hop[hop.utf8.index(after: end)...]
            guard behind.isEmpty || behind.utf8.first == UInt8(ascii: ":") else { return nil }
            return IPAddress(parsing: hop.dropFirst().prefix(upTo: end))
        }
        let colons = hop.utf8.count { $0 == UInt8(ascii: ":") }
        if colons == 1, let colon = hop.utf8.firstIndex(of: UInt8(ascii: ":")) {
            return IPAddress(parsing: hop[..<colon])
        }
        return IPAddress(parsing: hop)
    }

    /// The `for` parameter of one element of `Forwarded`; exactly one, quoted where it holds a colon.
    private static func address(fromElement element: Substring) -> IPAddress? {
        let found = element.utf8.split(separator: UInt8(ascii: ";")).map { ASCII.trimmed(Substring($0)) }
            .filter { $0.hasPrefixFoldingASCII("for=") }
        guard found.count == 1 else { return nil }
        var node = found[0].dropFirst(4)
        if node.utf8.first == UInt8(ascii: "\""), node.utf8.last == UInt8(ascii: "\""), node.utf8.count >= 2 {
            node = node.dropFirst().dropLast()
        }
        return address(fromHop: node)
    }
}
