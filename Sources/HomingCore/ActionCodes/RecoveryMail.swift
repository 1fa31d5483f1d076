// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingProjects
import HomingStore

extension ProjectTransaction {
    /// Owes the first address that the account ever had a code and a mail with the way back, after a change of address.
    ///
    /// - Parameters:
    ///   - new: the address that replaced it; nil when the address was only removed.
    ///   - language: the tag that was asked for, if somebody asked.
    ///   - name: the name for mails (``Account/mailableName``).
    /// - Throws: ``Refusal/keyMissing``, which undoes the change.
    func oweRecovery(
        of account: Account, from new: EmailAddress?, named name: String?, language: String?, on device: Device?
    ) throws(Refusal) {
        guard work.store.mails(project), let first = account.initialEmail.map({ EmailAddress(stored: $0) }) else {
            return
        }
        let sealed = try SealedID(newIn: work.store.ring, system: work.store.system)
        let expiresAt = now.adding(seconds: project.settings.lifetime(of: .recoverEmail))
        let mail = OutboxMail.newID(work.store.system)
        codes.insert(
            ActionCode.Draft(
                id: sealed.id, kind: .recoverEmail, address: first, account: account.id, newAddress: new,
                language: language, expiresAt: expiresAt, mail: mail))
        owe(
            OutboxMail.Draft(
                id: mail, kind: .recoverEmail, recipient: first, code: sealed, expiresAt: expiresAt,
                facts: OutboxMail.Facts(
                    language: MailLanguage(language, of: account, in: project), displayName: name,
                    newAddress: new?.text, device: device)))
    }
}
