// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingAuth
import HomingClient
import Synchronization
import Testing

@Suite struct KeychainTests {
    /// The answers of a Keychain while the device is locked: those of the documentation, or those of iOS 15 and later
    /// when the system starts an app before the first unlock.
    enum Answer: Sendable { case refusing, findingNothing }

    /// A Keychain that a test locks.
    private final class PlayedKeychain: Keychain {
        struct State {
            var entries: [String: Data] = [:]
            var lock: Answer?
            var isEntitled = true
            /// Makes the next change find no entry, as if another process added it right afterwards.
            var isOvertaken = false
            /// Whether entries are of this version, which finds them by what they hold.
            var hasDigests = true
        }
        let state = Mutex(State())

        var entries: [String: Data] { state.withLock(\.entries) }
        func lock(_ answer: Answer?) { state.withLock { $0.lock = answer } }

        func read(_ account: String) -> (Data?, KeychainStatus) {
            state.withLock { state in
                switch state.lock {
                case .refusing: (nil, .interactionNotAllowed)
                case .findingNothing: (nil, .itemNotFound)
                case nil: state.entries[account].map { ($0, .success) } ?? (nil, .itemNotFound)
                }
            }
        }

        func add(_ data: Data, _ account: String, when accessibility: KeychainAccessibility) -> KeychainStatus {
            state.withLock { state in
                guard state.isEntitled else { return .missingEntitlement }
                if state.lock == .refusing { return .interactionNotAllowed }
                // Entries that outlive the lock can be added, but not found.
                if state.lock != nil, accessibility == .whenUnlocked { return .interactionNotAllowed }
                guard state.entries[account] == nil else { return .duplicateItem }
                state.entries[account] = data
                return .success
            }
        }

        func update(_ data: Data, _ account: String) -> KeychainStatus {
            state.withLock { state in
                if state.lock == .refusing { return .interactionNotAllowed }
                if state.isOvertaken {
                    state.isOvertaken = false
                    state.entries[account] = Data("theirs".utf8)
                    return .itemNotFound
                }
                guard state.lock == nil, state.entries[account] != nil else { return .itemNotFound }
                state.entries[account] = data
                return .success
            }
        }

        func replace(_ old: Data, with new: Data?, _ account: String) -> KeychainStatus {
            state.withLock { state in
                if state.lock == .refusing { return .interactionNotAllowed }
                guard state.lock == nil, state.hasDigests, state.entries[account] == old else { return .itemNotFound }
                state.entries[account] = new
                return .success
            }
        }

        func delete(_ account: String) -> KeychainStatus {
            state.withLock { state in
                if state.lock == .refusing { return .interactionNotAllowed }
                guard state.lock == nil else { return .itemNotFound }
                return state.entries.removeValue(forKey: account) == nil ? .itemNotFound : .success
            }
        }
    }

    @Test func `an entry is written, changed, read and removed, and nothing else is left behind`() throws {
        let keychain = PlayedKeychain()
        let store = KeychainEntries(keychain)
        #expect(try store.read("key") == nil)
        try store.remove("key")
        try store.write(Data("a".utf8), for: "key")
        try store.write(Data("b".utf8), for: "key")
        #expect(keychain.entries == ["key": Data("b".utf8)])
        #expect(try store.read("key") == Data("b".utf8))
        try store.remove("key")
        #expect(try store.read("key") == nil)
        #expect(keychain.entries.isEmpty)
    }

    @Test(arguments: [true, false])
    func `an entry is replaced only while it is what was read, also one of an earlier version`(hasDigests: Bool) throws
    {
        let keychain = PlayedKeychain()
        keychain.state.withLock { $0.hasDigests = hasDigests }
        let store = KeychainEntries(keychain)
        try store.write(Data("a".utf8), for: "key")
        #expect(try store.replace(Data("a".utf8), with: Data("b".utf8), for: "key"))
        #expect(try !store.replace(Data("a".utf8), with: Data("c".utf8), for: "key"))
        #expect(try !store.replace(Data("a".utf8), with: nil, for: "key"))
        #expect(try store.read("key") == Data("b".utf8))
        #expect(try store.replace(Data("b".utf8), with: nil, for: "key"))
        #expect(try store.read("key") == nil && keychain.entries.isEmpty)
        keychain.lock(.refusing)
        #expect(throws: SessionStoreLocked.self) { try store.replace(Data("b".utf8), with: nil, for: "key") }
    }

    @Test(arguments: [Answer.refusing, .findingNothing])
    func `what is not found while the device is locked is not gone`(answer: Answer) throws {
        let keychain = PlayedKeychain()
        let store = KeychainEntries(keychain)
        try store.write(Data("a".utf8), for: "key")
        keychain.lock(answer)
        #expect(throws: SessionStoreLocked.self) { try store.read("key") }
        #expect(throws: SessionStoreLocked.self) { try store.write(Data("b".utf8), for: "key") }
        #expect(throws: SessionStoreLocked.self) { try store.remove("key") }
        #expect(throws: SessionStoreLocked.self) { try store.read("another") }
        keychain.lock(nil)
        #expect(try store.read("key") == Data("a".utf8))
        #expect(try store.read("another") == nil)
        #expect(keychain.entries.count == 1)
    }

    @Test func `what an earlier probe has left does not keep a store from being read`() throws {
        let keychain = PlayedKeychain()
        let store = KeychainEntries(keychain)
        keychain.state.withLock { $0.entries[KeychainEntries.probe] = Data() }
        #expect(try store.read("key") == nil)
        #expect(keychain.entries.isEmpty)
    }

    @Test func `an entry that another process adds meanwhile is changed`() throws {
        let keychain = PlayedKeychain()
        let store = KeychainEntries(keychain)
        keychain.state.withLock { $0.isOvertaken = true }
        try store.write(Data("ours".utf8), for: "key")
        #expect(try store.read("key") == Data("ours".utf8))
    }

    @Test func `a program that may not use the Keychain is told what to do`() async throws {
        let keychain = PlayedKeychain()
        keychain.state.withLock { $0.isEntitled = false }
        let auth = try HomingApp.of(ScriptedTransport(), store: KeychainEntries(keychain))
        #expect(auth.currentUser == nil)
        #expect(auth.sessionEndReason == nil)
        let error = try #require(await #expect(throws: HomingAuthError.self) { try await auth.signInAnonymously() })
        #expect(error.code == .keychainError)
        for word in ["-34018", "Sign it", "sessionStore", "FileSessionStore"] { #expect(error.message.contains(word)) }
        #expect((error.underlyingError as? NSError)?.domain == NSOSStatusErrorDomain)
        #expect((error.underlyingError as? NSError)?.code == -34018)
        #expect(auth.currentUser == nil)
    }

    @Test(arguments: [
        "UIApplicationProtectedDataDidBecomeAvailable", "UIApplicationDidBecomeActiveNotification",
        "NSApplicationProtectedDataDidBecomeAvailableNotification", "NSApplicationDidBecomeActiveNotification",
        "WKApplicationDidBecomeActiveNotification", "NSExtensionHostDidBecomeActiveNotification",
    ])
    func `an app that is started on a locked phone hears of its user when it is unlocked`(notification: String)
        async throws
    {
        let keychain = PlayedKeychain()
        try await HomingApp.of(ScriptedTransport(), store: KeychainEntries(keychain))
            .signIn(withEmail: "ann@home.example", password: "long enough")
        keychain.lock(.findingNothing)
        let auth = try HomingApp.of(ScriptedTransport(), store: KeychainEntries(keychain))
        let heard = Mutex<[String]>([])
        auth.addStateDidChangeListener { _, user in heard.withLock { $0.append(user?.uid ?? "nobody") } }
        #expect(auth.currentUser == nil)
        NotificationCenter.default.post(name: Notification.Name(notification), object: nil)
        await MainActor.run {}
        #expect(heard.withLock { $0 }.isEmpty)
        keychain.lock(nil)
        // No call asks: the system sends a notification.
        NotificationCenter.default.post(name: Notification.Name(notification), object: nil)
        try await until { !heard.withLock(\.isEmpty) }
        #expect(heard.withLock { $0 } == ["ann"])
    }

    @Test func `on a locked phone a user is not signed out by halves, and the error says when to try again`()
        async throws
    {
        let keychain = PlayedKeychain()
        let auth = try HomingApp.of(ScriptedTransport(), store: KeychainEntries(keychain))
        try await auth.signIn(withEmail: "ann@home.example", password: "long enough")
        keychain.lock(.findingNothing)
        let error = #expect(throws: HomingAuthError.self) { try auth.signOut() }
        #expect(error?.code == .keychainError)
        #expect(error?.message.contains("unlocked") == true)
        #expect(error?.underlyingError is SessionStoreLocked)
        #expect(auth.currentUser?.uid == "ann")
        keychain.lock(nil)
        try auth.signOut()
        #expect(keychain.entries.isEmpty)
    }

    @Test func `a token that is refreshed on a locked phone is good, and the next start finds the user`() async throws {
        let keychain = PlayedKeychain()
        let auth = try HomingApp.of(ScriptedTransport(), store: KeychainEntries(keychain))
        let user = try await auth.signIn(withEmail: "ann@home.example", password: "long enough").user
        keychain.lock(.findingNothing)
        #expect(try await user.getIDToken(forcingRefresh: true) == "id2")
        #expect(auth.currentUser === user)
        keychain.lock(nil)
        let after = try HomingApp.of(ScriptedTransport(), store: KeychainEntries(keychain))
        #expect(after.currentUser?.uid == "ann")
        #expect(keychain.entries.count == 1)
    }
}
