// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore
package import HomingStore

/// The ids and addresses that a file has had so far, as numbers: sixteen bytes and a little for each account.
package struct SeenAccounts {
    private let holders: [Int: AddressHolder]
    private let dropsAddresses: Bool
    private var ids: Set<Int> = []
    private var addresses: Set<Int> = []
    private var others: Set<Int> = []
    /// The addresses that several accounts have, and nobody has been found yet who keeps them.
    package private(set) var contested: Set<Int> = []

    /// - Parameters:
    ///   - holders: who keeps the addresses that several accounts have.
    ///   - dropsAddresses: whether the others are taken without.
    package init(holders: [Int: AddressHolder], dropsAddresses: Bool) {
        self.holders = holders
        self.dropsAddresses = dropsAddresses
    }

    package static func number(of email: EmailAddress) -> Int { Array(email.text.utf8).hashValue }

    /// The account as it can be taken.
    ///
    /// - Throws: a fault for the second account with an id, an address, a phone number or another provider's id.
    package mutating func take(_ account: ImportedAccount) throws(ImportedAccount.Fault) -> ImportedAccount {
        var account = account
        guard ids.insert(account.id.hashValue).inserted else {
            throw ImportedAccount.Fault("this id stands in the file before")
        }
        if let email = account.email { try take(email, &account) }
        if let phone = account.phoneNumber, !others.insert(Array(phone.utf8).hashValue).inserted {
            throw ImportedAccount.Fault("this phone number stands in the file before")
        }
        for identity in account.identities {
            let key = Array("\(identity.provider)\u{0}\(identity.id)".utf8)
            guard others.insert(key.hashValue).inserted else {
                throw ImportedAccount.Fault("this account of \(identity.provider) stands in the file before")
            }
        }
        return account
    }

    private mutating func take(_ email: EmailAddress, _ account: inout ImportedAccount) throws(ImportedAccount.Fault) {
        let number = Self.number(of: email)
        if let holder = holders[number] {
            guard holder.id != account.id else { return }
            guard dropsAddresses else { throw holder.fault(for: account) }
            account.dropAddress()
        } else if !addresses.insert(number).inserted {
            contested.insert(number)
            throw ImportedAccount.Fault("this email stands in the file before")
        }
    }
}

/// The account that keeps an address which several accounts of a file have: the one that has proven it, else one with a
/// password, else the first. An address is its owner's, and whoever has proven it is; a password alone may be that of
/// somebody who has signed up with an address of another.
package struct AddressHolder {
    package let id: AccountID
    package let rank: Int

    package init(_ account: ImportedAccount) {
        id = account.id
        rank = (account.isEmailVerified ? 2 : 0) + (account.hasPassword ? 1 : 0)
    }

    /// Why another account does not get the address.
    func fault(for other: ImportedAccount) -> ImportedAccount.Fault {
        let theirs = AddressHolder(other).rank
        let reason =
            if rank & 2 > theirs & 2 {
                "and has proven it"
            } else if rank & 1 > theirs & 1 {
                "and a password"
            } else {
                "and stands before"
            }
        return ImportedAccount.Fault("account \(id) of the file has this email, too, \(reason)")
    }
}
