// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
package import HomingStore
import HomingWire

extension Project {
    /// The sender domains that have keys, each once, in order.
    package var senderDomains: [String] {
        senderDomainKeys.map(\.domain).reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }

    /// The keys with which mails from an address of this domain are signed. Without one of RSA there are none: few
    /// receivers know another, so that the mails would count as not signed.
    package func signingKeys(for domain: some StringProtocol) -> [SenderDomainKey] {
        guard !senderDomainKeys.isEmpty else { return [] }
        let domain = ASCII.lowercased(domain)
        let keys = senderDomainKeys.filter { $0.signs && ASCII.areEqual($0.domain, domain) }
        return keys.contains { $0.algorithm.utf8.starts(with: "rsa-".utf8) } ? keys : []
    }
}

/// The domains in whose name a project's mails are signed.
extension Projects {
    /// The form in which a sender domain is kept.
    ///
    /// - Throws: ``Refusal/invalidSetting(_:remedy:)``.
    package static func senderDomain(_ text: String) throws(Refusal) -> String {
        guard let name = InternationalName.ascii(text), let host = WebHost(parsing: name),
            (try? EmailAddress(parsing: "postmaster@\(host.text)")) != nil
        else {
            throw .invalidSetting(
                "\(Printable.given(text)) is no domain that emails come from, such as mail.shop.example")
        }
        return host.text
    }

    /// Keeps new keys of a domain. Those before them sign on until the records of the new ones are seen.
    ///
    /// - Throws: ``Refusal`` where the domain has keys that wait already, or is to be added and is there.
    package func addSenderDomainKeys(
        _ keys: [SenderDomainKey], to id: ProjectID, isRotation: Bool, by author: Authority
    ) async throws {
        _ = try existing(id)
        guard let domain = keys.first?.domain else { return }
        try await change(by: author) { tx in
            let present = try Self.senderDomainKeys(of: domain, in: id, tx)
            if isRotation {
                guard !present.isEmpty else { throw Self.noSenderDomain(domain, id) }
                if let waiting = present.first(where: { $0.signsSince == nil }) {
                    throw Refusal.alreadyExists(
                        "\(domain) has new keys already, \(waiting.selector) among them, whose records were not seen yet",
                        remedy: .checkSenderDomain(project: id))
                }
            } else if !present.isEmpty {
                throw Refusal.alreadyExists("\(id) has keys for \(domain)", remedy: .showSenderDomain(project: id))
            }
            for key in keys {
                if key.signs { try Self.replace(key.algorithm, of: domain, in: id, tx) }
                try tx.run(
                    """
                    INSERT INTO sender_domain_keys (
                        project, domain, selector, algorithm, public_key, sealed, created_at, signs_since
                    ) VALUES (
                        \(id), \(domain), \(key.selector), \(key.algorithm), \(key.publicKey), \(key.sealed),
                        \(key.createdAt), \(key.signsSince)
                    )
                    """)
            }
            tx.note(
                isRotation ? "senderDomain.rotate" : "senderDomain.add", of: domain, in: id,
                after: keys.map(\.selector).joined(separator: " "))
        }
    }

    /// Signs with keys from now on, whose records were seen in the DNS; the one before each of them rests.
    ///
    /// - Returns: whether any of them had waited for that.
    @discardableResult
    package func useSenderDomainKeys(
        _ selectors: [String], of domain: String, in id: ProjectID, by author: Authority
    ) async throws -> Bool {
        guard !selectors.isEmpty else { return false }
        return try await change(by: author) { tx in
            let waiting = try Self.senderDomainKeys(of: domain, in: id, tx).filter { key in
                key.signsSince == nil && selectors.contains { ASCII.areEqual($0, key.selector) }
            }
            for key in waiting {
                try Self.replace(key.algorithm, of: domain, in: id, tx)
                try tx.run(
                    """
                    UPDATE sender_domain_keys SET signs_since = \(tx.now)
                    WHERE project = \(id) AND domain = \(domain) AND selector = \(key.selector)
                    """)
            }
            guard !waiting.isEmpty else { return false }
            tx.note(
                "senderDomain.use", of: domain, in: id, after: waiting.map(\.selector).joined(separator: " "))
            return true
        }
    }

    /// Signs no more mails in the name of a domain, and forgets its keys.
    package func removeSenderDomain(_ domain: String, from id: ProjectID, by author: Authority) async throws {
        _ = try existing(id)
        try await change(by: author) { tx in
            let gone = try tx.run(
                "DELETE FROM sender_domain_keys WHERE project = \(id) AND domain = \(domain) RETURNING selector")
            guard !gone.isEmpty else { throw Self.noSenderDomain(domain, id) }
            tx.note("senderDomain.remove", of: domain, in: id)
        }
    }

    /// Forgets the keys that were replaced long ago.
    package func forgetReplacedSenderDomainKeys() async throws {
        let end = store.system.now().adding(seconds: -SenderDomainKey.keptDays * 86_400)
        guard all().contains(where: { $0.senderDomainKeys.contains { $0.replacedAt.map { $0 <= end } ?? false } })
        else { return }
        try await change(by: .server) { tx in
            let gone = try tx.run(
                """
                DELETE FROM sender_domain_keys WHERE replaced_at <= \(end) RETURNING project, domain, selector
                """)
            for row in gone {
                var row = row
                let (id, domain) = (try row.id() as ProjectID, try row.text())
                tx.note("senderDomain.forget", of: domain, in: id, before: try row.text())
            }
        }
    }

    private static func noSenderDomain(_ domain: String, _ id: ProjectID) -> Refusal {
        .notFound("\(id) has no keys for \(domain)", remedy: .addSenderDomain(project: id))
    }

    private static func replace(
        _ algorithm: String, of domain: String, in id: ProjectID, _ tx: borrowing Transaction
    ) throws {
        try tx.run(
            """
            UPDATE sender_domain_keys SET replaced_at = \(tx.now)
            WHERE project = \(id) AND domain = \(domain) AND algorithm = \(algorithm)
                AND signs_since IS NOT NULL AND replaced_at IS NULL
            """)
    }

    private static func senderDomainKeys(
        of domain: String, in id: ProjectID, _ tx: borrowing Transaction
    ) throws -> [SenderDomainKey] {
        try tx.run(
            """
            SELECT domain, selector, algorithm, public_key, sealed, created_at, signs_since, replaced_at
            FROM sender_domain_keys WHERE project = \(id) AND domain = \(domain)
            """
        ).map {
            var row = $0
            return try SenderDomainKey(&row)
        }
    }

    /// Encrypts all private keys anew with the key version in use, so that an older one can be retired.
    package func resealSenderDomainKeys() async throws {
        let keys = try await store.read { tx in
            try tx.run(SenderDomainKey.selection).map {
                var row = $0
                return try SenderDomainKey(&row)
            }
        }
        for key in keys where key.sealed.first != store.ring.active {
            let fresh = try store.ring.seal(try store.ring.open(key.sealed, name: key.label), name: key.label)
            try await change(by: .server) { tx in
                try tx.run(
                    """
                    UPDATE sender_domain_keys SET sealed = \(fresh)
                    WHERE domain = \(key.domain) AND selector = \(key.selector) AND sealed = \(key.sealed)
                    """)
            }
        }
    }
}
