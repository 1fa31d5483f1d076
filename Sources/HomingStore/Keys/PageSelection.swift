// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// Where the next page of a list begins: `nextPageToken` in Google's APIs. It is bound to the list, so that a token
/// that was never given is refused and not taken for a place at which people would be left out.
package struct PageSelection: Sendable {
    /// A place in a list may be as long as a name and the address of a link.
    private static let longestToken = 4096

    private let ring: KeyRing

    package init(ring: KeyRing) {
        self.ring = ring
    }

    /// - Parameters:
    ///   - id: the last entry of the page before.
    ///   - list: the list's name, with that of its project.
    package func token(after id: String, of list: String) -> String {
        let version = ring.newestHere
        let mac = (try? ring.mac(Self.message(id, list), for: .pageSelection, version: version)) ?? []
        return Base64URL.encode([version] + mac.prefix(16) + id.utf8)
    }

    /// - Returns: the last entry of the page before; empty text at the beginning.
    /// - Throws: ``Refusal/invalidPageSelection``.
    package func last(_ token: String?, of list: String) throws(Refusal) -> String {
        guard let token, !token.isEmpty else { return "" }
        guard token.utf8.count <= Self.longestToken, let bytes = Base64URL.decode(token), bytes.count > 17 else {
            throw .invalidPageSelection
        }
        let id = String(decoding: bytes[17...], as: UTF8.self)
        guard let mac = try ring.mac(Self.message(id, list), for: .pageSelection, version: bytes[0]),
            areEqualInConstantTime(mac.prefix(16), bytes[1...16])
        else { throw .invalidPageSelection }
        return id
    }

    private static func message(_ id: String, _ list: String) -> [UInt8] {
        Array(list.utf8) + [0] + Array(id.utf8)
    }
}
