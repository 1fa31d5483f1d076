// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Crypto
import CryptoExtras
import HomingDatabase
import HomingLinkRules
import HomingPasswords
package import HomingProjects
package import HomingStore
package import HomingWire

/// A key pair of the operator's back end, with which it makes custom tokens and, unless it is for those alone, comes to
/// the admin listener. Homing keeps the public half alone.
package struct ServiceAccount: Sendable {
    /// The key's id, `private_key_id` and `kid`.
    package let id: String
    /// The issuer of its tokens.
    package let email: String
    package let name: String?
    package let createdAt: Moment
    package let revokedAt: Moment?
    /// In PEM.
    let publicKey: String
    /// Whether its back end gets access tokens for the project.
    package let opensAdmin: Bool

    init(_ row: consuming Row) throws {
        id = try row.text()
        email = try row.text()
        name = try row.optionalText()
        createdAt = try row.moment()
        revokedAt = try row.optionalMoment()
        publicKey = try row.text()
        opensAdmin = try row.bool()
    }
}

/// The service accounts of projects.
package struct ServiceAccounts: Sendable {
    /// Each one that is in force may have to be tried for a token that names no key.
    private static let most = 10

    let store: Store
    let pool: HashingPool
    let publicURL: String
    /// Where back ends reach the admin listener; nil where nobody knows.
    let adminURL: String?

    /// Makes a service account.
    ///
    /// - Parameters:
    ///   - opensAdmin: whether its back end may do everything in the project, or make custom tokens alone.
    ///   - adminURL: where this back end reaches the admin listener, if not where everybody does.
    /// - Returns: the file for the back end, in the form of Google's key files, which Firebase's Admin SDKs read
    ///   (https://firebase.google.com/docs/admin/setup). The private key is nowhere else.
    package func create(
        named name: String?, in project: Project, opensAdmin: Bool = true, adminURL: String? = nil, by author: Authority
    ) async throws -> JSON {
        let name = try name.map { try Projects.checkedName($0, of: "a service account") }
        let key = try await pool.settle { try _RSA.Signing.PrivateKey(keySize: .bits2048) }
        let host = (try? WebURL(parsing: publicURL, takesHTTP: true))?.host.text ?? "localhost"
        let id = String(store.system.randomName(length: 40))
        let email = "service-account@\(project.projectID).\(host)"
        let publicKey = key.publicKey.pemRepresentation
        try await store.write(in: project, by: author) { tx in
            try tx.takeProject()
            let others =
                try tx.run([
                    "SELECT COUNT(*) FROM service_accounts WHERE project = \(project.projectID) AND revoked_at IS NULL"
                ])[0].firstInt() ?? 0
            guard others < Self.most else {
                throw Refusal.invalidSetting(
                    "\(project.projectID) has \(Self.most) service accounts", remedy: .revokeServiceAccount)
            }
            _ = try tx.run([
                """
                INSERT INTO service_accounts (project, id, email, name, public_key, created_at, opens_admin)
                VALUES (\(project.projectID), \(id), \(email), \(name), \(publicKey), \(tx.now), \(opensAdmin))
                """
            ])
            tx.note(
                "serviceAccount.create", of: id, after: opensAdmin ? "admin listener, custom tokens" : "custom tokens")
        }
        let tokenURL = (adminURL ?? self.adminURL ?? publicURL) + AccessToken.path
        return [
            "type": "service_account", "project_id": .string(project.projectID.text), "private_key_id": .string(id),
            "private_key": .string(key.pkcs8PEMRepresentation), "client_email": .string(email),
            "client_id": .string(project.number), "token_uri": .string(tokenURL),
        ]
    }

    /// All service accounts of a project, revoked ones too, the oldest first.
    package func list(in project: Project) async throws -> [ServiceAccount] {
        try await store.read(in: project) { tx in
            try tx.run([
                "\(sql: Self.selection) WHERE project = \(project.projectID) ORDER BY created_at, id"
            ])[0].map { try ServiceAccount($0) }
        }
    }

    /// Those in force whose tokens have this issuer.
    ///
    /// - Parameter project: the id of a project, which need not be there.
    func signers(_ email: String, of project: ProjectID) async throws -> [ServiceAccount] {
        try await store.read { tx in
            try tx.run(
                """
                \(sql: Self.selection)
                WHERE project = \(project) AND email = \(email) AND revoked_at IS NULL
                """
            ).map { try ServiceAccount($0) }
        }
    }

    /// One that is in force.
    func inForce(_ id: String, of project: ProjectID) async throws -> ServiceAccount? {
        try await store.read { tx in
            try tx.run(
                "\(sql: Self.selection) WHERE project = \(project) AND id = \(id) AND revoked_at IS NULL"
            ).first.map { try ServiceAccount($0) }
        }
    }

    private static let selection: SQL = """
        SELECT id, email, name, created_at, revoked_at, public_key, opens_admin FROM service_accounts
        """

    /// Refuses tokens of this account, and those that it got, from now on; sessions that they began go on.
    package func revoke(_ id: String, in project: Project, by author: Authority) async throws {
        try await store.write(in: project, by: author) { tx in
            let revoked = try tx.run([
                """
                UPDATE service_accounts SET revoked_at = \(tx.now)
                WHERE project = \(project.projectID) AND id = \(id) AND revoked_at IS NULL RETURNING id
                """
            ])[0]
            guard !revoked.isEmpty else {
                throw Refusal.notFound(
                    "\(project.projectID) has no service account \(Printable.given(id)) in force",
                    remedy: .listServiceAccounts(project: project.projectID))
            }
            tx.note("serviceAccount.revoke", of: id)
        }
    }
}
