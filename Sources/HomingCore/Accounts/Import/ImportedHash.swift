// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Crypto
import Foundation
internal import HomingDatabase
import HomingWire

/// A hash of another system as an account keeps it until the first sign-in: `$scheme$ID$SALT$HASH`.
package struct ImportedHash: Sendable {
    package let scheme: String
    package let salt: [UInt8]
    package let hash: [UInt8]

    private static let prefix = "$scheme$"

    init(scheme: String, salt: [UInt8], hash: [UInt8]) {
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
    static let schemeLength = 12

    /// The accounts of a project that name a scheme. The index `accounts_schemes` has those with an imported hash, and
    /// no others.
    static func isOf(_ scheme: SQL, in project: SQL) -> SQL {
        """
        accounts.project = \(sql: project) AND substr(accounts.password_hash, 1, 8) = '$scheme$'
            AND substr(accounts.password_hash, 9, 12) = \(sql: scheme)
        """
    }

    static func isOf(scheme: String, in project: Scope) -> SQL {
        let (scheme, project): (SQL, SQL) = ("\(scheme)", "\(project)")
        return isOf(scheme, in: project)
    }

    /// The salt of our own hash that a sign-in puts in the place of this one. It tells an import that comes again that
    /// this hash is still the one that the account came with. Nil for no hash: an old system was asked.
    ///
    /// A salt has to be another for each hash, and need not be secret: this one is the digest of one and of the
    /// account.
    func mark(of account: AccountID) -> [UInt8]? {
        guard !hash.isEmpty else { return nil }
        let text = "imported hash \(Base64URL.encode(salt)) \(Base64URL.encode(hash)) \(account)"
        return Array(SHA256.hash(data: Array(text.utf8)).prefix(16))
    }

    var stored: String { "\(Self.prefix)\(scheme)$\(Base64URL.encode(salt))$\(Base64URL.encode(hash))" }
}

extension Account {
    /// The hash of the password and its salt, each in base64: of a hash from another system its bytes as they came, of
    /// Homing's own its text, which has the salt in it. Nil where an old system is asked, and there is no hash.
    package var exportedHash: (hash: String, salt: String)? {
        guard let passwordHash else { return nil }
        func base64(_ bytes: some Sequence<UInt8>) -> String { Data(bytes).base64EncodedString() }
        guard let imported = ImportedHash(passwordHash) else { return (base64(passwordHash.utf8), "") }
        return imported.hash.isEmpty ? nil : (base64(imported.hash), base64(imported.salt))
    }
}
