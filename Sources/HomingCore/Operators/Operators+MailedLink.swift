// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
import HomingProjects
import HomingStore

/// Links into the console that a mail carries.
extension Operators {
    /// A link for a mail, which is the only one to carry its secret.
    struct MailedLink: Sendable {
        let address: EmailAddress
        /// Delivery makes the secret of it again.
        let code: SealedID
        let digest: [UInt8]
    }

    func newMailedLink(for address: EmailAddress) throws -> MailedLink {
        let sealed = try SealedID(newIn: store.ring, system: store.system)
        let text = try sealed.text(for: .operatorLink, context: Array(address.text.utf8), ring: store.ring)
        guard let secret = text else { throw KeyFault.unknownVersion(sealed.version) }
        return MailedLink(address: address, code: sealed, digest: AdminKeys.digest(secret))
    }

    /// Owes the mail of a link, and keeps the link.
    ///
    /// - Parameters:
    ///   - recipient: nil for a mail to nobody, which costs the same.
    ///   - browser: the secret of the only browser in which the link opens; nil for any.
    ///   - inviter: who asked for a mail to somebody else; nil where the recipient asked.
    func owe(
        _ link: MailedLink, to recipient: EmailAddress?, seconds: Int64, browser: String?, from inviter: String? = nil,
        _ tx: borrowing ProjectTransaction
    ) throws {
        let expiresAt = tx.now.adding(seconds: seconds)
        tx.owe(
            OutboxMail.Draft(
                kind: .operatorSignIn, recipient: recipient, code: link.code, expiresAt: expiresAt,
                facts: OutboxMail.Facts(language: "en", consoleURL: consoleURL, inviter: inviter)))
        _ = try tx.run([
            """
            INSERT INTO admin_sessions (digest, page, created_at, expires_at, operator, browser)
            VALUES (
                \(link.digest), \(AdminPage.console.rawValue), \(tx.now), \(expiresAt), \(link.address.text),
                \(browser.map(AdminKeys.digest)))
            """
        ])
    }
}
