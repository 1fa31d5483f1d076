// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// The address of a PostgreSQL as an operator writes it: libpq's URI (PostgreSQL's documentation, section 34.1.1.2),
/// several hosts included, with two parameters of ours, which libpq does not see.
package struct PostgresURL: Sendable, Hashable {
    /// The URI for libpq.
    package let uri: String
    /// The connections of one process, 1 to 200: `connections=8`.
    package let connections: Int
    /// Whether statements are prepared once in each connection. `prepared=off` is for PgBouncer in transaction mode, in
    /// which the next transaction may run on another connection to the server.
    package let isPrepared: Bool

    package static let standardConnections = 8

    /// - Returns: nil for a text that is no such URI.
    package init?(parsing text: String) {
        guard ["postgresql://", "postgres://"].contains(where: { text.utf8.starts(with: $0.utf8) }),
            text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else { return nil }
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        // libpq would take the rest of a password with an @ or a / in it for a host, and name it in errors.
        let place = parts[0].split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard place.count >= 3, place[2].utf8.filter({ $0 == UInt8(ascii: "@") }).count <= 1,
            place.count == 3 || !place[3].utf8.contains(UInt8(ascii: "@"))
        else { return nil }
        var kept: [Substring] = []
        var connections = Self.standardConnections
        var isPrepared = true
        for parameter in parts.dropFirst().first?.split(separator: "&") ?? [] {
            let pair = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            switch (String(pair[0]), pair.count == 2 ? String(pair[1]) : "") {
            case ("connections", let value):
                guard let number = ASCII.number(value, atMost: 200), number > 0 else { return nil }
                connections = number
            case ("prepared", "on"): isPrepared = true
            case ("prepared", "off"): isPrepared = false
            case ("prepared", _): return nil
            default: kept.append(parameter)
            }
        }
        uri = String(parts[0]) + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&"))
        self.connections = connections
        self.isPrepared = isPrepared
        guard PostgresConnection.accepts(uri) else { return nil }
    }
}
