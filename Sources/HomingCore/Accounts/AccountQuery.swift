// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
import HomingStore
import HomingWire

/// Which accounts of a project an operator looks for, and in which order.
package struct AccountQuery: Sendable {
    package enum Order: String, Sendable, CaseIterable {
        /// By the time at which they were made, the newest first.
        case newest
        /// By their last sign-in, the latest first; those that never signed in come last.
        case lastSignIn
        /// By their addresses; those without one come last.
        case address
        case id
    }

    /// The beginning of an address, or of an id, in which the case of letters counts; empty for all accounts.
    package var beginning = ""
    /// Whether beginnings of addresses are looked at, and addresses may decide the order. For a reader who sees them
    /// masked, neither may be: what is found, and where it stands, would tell letter by letter what the mask hides. A
    /// whole address finds its account nevertheless.
    package var readsAddresses = true
    package var isDisabled: Bool?
    package var isEmailVerified: Bool?
    package var hasPassword: Bool?
    package var order = Order.newest
    /// The end of the page before.
    package var after: String?
    /// The most accounts of a page.
    package var limit = 50

    package init() {}

    /// The most accounts that one page reads. A project with more of them is listed in the orders that have an index.
    package static let mostRead = 10_000

    /// The order that the list of a project has: of many accounts, only one that has an index.
    func order(ofMany isLarge: Bool) -> Order {
        let order = order == .address && !readsAddresses ? Order.newest : order
        return isLarge && order != .address ? .id : order
    }

    /// What leaves accounts out beside the beginning; nil where nothing does.
    var filter: SQL? {
        func isOn(_ column: SQL, _ value: Bool?) -> SQL? { value.map { "\(sql: column) = \($0)" } }
        let parts = [
            isOn("disabled", isDisabled), isOn("email_verified", isEmailVerified),
            hasPassword.map { $0 ? "password_hash IS NOT NULL" : "password_hash IS NULL" },
        ].compactMap { $0 }
        guard let first = parts.first else { return nil }
        return parts.dropFirst().reduce(first) { "\(sql: $0) AND \(sql: $1)" }
    }
}

/// A page of the accounts that an operator looks for.
package struct FoundAccounts: Sendable {
    package let accounts: [Account]
    /// The end of the page, where more may follow. Of many accounts with a filter, a page may be short or empty and
    /// others follow nevertheless: it has read as many as it may.
    package let next: String?
    /// The order that the accounts are in.
    package let order: AccountQuery.Order
    /// The number of the project's accounts; nil where there are more than ``AccountQuery/mostRead``.
    package let total: Int?
    /// The number of those that are looked for; nil where nobody has counted them.
    package let matching: Int?
}

/// The end of a page of accounts: the last one's place in the order.
struct AccountPlace: Sendable, CustomStringConvertible {
    enum Key: String {
        case id, address
        /// Milliseconds, a colon, and the account's id.
        case newest, lastSignIn
    }

    let key: Key
    let text: String

    init(_ key: Key, _ text: String) {
        self.key = key
        self.text = text
    }

    init(_ key: Key, _ moment: Moment?, _ id: AccountID) {
        self.init(key, "\(moment?.milliseconds ?? Self.never):\(id.text)")
    }

    /// The time of what has never been, before all others.
    static let never: Int64 = -1

    init(_ description: String) throws(Refusal) {
        let parts = description.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let key = Key(rawValue: String(parts[0])) else {
            throw .invalidArgument("this is the end of no page of accounts: \(Printable.given(description))")
        }
        self.init(key, String(parts[1]))
    }

    /// The last account of a page.
    init(_ account: Account, in order: AccountQuery.Order) {
        switch order {
        case .newest: self.init(.newest, account.createdAt, account.id)
        case .lastSignIn: self.init(.lastSignIn, account.lastLoginAt, account.id)
        case .address where account.email != nil: self.init(.address, account.email?.text ?? "")
        case .address, .id: self.init(.id, account.id.text)
        }
    }

    /// The time and the id of a place that has both.
    var momentAndID: (Int64, String)? {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let moment = Int64(parts[0]) else { return nil }
        return (moment, String(parts[1]))
    }

    var description: String { "\(key.rawValue):\(text)" }
}
