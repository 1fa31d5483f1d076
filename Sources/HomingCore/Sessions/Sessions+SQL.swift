// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
import HomingLinkRules
import HomingProjects
import HomingStore

extension ProjectTransaction {
    var sessions: SessionRows { SessionRows(work: work) }
}

/// The sessions of a transaction's project.
struct SessionRows {
    let work: ProjectWork

    /// Opens a session for a sign-in that happens now.
    ///
    /// - Parameter claims: JSON text of the claims of a custom token.
    /// - Throws: ``Refusal/keyMissing`` where no refresh token could be made of it, which undoes the verb.
    func open(for account: Account, provider: String, claims: String? = nil) throws(Refusal) -> Session {
        let sealed = try SealedID(newIn: work.store.ring, system: work.store.system)
        let session = Session(
            id: sealed.id, account: account.id, provider: provider, authTime: work.now, claims: claims,
            keyVersion: sealed.version)
        work.later(
            """
            INSERT INTO sessions (project, id, account, provider, auth_time, created_at, claims)
            VALUES (\(work.project.scope), \(session.id), \(session.account), \(session.provider), \(session.authTime),
                \(session.authTime), \(session.claims))
            """)
        work.witness("SELECT 1 FROM sessions WHERE project = \(work.project.scope) AND id = \(session.id)")
        return session
    }

    /// A session as it is kept, and when it was ended.
    typealias Found = (value: Session, endedAt: Moment?)

    func find(_ id: [UInt8]) throws -> Found? {
        try session(id, in: try work.run(selection(of: id)))
    }

    /// A session, and before it the account that it names: whoever ends sessions has taken the account's row, so that
    /// what is read behind that row is how the other verb has left it.
    func findWithOwner(_ id: [UInt8]) throws -> (owner: Account?, session: Found?) {
        let answers = try work.run([
            """
            SELECT \(sql: Account.columns) FROM accounts WHERE project = \(work.project.scope)
                AND id = (SELECT account FROM sessions WHERE project = \(work.project.scope) AND id = \(id))
                \(lock: work.lock)
            """, selection(of: id),
        ])
        return (try answers[0].first.map { try Account($0) }, try session(id, in: answers[1]))
    }

    private func selection(of id: [UInt8]) -> SQL {
        """
        SELECT account, provider, auth_time, claims, ended_at FROM sessions
        WHERE project = \(work.project.scope) AND id = \(id)
        """
    }

    private func session(_ id: [UInt8], in rows: [Row]) throws -> Found? {
        guard var row = rows.first else { return nil }
        let session = Session(
            id: id, account: try row.id(), provider: try row.text(), authTime: try row.moment(),
            claims: try row.optionalText())
        return (session, try row.optionalMoment())
    }

    /// Ends the sessions of an account; the session that acts may stay.
    func end(of account: Account, except kept: Session? = nil) {
        work.later(
            """
            UPDATE sessions SET ended_at = \(work.now)
            WHERE project = \(work.project.scope) AND account = \(account.id) AND ended_at IS NULL
                AND id <> \(kept?.id ?? [])
            """)
    }

    /// Ends all sessions of an account, and answers how many there were.
    func endAndCount(of account: Account) throws -> Int {
        try work.run(
            """
            UPDATE sessions SET ended_at = \(work.now)
            WHERE project = \(work.project.scope) AND account = \(account.id) AND ended_at IS NULL RETURNING 1
            """
        ).count
    }

    /// Answers a row while a session lives. Asked behind the account's row, which whoever ends sessions has taken: as a
    /// part of that statement it would be answered before a wait for the row.
    func life(of session: Session) -> SQL {
        "SELECT 1 FROM sessions WHERE project = \(work.project.scope) AND id = \(session.id) AND ended_at IS NULL"
    }

    /// The account of a person inside the transaction, when the session still lives: another verb may have ended the
    /// session since the token was verified.
    func account(of person: SignedIn) throws -> Account {
        let answers = try work.run([
            AccountRows(work: work).selection(of: person.account.id), life(of: person.session),
        ])
        guard let current = try answers[0].first.map({ try Account($0) }) else { throw Refusal.userNotFound }
        guard !answers[1].isEmpty else { throw Refusal.tokenExpired }
        guard !current.isDisabled else { throw Refusal.userDisabled }
        return current
    }
}
