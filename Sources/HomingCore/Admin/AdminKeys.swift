// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Crypto
import Foundation
internal import HomingDatabase
import HomingLinkRules
import HomingProjects
package import HomingStore
import HomingWire
import Synchronization

/// Bearer keys for the admin listener: shown once, kept as a digest, revoked at once, for some projects or for all,
/// with an end or without one.
package final class AdminKeys: Sendable {
    private let store: Store
    /// The last uses that are not in the database yet, by the key's id: a request writes nothing.
    private let uses = Mutex<[String: Moment]>([:])

    private var system: System { store.system }

    package init(store: Store) {
        self.store = store
    }

    /// Makes a key. The secret is answered once and can never be read again.
    ///
    /// - Parameters:
    ///   - projects: the projects that it is for; nil for all of them.
    ///   - readsHashes: whether its back end may read the hashes of passwords.
    package func create(
        name: String, projects: [ProjectID]? = nil, readsHashes: Bool = false, expiresAt: Moment? = nil,
        by author: Authority
    ) async throws -> (id: String, secret: String) {
        let name = try Projects.checkedName(name, of: "an admin key")
        let id = system.randomName(length: 10)
        // 256 random bits: a plain digest is enough to keep (ASVS 6.5.2).
        let secret = "ha_" + id + "_" + system.randomName(length: 43)
        let digest = Self.digest(secret)
        let now = system.now()
        if let expiresAt, expiresAt <= now { throw Refusal.invalidSetting("this key would have ended already") }
        let key = AdminKey(
            id: id, name: name, projects: projects.map { Set($0).sorted() }, readsHashes: readsHashes, createdAt: now,
            expiresAt: expiresAt, revokedAt: nil, usedAt: nil)
        let stored = try key.projects.map(Self.encode)
        try await store.write(by: author) { tx in
            for project in key.projects ?? [] {
                // A key is for whole projects, not for a tenant.
                try Projects.check(id: project)
                guard try !tx.run("SELECT 1 FROM projects WHERE id = \(project)").isEmpty else {
                    throw Refusal.notFound(
                        "there is no project \(Printable.given(project.text))", remedy: .listProjects)
                }
            }
            try tx.run(
                """
                INSERT INTO admin_keys (id, name, digest, created_at, projects, reads_hashes, expires_at)
                VALUES (\(id), \(name), \(digest), \(now), \(stored), \(readsHashes), \(expiresAt))
                """)
            for project in Self.entries(of: key) {
                tx.note("adminKey.create", of: id, in: project, after: "\(name), \(key.rights)")
            }
        }
        return (id, secret)
    }

    /// All keys, the oldest first.
    package func list() async throws -> [AdminKey] {
        let keys = try await store.read { tx in
            try tx.run("SELECT \(sql: Self.columns) FROM admin_keys ORDER BY created_at, id").map {
                try Self.key($0)
            }
        }
        let uses = uses.withLock(\.self)
        return keys.map { key in
            guard let use = uses[key.id], use > key.usedAt ?? use.adding(seconds: -1) else { return key }
            return AdminKey(
                id: key.id, name: key.name, projects: key.projects, readsHashes: key.readsHashes,
                createdAt: key.createdAt, expiresAt: key.expiresAt, revokedAt: key.revokedAt, usedAt: use)
        }
    }

    package func revoke(_ id: String, by author: Authority) async throws {
        try await store.write(by: author) { tx in
            let revoked = try tx.run(
                """
                UPDATE admin_keys SET revoked_at = \(tx.now) WHERE id = \(id) AND revoked_at IS NULL
                RETURNING \(sql: Self.columns)
                """
            ).first.map { try Self.key($0) }
            guard let revoked else {
                throw Refusal.notFound("there is no admin key \(Printable.given(id)) in force", remedy: .listAdminKeys)
            }
            for project in Self.entries(of: revoked) {
                tx.note("adminKey.revoke", of: id, in: project, before: revoked.name)
            }
        }
    }

    /// The key in force that a bearer secret belongs to.
    ///
    /// - Throws: ``Refusal/adminKeyEnded(_:)`` to whoever has the secret of a key that has ended.
    package func find(_ secret: String) async throws -> AdminKey? {
        let parts = secret.split(separator: "_", omittingEmptySubsequences: false)
        guard secret.utf8.count < 128, parts.count == 3, parts[0] == "ha" else { return nil }
        let id = String(parts[1])
        let found = try await store.read { tx in
            try tx.run(
                "SELECT digest, \(sql: Self.columns) FROM admin_keys WHERE id = \(id) AND revoked_at IS NULL"
            ).first.map {
                var row = $0
                return (digest: try row.bytes(), key: try Self.key(row))
            }
        }
        guard let found, areEqualInConstantTime(found.digest, Self.digest(secret)) else { return nil }
        let now = system.now()
        guard !found.key.hasEnded(at: now) else {
            let end = (found.key.expiresAt ?? now).timestamp
            throw Refusal.adminKeyEnded("The admin key \(found.key.name) ended at \(end).")
        }
        uses.withLock { $0[id] = now }
        return found.key
    }

    /// Writes when keys were last used. What cannot be written is kept for the next time.
    package func flushUses() async throws {
        let uses = uses.withLock { uses in
            defer { uses = [:] }
            return uses
        }
        guard !uses.isEmpty else { return }
        do {
            try await store.write { tx in
                for (id, use) in uses {
                    try tx.run(
                        """
                        UPDATE admin_keys SET used_at = \(use)
                        WHERE id = \(id) AND (used_at IS NULL OR used_at < \(use))
                        """)
                }
            }
        } catch {
            self.uses.withLock { $0.merge(uses) { max($0, $1) } }
            throw error
        }
    }

    /// Takes a project that is deleted from the keys that are for it. A later project of the same id is another one.
    static func forget(_ project: ProjectID, _ tx: borrowing Transaction) throws {
        let bound = try tx.run(
            "SELECT \(sql: columns) FROM admin_keys WHERE projects IS NOT NULL"
        ).map { try key($0) }
        for key in bound where key.isFor(project) {
            let left = try encode((key.projects ?? []).filter { $0 != project })
            try tx.run("UPDATE admin_keys SET projects = \(left) WHERE id = \(key.id)")
        }
    }

    private static let columns: SQL = "id, name, projects, reads_hashes, created_at, expires_at, revoked_at, used_at"

    private static func key(_ row: consuming Row) throws -> AdminKey {
        AdminKey(
            id: try row.text(), name: try row.text(),
            projects: try row.optionalText().map { try JSONDecoder().decode([ProjectID].self, from: Data($0.utf8)) },
            readsHashes: try row.bool(), createdAt: try row.moment(), expiresAt: try row.optionalMoment(),
            revokedAt: try row.optionalMoment(),
            usedAt: try row.optionalMoment())
    }

    private static func encode(_ projects: [ProjectID]) throws -> String {
        String(decoding: try JSONEncoder().encode(projects), as: UTF8.self)
    }

    /// The projects whose part of the audit log tells of a key; nil for what belongs to no project.
    private static func entries(of key: AdminKey) -> [ProjectID?] {
        key.projects.flatMap { $0.isEmpty ? nil : $0 } ?? [nil]
    }

    /// The stored digest of a secret, which is random enough to need nothing slower.
    static func digest(_ secret: String) -> [UInt8] {
        Array(SHA256.hash(data: Data(secret.utf8)))
    }
}
