// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
internal import HomingDatabase
import HomingWire

/// The schemes of imported hashes, by project. They are needed at the first sign-in of an imported account, and at
/// sign-ins that fail, and read each time.
package struct PasswordSchemes: Sendable {
    let store: Store

    /// Notes a scheme, unless the project has it.
    ///
    /// - Returns: its id, for ``ImportedHash``.
    /// - Throws: a refusal of senseless parameters.
    package func add(_ scheme: PasswordScheme, to project: Project) async throws -> String {
        let scheme = try scheme.checked()
        if let known = try await all(of: project).first(where: { $0.scheme == scheme }) { return known.id }
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
        return id
    }

    package func find(_ id: String, of project: Project) async throws -> PasswordScheme? {
        try await all(of: project).first { $0.id == id }?.scheme
    }

    /// The scheme of the last import; nil in a project that has imported no hashes.
    func newest(of project: Project) async throws -> PasswordScheme? {
        try await all(of: project).last?.scheme
    }

    /// All of a project, the oldest first: as many as it has imported kinds of hashes.
    private func all(of project: Project) async throws -> [(id: String, scheme: PasswordScheme)] {
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
