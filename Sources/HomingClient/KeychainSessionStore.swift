// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#if canImport(Security)
    public import Foundation
    internal import Security

    /// Sessions in the Keychain: readable after the first unlock, on this device only, in no backup.
    ///
    /// A Mac lets only programs into it that are signed with a provisioning profile that has the capability Keychain
    /// Sharing; give others a ``FileSessionStore``.
    public struct KeychainSessionStore: HomingSessionStore {
        private let service: String
        private let entries: KeychainEntries

        /// A store among the Keychain's generic passwords.
        ///
        /// - Parameter service: the name under which the entries stand.
        public init(service: String = "homing.auth") {
            self.init(service: service, accessGroup: nil)
        }

        /// A store whose entries every app and extension with an access group can read, its own and those of others.
        ///
        /// - Parameters:
        ///   - service: the name under which the entries stand.
        ///   - accessGroup: with the team's prefix, `TEAMID.com.example.group`, from the app's entitlements; nil means
        ///     the app's own.
        public init(service: String = "homing.auth", accessGroup: String?) {
            self.service = service
            entries = KeychainEntries(SystemKeychain(service: service, accessGroup: accessGroup))
        }

        /// The entry of a key; nil when there is none.
        ///
        /// - Throws: ``SessionStoreLocked`` while the device is locked and nobody can tell.
        public func read(_ key: String) throws -> Data? { try entries.read(key) }

        /// Changes the entry of a key, or adds it.
        public func write(_ data: Data, for key: String) throws { try entries.write(data, for: key) }

        /// Removes the entry of a key.
        ///
        /// - Throws: ``SessionStoreLocked`` while the device is locked and nobody can tell whether there is one.
        public func remove(_ key: String) throws { try entries.remove(key) }

        /// Changes or removes the entry of a key, if it is still what was read.
        public func replace(_ old: Data, with new: Data?, for key: String) throws -> Bool {
            try entries.replace(old, with: new, for: key)
        }

        /// The store of an access group, under the same service.
        public func shared(by accessGroup: String) -> any HomingSessionStore {
            KeychainSessionStore(service: service, accessGroup: accessGroup)
        }
    }

    /// Apple's Keychain, the one for data protection: on a Mac there is an older one.
    private struct SystemKeychain: Keychain {
        let service: String
        let accessGroup: String?

        private func query(_ account: String) -> [CFString: Any] {
            var query: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: account,
                kSecUseDataProtectionKeychain: true,
            ]
            query[kSecAttrAccessGroup] = accessGroup
            return query
        }

        func read(_ account: String) -> (Data?, KeychainStatus) {
            var wanted = query(account)
            wanted[kSecReturnData] = true
            wanted[kSecMatchLimit] = kSecMatchLimitOne
            var found: CFTypeRef?
            let status = SecItemCopyMatching(wanted as CFDictionary, &found)
            return (found as? Data, KeychainStatus(status))
        }

        func add(_ data: Data, _ account: String, when accessibility: KeychainAccessibility) -> KeychainStatus {
            let content = content(data, accessibility)
            return KeychainStatus(SecItemAdd(query(account).merging(content) { $1 } as CFDictionary, nil))
        }

        func update(_ data: Data, _ account: String) -> KeychainStatus {
            let content = content(data, .afterFirstUnlock)
            return KeychainStatus(SecItemUpdate(query(account) as CFDictionary, content as CFDictionary))
        }

        func delete(_ account: String) -> KeychainStatus {
            KeychainStatus(SecItemDelete(query(account) as CFDictionary))
        }

        /// The entry is looked for with the digest of what was read: one that another process has changed has another.
        func replace(_ old: Data, with new: Data?, _ account: String) -> KeychainStatus {
            var wanted = query(account)
            wanted[kSecAttrGeneric] = Data(SHA256.hash(old))
            guard let new else { return KeychainStatus(SecItemDelete(wanted as CFDictionary)) }
            return KeychainStatus(
                SecItemUpdate(wanted as CFDictionary, content(new, .afterFirstUnlock) as CFDictionary))
        }

        private func content(_ data: Data, _ accessibility: KeychainAccessibility) -> [CFString: Any] {
            let accessible =
                switch accessibility {
                case .afterFirstUnlock: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
                case .whenUnlocked: kSecAttrAccessibleWhenUnlockedThisDeviceOnly
                }
            return [kSecValueData: data, kSecAttrGeneric: Data(SHA256.hash(data)), kSecAttrAccessible: accessible]
        }
    }
#endif
