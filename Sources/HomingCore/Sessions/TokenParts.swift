// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// The three parts of a signed token (RFC 7515 section 3.1) before anything is believed of it.
struct TokenParts {
    /// The greatest length of a token.
    static let mostBytes = 8192

    let header: Substring
    let payload: Substring
    let signature: Substring

    /// - Returns: nil for a text that is too long, and for one of fewer or more parts.
    init?(_ token: String) {
        guard token.utf8.count <= Self.mostBytes else { return nil }
        // Of a token of nothing but dots no more than four pieces are made.
        let parts = token.utf8.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        (header, payload, signature) = (Substring(parts[0]), Substring(parts[1]), Substring(parts[2]))
    }

    /// The signed part.
    var message: String { "\(header).\(payload)" }
}
