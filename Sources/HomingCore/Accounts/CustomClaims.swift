// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingStore
import HomingWire

/// Custom claims are an object of at most 1,000 bytes that takes none of a token's own names.
package enum CustomClaims {
    private static let reserved: Set<String> = [
        "iss", "aud", "sub", "iat", "exp", "nbf", "jti", "nonce", "azp", "acr", "amr", "cnf", "auth_time", "firebase",
        "at_hash", "c_hash",
    ]

    package static func check(_ text: String) throws(Refusal) {
        guard text.utf8.count <= 1000 else { throw .claimsTooLarge }
        guard !text.isEmpty else { return }
        guard let object = (try? JSON.parse(Array(text.utf8)))?.objectValue else { throw .invalidClaims }
        guard hasDistinctKeys(.object(object)) else { throw .invalidClaims }
        for member in object.members where reserved.contains(member.key) { throw .forbiddenClaim(member.key) }
    }

    /// Whether no two keys differ in bytes and are canonically equal: readers of the token would take them for one key.
    private static func hasDistinctKeys(_ value: JSON) -> Bool {
        switch value {
        case .object(let object):
            Set(object.members.map(\.key)).count == object.members.count
                && object.members.allSatisfy { hasDistinctKeys($0.value) }
        case .array(let items): items.allSatisfy(hasDistinctKeys)
        default: true
        }
    }
}
