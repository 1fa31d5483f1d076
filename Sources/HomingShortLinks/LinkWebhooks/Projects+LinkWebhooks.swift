// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
package import HomingProjects
package import HomingStore

/// Where projects hear of what is counted of their links.
extension Projects {
    /// Clicks and openings of a project are told to a URL from now on. What waits for the one before is told here.
    ///
    /// - Parameter secret: what requests are signed with; nil to keep the one that is there for the same URL.
    package func setLinkWebhook(
        _ url: String, secret: String?, of id: ProjectID, reachesPrivateAddresses: Bool, by author: Authority
    ) async throws {
        let project = try existing(id)
        try LinkWebhook.check(
            url, for: project, publicURL: publicURL, reachesPrivateAddresses: reachesPrivateAddresses)
        let fresh = try secret.map {
            try store.ring.seal(Array($0.utf8), name: LinkWebhook.label(project.scope, url))
        }
        let version = system.randomBytes(8).reduce(Int64(0)) { $0 << 8 | Int64($1) }
        try await change(by: author) { tx in
            let scope = id.scope
            guard try !tx.run("SELECT 1 FROM projects WHERE id = \(scope)").isEmpty else {
                throw Refusal.projectNotFound
            }
            let old = try Self.linkWebhook(of: scope, tx)
            let isSame = old?.url.utf8.elementsEqual(url.utf8) ?? false
            guard let secret = fresh ?? (isSame ? old?.sealedSecret : nil) else {
                throw Refusal.invalidSetting("the secret that requests are signed with is missing")
            }
            try tx.run("DELETE FROM link_webhooks WHERE project = \(scope)")
            try tx.run(
                """
                INSERT INTO link_webhooks (project, url, sealed, version, changed_at, next_at, claimed_until, failures,
                    dropped)
                VALUES (\(scope), \(url), \(secret), \(version), \(tx.now), \(tx.now), 0, 0, 0)
                """)
            tx.note(
                "linkWebhook.set", of: "link webhook", in: id, before: old?.shownURL,
                after: LinkWebhook.shown(url) + (isSame && fresh != nil ? ", with another secret" : ""))
        }
    }

    /// Nobody hears of clicks any more, and what waited to be told is dropped.
    package func removeLinkWebhook(of id: ProjectID, by author: Authority) async throws {
        _ = try existing(id)
        try await change(by: author) { tx in
            guard let old = try Self.linkWebhook(of: id.scope, tx) else { throw Refusal.noLinkWebhook(of: id) }
            try tx.run([
                "DELETE FROM link_webhooks WHERE project = \(id.scope)",
                "DELETE FROM link_events WHERE project = \(id.scope)",
            ])
            tx.note("linkWebhook.remove", of: "link webhook", in: id, before: old.shownURL)
        }
    }

    /// Encrypts all secrets anew with the key version in use, so that an older one can be retired.
    package func resealLinkWebhooks() async throws {
        let webhooks = try await store.read { tx in
            try tx.run(LinkWebhook.selection).map {
                var row = $0
                return try LinkWebhook(&row)
            }
        }
        for old in webhooks where old.sealedSecret.first != store.ring.active {
            let label = LinkWebhook.label(old.project, old.url)
            // What nobody can decrypt holds up no other.
            guard let secret = try store.ring.openUnlessGone(old.sealedSecret, name: label) else { continue }
            let sealed = try store.ring.seal(secret, name: label)
            try await change(by: .server) { tx in
                try tx.run(
                    """
                    UPDATE link_webhooks SET sealed = \(sealed)
                    WHERE project = \(old.project) AND version = \(old.version)
                    """)
            }
        }
    }

    private static func linkWebhook(of project: Scope, _ tx: borrowing Transaction) throws -> LinkWebhook? {
        try tx.run("\(sql: LinkWebhook.selection) WHERE project = \(project)").first.map {
            var row = $0
            return try LinkWebhook(&row)
        }
    }
}

extension Refusal {
    package static func noLinkWebhook(of project: ProjectID) -> Refusal {
        .notFound("\(project) has no link webhook: nobody is told of clicks")
    }
}
