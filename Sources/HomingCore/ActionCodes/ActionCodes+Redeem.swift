// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingPasswords
package import HomingProjects
package import HomingStore

/// Redemption: each verb is one transaction that begins with the guarded write of the code and contains its effect.
extension ActionCodes {
    // MARK: Password reset

    /// Sets a new password for the present owner of the code's address, ends every session, proves the address.
    ///
    /// A password that the policy refuses leaves the code alive; a disabled account burns it, as production does.
    ///
    /// - Parameters:
    ///   - language: what the person reads, where a page shows it. The notice speaks it before the code's language.
    ///   - spoken: what the caller speaks otherwise. The notice speaks it where the code names no language.
    @discardableResult
    package func resetPassword(
        _ text: String, to password: String, proof: CodeProof = .none, in project: Project, language: String? = nil,
        orElse spoken: String? = nil, from caller: String, on device: Device? = nil
    ) async throws -> ActionCode {
        let (sealed, kind) = try open(text, in: project)
        let code = try await inspect(text, in: project)
        // Production answers a sign-in code as if it were inspected, and keeps the code alive.
        if kind == .signIn { return code }
        guard kind == .passwordReset else { throw Refusal.codeInvalid(.malformed) }
        guard project.settings.allowsEmail else { throw Refusal.passwordLoginDisabled }
        let proof = try judge(proof, of: sealed, kind, in: project, on: device)
        // Nobody has a password hashed for nothing.
        if !proof.isEnough(for: code) {
            try await store.write(in: project) { tx -> Void in try tx.codes.refuse(sealed.id, kind, proof) }
        }
        try project.check(newPassword: password, of: code.address)
        let hash = try await passwords.hash(password, for: caller)
        let used = try await store.write(in: project) { tx in
            let code = try tx.codes.spend(sealed.id, .passwordReset, by: proof)
            guard let found = try tx.accounts.find(code.address) else { throw Refusal.userNotFound }
            guard !found.isDisabled else { throw CommittedRefusal(.userDisabled) }
            let account = tx.accounts.change(found) { account in
                account.isEmailVerified = true
                account.reads(language ?? code.language ?? spoken)
                account.setPassword(hash, at: tx.now)
                account.validSince = tx.now.seconds
                // As production does: somebody else may have linked them before the address was proven.
                account.identities = []
            }
            tx.sessions.end(of: account)
            // A reset ends a lock-out that wrong passwords have brought about.
            tx.counters.forgetFailedSignIns(at: code.address)
            // Whoever took the account over may have asked for another address; the owner has just taken it back.
            tx.codes.retire(.verifyAndChangeEmail, of: .account(account.id))
            tx.owe(
                .notice(
                    .passwordChanged, to: code.address, named: account.mailableName,
                    language: MailLanguage(language ?? code.language ?? spoken, of: account, in: project), on: device,
                    at: tx.now))
            tx.report(.passwordReset, account: account.id)
            return code
        }
        outbox.mailCounts.countApplied(used, in: project)
        return used
    }

    /// Ends everything from before the first proof of an address by a sign-in link: sessions, password, pending
    /// changes. Never ends the recovery of a former address: whoever proves the new one may be the thief.
    private static func endWhatWasUnproven(
        _ account: inout Account, except session: Session?, _ tx: borrowing ProjectTransaction
    ) {
        guard !account.isEmailVerified else { return }
        account.setPassword(nil, at: tx.now)
        // Back ends that compare `validSince` see this end; a session that stays began earlier.
        if session == nil { account.validSince = tx.now.seconds }
        tx.sessions.end(of: account, except: session)
        tx.codes.retire(.verifyAndChangeEmail, of: .account(account.id))
    }

    // MARK: Verification, change, recovery

    /// Applies a code that needs no other input: verification, change of address, recovery.
    ///
    /// - Parameters:
    ///   - language: what the person reads, where a page shows it. A mail that follows speaks it before the code's
    ///     language.
    ///   - spoken: what the caller speaks otherwise. A mail that follows speaks it where the code names no language.
    package func apply(
        _ text: String, proof: CodeProof = .none, in project: Project, language: String? = nil,
        orElse spoken: String? = nil, on device: Device? = nil
    ) async throws -> (ActionCode, Account) {
        let (sealed, kind) = try open(text, in: project, likely: .verifyEmail)
        let (id, proof) = (sealed.id, try judge(proof, of: sealed, kind, in: project, on: device))
        let (code, account) = try await store.write(in: project) { tx in
            switch kind {
            case .passwordReset, .signIn: throw Refusal.codeInvalid(.malformed)
            case .verifyEmail: try Self.verify(id, proof, language: { language ?? $0 ?? spoken }, tx)
            case .verifyAndChangeEmail:
                try Self.change(id, proof, language: { language ?? $0 ?? spoken }, on: device, tx)
            case .recoverEmail: try Self.recover(id, tx)
            }
        }
        outbox.mailCounts.countApplied(code, in: project)
        return (code, account)
    }

    /// Ends no password and no session, as in production: whoever asked for the mail had signed in.
    private static func verify(
        _ id: [UInt8], _ proof: JudgedProof, language: (_ ofCode: String?) -> String?,
        _ tx: borrowing ProjectTransaction
    ) throws -> (ActionCode, Account) {
        let code = try tx.codes.spend(id, .verifyEmail, by: proof)
        guard let found = try tx.accounts.find(code.address) else { throw Refusal.emailNotFound }
        guard !found.isDisabled else { throw Refusal.userDisabled }
        let account = tx.accounts.change(found) { account in
            account.isEmailVerified = true
            account.reads(language(code.language))
        }
        return (code, account)
    }

    private static func change(
        _ id: [UInt8], _ proof: JudgedProof, language: (_ ofCode: String?) -> String?, on device: Device?,
        _ tx: borrowing ProjectTransaction
    ) throws -> (ActionCode, Account) {
        let code = try tx.codes.spend(id, .verifyAndChangeEmail, by: proof)
        guard let owner = code.account, let new = code.newAddress, let before = try tx.accounts.find(owner) else {
            throw Refusal.codeInvalid(.accountGone)
        }
        guard !before.isDisabled else { throw Refusal.userDisabled }
        // An account that has the new address by now ends the verb: addresses are unique.
        let account = tx.accounts.change(before) { account in
            account.setAddress(new, isVerified: true)
            account.reads(language(code.language))
            account.validSince = tx.now.seconds
        }
        tx.sessions.end(of: account)
        if let old = before.email, old != new {
            tx.codes.retire(.verifyEmail, of: tx.codes.owner(old))
            try tx.oweRecovery(
                of: account, from: new, named: before.mailableName, language: language(code.language), on: device)
        }
        tx.report(.addressChanged, account: account.id)
        return (code, account)
    }

    /// Restores the account's first address, and ends what whoever changed it may hold: sessions, password, changes.
    ///
    /// An account that has the address by now loses it, unless that account has proven it.
    private static func recover(_ id: [UInt8], _ tx: borrowing ProjectTransaction) throws -> (ActionCode, Account) {
        let code = try tx.codes.spend(id, .recoverEmail)
        guard let owner = code.account, let found = try tx.accounts.find(owner) else {
            throw Refusal.codeInvalid(.accountGone)
        }
        guard !found.isDisabled else { throw Refusal.userDisabled }
        if let other = try tx.accounts.find(code.address), other.id != found.id {
            guard !other.isEmailVerified else { throw Refusal.emailExists }
            _ = tx.accounts.change(other) { other in
                other.email = nil
                other.usesEmailLink = false
                other.setPassword(nil, at: tx.now)
            }
        }
        let account = tx.accounts.change(found) { account in
            account.email = code.address
            account.isEmailVerified = true
            account.validSince = tx.now.seconds
            account.setPassword(nil, at: tx.now)
        }
        tx.sessions.end(of: account)
        tx.codes.retire(.verifyAndChangeEmail, of: .account(account.id))
        tx.report(.accountRecovered, account: account.id)
        return (code, account)
    }

    // MARK: Sign-in by link

    /// Signs in with a mailed link: makes the account where there is none, or adds the address to the signed-in one.
    ///
    /// - Parameters:
    ///   - address: the one that the person typed; nil for a text that is none, which no link was mailed to.
    ///   - spoken: what the caller speaks. A mail that follows speaks it where the code names no language.
    package func signIn(
        _ text: String, address: EmailAddress?, linking person: SignedIn?, proof: CodeProof = .none,
        in project: Project, orElse spoken: String? = nil, on device: Device? = nil
    ) async throws -> (account: Account, isNew: Bool, tokens: Tokens) {
        let (sealed, kind) = try open(text, in: project, likely: .signIn)
        guard kind == .signIn else { throw Refusal.codeInvalid(.malformed) }
        let proof = try judge(proof, of: sealed, kind, in: project, on: device)
        return try await arrive(in: project) { tx in
            let code = try tx.codes.spend(sealed.id, .signIn, by: proof)
            guard let address, code.address == address else { throw Refusal.signInEmailMismatch }
            return try Self.signIn(by: code, linking: person, orElse: spoken, on: device, tx)
        }
    }

    /// Somebody whom a code has signed in.
    struct Arrival: Sendable {
        let code: ActionCode
        let account: Account
        let isNew: Bool
        let session: Session
    }

    /// Signs somebody in by a code, in one transaction.
    func arrive(
        in project: Project, _ verb: @escaping @Sendable (borrowing ProjectTransaction) throws -> Arrival
    ) async throws -> (account: Account, isNew: Bool, tokens: Tokens) {
        let arrival = try await store.write(in: project, verb)
        outbox.mailCounts.countApplied(arrival.code, in: project)
        let tokens = try await sessions.tokens(for: arrival.account, arrival.session, in: project)
        return (arrival.account, arrival.isNew, tokens)
    }

    /// What every sign-in by a code does, once the code is used up.
    static func signIn(
        by code: ActionCode, linking person: SignedIn?, orElse spoken: String?, on device: Device?,
        _ tx: borrowing ProjectTransaction
    ) throws -> Arrival {
        let address = code.address
        let owner = try tx.accounts.find(address)
        if let owner, owner.isDisabled { throw CommittedRefusal(.userDisabled) }
        let found: Account
        if let person {
            if let owner, owner.id != person.account.id { throw Refusal.emailExists }
            found = try tx.sessions.account(of: person)
        } else if let owner {
            found = owner
        } else {
            guard tx.project.settings.allowsSignUp else { throw Refusal.adminOnlyOperation }
            found = tx.accounts.add { account in
                account.email = address
                account.isEmailVerified = true
            }
        }
        let account = try tx.accounts.change(found) { account in
            if account.email == address {
                endWhatWasUnproven(&account, except: person?.session, tx)
            } else if account.email != nil, let person {
                try replaceAddress(of: &account, of: person, by: address, code.language ?? spoken, on: device, tx)
            }
            account.setAddress(address, isVerified: true)
            account.usesEmailLink = true
            account.reads(code.language ?? spoken)
            account.signedIn(at: tx.now)
        }
        return Arrival(
            code: code, account: account, isNew: person == nil && owner == nil,
            session: try tx.sessions.open(for: account, provider: "password"))
    }

    /// Replaces another address of the account by the link's, as in production. Like every change of address, this
    /// needs a recent sign-in, ends the other sessions and notifies the old address.
    private static func replaceAddress(
        of account: inout Account, of person: SignedIn, by address: EmailAddress, _ language: String?,
        on device: Device?, _ tx: borrowing ProjectTransaction
    ) throws {
        guard person.isRecent(at: tx.now) else { throw Refusal.credentialTooOld }
        let name = account.mailableName
        account.setAddress(address, isVerified: true)
        tx.sessions.end(of: account, except: person.session)
        tx.codes.retire(.verifyAndChangeEmail, of: .account(account.id))
        try tx.oweRecovery(of: account, from: address, named: name, language: language, on: device)
    }
}
