// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
import HomingLinkRules
package import HomingProjects
package import HomingStore

extension AccountRows {
    /// Takes along, behind the deletion of accounts, what is kept of their people: codes, mails to their addresses and
    /// to those that they wanted to have, kept mails. A suppression and entries of the audit log stay, without the
    /// address.
    ///
    /// An address that somebody else has by now is left alone. A mail that still has to go, such as a notice or
    /// somebody else's live sign-in link, goes, and leaves nothing then.
    ///
    /// - Parameter evenLinks: whether live sign-in links to the addresses go, too, whoever has asked for them.
    func erase(_ accounts: [Account], evenLinks: Bool) throws {
        guard !accounts.isEmpty else { return }
        let project = work.project.scope
        let ids = SQL.list(accounts.map(\.id))
        // The mails with links for a change of address, and with the way back.
        work.later(
            """
            DELETE FROM outbox WHERE id IN (SELECT mail FROM codes WHERE project = \(project) AND account IN (\(sql: ids)))
                AND project = \(project)
            """)
        work.later("DELETE FROM codes WHERE project = \(project) AND account IN (\(sql: ids))")
        for account in accounts {
            work.base.tell(CodeChange(.verifyAndChangeEmail, of: .account(account.id), in: project))
        }
        try eraseAudit(of: accounts)
        for account in accounts { eraseAudit(ofID: account.id, account.names) }
        let addresses = accounts.flatMap(\.addresses)
        guard !addresses.isEmpty else { return }
        work.later(
            """
            DELETE FROM codes WHERE project = \(project) AND address IN (\(sql: .list(addresses.map(\.text))))
                AND holder IN (\(sql: ids))
            """)
        erase(addresses, evenLinks: evenLinks)
    }

    /// Takes along what is kept of addresses that nobody has.
    private func erase(_ addresses: [EmailAddress], evenLinks: Bool) {
        let project = work.project.scope
        let texts = SQL.list(addresses.map(\.text))
        func isNobodys(_ column: SQL) -> SQL {
            "NOT EXISTS (SELECT 1 FROM accounts a WHERE a.project = \(project) AND a.email = \(sql: column))"
        }
        let isOver: SQL = """
            state NOT IN (\(constant: ActionCode.State.live), \(constant: ActionCode.State.approved))
            """
        work.later(
            """
            DELETE FROM codes WHERE project = \(project) AND address IN (\(sql: texts))
                AND \(sql: evenLinks ? "(\(sql: isOver) OR kind = \(ActionCodeKind.signIn))" : isOver)
                AND \(sql: isNobodys("codes.address"))
            """)
        // Of a request for an address that nobody had only this tells which one it was. The row stays: whoever waits for
        // it is to learn nothing. An expression, so that no planner looks for all rows without an address.
        let digests = addresses.flatMap { work.store.ring.digests(of: $0, in: work.project.projectID.scope) }
        if !digests.isEmpty {
            work.later(
                """
                UPDATE codes SET digest = NULL, asked = NULL
                WHERE project = \(project) AND digest IN (\(sql: .list(digests))) AND COALESCE(address, '') = ''
                """)
        }
        for digest in digests {
            for kind in ActionCodeKind.requested {
                work.base.tell(CodeChange(kind, of: .digest(digest), in: project))
            }
        }
        let mails: SQL = "recipient IN (\(sql: texts)) AND project = \(project)"
        let isNobodysMail = isNobodys("outbox.recipient")
        work.later("DELETE FROM outbox WHERE \(sql: mails) AND ended_at IS NOT NULL AND \(sql: isNobodysMail)")
        // One that is being handed over has gone, and one whose link has died never goes.
        work.later(
            """
            DELETE FROM outbox WHERE \(sql: mails) AND ended_at IS NULL AND (code IS NOT NULL OR lease IS NOT NULL)
                AND NOT EXISTS (
                    SELECT 1 FROM codes c WHERE c.project = \(project) AND c.id = outbox.code
                        AND c.state = \(constant: ActionCode.State.live))
                AND \(sql: isNobodysMail)
            """)
        work.later(
            """
            UPDATE outbox SET \(sql: Self.endsWithNothing)
            WHERE \(sql: mails) AND ended_at IS NULL AND \(sql: isNobodysMail) AND \(sql: Self.leavesSomething)
            """)
        work.later("DELETE FROM mailbox WHERE recipient IN (\(sql: texts)) AND project = \(project)")
        for address in addresses {
            eraseSuppression(of: address, isNobodys("suppressions.address"))
            eraseAudit(of: address)
        }
    }

    /// Facts of a mail are an object that begins with the language (``OutboxMail/Facts/isErased``).
    private static let endsWithNothing: SQL = "facts = '{\"erased\":true,' || substr(facts, 2)"
    private static let leavesSomething: SQL = "facts NOT LIKE '{\"erased\"%'"

    private func name(of address: EmailAddress) -> String {
        Erasure.name(of: address, in: work.project.scope, work.store.ring)
    }

    /// The address gets no mail until the suppression ends, whoever has it then.
    private func eraseSuppression(of address: EmailAddress, _ isNobodys: SQL) {
        let (project, name) = (work.project.scope, name(of: address))
        work.later(
            """
            DELETE FROM suppressions WHERE project = \(project) AND address = \(name) AND EXISTS (
                SELECT 1 FROM suppressions s WHERE s.project = \(project) AND s.address = \(address.text))
            """)
        work.later(
            """
            UPDATE suppressions SET address = \(name), reason = 'erased', mail = ''
            WHERE project = \(project) AND address = \(address.text) AND \(sql: isNobodys)
            """)
    }

    private func eraseAudit(of address: EmailAddress) {
        let name = name(of: address)
        work.later(
            """
            UPDATE audit_log SET subject = \(work.project.named(name)),
                old_value = CASE WHEN old_value = \(address.text) THEN \(name) ELSE old_value END,
                new_value = CASE WHEN new_value = \(address.text) THEN \(name) ELSE new_value END
            WHERE project = \(work.project.projectID) AND subject = \(work.project.named(address.text))
            """)
    }

    /// Takes what tells who somebody is out of the entries that say how accounts were made and changed: also an address
    /// that an account had in between.
    private func eraseAudit(of accounts: [Account]) throws {
        let subjects = accounts.map { work.project.named($0.id.text) }
        // By bytes: two spellings of one text are two ids.
        let names = Dictionary(
            zip(subjects, accounts).map { (Array($0.utf8), $1.addresses.first.map(name(of:)) ?? Erasure.mark) }
        ) { first, _ in first }
        let rows = try work.run(
            """
            SELECT at, id, subject, old_value, new_value FROM audit_log
            WHERE project = \(work.project.projectID) AND subject IN (\(sql: .list(subjects)))
                AND (old_value LIKE '{%' OR new_value LIKE '{%')
            """)
        // With both values, of which an empty one stays what it is.
        var erased: [SQL] = []
        for var row in rows {
            let (at, id, subject) = (try row.moment(), try row.text(), try row.text())
            guard let name = names[Array(subject.utf8)] else { continue }
            let old = Account.erased(try row.optionalText(), by: name)
            let new = Account.erased(try row.optionalText(), by: name)
            if old != nil || new != nil { erased.append("(\(at), \(id), \(old ?? ""), \(new ?? ""))") }
        }
        for start in stride(from: 0, to: erased.count, by: Self.entriesInStatement) {
            let batch = erased[start..<min(start + Self.entriesInStatement, erased.count)]
            var rewriting: SQL = """
                UPDATE audit_log SET old_value = COALESCE(NULLIF(erased.column3, ''), audit_log.old_value),
                    new_value = COALESCE(NULLIF(erased.column4, ''), audit_log.new_value)
                FROM (VALUES
                """
            for (index, entry) in batch.enumerated() {
                rewriting.append("\(sql: index == 0 ? " " : ", ")\(sql: entry)")
            }
            rewriting.append(
                ") AS erased WHERE audit_log.at = erased.column1 AND audit_log.id = erased.column2")
            work.later(rewriting)
        }
    }

    /// People whose claims change daily have hundreds of entries each, and a batch deletes a thousand people.
    private static let entriesInStatement = 100

    /// - Parameter names: what the entries about the account may call its person.
    private func eraseAudit(ofID id: AccountID, _ names: [String]) {
        guard let address = names.first.map({ EmailAddress(stored: $0) }) else { return }
        let (name, names) = (name(of: address), SQL.list(names))
        work.later(
            """
            UPDATE audit_log SET
                old_value = CASE WHEN old_value IN (\(sql: names)) THEN \(name) ELSE old_value END,
                new_value = CASE WHEN new_value IN (\(sql: names)) THEN \(name) ELSE new_value END
            WHERE project = \(work.project.projectID) AND subject = \(work.project.named(id.text))
            """)
    }

    /// Takes along everything that names an address which nobody has: also where it is somebody's former address, or
    /// one that somebody wanted to have. It reads all that the project keeps, and is the operator's.
    func eraseEverywhere(_ address: EmailAddress) {
        let project = work.project.scope
        work.later(
            """
            DELETE FROM codes WHERE project = \(project) AND (address = \(address.text) OR new_address = \(address.text))
            """)
        work.later(
            """
            UPDATE accounts SET initial_email = NULL WHERE project = \(project) AND initial_email = \(address.text)
            """)
        erase([address], evenLinks: true)
        let quoted = "\"\(address.text)\""
        let literal = String(quoted.flatMap { "%_\\".contains($0) ? "\\\($0)" : "\($0)" })
        let namesIt: SQL = "project = \(project) AND facts LIKE \("%\(literal)%") ESCAPE '\\'"
        work.later(
            """
            UPDATE outbox SET facts = REPLACE(facts, \(quoted), \("\"\(name(of: address))\""))
            WHERE ended_at IS NOT NULL AND \(sql: namesIt)
            """)
        work.later(
            """
            UPDATE outbox SET \(sql: Self.endsWithNothing)
            WHERE ended_at IS NULL AND \(sql: namesIt) AND \(sql: Self.leavesSomething)
            """)
        for column in ["old_value", "new_value"] as [SQL] {
            work.later(
                """
                UPDATE audit_log SET \(sql: column) = CASE WHEN \(sql: column) = \(address.text) THEN \(name(of: address))
                    ELSE REPLACE(\(sql: column), \(quoted), \("\"\(name(of: address))\"")) END
                WHERE project = \(work.project.projectID)
                    AND (\(sql: column) = \(address.text) OR \(sql: column) LIKE \("%\(literal)%") ESCAPE '\\')
                    AND \(sql: isOurEntry)
                """)
        }
    }

    /// Whether an entry in the log of the project is about this project, or about this tenant: another one keeps an
    /// address for itself.
    private var isOurEntry: SQL {
        let (project, key) = (work.project.projectID, work.project.scope)
        let others: SQL = work.project.tenant == nil ? "t.id <> \(key)" : "t.id = \(key)"
        let isThere: SQL = """
            EXISTS (SELECT 1 FROM projects t WHERE \(sql: others)
                AND substr(\("\(project)/") || audit_log.subject, 1, length(t.id) + 1) = t.id || '/')
            """
        return work.project.tenant == nil ? "NOT \(sql: isThere)" : isThere
    }
}

extension Account {
    /// The address, and the first one that the account had, where that is another one.
    fileprivate var addresses: [EmailAddress] {
        let first = initialEmail.map { EmailAddress(stored: $0) }
        return [email, first == email ? nil : first].compactMap(\.self)
    }

    /// An address and what else tells who somebody is; empty where the account has no address.
    fileprivate var names: [String] {
        guard !addresses.isEmpty else { return [] }
        return addresses.map(\.text) + AccountText.all.filter(\.isPersonal).compactMap { self[keyPath: $0.place] }
    }
}

extension SQL {
    /// Values for `IN`, at least one.
    fileprivate static func list(_ values: [some Bindable]) -> SQL {
        values.dropFirst().reduce(values.first.map { "\($0)" } ?? "NULL") { "\(sql: $0), \($1)" }
    }
}

extension Accounts {
    /// Removes everything that is kept about an address, and the account that has it.
    ///
    /// - Returns: the account's id; nil where nobody had the address.
    package func erase(_ address: EmailAddress, in project: Project, by author: Authority) async throws -> AccountID? {
        try await store.write(in: project, by: author) { tx in
            let account = try tx.accounts.find(address)
            if let account { try tx.accounts.removeForGood([account]) }
            tx.accounts.eraseEverywhere(address)
            let name = Erasure.name(of: address, in: project.scope, tx.work.store.ring)
            tx.note("account.erase", of: name, before: account?.id.text)
            return account?.id
        }
    }
}
