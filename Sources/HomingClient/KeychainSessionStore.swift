// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#if canImport(Security)
    public import Foundation
    internal import Security

    /// Sessions in the Keychain: readable after the first unlock, on this device only, in no backup.
    public struct KeychainSessionStore: SessionStore {
        private let service: String

        /// A store among the Keychain's generic passwords.
        ///
        /// - Parameter service: the name under which the entries stand.
        public init(service: String = "homing.auth") {
            self.service = service
        }

        private func query(_ key: String) -> [CFString: Any] {
            [
                kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: key,
                kSecUseDataProtectionKeychain: true,
            ]
        }

        /// The entry of a key; nil when there is none.
        public func read(_ key: String) throws -> Data? {
            var wanted = query(key)
            wanted[kSecReturnData] = true
            wanted[kSecMatchLimit] = kSecMatchLimitOne
            var found: CFTypeRef?
            let status = SecItemCopyMatching(wanted as CFDictionary, &found)
            if status == errSecItemNotFound { return nil }
            try Self.check(status)
            return found as? Data
        }

        /// Changes the entry of a key, or adds it.
        public func write(_ data: Data, for key: String) throws {
            let content: [CFString: Any] = [
                kSecValueData: data, kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            ]
            let status = SecItemUpdate(query(key) as CFDictionary, content as CFDictionary)
            guard status == errSecItemNotFound else { return try Self.check(status) }
            try Self.check(SecItemAdd(query(key).merging(content) { $1 } as CFDictionary, nil))
        }

        /// Removes the entry of a key.
        public func remove(_ key: String) throws {
            let status = SecItemDelete(query(key) as CFDictionary)
            if status != errSecItemNotFound { try Self.check(status) }
        }

        private static func check(_ status: OSStatus) throws {
            guard status != errSecSuccess else { return }
            if status == errSecInteractionNotAllowed { throw SessionStoreLocked() }
            throw NSError(domain: NSOSStatusErrorDomain, code: Int(status))
        }
    }
#endif
