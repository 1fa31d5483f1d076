// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Crypto
import Foundation
package import HomingStore
import HomingWire

/// A hash of another system as an account keeps it until the first sign-in: `$scheme$ID$SALT$HASH`.
package struct ImportedHash: Sendable {
    package let scheme: String
    package let salt: [UInt8]
    package let hash: [UInt8]

    private static let prefix = "$scheme$"

    package init(scheme: String, salt: [UInt8], hash: [UInt8]) {
        self.scheme = scheme
        self.salt = salt
        self.hash = hash
    }

    /// Nil for our own hashes.
    package init?(_ stored: String?) {
        guard let stored, stored.utf8.starts(with: Self.prefix.utf8) else { return nil }
        let parts = ASCII.split(stored, at: UInt8(ascii: "$"))
        guard parts.count == 5, let salt = Base64URL.decode(parts[3]), let hash = Base64URL.decode(parts[4]) else {
            return nil
        }
        (scheme, self.salt, self.hash) = (String(parts[2]), salt, hash)
    }

    /// The number of letters of a scheme's id; statements find accounts by them.
    package static let schemeLength = 12

    /// The salt of our own hash that a sign-in puts in the place of this one. It tells an import that comes again that
    /// this hash is still the one that the account came with. Nil for no hash: an old system was asked.
    ///
    /// A salt has to be another for each hash, and need not be secret: this one is the digest of one and of the
    /// account.
    package func mark(of account: AccountID) -> [UInt8]? {
        guard !hash.isEmpty else { return nil }
        let text = "imported hash \(Base64URL.encode(salt)) \(Base64URL.encode(hash)) \(account)"
        return Array(SHA256.hash(data: Array(text.utf8)).prefix(16))
    }

    package var stored: String { "\(Self.prefix)\(scheme)$\(Base64URL.encode(salt))$\(Base64URL.encode(hash))" }
}
