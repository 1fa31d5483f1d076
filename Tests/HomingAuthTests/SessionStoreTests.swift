// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingAuth
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

    private struct FullStore: SessionStore {
        func read(_ key: String) -> Data? { nil }
        func write(_ data: Data, for key: String) throws { throw CocoaError(.fileWriteOutOfSpace) }
        func remove(_ key: String) {}
    }

    @Test func `a sign-in that cannot be kept is an error and signs nobody in`() async throws {
        let auth = try HomingApp.of(ScriptedTransport(), store: FullStore())
        let error = await #expect(throws: AuthError.self) { try await auth.signInAnonymously() }
        #expect(error?.code == .keychainError)
        #expect(auth.currentUser == nil)
    }
}
