// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
internal import HomingDatabase
import HomingWire

/// The schemes of imported hashes, by project. They are needed at the first sign-in of an imported account, and at
/// sign-ins that fail, and read each time.
package struct PasswordSchemes: Sendable {
    let store: Store

    /// The most kinds of hashes that a project may have: a wrong password takes the time of all of them.
    package static let mostKinds = 8
    /// The most schemes; those of one kind differ in their cost alone.
    private static let mostSchemes = 64

    /// Notes the schemes that the project has not.
    ///
    /// - Returns: their ids, for ``ImportedHash``.
    /// - Throws: a refusal of senseless parameters, and of too many kinds.
    package func add(_ schemes: Set<PasswordScheme>, to project: Project) async throws -> [PasswordScheme: String] {
        guard !schemes.isEmpty else { return [:] }
        var ids = try await check(adding: schemes, to: project)
        for scheme in schemes where ids[scheme] == nil {
            let id = store.system.randomName(length: 12)
            let sealed = try store.ring.seal(Array(try JSONEncoder().encode(scheme)), name: Self.label(project.id, id))
            try await store.write(in: project) { tx in
                _ = try tx.run([
                    """
                    INSERT INTO password_schemes (project, id, sealed, created_at)
                    VALUES (\(tx.project.id), \(id), \(sealed), \(tx.now))
                    """
                ])
            }
            ids[scheme] = id
        }
        return ids
    }

    /// Looks whether the project can have these schemes beside its own.
    ///
    /// - Returns: those that it has, with their ids.
    /// - Throws: a refusal of senseless parameters, and of too many kinds.
    @discardableResult
    package func check(
        adding schemes: Set<PasswordScheme>, to project: Project
    ) async throws -> [PasswordScheme: String] {
        for scheme in schemes { _ = try scheme.checked() }
        let known = Dictionary(try await all(of: project).map { ($0.scheme, $0.id) }) { first, _ in first }
        let together = schemes.union(known.keys)
        let kinds = PasswordScheme.kinds(of: together)
        guard kinds.count <= Self.mostKinds, together.count <= Self.mostSchemes else {
            let names = Set(kinds.map(\.name)).sorted().joined(separator: ", ")
            throw Refusal.invalidSetting(
                "\(project.id) would have password hashes of \(max(kinds.count, together.count)) kinds (\(names)), and at "
                    + "most \(Self.mostKinds) are taken, because a wrong password takes the time of all: take the hashes of "
                    + "the rarest kinds out of the file, and those people choose a new password by mail")
        }
        return known
    }

    /// All of a project, the oldest first: as many as it has imported kinds of hashes.
    package func all(of project: Project) async throws -> [(id: String, scheme: PasswordScheme)] {
        let rows = try await store.read(in: project) { tx in
            try tx.run([
                "SELECT id, sealed FROM password_schemes WHERE project = \(tx.project.id) ORDER BY created_at, id"
            ])[0].map { row in
                var row = row
                return (try row.text(), try row.bytes())
            }
        }
        return try rows.map { id, sealed in
            let opened = try store.ring.open(sealed, name: Self.label(project.id, id))
            return (id, try JSONDecoder().decode(PasswordScheme.self, from: Data(opened)))
        }
    }

    /// Encrypts all schemes anew with the key version in use, so that an older one can be retired.
    package func reseal() async throws {
        let rows = try await store.database.read { connection in
            try connection.run("SELECT project, id, sealed FROM password_schemes").map { row in
                var row = row
                return (try row.text(), try row.text(), try row.bytes())
            }
        }
        for (project, id, sealed) in rows where sealed.first != store.ring.active {
            let label = Self.label(project, id)
            let fresh = try store.ring.seal(try store.ring.open(sealed, name: label), name: label)
            try await store.database.write { connection in
                try connection.run(
                    """
                    UPDATE password_schemes SET sealed = \(fresh)
                    WHERE project = \(project) AND id = \(id) AND sealed = \(sealed)
                    """)
            }
        }
    }

    private static func label(_ project: String, _ id: String) -> String { "password scheme \(project) \(id)" }
}

/// A hash of another system as an account keeps it until the first sign-in: `$scheme$ID$SALT$HASH`.
package struct ImportedHash: Sendable {
    let scheme: String
    package let salt: [UInt8]
    package let hash: [UInt8]

    private static let prefix = "$scheme$"

    init(scheme: String, salt: [UInt8], hash: [UInt8]) {
        self.scheme = scheme
        self.salt = salt
        self.hash = hash
    }

    /// Nil for our own hashes.
    init?(_ stored: String?) {
        guard let stored, stored.utf8.starts(with: Self.prefix.utf8) else { return nil }
        let parts = ASCII.split(stored, at: UInt8(ascii: "$"))
        guard parts.count == 5, let salt = Base64URL.decode(parts[3]), let hash = Base64URL.decode(parts[4]) else {
            return nil
        }
        (scheme, self.salt, self.hash) = (String(parts[2]), salt, hash)
    }

    var stored: String { "\(Self.prefix)\(scheme)$\(Base64URL.encode(salt))$\(Base64URL.encode(hash))" }
}
