// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingDatabase
import HomingWire

/// The place of accounts: sign up, sign in with a password, change, disable, delete.
package final class Accounts: Sendable {
    let database: Database
    let surroundings: Surroundings
    let limits: Limits
    let passwords: Passwords
    let sessions: Sessions
    let outbox: Outbox
    let ring: KeyRing
    let blockLimits: BlockLimits

    package init(
        database: Database, surroundings: Surroundings, limits: Limits, blockLimits: BlockLimits,
        passwords: Passwords, sessions: Sessions, outbox: Outbox, ring: KeyRing
    ) {
        self.database = database
        self.surroundings = surroundings
        self.limits = limits
        self.blockLimits = blockLimits
        self.passwords = passwords
        self.sessions = sessions
        self.outbox = outbox
        self.ring = ring
    }

    // MARK: Signing up

    /// An account of a device's own, with neither address nor password.
    package func signUpAnonymously(in project: Project) async throws -> (Account, Tokens) {
        guard project.settings.allowsAnonymous, project.settings.allowsSignUp else { throw Refusal.adminOnlyOperation }
        let now = surroundings.now()
        var account = Account(newWithID: surroundings.randomName(length: 28), at: now)
        account.lastLoginAt = now
        account.lastRefreshAt = now
        return try await insert(account, openingSession: "anonymous", in: project, at: now)
    }

    /// - Parameter caller: who asks, as limits count it.
    package func signUp(
        _ address: EmailAddress, password: String, displayName: String?, from caller: String, in project: Project
    ) async throws -> (Account, Tokens) {
        guard project.settings.allowsEmail else { throw Refusal.noPasswords }
        guard project.settings.allowsSignUp else { throw Refusal.adminOnlyOperation }
        // Asked before hashing, so that a taken address costs no hash; the unique index decides.
        guard try await find(address, in: project) == nil else { throw Refusal.emailExists }
        try project.check(newPassword: password, of: address)
        let hash = try await passwords.hash(password, for: caller)
        let now = surroundings.now()
        var account = Account(newWithID: surroundings.randomName(length: 28), at: now)
        account.email = address
        account.passwordHash = hash
        account.passwordUpdatedAt = now
        account.displayName = displayName
        account.lastLoginAt = now
        account.lastRefreshAt = now
        return try await insert(account, openingSession: "password", in: project, at: now)
    }

    private func insert(
        _ account: Account, openingSession provider: String, in project: Project, at now: Moment
    ) async throws -> (Account, Tokens) {
        let session = sessions.new(for: account.id, provider: provider, at: now)
        try await database.write { connection in
            try Self.guardUnique(account, in: project.id, connection)
            try AccountRows.insert(account, in: project.id, connection)
            try Sessions.insert(session, in: project.id, connection)
        }
        return (account, try await sessions.tokens(for: account, session, in: project))
    }

    private static func guardUnique(
        _ account: Account, in project: String, _ connection: borrowing Connection
    ) throws {
        guard let email = account.email else { return }
        guard let owner = try AccountRows.find(address: email, in: project, connection) else { return }
        guard owner.id == account.id else { throw Refusal.emailExists }
    }

    /// The newest accounts whose address or id has `search` in it, whatever the case of ASCII letters, and how many
    /// there are in all.
    package func list(in project: Project, search: String?, limit: Int) async throws -> ([Account], total: Int) {
        var filter: SQL = "project = \(project.id)"
        if let search {
            let literal = ASCII.lowercased(search).flatMap { "%_\\".contains($0) ? "\\\($0)" : "\($0)" }
            let pattern = "%\(String(literal))%"
            filter = """
                \(sql: filter) AND (email LIKE \(pattern) ESCAPE '\\' OR lower(id) LIKE \(pattern) ESCAPE '\\')
                """
        }
        return try await database.read { [filter] connection in
            let rows = try connection.run(
                """
                SELECT \(sql: Account.columns) FROM accounts WHERE \(sql: filter)
                ORDER BY created_at DESC, id LIMIT \(limit)
                """)
            let total = try connection.run("SELECT COUNT(*) FROM accounts WHERE \(sql: filter)")[0].int(0)
            return (try rows.map { try Account($0) }, Int(total))
        }
    }

    /// What the operator's back end makes: any of the fields, no session.
    package func create(_ wanted: AccountChange, id: String?, in project: Project) async throws -> Account {
        let now = surroundings.now()
        if let id, !(1...128).contains(id.utf8.count) { throw Refusal.invalidArgument("localId has 1 to 128 bytes") }
        var account = Account(newWithID: id ?? surroundings.randomName(length: 28), at: now)
        if case .set(let password)? = wanted.password {
            guard password.utf8.count <= PasswordPolicy.mostBytes else { throw Refusal.passwordTooLong }
            account.passwordHash = try await passwords.hash(password, for: HashingPool.operatorsLane)
            account.passwordUpdatedAt = now
        }
        wanted.applyPlainFields(to: &account)
        if case .set(let email)? = wanted.email { account.email = email }
        let new = account
        try await database.write { connection in
            guard try AccountRows.find(new.id, in: project.id, connection) == nil else {
                throw Refusal.duplicateLocalID
            }
            try Self.guardUnique(new, in: project.id, connection)
            try AccountRows.insert(new, in: project.id, connection)
        }
        return account
    }

    // MARK: Signing in

    /// Signs in with a password. Failures are counted before anything is hashed: for the account, and for the caller
    /// whatever account it tries.
    package func signIn(
        _ address: EmailAddress, password: String, from caller: String, in project: Project
    ) async throws -> (Account, Tokens) {
        guard project.settings.allowsEmail else { throw Refusal.passwordLoginDisabled }
        let counters = failureCounters(address, caller: caller, in: project)
        let now = surroundings.now()
        let tries = "sign-in tries from \(caller)"
        do {
            try await blockLimits.take(tries, project: project.id, limit: limits.signInFailuresPerAccountHour * 10)
        } catch let refusal as Refusal {
            surroundings.report(SecurityEvent(.callerLocked, project: project.id))
            throw refusal
        }
        let found: Account?
        do {
            found = try await database.write { connection in
                var answers = try connection.run(
                    counters.map { $0.counter.increment(at: now) }
                        + [AccountRows.selectByAddress(address.text, in: project.id)])
                let account = try answers.removeLast().first.map { try Account($0) }
                for (count, counter) in zip(answers, counters) where Int(try count[0].int(0)) > counter.limit {
                    throw Locked(account: account?.id)
                }
                return account
            }
        } catch let locked as Locked {
            surroundings.report(SecurityEvent(.signInLocked, project: project.id, account: locked.account))
            throw Refusal.tooManyAttempts(
                "Access to this account has been temporarily disabled due to many failed login attempts. "
                    + "You can restore it by resetting your password, or try again later.")
        }
        let isRight =
            password.utf8.count <= PasswordPolicy.mostBytes
            ? try await passwords.verify(password, against: found?.passwordHash, for: caller) : false
        let hides = project.settings.hidesAddresses
        guard let found, isRight else {
            surroundings.report(SecurityEvent(.signInFailed, project: project.id, account: found?.id))
            guard !hides else { throw Refusal.invalidLoginCredentials }
            throw found == nil ? Refusal.emailNotFound : .invalidPassword
        }
        blockLimits.giveBack(tries, project: project.id)
        guard !found.isDisabled else { throw Refusal.userDisabled }
        if project.settings.forcesPasswordUpgrade { try project.settings.passwordPolicy.check(password) }
        return try await open(found, forgetting: counters.map(\.counter), in: project)
    }

    /// Undoes the count and says who was meant.
    private struct Locked: Error {
        let account: String?
    }

    private func open(
        _ found: Account, forgetting counters: [Counter], in project: Project
    ) async throws -> (Account, Tokens) {
        let now = surroundings.now()
        let session = sessions.new(for: found.id, provider: "password", at: now)
        let account = try await database.write { connection in
            // The password may have been changed while it was being checked.
            guard var account = try AccountRows.find(found.id, in: project.id, connection),
                account.passwordHash == found.passwordHash
            else { throw Refusal.invalidLoginCredentials }
            guard !account.isDisabled else { throw Refusal.userDisabled }
            account.signedIn(at: now)
            try connection.run(
                """
                UPDATE accounts SET last_login_at = \(now), last_refresh_at = \(now),
                    valid_since = \(account.validSince)
                WHERE project = \(project.id) AND id = \(account.id)
                """)
            try Sessions.insert(session, in: project.id, connection)
            try connection.run(counters.map { $0.decrement() })
            return account
        }
        return (account, try await sessions.tokens(for: account, session, in: project))
    }

    private func failureCounters(
        _ address: EmailAddress, caller: String, in project: Project
    ) -> [(counter: Counter, limit: Int)] {
        let limit = limits.signInFailuresPerAccountHour
        guard limit > 0 else { return [] }
        return [
            (Counter(project: project.id, subject: "sign-in \(address.text) \(caller)", windowSeconds: 3600), limit),
            (Counter(project: project.id, subject: "sign-in \(address.text)", windowSeconds: 3600), limit * 10),
        ]
    }

    // MARK: Finding

    package func find(_ address: EmailAddress, in project: Project) async throws -> Account? {
        let id = project.id
        return try await database.read { try AccountRows.find(address: address, in: id, $0) }
    }

    /// All accounts that any of the ids or addresses name, each once.
    package func find(ids: [String], addresses: [EmailAddress], in project: Project) async throws -> [Account] {
        let projectID = project.id
        return try await database.read { connection in
            var found: [Account] = []
            for id in ids {
                if let account = try AccountRows.find(id, in: projectID, connection) { found.append(account) }
            }
            for address in addresses {
                if let account = try AccountRows.find(address: address, in: projectID, connection) {
                    found.append(account)
                }
            }
            var seen: Set<String> = []
            return found.filter { seen.insert($0.id).inserted }
        }
    }

    // MARK: Deleting

    /// A person removes their own account.
    package func delete(_ person: SignedIn) async throws {
        let now = surroundings.now()
        try await database.write { connection in
            try Self.remove(try person.confirmed(connection), in: person.project.id, at: now, connection)
        }
    }

    /// The operator removes an account.
    package func delete(_ id: String, in project: Project) async throws {
        let now = surroundings.now()
        try await database.write { connection in
            guard let account = try AccountRows.find(id, in: project.id, connection) else {
                throw Refusal.userNotFound
            }
            try Self.remove(account, in: project.id, at: now, connection)
        }
    }

    /// Removes an account with its sessions and kills every code of its own: also those for an address that it had once,
    /// never those of another account or of somebody without one.
    private static func remove(
        _ account: Account, in project: String, at now: Moment, _ connection: borrowing Connection
    ) throws {
        let addresses = [account.email?.text, account.initialEmail].compactMap(\.self)
        try connection.run(
            [
                "DELETE FROM accounts WHERE project = \(project) AND id = \(account.id)",
                """
                UPDATE codes SET state = 3, ended_at = \(now)
                WHERE project = \(project) AND account = \(account.id) AND state = 0
                """,
            ]
                + addresses.map { address in
                    """
                    UPDATE codes SET state = 3, ended_at = \(now)
                    WHERE project = \(project) AND address = \(address) AND holder = \(account.id) AND state = 0
                    """
                })
        try AccountRows.endSessions(of: account.id, in: project, at: now, connection)
    }
}
