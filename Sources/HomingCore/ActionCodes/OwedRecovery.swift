// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase

/// What a change of address owes the first address that the account ever had: a code and a mail with the way back.
struct OwedRecovery: Sendable {
    private let sealed: SealedID
    private let mailID: String

    init(ring: KeyRing, surroundings: Surroundings) {
        sealed = SealedID(newIn: ring, surroundings: surroundings)
        mailID = surroundings.orderedName(length: 22)
    }

    /// - Parameter new: the address that took its place; nil when the address was only removed.
    func write(
        _ account: Account, new: EmailAddress?, in project: Project, language: String, on device: Device?,
        at now: Moment, _ connection: borrowing Connection
    ) throws {
        guard let first = account.initialEmail else { return }
        let expiresAt = now.adding(seconds: project.settings.lifetime(of: .recoverEmail))
        let mail = OutboxMail.Draft(
            id: mailID, kind: .recoverEmail, recipient: EmailAddress(stored: first), code: sealed,
            expiresAt: expiresAt,
            facts: OutboxMail.Facts(
                language: language, displayName: account.mailableName, newAddress: new?.text, device: device))
        try connection.run([
            """
            INSERT INTO codes (project, id, kind, state, address, account, new_address, language, created_at, expires_at)
            VALUES (\(project.id), \(sealed.id), \(ActionCodeKind.recoverEmail.rawValue), 0, \(first), \(account.id),
                \(new?.text), \(language), \(now), \(expiresAt))
            """,
            Outbox.insert(mail, in: project.id, at: now),
        ])
    }
}
