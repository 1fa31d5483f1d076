// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingDatabase
package import HomingStore

/// A key with which a project's mails from a sender domain are signed (DKIM, RFC 6376). Its public half stands in the
/// domain's DNS, under its selector.
package struct SenderDomainKey: Sendable, Equatable {
    /// In lower case, an international one in its `xn--` form.
    package let domain: String
    package let selector: String
    /// As the signature names it: `rsa-sha256`, `ed25519-sha256`.
    package let algorithm: String
    /// In base64, as `p=` of the record has it.
    package let publicKey: String
    /// The private half, encrypted under ``label``.
    package let sealed: [UInt8]
    package let createdAt: Moment
    /// Since when mails are signed with it; nil until its record was seen.
    package let signsSince: Moment?
    /// Since when a newer key signs instead. Its record stays for a while, for mails that are under way.
    package let replacedAt: Moment?

    /// Days for which the record of a replaced key stays published.
    package static let overlapDays: Int64 = 7
    /// Days after which a replaced key is forgotten.
    static let keptDays: Int64 = 30

    /// What its private half is encrypted for.
    package var label: String { Self.label(domain, selector) }
    package static func label(_ domain: String, _ selector: String) -> String { "dkim \(selector) \(domain)" }

    package var signs: Bool { signsSince != nil && replacedAt == nil }

    /// Whether its record has to be in the DNS at a time.
    package func isPublished(at now: Moment) -> Bool {
        replacedAt.map { now < $0.adding(seconds: Self.overlapDays * 86_400) } ?? true
    }

    package static let selection: SQL = """
        SELECT domain, selector, algorithm, public_key, sealed, created_at, signs_since, replaced_at, project
        FROM sender_domain_keys ORDER BY domain, created_at, selector
        """

    package init(_ row: inout Row) throws {
        domain = try row.text()
        selector = try row.text()
        algorithm = try row.text()
        publicKey = try row.text()
        sealed = try row.bytes()
        createdAt = try row.moment()
        signsSince = try row.optionalMoment()
        replacedAt = try row.optionalMoment()
    }

    /// A new key.
    ///
    /// - Parameter isSeen: whether mails are signed with it at once.
    package init(
        domain: String, selector: String, algorithm: String, publicKey: String, sealed: [UInt8], at now: Moment,
        isSeen: Bool
    ) {
        self.domain = domain
        self.selector = selector
        self.algorithm = algorithm
        self.publicKey = publicKey
        self.sealed = sealed
        createdAt = now
        signsSince = isSeen ? now : nil
        replacedAt = nil
    }
}
