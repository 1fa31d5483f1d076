// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
import HomingProjects
import HomingStore

extension ProjectTransaction {
    var accounts: AccountRows { AccountRows(work: work) }
}

/// The accounts of a transaction's project.
struct AccountRows {
    let work: ProjectWork

    func find(_ id: AccountID) throws -> Account? {
        try work.run(selection(of: id)).first.map { try Account($0) }
    }

    func find(_ address: EmailAddress) throws -> Account? {
        try work.run(selection(of: address)).first.map { try Account($0) }
    }

    func selection(of id: AccountID) -> SQL {
        """
        SELECT \(sql: Account.columns) FROM accounts
        WHERE project = \(work.project.scope) AND id = \(id) \(lock: work.lock)
        """
    }

    func selection(of address: EmailAddress) -> SQL {
        """
        SELECT \(sql: Account.columns) FROM accounts WHERE project = \(work.project.scope) AND email = \(address.text)
            \(lock: work.lock)
        """
    }

    // MARK: Other providers

    func find(phoneNumber: String) throws -> Account? {
        try work.run(
            """
            SELECT \(sql: Account.columns) FROM accounts
            WHERE project = \(work.project.scope) AND phone_number = \(phoneNumber) \(lock: work.lock)
            """
        ).first.map { try Account($0) }
    }

    func find(provider: String, id: String) throws -> Account? {
        let owner = try work.run(
            """
            SELECT account FROM account_identities
            WHERE project = \(work.project.scope) AND provider = \(provider) AND raw_id = \(id)
            """
        ).firstText()
        return try owner.flatMap { try find(AccountID($0)) }
    }

    /// Another account's identity ends the verb with its refusal.
    func addIdentities(of account: Account) {
        for identity in account.identities {
            work.later(
                """
                INSERT INTO account_identities (project, provider, raw_id, account)
                VALUES (\(work.project.scope), \(identity.provider), \(identity.id), \(account.id))
                """)
        }
    }

    private func removeIdentities(of account: Account) {
        guard !account.identities.isEmpty else { return }
        work.later(
            "DELETE FROM account_identities WHERE project = \(work.project.scope) AND account = \(account.id)")
    }

    // MARK: Writing

    /// Adds a new account, with a random id unless one is given.
    func add(id: AccountID? = nil, _ fill: (inout Account) -> Void) -> Account {
        var account = Account(
            newWithID: id ?? AccountID(work.store.system.randomName(length: 28)), at: work.now)
        fill(&account)
        insert(account)
        return account
    }

    /// Inserts an account. An address or an id that exists already ends the verb with its refusal.
    private func insert(_ account: Account) {
        work.later(insertion(of: account))
        addIdentities(of: account)
        work.witness("SELECT 1 FROM accounts WHERE project = \(work.project.scope) AND id = \(account.id)")
    }

    func insertion(of account: Account) -> SQL {
        """
        INSERT INTO accounts (project, \(sql: Account.columns)) VALUES (\(work.project.scope), \(list: account.values))
        """
    }

    /// Writes the columns that the change touches, and no others: two verbs that change different columns of one
    /// account never undo each other.
    func change(_ account: Account, _ change: (inout Account) throws -> Void) rethrows -> Account {
        var after = account
        try change(&after)
        if after.identities != account.identities {
            removeIdentities(of: account)
            addIdentities(of: after)
        }
        let changes = AccountColumn.changes(from: account, to: after)
        if !changes.isEmpty {
            var update: SQL = "UPDATE accounts SET "
            for (index, change) in changes.enumerated() {
                let name = SQL(stringLiteral: index == 0 ? change.name : ", \(change.name)")
                update.append("\(sql: name) = \(change.value)")
            }
            update.append(" WHERE project = \(work.project.scope) AND id = \(account.id)")
            work.later(update)
            // A hash has a salt of its own.
            if let hash = after.passwordHash, hash != account.passwordHash {
                work.witness(
                    """
                    SELECT 1 FROM accounts
                    WHERE project = \(work.project.scope) AND id = \(account.id) AND password_hash = \(hash)
                    """)
            }
        }
        return after
    }

    /// Removes accounts with all that is kept of their people (``erase(_:evenLinks:)``): every code of theirs, also for
    /// a former address, never codes of another account or of somebody without one.
    ///
    /// - Parameter evenLinks: whether sign-in links that anybody has asked for go, too.
    func remove(_ accounts: [Account], evenLinks: Bool = false) throws {
        for account in accounts {
            work.later("DELETE FROM accounts WHERE project = \(work.project.scope) AND id = \(account.id)")
            removeIdentities(of: account)
        }
        try leave(accounts, evenLinks: evenLinks)
    }

    /// Removes accounts for the operator or the operator's back end, with the sign-in links of their addresses, which
    /// would make them anew. When people remove their own account such a link may live on (``ActionCodes``): whoever
    /// had asked for it need not be who has signed up with the address.
    func removeForGood(_ accounts: [Account]) throws {
        try remove(accounts, evenLinks: true)
    }

    /// Ends what accounts that are no longer there have left.
    func leave(_ accounts: [Account], evenLinks: Bool = false) throws {
        try erase(accounts, evenLinks: evenLinks)
        for account in accounts { SessionRows(work: work).end(of: account) }
    }
}
