// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import Foundation

/// One service's generic passwords in the Keychain. There is one of Apple's; a test plays another.
package protocol Keychain: Sendable {
    /// The data of an account's entry, when there is one that can be read now.
    func read(_ account: String) -> (Data?, KeychainStatus)

    /// Adds an entry.
    func add(_ data: Data, _ account: String, when accessibility: KeychainAccessibility) -> KeychainStatus

    /// Changes the data of an entry.
    func update(_ data: Data, _ account: String) -> KeychainStatus

    /// Removes an entry.
    func delete(_ account: String) -> KeychainStatus

    /// Changes the data of an entry, or removes it for nil, if it still has what was read: "not found" otherwise.
    func replace(_ old: Data, with new: Data?, _ account: String) -> KeychainStatus
}

/// When an entry can be read, on this device only.
package enum KeychainAccessibility: Sendable {
    /// From the first time on that somebody unlocks the device after it was started.
    case afterFirstUnlock
    /// While the device is unlocked.
    case whenUnlocked
}

/// What a Keychain answers to a call, by the numbers of the Security framework (`SecBase.h`).
package struct KeychainStatus: Sendable, Equatable {
    package let number: Int32

    package init(_ number: Int32) {
        self.number = number
    }

    package static let success = KeychainStatus(0)
    package static let duplicateItem = KeychainStatus(-25299)
    package static let itemNotFound = KeychainStatus(-25300)
    /// The device is locked.
    package static let interactionNotAllowed = KeychainStatus(-25308)
    /// The program is not signed, or not with what it takes.
    package static let missingEntitlement = KeychainStatus(-34018)
}
