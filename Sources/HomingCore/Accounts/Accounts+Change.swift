// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase

extension Accounts {
    /// A person changes their own account. A change of password or address wants a sign-in of the last five minutes,
    /// ends every other session, and answers a new one.
    package func change(
        _ person: SignedIn, _ wanted: AccountChange, language: String, from caller: String,
        on device: Device? = nil
    ) async throws -> (Account, Tokens?) {
        let project = person.project
        let now = surroundings.now()
        if wanted.endsSessions, !person.account.isPristine, !person.isRecent(at: now) {
            throw Refusal.credentialTooOld
        }
        if case .set(let email)? = wanted.email, email != person.account.email, !person.account.isPristine,
            project.settings.hidesAddresses
        {
            throw Refusal.emailChangeNeedsVerification
        }
        if case .set(let password)? = wanted.password {
            try project.check(newPassword: password, of: person.account.email, wanted.newEmail)
        }
        let hash = try await hash(wanted, for: caller)
        let fresh = sessions.new(for: person.account.id, provider: "password", at: now)
        let owed = OwedMails(
            notice: surroundings.orderedName(length: 22),
            recovery: OwedRecovery(ring: ring, surroundings: surroundings), language: language, device: device,
            limits: limits)
        let account = try await database.write { connection in
            var account = try person.confirmed(connection)
            let before = account
            wanted.applyPlainFields(to: &account)
            try Self.apply(wanted.email, to: &account, in: project, at: now, connection)
            Self.apply(wanted.password, hash: hash, to: &account, at: now)
            if wanted.endsSessions {
                account.validSince = now.seconds
                try AccountRows.endSessions(of: account.id, in: project.id, at: now, connection)
                try Sessions.insert(fresh, in: project.id, connection)
            }
            if before.email != account.email, let old = before.email {
                account.initialEmail = account.initialEmail ?? old.text
            }
            try AccountRows.update(account, in: project.id, connection)
            try Self.owe(owed, before: before, after: account, in: project, at: now, connection)
            return account
        }
        outbox.bell.ring()
        report(account, insteadOf: person.account, in: project)
        let tokens = wanted.endsSessions ? try await sessions.tokens(for: account, fresh, in: project) : nil
        return (account, tokens)
    }

    /// The operator's back end changes an account. No mail is owed and no recent sign-in wanted.
    package func change(_ id: String, _ wanted: AccountChange, in project: Project) async throws -> Account {
        let now = surroundings.now()
        if case .set(let password)? = wanted.password, password.utf8.count > PasswordPolicy.mostBytes {
            throw Refusal.passwordTooLong
        }
        let hash = try await hash(wanted, for: HashingPool.operatorsLane)
        let (before, after) = try await database.write { connection in
            guard var account = try AccountRows.find(id, in: project.id, connection) else {
                throw Refusal.userNotFound
            }
            let before = account
            try Self.apply(wanted.email, to: &account, in: project, at: now, connection)
            Self.apply(wanted.password, hash: hash, to: &account, at: now)
            if wanted.password != nil || before.email != account.email { account.validSince = now.seconds }
            wanted.applyPlainFields(to: &account)
            try AccountRows.update(account, in: project.id, connection)
            if wanted.password != nil || before.email != account.email {
                try AccountRows.endSessions(of: id, in: project.id, at: now, connection)
            }
            return (before, account)
        }
        report(after, insteadOf: before, in: project)
        return after
    }

    private func report(_ after: Account, insteadOf before: Account, in project: Project) {
        guard before.email != after.email else { return }
        surroundings.report(SecurityEvent(.addressChanged, project: project.id, account: after.id))
    }

    private func hash(_ wanted: AccountChange, for caller: String) async throws -> String? {
        guard case .set(let password)? = wanted.password else { return nil }
        return try await passwords.hash(password, for: caller)
    }

    private static func apply(
        _ email: AccountChange.Field<EmailAddress>?, to account: inout Account, in project: Project, at now: Moment,
        _ connection: borrowing Connection
    ) throws {
        switch email {
        case .set(let address)? where address != account.email:
            if try AccountRows.find(address: address, in: project.id, connection) != nil {
                throw Refusal.emailExists
            }
            account.email = address
            account.isEmailVerified = false
        case .clear?:
            account.email = nil
            account.isEmailVerified = false
            account.usesEmailLink = false
        default: break
        }
    }

    private static func apply(
        _ password: AccountChange.Field<String>?, hash: String?, to account: inout Account, at now: Moment
    ) {
        switch password {
        case .set?:
            account.passwordHash = hash
            account.passwordUpdatedAt = now
        case .clear?:
            account.passwordHash = nil
            account.passwordUpdatedAt = nil
        case nil: break
        }
    }

    private struct OwedMails: Sendable {
        let notice: String
        let recovery: OwedRecovery
        let language: String
        let device: Device?
        let limits: Limits
    }

    /// A changed password is told to the address; a changed address is told to the first one, with the way back.
    private static func owe(
        _ owed: OwedMails, before: Account, after: Account, in project: Project, at now: Moment,
        _ connection: borrowing Connection
    ) throws {
        if before.passwordHash != after.passwordHash {
            try connection.run(
                ActionCodes.retire(
                    .verifyAndChangeEmail, address: "", account: after.id, in: project.id, as: .replaced, at: now))
        }
        if let address = before.email, before.passwordHash != after.passwordHash, after.passwordHash != nil,
            before.passwordHash != nil,
            try NoticeLimit.allows(address, before, owed.limits, in: project.id, at: now, connection)
        {
            try connection.run(
                Outbox.insert(
                    .passwordChanged(
                        after, to: address, id: owed.notice, language: owed.language, on: owed.device, at: now),
                    in: project.id, at: now))
        }
        if before.email != nil, before.email != after.email {
            try owed.recovery.write(
                after, new: after.email, in: project, language: owed.language, on: owed.device, at: now, connection)
        }
    }
}
