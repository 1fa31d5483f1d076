// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
package import HomingStore
import HomingWire

/// The providers through which projects and tenants mail, where that is not the server's.
extension Projects {
    /// Mails of a project or tenant leave through a provider of its own from now on.
    ///
    /// - Throws: ``Refusal`` where the provider needs a secret and there is none for this destination.
    package func setMailTransport(
        _ draft: OwnMailTransport.Draft, of owner: Scope, by author: Authority
    ) async throws {
        _ = try existingOrTenant(owner)
        let fresh = try draft.secret.map {
            try store.ring.seal(Array($0.utf8), name: OwnMailTransport.label(owner, draft.destination))
        }
        let freshEventsKey = try draft.eventsKey.flatMap {
            $0.isEmpty ? nil : try store.ring.seal(Array($0.utf8), name: OwnMailTransport.eventsLabel(owner))
        }
        let newToken = system.randomName(length: 32)
        let version = system.randomBytes(8).reduce(Int64(0)) { $0 << 8 | Int64($1) }
        try await change(by: author) { tx in
            guard try !tx.run("SELECT 1 FROM projects WHERE id = \(owner)").isEmpty else {
                throw owner.tenant == nil ? Refusal.projectNotFound : Refusal.tenantNotFound
            }
            let old = try Self.mailTransport(of: owner, tx)
            let isSamePlace = old?.destination.utf8.elementsEqual(draft.destination.utf8) ?? false
            let secret = draft.needsSecret ? fresh ?? (isSamePlace ? old?.sealedSecret : nil) : nil
            guard secret != nil || !draft.needsSecret else {
                throw Refusal.noMailSecret(hasOther: old?.sealedSecret != nil)
            }
            let sender = draft.sender.map { $0.isEmpty ? nil : $0 } ?? old?.sender
            let fallsBack = draft.fallsBack ?? old?.fallsBack ?? false
            let eventsKey = freshEventsKey ?? old.flatMap { draft.keepsEventsKey(of: $0) ? $0.sealedEventsKey : nil }
            try tx.run("DELETE FROM mail_transports WHERE project = \(owner)")
            try tx.run(
                """
                INSERT INTO mail_transports (
                    project, url, destination, sealed, sender, falls_back, events_token, events_sealed, version,
                    changed_at
                ) VALUES (
                    \(owner), \(draft.url), \(draft.destination), \(secret), \(sender), \(fallsBack),
                    \(old?.eventsToken ?? newToken), \(eventsKey), \(version), \(tx.now)
                )
                """)
            tx.note(
                "mailTransport.set", of: OwnMailTransport.subject, in: owner, before: old?.summary,
                after: OwnMailTransport.summary(
                    url: draft.url, sender: sender, fallsBack: fallsBack, hasEventsKey: eventsKey != nil))
        }
    }

    /// Encrypts all secrets anew with the key version in use, so that an older one can be retired.
    package func resealMailTransports() async throws {
        let transports = try await store.read { tx in
            try tx.run(OwnMailTransport.selection).map {
                var row = $0
                return try OwnMailTransport(&row)
            }
        }
        for old in transports {
            let parts = [
                (old.sealedSecret, OwnMailTransport.label(old.owner, old.destination)),
                (old.sealedEventsKey, OwnMailTransport.eventsLabel(old.owner)),
            ]
            guard parts.contains(where: { $0.0 != nil && $0.0?.first != store.ring.active }) else { continue }
            // What nobody can decrypt holds up no other.
            let fresh = try parts.map { sealed, label -> [UInt8]? in
                guard let sealed else { return nil }
                guard let secret = try store.ring.openUnlessGone(sealed, name: label) else { return sealed }
                return try store.ring.seal(secret, name: label)
            }
            try await change(by: .server) { tx in
                try tx.run(
                    """
                    UPDATE mail_transports SET sealed = \(fresh[0]), events_sealed = \(fresh[1])
                    WHERE project = \(old.owner) AND version = \(old.version)
                    """)
            }
        }
    }

    package static func mailTransport(
        of owner: Scope, _ tx: borrowing Transaction
    ) throws -> OwnMailTransport? {
        try tx.run("\(sql: OwnMailTransport.selection) WHERE project = \(owner)").first.map {
            var row = $0
            return try OwnMailTransport(&row)
        }
    }
}

extension Refusal {
    /// - Parameter hasOther: whether there is a secret for another place.
    package static func noMailSecret(hasOther: Bool) -> Refusal {
        .invalidSetting(
            hasOther
                ? "the secret that is kept was given for another place or user, and goes nowhere else: give the one for this"
                : "the secret is missing: nothing can be sent there without one")
    }

    package static func noMailTransport(of owner: Scope) -> Refusal {
        .notFound("\(owner) has no mail transport of its own", remedy: .setMailTransport(owner))
    }
}

extension OwnMailTransport {
    /// As the audit log names it.
    package static let subject = "mail transport"
}
