// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
package import HomingStore
import HomingWire

/// What an operator looks up about the accounts of people, and does for them. Nobody chooses a password for somebody
/// else.
extension Accounts {
    // MARK: Searching

    /// A page of the accounts whose address or id begins with a text: those with such an address, in the order of their
    /// addresses, then the others, in the order of their ids. It costs the same however many accounts there are.
    ///
    /// - Parameters:
    ///   - beginning: the case of letters counts in ids, not in addresses; empty for all accounts, by their ids.
    ///   - byAddress: whether addresses are looked at, or ids alone.
    ///   - place: the end of the page before.
    /// - Returns: the accounts, and the end of this page where more follow.
    package func search(
        _ beginning: String, in project: Project, byAddress: Bool = true, after place: String? = nil, limit: Int
    ) async throws -> (accounts: [Account], next: String?) {
        let place = try place.map { try Place($0) }
        return try await store.read(in: project) { tx in
            var found: [Account] = []
            if byAddress, !beginning.isEmpty, place?.isID != true {
                found = try Self.accounts(
                    "\(sql: Self.hasAddress(beginning, after: place?.text)) ORDER BY email", limit: limit + 1, tx)
            }
            let addresses = found.count
            if found.count <= limit {
                let last = place?.isID == true ? place?.text : nil
                var others = Self.begins("id", with: beginning, after: last)
                // Those with such an address stand before.
                if byAddress, !beginning.isEmpty {
                    others.append(" AND (email IS NULL OR NOT (\(sql: Self.hasAddress(beginning, after: nil))))")
                }
                found += try Self.accounts(
                    "\(sql: others) ORDER BY id", limit: limit + 1 - found.count, tx)
            }
            guard found.count > limit else { return (found, nil) }
            let last = found[limit - 1]
            let end = Place(isID: limit > addresses, text: limit > addresses ? last.id.text : last.email?.text ?? "")
            return (Array(found.prefix(limit)), end.description)
        }
    }

    /// The end of a page: an address, or an id.
    private struct Place: Sendable, CustomStringConvertible {
        let isID: Bool
        let text: String

        init(isID: Bool, text: String) {
            self.isID = isID
            self.text = text
        }

        init(_ description: String) throws(Refusal) {
            let parts = description.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0] == "id" || parts[0] == "address" else {
                throw .invalidArgument("this is the end of no page of accounts: \(Printable.given(description))")
            }
            self.init(isID: parts[0] == "id", text: String(parts[1]))
        }

        var description: String { (isID ? "id:" : "address:") + text }
    }

    private static func accounts(
        _ condition: SQL, limit: Int, _ tx: borrowing ProjectTransaction
    ) throws -> [Account] {
        try tx.run(
            """
            SELECT \(sql: Account.columns) FROM accounts WHERE project = \(tx.project.scope) AND \(sql: condition)
            LIMIT \(limit)
            """
        ).map { try Account($0) }
    }

    private static func hasAddress(_ beginning: String, after last: String?) -> SQL {
        begins("email", with: ASCII.lowercased(beginning), after: last)
    }

    /// The rows whose text begins so and comes after another, in the order of bytes that both engines have.
    ///
    /// The range has one lower bound: of two, SQLite would search an index by the first that it reads, and go through
    /// all rows from there to the other.
    private static func begins(_ column: SQL, with beginning: String, after last: String?) -> SQL {
        let isLater = last.map { !$0.utf8.lexicographicallyPrecedes(beginning.utf8) } ?? false
        let isFrom: SQL = if isLater, let last { "> \(last)" } else { ">= \(beginning)" }
        guard !beginning.isEmpty else { return "\(sql: column) \(sql: isFrom)" }
        return "\(sql: column) \(sql: isFrom) AND \(sql: column) < \(beginning + "\u{10FFFF}")"
    }

    // MARK: Sessions

    /// A session that has not ended.
    package struct OpenSession: Sendable {
        /// `password`, also for mailed links, or `anonymous`.
        package let provider: String
        package let startedAt: Moment
    }

    /// The sessions of an account that have not ended, the newest first.
    package func openSessions(of id: AccountID, in project: Project) async throws -> [OpenSession] {
        try await store.read(in: project) { tx in
            try tx.run(
                """
                SELECT provider, created_at FROM sessions
                WHERE project = \(project.scope) AND account = \(id) AND ended_at IS NULL ORDER BY created_at DESC, id
                    LIMIT 100
                """
            ).map {
                var row = $0
                return OpenSession(provider: try row.text(), startedAt: try row.moment())
            }
        }
    }

    /// Ends all sessions of an account: its refresh tokens are refused at once, and ID tokens that were made before. A
    /// change of address that somebody in them has asked for ends, too.
    ///
    /// - Returns: the number of sessions that were ended.
    package func endSessions(of id: AccountID, in project: Project, by author: Authority) async throws -> Int {
        try await store.write(in: project, by: author) { tx in
            guard let account = try tx.accounts.find(id) else { throw Refusal.userNotFound }
            let ended = try tx.sessions.endAndCount(of: account)
            _ = tx.accounts.change(account) { $0.validSince = tx.now.seconds }
            tx.codes.retire(.verifyAndChangeEmail, of: .account(id))
            tx.note("account.endSessions", of: id.text, after: "\(ended) ended")
            return ended
        }
    }
}
