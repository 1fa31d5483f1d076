// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingPasswords
package import HomingProjects
package import HomingStore

extension Accounts {
    /// Changes a person's own account. A change of password or address needs a sign-in within the last five minutes. A
    /// new password or address ends every session and answers a new one; what is only dropped ends none, as in
    /// Firebase, whose clients drop a provider and go on with the tokens that they have. It is no operator's change,
    /// and no entry of the audit log.
    ///
    /// - Parameters:
    ///   - isLink: whether the account gets an address and a password as a sign-up would give them. An account without
    ///     an address may have one so where addresses are hidden, too.
    ///   - language: the tag that the caller names, if it names one.
    package func change(
        _ person: SignedIn, _ wanted: AccountChange, isLink: Bool = false, language: String?, from caller: String,
        on device: Device? = nil
    ) async throws -> (Account, Tokens?) {
        let project = person.project
        try Self.check(wanted, by: person, of: person.account, isLink: isLink, at: store.system.now())
        if case .set(let password)? = wanted.password {
            try project.check(newPassword: password, of: person.account.email, wanted.newEmail)
        }
        let hash = try await hash(wanted, for: caller)
        let (account, session) = try await store.write(in: project, by: .user(person.account.id)) { tx in
            let before = try tx.sessions.account(of: person)
            try Self.check(wanted, by: person, of: before, isLink: isLink, at: tx.now)
            let endsSessions = wanted.endsSessions(of: before)
            let account = tx.accounts.change(before) { account in
                wanted.applyPlainFields(to: &account)
                wanted.applyAddress(to: &account)
                wanted.applyPassword(hash, to: &account, at: tx.now)
                account.reads(language)
                if endsSessions { account.validSince = tx.now.seconds }
                if before.email != account.email, let old = before.email {
                    account.initialEmail = account.initialEmail ?? old.text
                }
            }
            try Self.owe(before, account, language: language, on: device, tx)
            if before.email != account.email { tx.report(.addressChanged, account: account.id) }
            guard endsSessions else { return (account, nil as Session?) }
            tx.sessions.end(of: account)
            return (account, try tx.sessions.open(for: account, provider: "password"))
        }
        guard let session else { return (account, nil) }
        return (account, try await sessions.tokens(for: account, session, in: project))
    }

    private static func check(
        _ wanted: AccountChange, by person: SignedIn, of account: Account, isLink: Bool, at now: Moment
    ) throws {
        if wanted.changesCredentials(of: account), !account.neverHadCredentials, !person.isRecent(at: now) {
            throw Refusal.credentialTooOld
        }
        if let email = wanted.newEmail, email != account.email, !(isLink && account.neverHadCredentials),
            person.project.settings.hidesAddresses
        {
            throw Refusal.emailChangeNeedsVerification
        }
    }

    /// Changes an account for the operator or the operator's back end. The change owes no mail and needs no recent
    /// sign-in. The audit log has an entry with the members that are others now, before and after; one that changes
    /// nothing leaves none.
    ///
    /// - Parameter isAsSeen: whether the account is still what the change's author saw.
    /// - Throws: ``Refusal/changedMeanwhile(_:)`` where it is not.
    package func change(
        _ id: AccountID, _ wanted: AccountChange, in project: Project, by author: Authority,
        where isAsSeen: @escaping @Sendable (Account) -> Bool = { _ in true }
    ) async throws -> Account {
        if case .set(let password)? = wanted.password, password.utf8.count > PasswordPolicy.mostBytes {
            throw Refusal.passwordTooLong
        }
        let hash = try await hash(wanted, for: HashingPool.operatorsLane)
        return try await store.write(in: project, by: author) { tx in
            guard let before = try tx.accounts.find(id) else { throw Refusal.userNotFound }
            guard isAsSeen(before) else {
                throw Refusal.changedMeanwhile("the account is another one than when you began: refresh, then save")
            }
            let account = tx.accounts.change(before) { account in
                wanted.applyAddress(to: &account)
                wanted.applyPassword(hash, to: &account, at: tx.now)
                if wanted.password != nil || before.email != account.email { account.validSince = tx.now.seconds }
                wanted.applyPlainFields(to: &account)
            }
            if before.email != account.email { tx.report(.addressChanged, account: id) }
            if wanted.password != nil || before.email != account.email { tx.sessions.end(of: account) }
            // Remedies for an account that somebody else was in, who may have asked for a change of address. A new
            // address alone leaves that change alive, as in production.
            if wanted.password != nil || wanted.validSince != nil || wanted.isDisabled == true {
                tx.codes.retire(.verifyAndChangeEmail, of: .account(id))
            }
            let changes = Account.changes(from: before, to: account)
            if changes != (nil, nil) {
                let action =
                    before.isDisabled == account.isDisabled
                    ? "account.set" : account.isDisabled ? "account.disable" : "account.enable"
                tx.note(action, of: id.text, before: changes.before, after: changes.after)
            }
            return account
        }
    }

    private func hash(_ wanted: AccountChange, for caller: String) async throws -> String? {
        guard case .set(let password)? = wanted.password else { return nil }
        return try await passwords.hash(password, for: caller)
    }

    /// Owes the notice of a new password to the address, that of a new address to the first one, with the way back.
    private static func owe(
        _ before: Account, _ after: Account, language: String?, on device: Device?, _ tx: borrowing ProjectTransaction
    ) throws {
        if before.passwordHash != after.passwordHash || before.email != after.email {
            tx.codes.retire(.verifyAndChangeEmail, of: .account(after.id))
        }
        if let address = before.email, before.passwordHash != after.passwordHash, after.passwordHash != nil,
            before.passwordHash != nil,
            try tx.counters.allowsNotice(to: address, isProven: before.isEmailVerified)
        {
            tx.owe(
                .notice(
                    .passwordChanged, to: address, named: after.mailableName,
                    language: MailLanguage(language, of: after, in: tx.project), on: device, at: tx.now))
        }
        if before.email != nil, before.email != after.email {
            try tx.oweRecovery(
                of: after, from: after.email, named: after.mailableName, language: language, on: device)
        }
    }
}
