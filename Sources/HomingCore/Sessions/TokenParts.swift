// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// The three parts of a signed token (RFC 7515 section 3.1) before anything is believed of it.
struct TokenParts {
    /// The greatest length of a token. To cut a megabyte of dots apart takes a tenth of a second.
    static let mostBytes = 8192

    let header: Substring
    let payload: Substring
    let signature: Substring

    /// - Returns: nil for a text that is too long, and for one of fewer or more parts.
    init?(_ token: String) {
        guard token.utf8.count <= Self.mostBytes else { return nil }
        let parts = ASCII.split(token, at: UInt8(ascii: "."))
        guard parts.count == 3 else { return nil }
        (header, payload, signature) = (parts[0], parts[1], parts[2])
    }

    /// The signed part.
    var message: String { "\(header).\(payload)" }
}
