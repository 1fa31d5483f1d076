// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingAuth
import Synchronization
import Testing

/// Requests outlive the process, where sessions do, and no longer than they are good for.
@Suite struct PendingStoreTests {
    private static let ann = "ann@home.example"

    /// Counts its requests, and says yes to whoever waits.
    private static func transport() -> ScriptedTransport {
        let asked = Mutex(0)
        return ScriptedTransport { call in
            switch call.operation {
            case "sendOobCode":
                let count = asked.withLock { asked in
                    asked += 1
                    return asked
                }
                return Scripted.asked("request-\(count)")
            case "awaitOobCode": return Scripted.approved()
            default: return Scripted.friendly(call)
            }
        }
    }

    private static func ask(_ auth: Auth, for email: String = ann) async throws -> PendingAction {
        try await auth.sendSignInLink(
            toEmail: email, actionCodeSettings: PendingActionTests.settings, finishing: .anywhere)
    }

    @Test func `after a relaunch the request is there again with its verifier, and its sign-in happens`() async throws {
        let store = MemorySessionStore()
        let before = Self.transport()
        let asked = try await Self.ask(try HomingApp.of(before, store: store))

        let after = Self.transport()
        let auth = try HomingApp.of(after, store: store)
        let pending = try #require(auth.pendingActions.first)
        #expect(auth.pendingActions.count == 1)
        #expect(auth.pendingActions.first === pending, "asked again, it is the same one")
        #expect(pending.matchNumber == asked.matchNumber)
        #expect(pending.requestID == asked.requestID)
        #expect(pending.email == Self.ann)
        #expect(pending.operation == .emailLink)
        #expect(pending.expiresAt == asked.expiresAt)
        #expect(pending.continueURL == PendingActionTests.settings.url, "the place to go on at")
        #expect(try await pending.result()?.user === auth.currentUser)
        #expect(after.calls.first?.string("codeVerifier")?.utf8.count == 43)
        #expect(try HomingApp.of(Self.transport(), store: store).pendingActions.isEmpty)
    }

    @Test func `the file has nothing but what is needed, is only its owner's, and goes when nothing is pending`()
        async throws
    {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let auth = try HomingApp.of(Self.transport(), store: FileSessionStore(folder: folder))
        let pending = try await Self.ask(auth)
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder.path).first)
        let file = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(name)")
        #expect((file[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        pending.cancel()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test func `signing out leaves what is pending, and another server sees nothing of it`() async throws {
        let store = MemorySessionStore()
        let auth = try HomingApp.of(Self.transport(), store: store)
        _ = try await Self.ask(auth)
        try await auth.signIn(withEmail: Self.ann, password: "long enough")
        try auth.signOut()
        #expect(try HomingApp.of(Self.transport(), store: store).pendingActions.count == 1)
        let elsewhere = try HomingApp.of(Self.transport(), store: store, endpoint: "https://auth.other.example")
        #expect(elsewhere.pendingActions.isEmpty)
        auth.useEmulator(withHost: "127.0.0.1", port: 9099)
        #expect(auth.pendingActions.isEmpty)
    }

    @Test func `what is over is not listed, and ten minutes later not kept`() async throws {
        let store = MemorySessionStore()
        let clock = AppClock()
        let auth = try HomingApp.of(Self.transport(), store: store, clock: clock)
        _ = try await Self.ask(auth)
        clock.advance(3599)
        #expect(auth.pendingActions.count == 1)
        clock.advance(2)
        #expect(auth.pendingActions.isEmpty)
        // A sign-in that was approved in its last second is still collected by a link that comes now.
        let transport = Self.transport()
        try await HomingApp.of(transport, store: store, clock: clock).signIn(
            withLink: "https://auth.shop.example/__/auth/action?apiKey=hk_key_of_the_shop&mode=signIn&oobCode=abc")
        #expect(transport.calls.first?.string("codeVerifier") != nil)

        _ = try await Self.ask(auth)
        clock.advance(3600 + 601)
        #expect(auth.pendingActions.isEmpty)
        let later = try HomingApp.of(Self.transport(), store: store, clock: AppClock())
        #expect(later.pendingActions.isEmpty, "even where the clock is put back")
    }

    @Test func `five are kept, the newest first, and a newer one for the same address takes the older one's place`()
        async throws
    {
        let store = MemorySessionStore()
        let auth = try HomingApp.of(Self.transport(), store: store)
        for number in 1...6 { _ = try await Self.ask(auth, for: "person\(number)@home.example") }
        _ = try await Self.ask(auth, for: "Person5@home.example")
        let kept = ["Person5", "person6", "person4", "person3", "person2"].map { "\($0)@home.example" }
        #expect(auth.pendingActions.map(\.email) == kept)
        #expect(auth.pendingActions.first?.requestID == "request-7")
        #expect(try HomingApp.of(Self.transport(), store: store).pendingActions.map(\.email) == kept)
    }

    /// A store that a test shuts.
    private final class LockedStore: HomingSessionStore {
        let inner = MemorySessionStore()
        let isLocked = Mutex(false)

        private func check() throws { if isLocked.withLock({ $0 }) { throw SessionStoreLocked() } }
        func read(_ key: String) throws -> Data? {
            try check()
            return inner.read(key)
        }
        func write(_ data: Data, for key: String) throws {
            try check()
            inner.write(data, for: key)
        }
        func remove(_ key: String) throws {
            try check()
            inner.remove(key)
        }
    }

    @Test func `what is asked for while the device is locked joins what is kept when it is unlocked`() async throws {
        let store = LockedStore()
        _ = try await Self.ask(try HomingApp.of(Self.transport(), store: store), for: "bob@home.example")
        store.isLocked.withLock { $0 = true }
        let auth = try HomingApp.of(Self.transport(), store: store)
        #expect(auth.pendingActions.isEmpty)
        let pending = try await Self.ask(auth)
        #expect(auth.pendingActions.first === pending)
        store.isLocked.withLock { $0 = false }
        #expect(auth.pendingActions.map(\.email) == [Self.ann, "bob@home.example"])
        let after = try HomingApp.of(Self.transport(), store: store)
        #expect(after.pendingActions.map(\.email) == [Self.ann, "bob@home.example"])
    }

    @Test(arguments: ["", "{", #"{"version":2}"#, #"{"version":1,"requests":[{"requestId":7},null]}"#])
    func `what cannot be read is nothing, and the next request is kept`(text: String) async throws {
        let store = MemorySessionStore()
        let key = "\(HomingApp.defaultName) hk_key_of_the_shop https://auth.shop.example requests"
        store.write(Data(text.utf8), for: key)
        let auth = try HomingApp.of(Self.transport(), store: store)
        #expect(auth.pendingActions.isEmpty)
        _ = try await Self.ask(auth)
        #expect(try HomingApp.of(Self.transport(), store: store).pendingActions.count == 1)
    }
}
