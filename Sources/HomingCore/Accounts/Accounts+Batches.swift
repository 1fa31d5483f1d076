// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingDatabase
package import HomingProjects
package import HomingStore

/// Many accounts at once, for the operator's back end.
extension Accounts {
    /// Accounts in the order of their ids, behind one of them; empty text is the beginning. As quick for the last page
    /// as for the first.
    package func page(in project: Project, after id: AccountID, limit: Int) async throws -> [Account] {
        try await store.read(in: project) { tx in
            try tx.run([
                """
                SELECT \(sql: Account.columns) FROM accounts WHERE project = \(tx.project.scope) AND id > \(id)
                ORDER BY id LIMIT \(limit)
                """
            ])[0].map { try Account($0) }
        }
    }

    /// Which accounts a back end asks for.
    package enum Filter: Sendable {
        case everybody, nobody
        case address(EmailAddress)
        case id(AccountID)
        case phoneNumber(String)

        fileprivate var condition: SQL {
            switch self {
            case .everybody: "1 = 1"
            case .nobody: "1 = 0"
            case .address(let address): "email = \(address.text)"
            case .id(let id): "id = \(id)"
            case .phoneNumber(let number): "phone_number = \(number)"
            }
        }
    }

    /// Whose order a back end wants. Any but ``id`` reads all accounts of the project.
    package enum Order: Sendable {
        case id, name, createdAt, lastLoginAt, address

        fileprivate var column: SQL {
            switch self {
            case .id: "id"
            case .name: "display_name"
            case .createdAt: "created_at"
            case .lastLoginAt: "last_login_at"
            case .address: "email"
            }
        }
    }

    /// Accounts in an order; those that have nothing to order by come last.
    package func find(
        _ filter: Filter, by order: Order, isDescending: Bool, limit: Int, skipping offset: Int, in project: Project
    ) async throws -> [Account] {
        let direction: SQL = isDescending ? "DESC" : "ASC"
        let sorting: SQL =
            switch order {
            case .id: "id \(sql: direction)"
            default: "\(sql: order.column) IS NULL, \(sql: order.column) \(sql: direction), id"
            }
        return try await store.read(in: project) { tx in
            try tx.run([
                """
                SELECT \(sql: Account.columns) FROM accounts
                WHERE project = \(tx.project.scope) AND \(sql: filter.condition)
                ORDER BY \(sql: sorting) LIMIT \(limit) OFFSET \(offset)
                """
            ])[0].map { try Account($0) }
        }
    }

    /// The number of such accounts.
    package func count(_ filter: Filter, in project: Project) async throws -> Int {
        try await store.read(in: project) { tx in
            Int(
                try tx.run([
                    "SELECT COUNT(*) FROM accounts WHERE project = \(tx.project.scope) AND \(sql: filter.condition)"
                ])[0].firstInt() ?? 0)
        }
    }

    /// Removes accounts.
    ///
    /// - Parameters:
    ///   - evenEnabled: whether accounts that are not disabled go, too.
    ///   - author: who removes them, for one entry of the audit log with their number and ids.
    /// - Returns: the places in the list of those that stay because they are not disabled.
    package func delete(
        _ ids: [AccountID], evenEnabled: Bool, in project: Project, by author: Authority
    ) async throws -> [Int] {
        try await store.write(in: project, by: author) { tx in
            var left: [Int] = []
            var gone: [Account] = []
            // In one order, so that two of these do not wait for each other.
            let places = ids.indices.sorted { ids[$0] < ids[$1] }
            var last: AccountID?
            for place in places {
                defer { last = ids[place] }
                guard ids[place] != last, let account = try tx.accounts.find(ids[place]) else { continue }
                if evenEnabled || account.isDisabled {
                    gone.append(account)
                } else {
                    left.append(place)
                }
            }
            try tx.accounts.removeForGood(gone)
            if !gone.isEmpty {
                tx.note(
                    "account.deletePart", of: "\(gone.count) accounts",
                    before: gone.map(\.id.text).joined(separator: " "))
            }
            return left.sorted()
        }
    }
}
