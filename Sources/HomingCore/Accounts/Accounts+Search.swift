// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
package import HomingProjects
import HomingStore
import HomingWire

/// What an operator looks up about the accounts of people.
extension Accounts {
    /// A page of the accounts of a project, with their number. However many there are, a page reads at most
    /// ``AccountQuery/mostRead`` of them.
    ///
    /// Of up to so many, all are sorted and counted. Of more, a page follows the index of addresses or of ids, and says
    /// so (``FoundAccounts/order``).
    ///
    /// - Parameter most: the most accounts that are read.
    package func find(
        _ query: AccountQuery, in project: Project, readingAtMost most: Int = AccountQuery.mostRead
    ) async throws -> FoundAccounts {
        let place = try query.after.map { try AccountPlace($0) }
        return try await store.read(in: project) { tx in
            let count = try tx.run(
                "SELECT COUNT(*) FROM (\(sql: Self.all("1", tx.project, atMost: most + 1))) AS part"
            ).firstInt()
            let total = Int(count ?? 0)
            if !query.readsAddresses, let address = try? EmailAddress(parsing: query.beginning) {
                let found = try tx.accounts.find(address).map { [$0] } ?? []
                return FoundAccounts(
                    accounts: found, next: nil, order: query.order(ofMany: total > most),
                    total: total > most ? nil : total, matching: found.count)
            }
            guard total > most else { return try Self.sorted(query, of: total, after: place, tx) }
            let (accounts, next) = try Self.indexed(query, after: place, readingAtMost: most, tx)
            return FoundAccounts(
                accounts: accounts, next: next, order: query.order(ofMany: true), total: nil, matching: nil)
        }
    }

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
        var query = AccountQuery()
        (query.beginning, query.readsAddresses, query.order, query.limit) = (beginning, byAddress, .id, limit)
        let place = try place.map { try AccountPlace($0) }
        return try await store.read(in: project) { [query] tx in
            try Self.indexed(query, after: place, readingAtMost: AccountQuery.mostRead, tx)
        }
    }

    // MARK: All that there are

    /// So many rows, in the order of their ids.
    private static func all(_ columns: SQL, _ project: Project, atMost limit: Int) -> SQL {
        """
        SELECT \(sql: columns) FROM accounts WHERE project = \(project.scope) AND id > \("")
        ORDER BY id LIMIT \(limit)
        """
    }

    /// - Parameter total: the number of the project's accounts, which are few.
    private static func sorted(
        _ query: AccountQuery, of total: Int, after place: AccountPlace?, _ tx: borrowing ProjectTransaction
    ) throws -> FoundAccounts {
        let order = query.order(ofMany: false)
        let rows: SQL = "(\(sql: all(Account.columns, tx.project, atMost: total))) AS part"
        let wanted = [beginning(of: query), query.filter].compactMap { $0 }
            .reduce("1 = 1" as SQL) { "\(sql: $0) AND \(sql: $1)" }
        let answers = try tx.run([
            "SELECT COUNT(*) FROM \(sql: rows) WHERE \(sql: wanted)",
            """
            SELECT \(sql: Account.columns) FROM \(sql: rows)
            WHERE \(sql: wanted) AND \(sql: comes(after: place, in: order))
            ORDER BY \(sql: sorting(order)) LIMIT \(query.limit + 1)
            """,
        ])
        let found = try answers[1].map { try Account($0) }
        let shown = Array(found.prefix(query.limit))
        let next = found.count > shown.count ? shown.last.map { AccountPlace($0, in: order).description } : nil
        return FoundAccounts(
            accounts: shown, next: next, order: order, total: total,
            matching: Int(try answers[0].firstInt() ?? 0))
    }

    /// Nil where the query has no beginning.
    private static func beginning(of query: AccountQuery) -> SQL? {
        guard !query.beginning.isEmpty else { return nil }
        let id = begins("id", with: query.beginning, after: nil)
        return query.readsAddresses
            ? "((\(sql: id)) OR (\(sql: hasAddress(query.beginning, after: nil))))" : "(\(sql: id))"
    }

    private static func sorting(_ order: AccountQuery.Order) -> SQL {
        switch order {
        case .newest: "created_at DESC, id"
        case .lastSignIn: "\(sql: lastSignIn) DESC, id"
        case .address: "email IS NULL, email, id"
        case .id: "id"
        }
    }

    private static let lastSignIn = SQL(stringLiteral: "coalesce(last_login_at, \(AccountPlace.never))")

    /// The rows behind a place. A place of another order is the beginning of this one.
    private static func comes(after place: AccountPlace?, in order: AccountQuery.Order) -> SQL {
        func isBehind(_ column: SQL, _ place: AccountPlace) -> SQL {
            guard let (moment, id) = place.momentAndID else { return "1 = 1" }
            return """
                (\(sql: column) < \(moment) OR (\(sql: column) = \(moment) AND id > \(id)))
                """
        }
        guard let place else { return "1 = 1" }
        return switch (order, place.key) {
        case (.newest, .newest): isBehind("created_at", place)
        case (.lastSignIn, .lastSignIn): isBehind(lastSignIn, place)
        case (.address, .address): "(email > \(place.text) OR email IS NULL)"
        case (.address, .id): "email IS NULL AND id > \(place.text)"
        case (.id, .id): "id > \(place.text)"
        default: "1 = 1"
        }
    }

    // MARK: By an index

    /// In the order of addresses and ids, whose indexes find each page at once.
    private static func indexed(
        _ query: AccountQuery, after place: AccountPlace?, readingAtMost most: Int,
        _ tx: borrowing ProjectTransaction
    ) throws -> (accounts: [Account], next: String?) {
        let hasBeginning = !query.beginning.isEmpty
        let isByAddress = query.readsAddresses && (hasBeginning || query.order == .address)
        var found: [Account] = []
        if isByAddress, place?.key != .id {
            let last = place?.key == .address ? place?.text : nil
            let part = try part(
                .address, hasAddress(query.beginning, after: last), query, limit: query.limit, most, tx)
            if let end = part.end { return (part.accounts, AccountPlace(.address, end).description) }
            found = part.accounts
        }
        // A list by addresses has no place for accounts without one.
        guard hasBeginning || !isByAddress else { return (found, nil) }
        let last = place?.key == .id ? place?.text : nil
        var others = begins("id", with: query.beginning, after: last)
        // Those with such an address stand before.
        if isByAddress {
            others.append(" AND (email IS NULL OR NOT (\(sql: hasAddress(query.beginning, after: nil))))")
        }
        let free = query.limit - found.count
        let part = try part(.id, others, query, limit: max(free, 1), most, tx)
        guard free > 0 else {
            let isOver = part.accounts.isEmpty && part.end == nil
            return (found, isOver ? nil : AccountPlace(.address, found.last?.email?.text ?? "").description)
        }
        return (found + part.accounts, part.end.map { AccountPlace(.id, $0).description })
    }

    /// The accounts of a range that a query's filter leaves, and the end of what was read where more may follow.
    private static func part(
        _ key: AccountPlace.Key, _ range: SQL, _ query: AccountQuery, limit: Int, _ most: Int,
        _ tx: borrowing ProjectTransaction
    ) throws -> (accounts: [Account], end: String?) {
        let column: SQL = key == .address ? "email" : "id"
        let rows: SQL = """
            FROM accounts WHERE project = \(tx.project.scope) AND \(sql: range) ORDER BY \(sql: column) LIMIT
            """
        var (found, end): ([Account], String?)
        if let filter = query.filter {
            let answers = try tx.run([
                """
                SELECT \(sql: Account.columns) FROM (SELECT \(sql: Account.columns) \(sql: rows) \(most)) AS part
                WHERE \(sql: filter) ORDER BY \(sql: column) LIMIT \(limit + 1)
                """,
                "SELECT \(sql: column) \(sql: rows) 1 OFFSET \(most - 1)",
            ])
            (found, end) = (try answers[0].map { try Account($0) }, try answers[1].firstText())
        } else {
            let answer = try tx.run("SELECT \(sql: Account.columns) \(sql: rows) \(limit + 1)")
            (found, end) = (try answer.map { try Account($0) }, nil)
        }
        guard found.count > limit else { return (found, end) }
        let last = found[limit - 1]
        return (Array(found.prefix(limit)), key == .address ? last.email?.text : last.id.text)
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
}
