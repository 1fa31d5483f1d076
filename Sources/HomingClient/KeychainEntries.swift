// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import Foundation

/// Sessions as entries of a Keychain, and what its answers mean.
///
/// "Not found" is believed only while the device is unlocked: when iOS starts an app ahead of time on a locked phone
/// (prewarming), its Keychain finds nothing instead of saying so, and whoever is signed in would be signed out
/// (firebase-ios-sdk, issues 8695 and 16498).
package struct KeychainEntries: HomingSessionStore {
    private let keychain: any Keychain

    package init(_ keychain: any Keychain) {
        self.keychain = keychain
    }

    package func read(_ key: String) throws -> Data? {
        let (data, status) = keychain.read(key)
        guard status == .itemNotFound else {
            try Self.check(status)
            return data
        }
        try checkUnlocked()
        return nil
    }

    package func write(_ data: Data, for key: String) throws {
        var status = keychain.update(data, key)
        if status == .itemNotFound { status = keychain.add(data, key, when: .afterFirstUnlock) }
        if status == .duplicateItem {
            // Another process was faster, or the entry could not be found before.
            status = keychain.update(data, key)
            if status == .itemNotFound { throw SessionStoreLocked() }
        }
        try Self.check(status)
    }

    package func remove(_ key: String) throws {
        let status = keychain.delete(key)
        if status == .itemNotFound { return try checkUnlocked() }
        try Self.check(status)
    }

    package func replace(_ old: Data, with new: Data?, for key: String) throws -> Bool {
        let status = keychain.replace(old, with: new, key)
        guard status == .itemNotFound else {
            try Self.check(status)
            return true
        }
        // Entries of earlier versions have no digest.
        guard try read(key) == old else { return false }
        if let new { try write(new, for: key) } else { try remove(key) }
        return true
    }

    /// The account of the entry that probes. No session has it: the name of a session's entry has spaces.
    package static let probe = "homing.probe"

    /// Probes whether the device is unlocked, by an entry of the strictest class that comes and goes: one that outlives
    /// the lock could be added also while others are not found.
    private func checkUnlocked() throws {
        let status = keychain.add(Data([0]), Self.probe, when: .whenUnlocked)
        if status == .interactionNotAllowed { throw SessionStoreLocked() }
        // There is one already where a program ended between the two calls.
        if status == .success || status == .duplicateItem { _ = keychain.delete(Self.probe) }
    }

    private static func check(_ status: KeychainStatus) throws {
        switch status {
        case .success: return
        case .interactionNotAllowed: throw SessionStoreLocked()
        case .missingEntitlement:
            throw NSError(
                domain: NSOSStatusErrorDomain, code: Int(status.number),
                userInfo: [
                    NSLocalizedDescriptionKey:
                        "The program may not use the Keychain (errSecMissingEntitlement, -34018). Sign it with a "
                        + "provisioning profile that has the capability Keychain Sharing, or give "
                        + "HomingApp.configure the sessionStore FileSessionStore()."
                ])
        default: throw NSError(domain: NSOSStatusErrorDomain, code: Int(status.number))
        }
    }
}
