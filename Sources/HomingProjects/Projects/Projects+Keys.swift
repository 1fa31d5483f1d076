// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
package import HomingStore
internal import HomingWire

/// The API keys of a project: made, chosen for links, and revoked once no app sends them any more.
extension Projects {
    /// Makes a key beside those that are there. Links go on carrying the one that they carry.
    ///
    /// - Parameter text: a key of the operator's own, such as Firebase's; otherwise one is made.
    package func createAPIKey(
        named name: String?, text: String? = nil, in id: ProjectID, by author: Authority
    ) async throws -> APIKey {
        _ = try existing(id)
        let key = try checkedKey(named: name, text ?? newAPIKey())
        try await refusingTakenKeys {
            try await change(by: author) { tx in try Self.add(key, to: id, tx) }
        }
        return key
    }

    func checkedKey(named name: String?, _ text: String) throws(Refusal) -> APIKey {
        try APIKey.check(text)
        var checked: String?
        if let name { checked = try Self.checkedName(name, of: "an API key") }
        return APIKey(text, name: checked, createdAt: system.now())
    }

    package static func add(
        _ key: APIKey, to id: ProjectID, _ tx: borrowing Transaction
    ) throws {
        try insert(key, project: id, tx)
        tx.note("apiKey.create", of: key.text, in: id, after: key.name)
    }

    func refusingTakenKeys(_ change: () async throws -> Void) async throws {
        do {
            try await change()
        } catch let violation as UniqueViolation where violation.columns == ["api_keys.key"] {
            throw Refusal.alreadyExists("this API key belongs to a project already, perhaps as a revoked one")
        }
    }

    /// Has links carry this key from now on.
    package func useAPIKey(_ text: String, in id: ProjectID, by author: Authority) async throws {
        _ = try existing(id)
        try await change(by: author) { tx in try Self.use(text, in: id, tx) }
    }

    static func use(
        _ text: String, in id: ProjectID, _ tx: borrowing Transaction
    ) throws {
        // As ``Project/linkKey`` has it.
        let before = try tx.run(
            """
            SELECT key FROM api_keys WHERE project = \(id) AND revoked_at IS NULL
            ORDER BY COALESCE(chosen_at, 0) DESC, created_at, key LIMIT 1
            """
        ).firstText()
        // The choice counts that was made last, also within one millisecond.
        let chosen = try tx.run(
            """
            UPDATE api_keys SET chosen_at = (
                SELECT CASE WHEN MAX(others.chosen_at) >= \(tx.now) THEN MAX(others.chosen_at) + 1 ELSE \(tx.now) END
                FROM api_keys others WHERE others.project = \(id))
            WHERE project = \(id) AND key = \(text) AND revoked_at IS NULL RETURNING key
            """)
        guard !chosen.isEmpty else { throw noSuchKey(text, in: id) }
        tx.note("apiKey.use", of: text, in: id, before: before, after: text)
    }

    /// Revokes a key: every app that sends it is refused, on this node at once and on the others within seconds. Links
    /// that were mailed with it still open their page. The last key stays.
    package func revokeAPIKey(_ text: String, in id: ProjectID, by author: Authority) async throws {
        _ = try existing(id)
        try await change(by: author) { tx in
            let revoked = try tx.run(
                """
                UPDATE api_keys SET revoked_at = \(tx.now)
                WHERE project = \(id) AND key = \(text) AND revoked_at IS NULL AND EXISTS (
                    SELECT 1 FROM api_keys others
                    WHERE others.project = \(id) AND others.key <> \(text) AND others.revoked_at IS NULL)
                RETURNING key
                """)
            guard !revoked.isEmpty else {
                let isThere = try tx.run(
                    "SELECT 1 FROM api_keys WHERE project = \(id) AND key = \(text) AND revoked_at IS NULL")
                guard isThere.isEmpty else {
                    throw Refusal.invalidSetting(
                        "this is the only API key of \(id), and its apps send it", remedy: .replaceAPIKey(project: id))
                }
                throw Self.noSuchKey(text, in: id)
            }
            tx.note("apiKey.revoke", of: text, in: id)
        }
    }

    func newAPIKey() -> String { "hk_" + system.randomName(length: 36) }

    package static func insert(_ key: APIKey, project: ProjectID, _ tx: borrowing Transaction) throws {
        try tx.run(
            """
            INSERT INTO api_keys (key, project, name, created_at)
            VALUES (\(key.text), \(project), \(key.name), \(key.createdAt))
            """)
    }

    private static func noSuchKey(_ text: String, in id: ProjectID) -> Refusal {
        .notFound("\(id) has no API key \(Printable.given(text)) in force", remedy: .listAPIKeys(project: id))
    }
}
