// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingAuth
import HomingClient
import HomingWire
import Synchronization
import Testing

/// An app and its widget, two processes that share who is signed in.
@Suite struct AccessGroupTests {
    private static let group = "TEAM.com.example.shop"

    /// A server that refuses the tokens of before a new password.
    private final class Server: Sendable {
        let number = Mutex(1)
        /// Whether an ID token is good for its hour, whatever has become of the session.
        let isLenient: Bool

        init(isLenient: Bool) {
            self.isLenient = isLenient
        }

        func answer(_ call: ScriptedTransport.Call) -> (Int, String) {
            let number = number.withLock { $0 }
            switch call.operation {
            case "update":
                self.number.withLock { $0 += 1 }
                return (200, Scripted.tokens(number + 1))
            case "token" where call.string("refreshToken") != "refresh\(number)":
                return Scripted.refusal("TOKEN_EXPIRED")
            case "token": return (200, Scripted.refreshed(number, token: number))
            case "lookup" where !isLenient && call.string("idToken") != "id\(number)":
                return Scripted.refusal("TOKEN_EXPIRED")
            default: return Scripted.friendly(call)
            }
        }
    }

    private static func processes(
        _ clock: AppClock = AppClock(), isLenient: Bool = false
    ) throws -> (app: Auth, widget: Auth, store: MemorySessionStore, pauses: Pauses) {
        let (server, store, pauses) = (Server(isLenient: isLenient), MemorySessionStore(), Pauses())
        func process() throws -> Auth {
            let transport = ScriptedTransport { call in server.answer(call) }
            let auth = try HomingApp.of(transport, store: store, clock: clock, pauses: pauses)
            try auth.useUserAccessGroup(group)
            return auth
        }
        return (try process(), try process(), store, pauses)
    }

    @Test func `who signs in in the app is who is signed in in its widget`() async throws {
        let (app, widget, store, _) = try Self.processes()
        #expect(widget.userAccessGroup == Self.group)
        try await app.signIn(withEmail: "ann@home.example", password: "long enough")
        #expect(widget.currentUser?.uid == "ann")
        let looking = try HomingApp.of(ScriptedTransport(), store: store)
        #expect(looking.currentUser == nil, "outside the group nobody is signed in")
        #expect(try looking.getStoredUser(forAccessGroup: Self.group)?.email == "ann@home.example")
        #expect(try looking.getStoredUser(forAccessGroup: nil) == nil)
        #expect(looking.currentUser == nil, "looking is not signing in")
    }

    @Test func `a user who was signed in before comes along into the group`() async throws {
        let store = MemorySessionStore()
        let auth = try HomingApp.of(ScriptedTransport(), store: store)
        let user = try await auth.signIn(withEmail: "ann@home.example", password: "long enough").user
        try auth.useUserAccessGroup(Self.group)
        #expect(auth.currentUser == nil)
        try await auth.updateCurrentUser(user)
        #expect(auth.currentUser === user)
        #expect(try auth.getStoredUser(forAccessGroup: Self.group)?.uid == "ann")
        try auth.useUserAccessGroup(nil)
        #expect(auth.userAccessGroup == nil && auth.currentUser?.uid == "ann")
    }

    @Test func `a new password in the app leaves the widget signed in, with the app's tokens`() async throws {
        let (app, widget, store, _) = try Self.processes()
        let user = try await app.signIn(withEmail: "ann@home.example", password: "long enough").user
        let same = try #require(widget.currentUser)
        try await user.updatePassword(to: "another long one")
        try await same.reload()
        #expect(widget.sessionEndReason == nil && widget.currentUser === same)
        #expect(try await same.getIDToken() == "id2")
        let later = try HomingApp.of(ScriptedTransport(), store: store)
        #expect(try later.getStoredUser(forAccessGroup: Self.group)?.refreshToken == "refresh2")
    }

    @Test func `a widget with old tokens does not put them over the app's new ones`() async throws {
        let (app, widget, store, _) = try Self.processes(isLenient: true)
        let user = try await app.signIn(withEmail: "ann@home.example", password: "long enough").user
        let same = try #require(widget.currentUser)
        try await user.updatePassword(to: "another long one")
        try await same.reload()
        let later = try HomingApp.of(ScriptedTransport(), store: store)
        #expect(try later.getStoredUser(forAccessGroup: Self.group)?.refreshToken == "refresh2")
        #expect(try await same.getIDToken() == "id2", "the widget has them too")
    }

    @Test func `a sign-out in the app is not undone by what the widget still does`() async throws {
        let clock = AppClock()
        let (app, widget, _, _) = try Self.processes(clock)
        try await app.signIn(withEmail: "ann@home.example", password: "long enough")
        let same = try #require(widget.currentUser)
        try app.signOut()
        clock.advance(3600)
        _ = try await same.getIDToken()
        #expect(try app.getStoredUser(forAccessGroup: Self.group) == nil)
        #expect(app.currentUser == nil)
    }

    @Test func `a session that the server ended is looked for in the group before it is over`() async throws {
        let (app, widget, _, pauses) = try Self.processes()
        try await app.signIn(withEmail: "ann@home.example", password: "long enough")
        let same = try #require(widget.currentUser)
        let user = try #require(app.currentUser)
        try app.signOut()
        try await user.updatePassword(to: "another long one")
        await #expect(throws: HomingAuthError.self) { try await same.reload() }
        #expect(pauses.seconds == [1, 2], "the app's tokens might have been on their way")
        #expect(widget.currentUser == nil)
    }

    @Test func `requests that wait in two processes are both kept, and each forgets its own alone`() async throws {
        let store = MemorySessionStore()
        func process(_ id: String) throws -> Auth {
            let auth = try HomingApp.of(ScriptedTransport { _ in Scripted.asked(id) }, store: store)
            try auth.useUserAccessGroup(Self.group)
            #expect(auth.pendingActions.isEmpty)
            return auth
        }
        let (app, widget) = (try process("request-1"), try process("request-2"))
        let first = try await app.sendPasswordReset(withEmail: "ann@home.example", finishing: .anywhere)
        _ = try await widget.sendPasswordReset(withEmail: "bea@home.example", finishing: .anywhere)
        let later = try HomingApp.of(ScriptedTransport(), store: store)
        try later.useUserAccessGroup(Self.group)
        #expect(Set(later.pendingActions.map(\.email)) == ["ann@home.example", "bea@home.example"])
        first.cancel()
        let last = try HomingApp.of(ScriptedTransport(), store: store)
        try last.useUserAccessGroup(Self.group)
        #expect(last.pendingActions.map(\.email) == ["bea@home.example"])
    }

    @Test func `two processes that write to one folder at once lose nothing`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileSessionStore(folder: folder).write(Data("0".utf8), for: "count")
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for _ in 0..<4 {
                tasks.addTask {
                    let store = FileSessionStore(folder: folder)
                    for _ in 0..<50 { while try !Self.countUp(store) {} }
                }
            }
            try await tasks.waitForAll()
        }
        #expect(try FileSessionStore(folder: folder).read("count") == Data("200".utf8))
    }

    private static func countUp(_ store: FileSessionStore) throws -> Bool {
        let old = try #require(try store.read("count"))
        let number = try #require(Int(String(decoding: old, as: UTF8.self)))
        return try store.replace(old, with: Data(String(number + 1).utf8), for: "count")
    }

    @Test func `a store of the app's own that has no groups says so`() throws {
        struct Plain: HomingSessionStore {
            func read(_ key: String) -> Data? { nil }
            func write(_ data: Data, for key: String) {}
            func remove(_ key: String) {}
        }
        let auth = try HomingApp.of(ScriptedTransport(), store: Plain())
        let error = #expect(throws: HomingAuthError.self) { try auth.useUserAccessGroup(Self.group) }
        #expect(error?.code == .keychainError && error?.message.contains("shared(by:)") == true)
    }
}
