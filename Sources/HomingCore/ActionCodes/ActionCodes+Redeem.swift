// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase

/// Each verb is one transaction that begins with the guarded write of the code; the effect stands in the same one.
extension ActionCodes {
    /// A refusal that is returned keeps what was written (a spent code); one that is thrown undoes it.
    private enum Outcome<Answer: Sendable>: Sendable {
        case done(Answer)
        case refused(Refusal)

        func get() throws -> Answer {
            switch self {
            case .done(let answer): answer
            case .refused(let refusal): throw refusal
            }
        }
    }

    /// Uses a code up, or says why it cannot be used. The first statement of every redemption.
    private static func spend(
        _ id: [UInt8], _ kind: ActionCodeKind, in project: String, at now: Moment,
        _ connection: borrowing Connection
    ) throws -> ActionCode {
        let row = try connection.run(
            """
            UPDATE codes SET state = 1, ended_at = \(now)
            WHERE project = \(project) AND id = \(id) AND kind = \(kind.rawValue) AND state = 0
                AND expires_at > \(now)
            RETURNING \(sql: ActionCode.columns)
            """
        ).first
        guard let row else {
            _ = try find(id, kind, in: project, at: now, connection)
            throw Refusal.codeInvalid(.used)
        }
        guard let code = try ActionCode(row) else { throw Refusal.codeInvalid(.accountGone) }
        return code
    }

    // MARK: Password reset

    /// Sets a new password for whoever has the code's address now, ends every session, proves the address.
    ///
    /// A password that the policy refuses leaves the code alive; a disabled account burns it, as production does.
    @discardableResult
    package func resetPassword(
        _ text: String, to password: String, in project: Project, language: String?, from caller: String,
        on device: Device? = nil
    ) async throws -> ActionCode {
        let (id, kind) = try open(text, in: project)
        let code = try await inspect(text, in: project)
        // Production answers a sign-in code as if it were inspected, and keeps it.
        if kind == .signIn { return code }
        guard kind == .passwordReset else { throw Refusal.codeInvalid(.malformed) }
        try project.check(newPassword: password, of: code.address)
        let hash = try await passwords.hash(password, for: caller)
        let now = surroundings.now()
        let mailID = surroundings.orderedName(length: 22)
        let outcome: Outcome<(ActionCode, String)> = try await database.write { connection in
            let code = try Self.spend(id, .passwordReset, in: project.id, at: now, connection)
            guard var account = try AccountRows.find(address: code.address, in: project.id, connection) else {
                throw Refusal.userNotFound
            }
            guard !account.isDisabled else { return .refused(.userDisabled) }
            try Self.prove(&account, in: project.id, at: now, connection)
            account.passwordHash = hash
            account.passwordUpdatedAt = now
            account.validSince = now.seconds
            try AccountRows.update(account, in: project.id, connection)
            try AccountRows.endSessions(of: account.id, in: project.id, at: now, connection)
            // The way out of a lock-out that wrong passwords have brought about. An address holds no space.
            // Two statements: one with OR would read every counter of the project.
            let failures = "sign-in \(code.address.text)"
            try connection.run([
                "DELETE FROM limits WHERE project = \(project.id) AND subject = \(failures)",
                """
                DELETE FROM limits
                WHERE project = \(project.id) AND subject >= \(failures + " ") AND subject < \(failures + "!")
                """,
            ])
            // Who took the account over may have asked for another address; the owner has just taken it back.
            try connection.run(
                Self.retire(
                    .verifyAndChangeEmail, address: "", account: account.id, in: project.id, as: .replaced, at: now))
            try connection.run(
                Outbox.insert(
                    .passwordChanged(
                        account, to: code.address, id: mailID, language: language ?? code.language, on: device,
                        at: now),
                    in: project.id, at: now))
            return .done((code, account.id))
        }
        let (redeemed, account) = try outcome.get()
        outbox.bell.ring()
        surroundings.report(SecurityEvent(.passwordReset, project: project.id, account: account))
        return redeemed
    }

    /// A first proof of an address by reset or sign-in link ends what an unproven address had: sessions, password, changes
    /// under way. Never the way back of an address that the account had before: whoever proves the new one may be the
    /// thief.
    private static func prove(
        _ account: inout Account, in project: String, at now: Moment, except session: [UInt8]? = nil,
        _ connection: borrowing Connection
    ) throws {
        guard !account.isEmailVerified else { return }
        account.isEmailVerified = true
        account.passwordHash = nil
        account.passwordUpdatedAt = nil
        // Back ends that look at it hear of the end; a session that stays has begun before.
        if session == nil { account.validSince = now.seconds }
        try AccountRows.endSessions(of: account.id, in: project, at: now, except: session, connection)
        try connection.run(
            retire(.verifyAndChangeEmail, address: "", account: account.id, in: project, as: .replaced, at: now))
    }

    // MARK: Verification, change, recovery

    /// Applies a code that needs nothing but itself: verification, change of address, recovery.
    package func apply(
        _ text: String, in project: Project, language: String?, on device: Device? = nil
    ) async throws -> (ActionCode, Account) {
        let (id, kind) = try open(text, in: project)
        let now = surroundings.now()
        let outcome: Outcome<(ActionCode, Account)>
        switch kind {
        case .passwordReset, .signIn: throw Refusal.codeInvalid(.malformed)
        case .verifyEmail:
            outcome = try await database.write { try Self.verify(id, in: project, at: now, $0) }
        case .verifyAndChangeEmail:
            let recovery = OwedRecovery(ring: ring, surroundings: surroundings)
            outcome = try await database.write { connection in
                try Self.change(
                    id, in: project, at: now, owing: recovery, language: language, on: device, connection)
            }
        case .recoverEmail:
            outcome = try await database.write { try Self.recover(id, in: project, at: now, $0) }
        }
        let redeemed = try outcome.get()
        switch kind {
        case .verifyAndChangeEmail:
            outbox.bell.ring()
            surroundings.report(SecurityEvent(.addressChanged, project: project.id, account: redeemed.1.id))
        case .recoverEmail:
            surroundings.report(SecurityEvent(.accountRecovered, project: project.id, account: redeemed.1.id))
        default: break
        }
        return redeemed
    }

    /// Ends no password and no session, as in production: whoever asked for the mail had signed in.
    private static func verify(
        _ id: [UInt8], in project: Project, at now: Moment, _ connection: borrowing Connection
    ) throws -> Outcome<(ActionCode, Account)> {
        let code = try spend(id, .verifyEmail, in: project.id, at: now, connection)
        guard var account = try AccountRows.find(address: code.address, in: project.id, connection) else {
            throw Refusal.emailNotFound
        }
        guard !account.isDisabled else { throw Refusal.userDisabled }
        account.isEmailVerified = true
        try AccountRows.update(account, in: project.id, connection)
        return .done((code, account))
    }

    private static func change(
        _ id: [UInt8], in project: Project, at now: Moment, owing recovery: OwedRecovery, language: String?,
        on device: Device?, _ connection: borrowing Connection
    ) throws -> Outcome<(ActionCode, Account)> {
        let code = try spend(id, .verifyAndChangeEmail, in: project.id, at: now, connection)
        guard let owner = code.account, let new = code.newAddress,
            var account = try AccountRows.find(owner, in: project.id, connection)
        else { throw Refusal.codeInvalid(.accountGone) }
        guard !account.isDisabled else { throw Refusal.userDisabled }
        if let other = try AccountRows.find(address: new, in: project.id, connection), other.id != account.id {
            throw Refusal.emailExists
        }
        let old = account.email
        account.email = new
        account.isEmailVerified = true
        account.validSince = now.seconds
        if let old, old != new { account.initialEmail = account.initialEmail ?? old.text }
        try AccountRows.update(account, in: project.id, connection)
        try AccountRows.endSessions(of: account.id, in: project.id, at: now, connection)
        if let old, old != new {
            try connection.run([
                retire(.verifyEmail, address: old.text, account: nil, in: project.id, as: .replaced, at: now)
            ])
            try recovery.write(
                account, new: new, in: project, language: language ?? code.language, on: device, at: now, connection)
        }
        return .done((code, account))
    }

    /// Gives the account its first address back, and ends what whoever changed it may hold: sessions, password, changes.
    ///
    /// An account that has the address by now without proof gives way; one that has proven it stays.
    private static func recover(
        _ id: [UInt8], in project: Project, at now: Moment, _ connection: borrowing Connection
    ) throws -> Outcome<(ActionCode, Account)> {
        let code = try spend(id, .recoverEmail, in: project.id, at: now, connection)
        guard let owner = code.account, var account = try AccountRows.find(owner, in: project.id, connection) else {
            throw Refusal.codeInvalid(.accountGone)
        }
        guard !account.isDisabled else { throw Refusal.userDisabled }
        if var other = try AccountRows.find(address: code.address, in: project.id, connection), other.id != account.id {
            guard !other.isEmailVerified else { throw Refusal.emailExists }
            other.email = nil
            other.usesEmailLink = false
            other.passwordHash = nil
            other.passwordUpdatedAt = nil
            try AccountRows.update(other, in: project.id, connection)
        }
        account.email = code.address
        account.isEmailVerified = true
        account.validSince = now.seconds
        account.passwordHash = nil
        account.passwordUpdatedAt = nil
        try AccountRows.update(account, in: project.id, connection)
        try AccountRows.endSessions(of: account.id, in: project.id, at: now, connection)
        try connection.run(
            retire(.verifyAndChangeEmail, address: "", account: account.id, in: project.id, as: .replaced, at: now))
        return .done((code, account))
    }

    // MARK: Sign-in by link

    /// Signs in with a mailed link: makes the account when there is none, or links the address to the one signed in.
    package func signIn(
        _ text: String, address: EmailAddress, linking person: SignedIn?, in project: Project,
        on device: Device? = nil
    ) async throws -> (account: Account, isNew: Bool, tokens: Tokens) {
        let (id, kind) = try open(text, in: project)
        guard kind == .signIn else { throw Refusal.codeInvalid(.malformed) }
        let now = surroundings.now()
        let freshID = surroundings.randomName(length: 28)
        let sessionID = surroundings.orderedBytes(15)
        let recovery = OwedRecovery(ring: ring, surroundings: surroundings)
        let outcome: Outcome<(Account, Bool, Session)> = try await database.write { connection in
            let code = try Self.spend(id, .signIn, in: project.id, at: now, connection)
            guard code.address == address else { throw Refusal.signInEmailMismatch }
            let owner = try AccountRows.find(address: address, in: project.id, connection)
            if let owner, owner.isDisabled { return .refused(.userDisabled) }
            var account: Account
            if let person {
                if let owner, owner.id != person.account.id { throw Refusal.emailExists }
                account = try person.confirmed(connection)
            } else if let owner {
                account = owner
            } else {
                guard project.settings.allowsSignUp else { throw Refusal.adminOnlyOperation }
                account = Account(newWithID: freshID, at: now)
                account.email = address
                account.isEmailVerified = true
                try AccountRows.insert(account, in: project.id, connection)
            }
            if account.email == address {
                try Self.prove(&account, in: project.id, at: now, except: person?.session.id, connection)
            } else if let old = account.email, let person {
                // The link's address takes the place of another one, as in production; like every change of address it
                // wants a recent sign-in, ends the other sessions and tells the old address.
                guard person.isRecent(at: now) else { throw Refusal.credentialTooOld }
                account.initialEmail = account.initialEmail ?? old.text
                try AccountRows.endSessions(
                    of: account.id, in: project.id, at: now, except: person.session.id, connection)
                try recovery.write(
                    account, new: address, in: project, language: code.language, on: device, at: now, connection)
            }
            account.email = address
            account.isEmailVerified = true
            account.usesEmailLink = true
            account.signedIn(at: now)
            try AccountRows.update(account, in: project.id, connection)
            let session = Session(id: sessionID, account: account.id, provider: "password", authTime: now)
            try Sessions.insert(session, in: project.id, connection)
            return .done((account, person == nil && owner == nil, session))
        }
        let (account, isNew, session) = try outcome.get()
        outbox.bell.ring()
        return (account, isNew, try await sessions.tokens(for: account, session, in: project))
    }
}
