// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingDatabase

/// Accounts that come from another system, many at once.
extension Accounts {
    /// What became of an imported account.
    package enum Imported: Sendable, Equatable {
        case taken
        /// This account is here already, with the same address; it stays as it is.
        case unchanged
        case refused(ImportedAccount.Fault)
    }

    /// Takes accounts over in one transaction. Those that are here already stay as they are.
    ///
    /// - Throws: a refusal where their hashes would be of too many kinds (``PasswordSchemes/mostKinds``).
    package func take(_ accounts: [ImportedAccount], in project: Project) async throws -> [Imported] {
        let schemes = try await schemes.add(Set(accounts.compactMap(\.scheme)), to: project)
        return try await store.write(in: project) { tx in
            let wanted = accounts.map { $0.account(schemes: schemes, at: tx.now) }
            var answers = try Self.refusals(of: accounts, tx)
            let free = accounts.indices.filter { answers[$0] == .taken }
            // Of two accounts that meet in their id, address or number, the one that is here, or came first, stays.
            let rows = try tx.run(
                free.map { "\(sql: tx.accounts.insertion(of: wanted[$0])) ON CONFLICT DO NOTHING RETURNING id" })
            for (index, row) in zip(free, rows) {
                if row.isEmpty {
                    answers[index] = try Self.clash(of: accounts[index], tx)
                } else {
                    tx.accounts.addIdentities(of: wanted[index])
                }
            }
            return answers
        }
    }

    /// What ``take(_:in:)`` would answer, without the clashes of these accounts with each other.
    package func look(at accounts: [ImportedAccount], in project: Project) async throws -> [Imported] {
        try await store.read(in: project) { tx in
            try zip(accounts, Self.refusals(of: accounts, tx)).map { account, answer in
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

    /// Refuses the accounts of another tenant, and those whose identities another account has, here or before in the list.
    private static func refusals(
        of accounts: [ImportedAccount], _ tx: borrowing Transaction
    ) throws -> [Imported] {
        // By bytes: two spellings of one text are two ids.
        var owners: [[UInt8]: String] = [:]
        var answers: [Imported] = []
        for account in accounts {
            var answer = Imported.taken
            if let tenant = account.tenant, tenant != tx.project.tenant?.id { answer = .refused(.otherTenant) }
            for identity in account.identities {
                let key = Array("\(identity.provider)\u{0}\(identity.id)".utf8)
                let owner = try owners[key] ?? tx.accounts.find(provider: identity.provider, id: identity.id)?.id
                if let owner, owner != account.id { answer = .refused(.identityExists) }
                owners[key] = owner ?? account.id
            }
            answers.append(answer)
        }
        return answers
    }

    private static func clash(of account: ImportedAccount, _ tx: borrowing Transaction) throws -> Imported {
        if let here = try tx.accounts.find(account.id) {
            return here.email == account.email
                ? .unchanged : .refused(.alreadyHere)
        }
        if let phone = account.phoneNumber, try tx.accounts.find(phoneNumber: phone) != nil {
            return .refused(.phoneNumberExists)
        }
        return .refused(.init("email exists in other account in database"))
    }

    /// Notes an import in the audit log.
    ///
    /// - Parameter oldSystem: what is asked about their passwords.
    package func noteImport(
        of count: Int, verifiedBy oldSystem: OldSystem? = nil, in project: Project, by author: Author
    ) async throws {
        try await store.write(in: project) { tx in
            tx.note("account.import", of: "\(count) accounts", after: oldSystem?.place, by: author)
        }
    }

    /// Notes in the audit log that accounts were written into a file, with their hashes.
    package func noteExport(of count: Int, in project: Project, by author: Author) async throws {
        try await store.write(in: project) { tx in tx.note("account.export", of: "\(count) accounts", by: author) }
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
        account.displayName = displayName
        account.photoURL = photoURL
        account.lastLoginAt = lastLoginAt
        account.isDisabled = isDisabled
        account.customAttributes = customAttributes
        account.phoneNumber = phoneNumber
        account.identities = identities
        account.usesCustomTokens = usesCustomTokens
        return account
    }
}
