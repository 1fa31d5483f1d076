// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
internal import HomingDatabase
import HomingLinkRules
package import HomingPasswords
package import HomingProjects
import HomingStore
import HomingWire

/// The schemes of imported hashes, by project. They are needed at the first sign-in of an imported account, and at
/// sign-ins that fail, and read each time.
package struct PasswordSchemes: Sendable {
    let store: Store

    /// The most kinds of hashes that a project may have: a wrong password takes the time of all of them.
    package static let mostKinds = 8
    /// The most schemes; those of one kind differ in their cost alone.
    private static let mostSchemes = 64
    /// For so long a scheme is not noted anew when accounts name it again; less than the sweep waits.
    private static let recentSeconds: Int64 = 43_200

    /// A scheme as a project has it.
    package struct Kept: Sendable {
        package let id: String
        package let scheme: PasswordScheme
        /// When an import began to name it last.
        let createdAt: Moment
    }

    /// Notes the schemes that the project has not.
    ///
    /// Those that it has are kept from the sweep for a day more (``Sweep``), in which the accounts that name them can
    /// come. A project has one old system: another URL or key takes the place of the one before, for all accounts.
    ///
    /// - Returns: their ids, for ``ImportedHash``.
    /// - Throws: a refusal of senseless parameters, and of too many kinds.
    package func add(_ schemes: Set<PasswordScheme>, to project: Project) async throws -> [PasswordScheme: String] {
        guard !schemes.isEmpty else { return [:] }
        for scheme in schemes { _ = try scheme.checked() }
        return try await store.write(in: project) { tx in
            // Another import of the project waits, and finds what this one has added.
            try tx.takeProject()
            let known = try kept(tx)
            try check(schemes, beside: known, in: project)
            let recent = tx.now.adding(seconds: -Self.recentSeconds)
            var ids: [PasswordScheme: String] = [:]
            for scheme in schemes {
                let same = known.first { $0.scheme == scheme }
                let replaced = scheme.oldSystem == nil ? nil : known.first { $0.scheme.oldSystem != nil }
                let id = (same ?? replaced)?.id ?? store.system.randomName(length: ImportedHash.schemeLength)
                ids[scheme] = id
                if let same, same.createdAt > recent { continue }
                let sealed = try store.ring.seal(
                    Array(try JSONEncoder().encode(scheme)), name: Self.label(project.scope, id))
                let change: SQL = same == nil ? "sealed = excluded.sealed, " : ""
                // The sweep may have been faster than this.
                _ = try tx.run([
                    """
                    INSERT INTO password_schemes (project, id, sealed, created_at)
                    VALUES (\(project.scope), \(id), \(sealed), \(tx.now))
                    ON CONFLICT (project, id) DO UPDATE SET \(sql: change)created_at = excluded.created_at
                    """
                ])
            }
            return ids
        }
    }

    /// Looks whether the project can have these schemes beside its own.
    ///
    /// - Throws: a refusal of senseless parameters, and of too many or too dear kinds.
    package func check(adding schemes: Set<PasswordScheme>, to project: Project) async throws {
        for scheme in schemes { _ = try scheme.checked() }
        try check(schemes, beside: try await kept(of: project), in: project)
    }

    private func check(_ schemes: Set<PasswordScheme>, beside known: [Kept], in project: Project) throws {
        let together = schemes.union(known.map(\.scheme)).filter { $0.oldSystem == nil }
        let kinds = PasswordScheme.kinds(of: together)
        guard kinds.count <= Self.mostKinds, together.count <= Self.mostSchemes else {
            let names = Set(kinds.map(\.name)).sorted().joined(separator: ", ")
            throw Refusal.quotaExceeded(
                "\(project.scope) would have password hashes of \(max(kinds.count, together.count)) kinds (\(names)), "
                    + "and at most \(Self.mostKinds) are taken, because a wrong password takes the time of all: "
                    + "take the hashes of the rarest kinds out of the file, and those people choose a new password "
                    + "by mail")
        }
        // What the project has already stays, whatever that takes.
        let before = PasswordScheme.kinds(of: Set(known.map(\.scheme)).filter { $0.oldSystem == nil })
        try checkWork(of: kinds, beside: before, in: project)
    }

    private func checkWork(
        of kinds: [PasswordScheme], beside before: [PasswordScheme], in project: Project
    ) throws(Refusal) {
        func sum(_ kinds: [PasswordScheme]) -> Int { kinds.reduce(0) { $0 + $1.microseconds } }
        let dearest = kinds.sorted { $0.microseconds > $1.microseconds }
        let work = sum(kinds)
        guard work > PasswordScheme.mostMicroseconds, work > sum(before),
            let first = dearest.first(where: { !before.contains($0) })
        else { return }
        let parts = dearest.filter { $0.microseconds >= 50_000 }
            .map { "\($0.name) \(PasswordScheme.seconds($0.microseconds))" }.joined(separator: ", ")
        throw .quotaExceeded(
            "\(project.scope) would have password hashes with which every wrong password takes "
                + "\(PasswordScheme.seconds(work)) of a core (\(parts)), and at most "
                + "\(PasswordScheme.seconds(PasswordScheme.mostMicroseconds)) are taken, because others wait "
                + "for it: take the hashes of \(first.name) out of the file, and those people choose a new password "
                + "by mail")
    }

    /// All of a project, the oldest first: as many as it has imported kinds of hashes.
    package func all(of project: Project) async throws -> [(id: String, scheme: PasswordScheme)] {
        try await kept(of: project).map { ($0.id, $0.scheme) }
    }

    /// The ids of a project's schemes.
    func ids(of project: Project) async throws -> [PasswordScheme: String] {
        Dictionary(try await all(of: project).map { ($0.scheme, $0.id) }) { first, _ in first }
    }

    /// The old system that the project's accounts came from; nil when nobody is to be asked about any more.
    package func oldSystem(of project: Project) async throws -> (id: String, system: OldSystem)? {
        for kept in try await kept(of: project) {
            if let system = kept.scheme.oldSystem { return (kept.id, system) }
        }
        return nil
    }

    private func kept(of project: Project) async throws -> [Kept] {
        try await store.read(in: project) { try kept($0) }
    }

    private func kept(_ tx: borrowing ProjectTransaction) throws -> [Kept] {
        let project = tx.project.scope
        return try tx.run([
            """
            SELECT id, sealed, created_at FROM password_schemes WHERE project = \(project) ORDER BY created_at, id
            """
        ])[0].map { row in
            var row = row
            let id = try row.text()
            let opened = try store.ring.open(try row.bytes(), name: Self.label(project, id))
            let scheme = try JSONDecoder().decode(PasswordScheme.self, from: Data(opened))
            return Kept(id: id, scheme: scheme, createdAt: try row.moment())
        }
    }

    /// Encrypts all schemes anew with the key version in use, so that an older one can be retired.
    package func reseal() async throws {
        let rows = try await store.read { tx in
            try tx.run("SELECT project, id, sealed FROM password_schemes").map { row in
                var row = row
                return (try row.id() as Scope, try row.text(), try row.bytes())
            }
        }
        for (project, id, sealed) in rows where sealed.first != store.ring.active {
            let label = Self.label(project, id)
            let fresh = try store.ring.seal(try store.ring.open(sealed, name: label), name: label)
            try await store.write { tx in
                try tx.run(
                    """
                    UPDATE password_schemes SET sealed = \(fresh)
                    WHERE project = \(project) AND id = \(id) AND sealed = \(sealed)
                    """)
            }
        }
    }

    private static func label(_ project: Scope, _ id: String) -> String { "password scheme \(project) \(id)" }
}
