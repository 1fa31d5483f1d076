// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingDatabase
package import HomingPasswords
package import HomingProjects
package import HomingStore

/// Accounts that come from another system, many at once.
extension Accounts {
    /// What became of an imported account.
    package enum Imported: Sendable, Equatable {
        case taken
        /// This account is here already, with the same address; it stays as it is.
        case unchanged
        /// This account is here already and was to be brought up to date. `left` names what the file says and the
        /// account does not get (``AccountUpdate``).
        case updated(isChanged: Bool, left: [String])
        case refused(ImportedAccount.Fault)

        fileprivate var isUpdate: Bool {
            guard case .updated(isChanged: true, _) = self else { return false }
            return true
        }
    }

    /// Takes accounts over in one transaction.
    ///
    /// - Parameters:
    ///   - updating: whether those that are here already are brought up to date (``AccountUpdate``); else they stay as
    ///     they are.
    ///   - author: who brings them, for an entry of the audit log with their number and ids: before, of those that were
    ///     here and are others now; after, of those and the new ones.
    /// - Throws: a refusal where their hashes would be of too many kinds (``PasswordSchemes/mostKinds``).
    package func take(
        _ accounts: [ImportedAccount], in project: Project, updating: Bool = false, by author: Authority
    ) async throws -> [Imported] {
        let schemes = try await schemes.add(Set(accounts.compactMap(\.scheme)), to: project)
        return try await store.write(in: project, by: author) { tx in
            let wanted = accounts.map { $0.account(schemes: schemes, at: tx.now) }
            var answers = try Self.refusals(of: accounts, tx)
            let free = Self.order(of: accounts).filter { answers[$0] == .taken }
            // Of two accounts that meet in their id, address or number, the one that is here, or came first, stays.
            let rows = try tx.run(
                free.map { "\(sql: tx.accounts.insertion(of: wanted[$0])) ON CONFLICT DO NOTHING RETURNING id" })
            var given: [String: AccountID] = [:]
            for (index, row) in zip(free, rows) {
                if row.isEmpty, updating, let here = try tx.accounts.find(accounts[index].id) {
                    let hash = wanted[index].passwordHash
                    let (answer, update) = try Self.update(here, accounts[index], hash, &given, tx)
                    if let update { Self.write(update, of: here, tx) }
                    answers[index] = answer
                } else if row.isEmpty {
                    answers[index] = try Self.clash(of: accounts[index], tx)
                } else {
                    tx.accounts.addIdentities(of: wanted[index])
                }
            }
            func ids(_ isMeant: (Imported) -> Bool) -> [String] {
                zip(accounts, answers).filter { isMeant($1) }.map(\.0.id.text)
            }
            let (taken, updated) = (ids { $0 == .taken }, ids(\.isUpdate))
            if !taken.isEmpty || !updated.isEmpty {
                tx.note(
                    "account.importPart", of: "\(taken.count + updated.count) accounts",
                    before: updated.isEmpty ? nil : updated.joined(separator: " "),
                    after: (taken + updated).joined(separator: " "))
            }
            return answers
        }
    }

    /// The places of accounts in the order in which they are written: by their ids, so that two lists of the same
    /// people do not wait for each other. What meets an account further up in the list comes behind all others, as
    /// there.
    private static func order(of accounts: [ImportedAccount]) -> [Int] {
        var seen: Set<String> = []
        var (first, second): ([Int], [Int]) = ([], [])
        for (place, account) in accounts.enumerated() {
            let marks = [
                "id \(account.id)", account.email.map { "email \($0.text)" }, account.phoneNumber.map { "phone \($0)" },
            ]
            let isNew = marks.compactMap { $0 }.allSatisfy { !seen.contains($0) }
            seen.formUnion(marks.compactMap { $0 })
            if isNew { first.append(place) } else { second.append(place) }
        }
        return first.sorted { accounts[$0].id < accounts[$1].id } + second
    }

    /// What ``take(_:in:updating:)`` would answer, without the clashes of these accounts with each other.
    package func look(
        at accounts: [ImportedAccount], in project: Project, updating: Bool = false
    ) async throws -> [Imported] {
        let schemes = updating ? try await schemes.ids(of: project) : [:]
        return try await store.read(in: project) { tx in
            var given: [String: AccountID] = [:]
            return try zip(accounts, Self.refusals(of: accounts, tx)).map { account, answer in
                if updating, let here = try tx.accounts.find(account.id) {
                    guard answer == .taken else { return answer }
                    // A scheme that is not here yet is none of this account's.
                    let hash = account.password.map { $0.stored(schemes) ?? "" }
                    return try Self.update(here, account, hash, &given, tx).answer
                }
                if try tx.accounts.find(account.id) != nil { return try Self.clash(of: account, tx) }
                if let email = account.email, try tx.accounts.find(email) != nil {
                    return try Self.clash(of: account, tx)
                }
                if let phone = account.phoneNumber, try tx.accounts.find(phoneNumber: phone) != nil {
                    return .refused(.phoneNumberExists)
                }
                return answer
            }
        }
    }

    /// Refuses the accounts of another tenant, and those whose identities another account has, here or before in the
    /// list.
    private static func refusals(
        of accounts: [ImportedAccount], _ tx: borrowing ProjectTransaction
    ) throws -> [Imported] {
        // By bytes: two spellings of one text are two ids.
        func key(_ identity: AccountIdentity) -> [UInt8] { Array("\(identity.provider)\u{0}\(identity.id)".utf8) }
        // Whose they are is looked up in one order, too.
        var owners: [[UInt8]: AccountID] = [:]
        let identities = accounts.flatMap(\.identities).map { (key: key($0), value: $0) }
        for (key, identity) in identities.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            owners[key] = try owners[key] ?? tx.accounts.find(provider: identity.provider, id: identity.id)?.id
        }
        var answers: [Imported] = []
        for account in accounts {
            var answer = Imported.taken
            if let tenant = account.tenant, tenant != tx.project.tenant?.id { answer = .refused(.otherTenant) }
            for identity in account.identities {
                let owner = owners[key(identity)]
                if let owner, owner != account.id { answer = .refused(.identityExists) }
                owners[key(identity)] = owner ?? account.id
            }
            answers.append(answer)
        }
        return answers
    }

    private static func clash(of account: ImportedAccount, _ tx: borrowing ProjectTransaction) throws -> Imported {
        if let here = try tx.accounts.find(account.id) {
            return here.email == account.email
                ? .unchanged : .refused(.alreadyHere)
        }
        if let phone = account.phoneNumber, try tx.accounts.find(phoneNumber: phone) != nil {
            return .refused(.phoneNumberExists)
        }
        return .refused(.emailExists(of: try account.email.flatMap { try tx.accounts.find($0)?.id }))
    }

    /// What becomes of an account that is here. Nothing is written.
    ///
    /// - Parameter given: whose the addresses and numbers are that were given out in this transaction and may be in no
    ///   row yet.
    private static func update(
        _ here: Account, _ row: ImportedAccount, _ hash: String?, _ given: inout [String: AccountID],
        _ tx: borrowing ProjectTransaction
    ) throws -> (answer: Imported, update: AccountUpdate?) {
        let update: AccountUpdate
        do throws(ImportedAccount.Fault) {
            update = try AccountUpdate(of: here, by: row, hash)
        } catch {
            return (.refused(error), nil)
        }
        if let email = update.account.email, email != here.email {
            let mark = "email \(email.text)"
            if let other = try tx.accounts.find(email)?.id ?? given[mark] {
                return (.refused(.emailExists(of: other)), nil)
            }
            given[mark] = here.id
        }
        if let phone = update.account.phoneNumber, phone != here.phoneNumber {
            let mark = "phone \(phone)"
            guard try tx.accounts.find(phoneNumber: phone) == nil, given[mark] == nil else {
                return (.refused(.phoneNumberExists), nil)
            }
            given[mark] = here.id
        }
        return (.updated(isChanged: update.account != here, left: update.left), update)
    }

    private static func write(_ update: AccountUpdate, of here: Account, _ tx: borrowing ProjectTransaction) {
        let account = tx.accounts.change(here) { account in
            account = update.account
            if update.endsSessions { account.validSince = tx.now.seconds }
        }
        guard update.endsSessions else { return }
        tx.sessions.end(of: account)
        // Somebody in those sessions may have asked for a change of address.
        tx.codes.retire(.verifyAndChangeEmail, of: .account(account.id))
    }

    /// Notes an import in the audit log.
    ///
    /// - Parameter oldSystem: what is asked about their passwords.
    package func noteImport(
        of count: Int, verifiedBy oldSystem: OldSystem? = nil, in project: Project, by author: Authority
    ) async throws {
        try await store.write(in: project, by: author) { tx in
            tx.note("account.import", of: "\(count) accounts", after: oldSystem?.place)
        }
    }

    /// Notes in the audit log that accounts were written into a file, with their hashes.
    package func noteExport(of count: Int, in project: Project, by author: Authority) async throws {
        try await store.write(in: project, by: author) { tx in tx.note("account.export", of: "\(count) accounts") }
    }
}

extension ImportedAccount {
    fileprivate func account(schemes: [PasswordScheme: String], at now: Moment) -> Account {
        var account = Account(newWithID: id, at: min(createdAt ?? now, now))
        account.email = email
        account.isEmailVerified = isEmailVerified && email != nil
        account.usesEmailLink = usesEmailLink && email != nil
        account.initialEmail = initialEmail
        if let hash = password?.stored(schemes) { account.setPassword(hash, at: account.createdAt) }
        for text in AccountText.all { account[keyPath: text.place] = self[text] }
        account.lastLoginAt = lastLoginAt
        account.isDisabled = isDisabled
        account.identities = identities
        account.usesCustomTokens = usesCustomTokens
        return account
    }
}
