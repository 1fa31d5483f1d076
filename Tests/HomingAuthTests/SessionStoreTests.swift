// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingAuth
import Synchronization
import Testing

@Suite struct SessionStoreTests {
    private static func withStore(_ body: (FileSessionStore, String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(FileSessionStore(folder: folder), folder.path)
    }

    @Test func `a session survives a restart in a file that only its owner reads`() async throws {
        try await Self.withStore { store, folder in
            let before = try HomingApp.of(ScriptedTransport(), store: store)
            try await before.signIn(withEmail: "ann@home.example", password: "long enough")
            let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first)
            let file = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
            #expect((file[.posixPermissions] as? NSNumber)?.intValue == 0o600)
            let parent = try FileManager.default.attributesOfItem(atPath: folder)
            #expect((parent[.posixPermissions] as? NSNumber)?.intValue == 0o700)

            let after = try HomingApp.of(ScriptedTransport(), store: store)
            #expect(after.currentUser?.uid == "ann")
            try after.signOut()
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
            #expect(try HomingApp.of(ScriptedTransport(), store: store).currentUser == nil)
        }
    }

    @Test func `another server does not get the session`() async throws {
        try await Self.withStore { store, _ in
            let here = try HomingApp.of(ScriptedTransport(), store: store)
            try await here.signIn(withEmail: "ann@home.example", password: "long enough")
            let there = try HomingApp.of(
                ScriptedTransport(), store: store, endpoint: "https://auth.other.example")
            #expect(there.currentUser == nil)
        }
    }

    @Test func `a long address of the server and a name in any script make a file, too`() async throws {
        try await Self.withStore { store, _ in
            let endpoint = "https://auth.shop.example/" + String(repeating: "a-long-path/", count: 40)
            let before = try HomingApp.of(ScriptedTransport(), store: store, endpoint: endpoint)
            try await before.signIn(withEmail: "ann@home.example", password: "long enough")
            #expect(try HomingApp.of(ScriptedTransport(), store: store, endpoint: endpoint).currentUser?.uid == "ann")
            #expect(try HomingApp.of(ScriptedTransport(), store: store, endpoint: endpoint + "b").currentUser == nil)
        }
    }

    @Test func `a damaged file means that nobody is signed in`() async throws {
        try await Self.withStore { store, folder in
            let before = try HomingApp.of(ScriptedTransport(), store: store)
            try await before.signIn(withEmail: "ann@home.example", password: "long enough")
            let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first)
            for text in ["", "{", "{\"version\":2}", "{\"version\":1,\"uid\":7}"] {
                try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
                #expect(try HomingApp.of(ScriptedTransport(), store: store).currentUser == nil)
            }
        }
    }

    private struct FullStore: HomingSessionStore {
        func read(_ key: String) -> Data? { nil }
        func write(_ data: Data, for key: String) throws { throw CocoaError(.fileWriteOutOfSpace) }
        func remove(_ key: String) {}
    }

    @Test func `a sign-in that cannot be kept is an error and signs nobody in`() async throws {
        let auth = try HomingApp.of(ScriptedTransport(), store: FullStore())
        let error = await #expect(throws: HomingAuthError.self) { try await auth.signInAnonymously() }
        #expect(error?.code == .keychainError)
        #expect(auth.currentUser == nil)
    }

    /// A Keychain whose device has not been unlocked since it was started.
    private final class LockedStore: HomingSessionStore {
        let inner = MemorySessionStore()
        let isLocked = Mutex(true)
        func read(_ key: String) throws -> Data? {
            if isLocked.withLock({ $0 }) { throw SessionStoreLocked() }
            return inner.read(key)
        }
        func write(_ data: Data, for key: String) { inner.write(data, for: key) }
        func remove(_ key: String) { inner.remove(key) }
    }

    @Test func `while a device is locked nobody looks signed out, and listeners hear of the user afterwards`()
        async throws
    {
        let store = LockedStore()
        try await HomingApp.of(ScriptedTransport(), store: store)
            .signIn(withEmail: "ann@home.example", password: "long enough")
        let transport = ScriptedTransport()
        let auth = try HomingApp.of(transport, store: store)
        var people = auth.authStateChanges.makeAsyncIterator()
        #expect(auth.currentUser == nil)
        let anonymous = await #expect(throws: HomingAuthError.self) { try await auth.signInAnonymously() }
        #expect(anonymous?.code == .keychainError)
        #expect(transport.calls.isEmpty)
        store.isLocked.withLock { $0 = false }
        #expect(auth.currentUser?.uid == "ann")
        #expect(try await #require(people.next())?.uid == "ann")
    }

    @Test func `once a locked device is unlocked, listeners hear as well that nobody is signed in`() async throws {
        let store = LockedStore()
        let auth = try HomingApp.of(ScriptedTransport(), store: store)
        var people = auth.authStateChanges.makeAsyncIterator()
        #expect(auth.currentUser == nil)
        store.isLocked.withLock { $0 = false }
        #expect(auth.currentUser == nil)
        #expect(try await #require(people.next()) == nil)
    }

    @Test func `a store that cannot be read at all means that nobody is signed in, and says so`() async throws {
        struct BrokenStore: HomingSessionStore {
            func read(_ key: String) throws -> Data? { throw CocoaError(.fileReadNoPermission) }
            func write(_ data: Data, for key: String) {}
            func remove(_ key: String) {}
        }
        let auth = try HomingApp.of(ScriptedTransport(), store: BrokenStore())
        var people = auth.authStateChanges.makeAsyncIterator()
        #expect(try await #require(people.next()) == nil)
        #expect(auth.sessionEndReason?.code == .keychainError)
    }

    @Test func `a user of another process that shares the store is neither overwritten nor brought back`() async throws
    {
        let store = MemorySessionStore()
        let app = try HomingApp.of(ScriptedTransport(), store: store)
        let ann = try await app.signIn(withEmail: "ann@home.example", password: "long enough").user
        let other = ScriptedTransport { call in
            call.operation == "lookup" ? (200, Scripted.person("bob")) : Scripted.friendly(call)
        }
        let elsewhere = try HomingApp.of(other, store: store)
        #expect(elsewhere.currentUser?.uid == "ann")
        try elsewhere.signOut()
        _ = try await ann.getIDToken(forcingRefresh: true)
        #expect(try HomingApp.of(ScriptedTransport(), store: store).currentUser == nil)
        try await elsewhere.signIn(withEmail: "bob@home.example", password: "his own")
        _ = try await ann.getIDToken(forcingRefresh: true)
        #expect(try HomingApp.of(ScriptedTransport(), store: store).currentUser?.uid == "bob")
    }

    @Test func `a file is removed with what a writer left half done, and one that cannot be read is no empty one`()
        async throws
    {
        try await Self.withStore { store, folder in
            try store.write(Data("a".utf8), for: "key")
            let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first)
            try Data("b".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name).half"))
            try store.remove("key")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
            #expect(try store.read("key") == nil)
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder)/\(name)", withDestinationPath: "/etc/hostname")
            #expect(throws: (any Error).self) { try store.read("key") }
        }
    }
}
