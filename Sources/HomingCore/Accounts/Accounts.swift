// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
package import HomingPasswords
package import HomingProjects
package import HomingStore
import HomingWire

/// Accounts: sign up, sign in with a password, change, disable, delete.
package final class Accounts: Sendable {
    let store: Store
    let passwords: Passwords
    let sessions: Sessions
    let blockLimits: BlockLimits
    package let schemes: PasswordSchemes
    package let oldSystems: OldSystems
    package let serviceAccounts: ServiceAccounts

    package init(
        store: Store, blockLimits: BlockLimits, passwords: Passwords, sessions: Sessions,
        serviceAccounts: ServiceAccounts, oldSystems: OldSystems
    ) {
        self.oldSystems = oldSystems
        self.serviceAccounts = serviceAccounts
        self.store = store
        self.blockLimits = blockLimits
        self.passwords = passwords
        self.sessions = sessions
        schemes = PasswordSchemes(store: store)
    }

    // MARK: Signing up

    /// Makes an account of a device's own, with neither address nor password.
    package func signUpAnonymously(in project: Project) async throws -> (Account, Tokens) {
        try checkAnonymous(in: project)
        return try await signUp(openingSession: "anonymous", in: project) { _ in }
    }

    /// - Throws: ``Refusal/adminOnlyOperation`` where nobody may have an anonymous account.
    package func checkAnonymous(in project: Project) throws(Refusal) {
        guard project.settings.allowsAnonymous, project.settings.allowsSignUp else { throw .adminOnlyOperation }
    }

    /// - Parameters:
    ///   - language: the tag that the caller names, if it names one.
    ///   - caller: the caller, in the form that the limits count.
    package func signUp(
        _ address: EmailAddress, password: String, displayName: String?, language: String? = nil, from caller: String,
        in project: Project
    ) async throws -> (Account, Tokens) {
        guard project.settings.allowsEmail else { throw Refusal.noPasswords }
        guard project.settings.allowsSignUp else { throw Refusal.adminOnlyOperation }
        // Checked before hashing, so that a taken address costs no hash; the unique index decides.
        guard try await find(address, in: project) == nil else { throw Refusal.emailExists }
        try project.check(newPassword: password, of: address)
        let hash = try await passwords.hash(password, for: caller)
        return try await signUp(openingSession: "password", in: project) { account in
            account.email = address
            account.setPassword(hash, at: account.createdAt)
            account.displayName = displayName
            account.reads(language)
        }
    }

    private func signUp(
        openingSession provider: String, in project: Project,
        _ fill: @escaping @Sendable (inout Account) -> Void
    ) async throws -> (Account, Tokens) {
        let (account, session) = try await store.write(in: project) { tx in
            let account = tx.accounts.add { account in
                account.lastLoginAt = tx.now
                account.lastRefreshAt = tx.now
                fill(&account)
            }
            return (account, try tx.sessions.open(for: account, provider: provider))
        }
        return (account, try await sessions.tokens(for: account, session, in: project))
    }

    /// The newest accounts whose address or id contains `search`, whatever the case of ASCII letters, and the number of
    /// all such accounts.
    package func list(in project: Project, search: String?, limit: Int) async throws -> ([Account], total: Int) {
        var filter: SQL = "project = \(project.scope)"
        if let search {
            let literal = ASCII.lowercased(search).flatMap { "%_\\".contains($0) ? "\\\($0)" : "\($0)" }
            let pattern = "%\(String(literal))%"
            filter = """
                \(sql: filter) AND (email LIKE \(pattern) ESCAPE '\\' OR lower(id) LIKE \(pattern) ESCAPE '\\')
                """
        }
        return try await store.read(in: project) { [filter] tx in
            let rows = try tx.run(
                """
                SELECT \(sql: Account.columns) FROM accounts WHERE \(sql: filter)
                ORDER BY created_at DESC, id LIMIT \(limit)
                """)
            let total = try tx.run("SELECT COUNT(*) FROM accounts WHERE \(sql: filter)").firstInt() ?? 0
            return (try rows.map { try Account($0) }, Int(total))
        }
    }

    /// Makes an account with any of the fields and without a session, for the operator or the operator's back end.
    ///
    /// The audit log has an entry with the members that it got.
    package func create(
        _ wanted: AccountChange, id: AccountID?, in project: Project, by author: Authority
    ) async throws -> Account {
        if let id, !id.isWellFormed {
            throw Refusal.invalidArgument("localId has 1 to 128 bytes, and no control characters")
        }
        var hash: String?
        if case .set(let password)? = wanted.password {
            guard password.utf8.count <= PasswordPolicy.mostBytes else { throw Refusal.passwordTooLong }
            hash = try await passwords.hash(password, for: HashingPool.operatorsLane)
        }
        return try await store.write(in: project, by: author) { [hash] tx in
            // Where both are taken, the refusal names the id.
            if let id, try tx.accounts.find(id) != nil { throw Refusal.duplicateLocalID }
            let account = tx.accounts.add(id: id) { account in
                account.setPassword(hash, at: tx.now)
                wanted.applyPlainFields(to: &account)
                account.email = wanted.newEmail
            }
            let changes = Account.changes(from: nil, to: account)
            tx.note("account.create", of: account.id.text, before: changes.before, after: changes.after)
            return account
        }
    }

    // MARK: Signing in

    /// Signs in with a password. Failures are counted before anything is hashed: for the account, and for the caller
    /// over all accounts.
    package func signIn(
        _ address: EmailAddress, password: String, from caller: String, in project: Project
    ) async throws -> (Account, Tokens) {
        guard project.settings.allowsEmail else { throw Refusal.passwordLoginDisabled }
        let hides = project.settings.hidesAddresses
        let counters = failureCounters(address, caller: caller, in: project)
        let tries = "sign-in tries from \(caller)"
        try await takeTry(tries, limit: store.limits.signInFailuresPerAccountHour * 10, in: project)
        // Nobody's: told before anything is looked up, whose time would tell of an account.
        let isPossible = password.utf8.count <= PasswordPolicy.mostBytes
        guard isPossible || !hides else {
            store.system.report(SecurityEvent(.signInFailed, project: project.scope))
            throw Refusal.invalidLoginCredentials
        }
        let found: Account?
        do {
            found = try await store.write(in: project) { tx in
                let (counts, answers) = try tx.counters.increment(
                    counters.map(\.counter), beside: [tx.accounts.selection(of: address)])
                let account = try answers[0].first.map { try Account($0) }
                guard zip(counts, counters).allSatisfy({ $0 <= $1.limit }) else { throw Locked(account: account?.id) }
                return account
            }
        } catch let locked as Locked {
            store.system.report(SecurityEvent(.signInLocked, project: project.scope, subject: locked.account?.text))
            throw Refusal.tooManyAttempts(
                "Access to this account has been temporarily disabled due to many failed login attempts. "
                    + "You can restore it by resetting your password, or try again later.")
        }
        let isRight: Bool
        do {
            isRight = isPossible ? try await verifies(password, of: found, from: caller, in: project) : false
        } catch is OldSystemSilence {
            // The counters of the address keep the try: else those that never lock would be those of accounts. The
            // caller's own gets it back, whatever the address, since many people may share one.
            blockLimits.giveBack(tries, project: project.projectID)
            throw Refusal.overloaded(retryAfterSeconds: 5)
        } catch let refusal as Refusal {
            // A full queue, whatever the address: no guess was made, and whoever tries again as told is not locked out.
            if refusal.code == .overloaded {
                blockLimits.giveBack(tries, project: project.projectID)
                try await store.write(in: project) { tx in
                    for (counter, _) in counters { tx.counters.decrement(counter) }
                }
            }
            throw refusal
        }
        guard let found, isRight else {
            store.system.report(SecurityEvent(.signInFailed, project: project.scope, subject: found?.id.text))
            guard !hides else { throw Refusal.invalidLoginCredentials }
            throw found == nil ? Refusal.emailNotFound : .invalidPassword
        }
        blockLimits.giveBack(tries, project: project.projectID)
        guard !found.isDisabled else { throw Refusal.userDisabled }
        if project.settings.forcesPasswordUpgrade { try project.settings.passwordPolicy.check(password) }
        return try await open(
            found, rehashed: await rehash(password, of: found, from: caller), forgetting: counters.map(\.counter),
            in: project)
    }

    /// Counts a try of a caller before anything is hashed, over all accounts.
    func takeTry(_ subject: String, limit: Int, in project: Project) async throws {
        do {
            try await blockLimits.take(subject, project: project.projectID, limit: limit)
        } catch let refusal as Refusal where refusal.databaseReason == nil {
            store.system.report(SecurityEvent(.callerLocked, project: project.scope))
            throw refusal
        }
    }

    /// Thrown to undo the count, with the account that the caller tried.
    private struct Locked: Error {
        let account: AccountID?
    }

    /// - Parameter rehashed: our own hash of the password, in place of another system's.
    private func open(
        _ found: Account, rehashed: String?, forgetting counters: [Counter], in project: Project
    ) async throws -> (Account, Tokens) {
        let (account, session) = try await store.write(in: project) { tx in
            // The password may have been changed while it was being checked.
            guard let current = try tx.accounts.find(found.id), current.hasPassword(of: found) else {
                throw Refusal.invalidLoginCredentials
            }
            guard !current.isDisabled else { throw Refusal.userDisabled }
            let account = tx.accounts.change(current) { account in
                account.signedIn(at: tx.now)
                if let rehashed, account.passwordHash == found.passwordHash { account.passwordHash = rehashed }
            }
            for counter in counters { tx.counters.decrement(counter) }
            return (account, try tx.sessions.open(for: account, provider: "password"))
        }
        return (account, try await sessions.tokens(for: account, session, in: project))
    }

    private func failureCounters(
        _ address: EmailAddress, caller: String, in project: Project
    ) -> [(counter: Counter, limit: Int)] {
        let limit = store.limits.signInFailuresPerAccountHour
        guard limit > 0 else { return [] }
        let digest = store.ring.digest(of: address, in: project.projectID.scope)
        return [
            (Counter(subject: "sign-in \(digest) \(caller)"), limit),
            (Counter(subject: "sign-in \(digest)"), limit * 10),
        ]
    }

    // MARK: Finding

    package func find(id: AccountID, in project: Project) async throws -> Account? {
        try await store.read(in: project) { try $0.accounts.find(id) }
    }

    package func find(_ address: EmailAddress, in project: Project) async throws -> Account? {
        try await store.read(in: project) { try $0.accounts.find(address) }
    }

    /// All accounts that any of the ids, addresses, phone numbers or identities name, each once.
    package func find(
        ids: [AccountID], addresses: [EmailAddress], phoneNumbers: [String] = [],
        identities: [(provider: String, id: String)] = [], in project: Project
    ) async throws -> [Account] {
        try await store.read(in: project) { tx in
            var found = try ids.map { try tx.accounts.find($0) } + addresses.map { try tx.accounts.find($0) }
            found += try phoneNumbers.map { try tx.accounts.find(phoneNumber: $0) }
            found += try identities.map { try tx.accounts.find(provider: $0.provider, id: $0.id) }
            var seen: Set<AccountID> = []
            return found.compactMap(\.self).filter { seen.insert($0.id).inserted }
        }
    }

    // MARK: Deleting

    /// Removes a person's own account, with all that is kept of the person.
    package func delete(_ person: SignedIn) async throws {
        try await store.write(in: person.project, by: .user(person.account.id)) { tx in
            try tx.accounts.remove([try tx.sessions.account(of: person)])
        }
    }

    /// Removes an account for the operator or the operator's back end, and leaves an entry in the audit log.
    package func delete(_ id: AccountID, in project: Project, by author: Authority) async throws {
        try await store.write(in: project, by: author) { tx in
            guard let account = try tx.accounts.find(id) else { throw Refusal.userNotFound }
            try tx.accounts.removeForGood([account])
            tx.note("account.delete", of: id.text)
        }
    }
}
