// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Crypto
import Foundation
package import HomingDatabase
import HomingWire

/// Bearer keys for the admin listener: shown once, kept as a digest, revoked at once.
package struct AdminKeys: Sendable {
    let database: Database
    let system: System

    package init(database: Database, system: System) {
        self.database = database
        self.system = system
    }

    package struct Entry: Sendable {
        package let id: String
        package let name: String
        package let createdAt: Moment
        package let revokedAt: Moment?
    }

    /// Makes a key. The secret is answered once and can never be read again.
    package func create(name: String) async throws -> (id: String, secret: String) {
        let id = system.randomName(length: 10)
        // 256 random bits: a plain digest is enough to keep (ASVS 6.5.2).
        let secret = "ha_" + id + "_" + system.randomName(length: 43)
        let digest = Self.digest(secret)
        let now = system.now()
        try await database.write { connection in
            try connection.run(
                "INSERT INTO admin_keys (id, name, digest, created_at) VALUES (\(id), \(name), \(digest), \(now))")
        }
        return (id, secret)
    }

    package func list() async throws -> [Entry] {
        try await database.read { connection in
            try connection.run("SELECT id, name, created_at, revoked_at FROM admin_keys ORDER BY created_at").map {
                var row = $0
                return Entry(
                    id: try row.text(), name: try row.text(), createdAt: try row.moment(),
                    revokedAt: try row.optionalMoment())
            }
        }
    }

    package func revoke(_ id: String) async throws {
        let now = system.now()
        let revoked = try await database.write { connection in
            try connection.run(
                "UPDATE admin_keys SET revoked_at = \(now) WHERE id = \(id) AND revoked_at IS NULL RETURNING id")
        }
        guard !revoked.isEmpty else {
            throw Refusal.notFound("there is no admin key \(id) in force: homing admin-key list")
        }
    }

    /// Whether a bearer secret belongs to a key in force.
    package func isValid(_ secret: String) async throws -> Bool {
        let parts = secret.split(separator: "_", omittingEmptySubsequences: false)
        guard secret.utf8.count < 128, parts.count == 3, parts[0] == "ha" else { return false }
        let id = String(parts[1])
        let stored = try await database.read { connection in
            try connection.run("SELECT digest FROM admin_keys WHERE id = \(id) AND revoked_at IS NULL").firstBytes()
        }
        guard let stored else { return false }
        return areEqualInConstantTime(stored, Self.digest(secret))
    }

    /// The stored digest of a secret, which is random enough to need nothing slower.
    static func digest(_ secret: String) -> [UInt8] {
        Array(SHA256.hash(data: Data(secret.utf8)))
    }
}
