// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingAuth
import Synchronization
import Testing

@Suite struct SessionTests {
    private static func signedIn(
        clock: AppClock = AppClock(), store: any HomingSessionStore = MemorySessionStore(),
        _ answer: @escaping ScriptedTransport.Answer
    ) async throws -> (Auth, User, ScriptedTransport) {
        let transport = ScriptedTransport(answer)
        let auth = try HomingApp.of(transport, store: store, clock: clock)
        let user = try await auth.signIn(withEmail: "ann@home.example", password: "long enough").user
        return (auth, user, transport)
    }

    @Test func `a token is refreshed five minutes before its end and not earlier`() async throws {
        let clock = AppClock()
        let (_, user, transport) = try await Self.signedIn(clock: clock) { call in Scripted.friendly(call) }
        clock.advance(3299)
        #expect(try await user.getIDToken() == "id1")
        #expect(transport.count("token") == 0)
        clock.advance(1)
        #expect(try await user.getIDToken() == "id2")
        #expect(transport.count("token") == 1)
    }

    @Test func `a clock that was put back makes a token stale`() async throws {
        let clock = AppClock()
        let (_, user, _) = try await Self.signedIn(clock: clock) { call in Scripted.friendly(call) }
        clock.advance(-86_400)
        #expect(try await user.getIDToken() == "id2")
    }

    @Test func `many waiting callers share one refresh`() async throws {
        let clock = AppClock()
        let door = Door()
        let (_, user, transport) = try await Self.signedIn(clock: clock) { call in
            if call.operation == "token" { await door.pass() }
            return Scripted.friendly(call)
        }
        clock.advance(3600)
        try await withThrowingTaskGroup(of: String.self) { group in
            for index in 0..<50 { group.addTask { try await user.getIDToken(forcingRefresh: index % 2 == 0) } }
            try await until { transport.count("token") > 0 }
            door.open()
            for try await token in group { #expect(token == "id2") }
        }
        // A caller that arrives after the refresh and forces one gets a refresh of its own.
        #expect(transport.count("token") <= 25)
        let before = transport.count("token")
        #expect(try await user.getIDToken() == "id2")
        #expect(transport.count("token") == before)
    }

    @Test(arguments: [
        ("TOKEN_EXPIRED", AuthErrorCode.userTokenExpired), ("USER_NOT_FOUND", .userNotFound),
        ("USER_DISABLED", .userDisabled), ("INVALID_REFRESH_TOKEN", .invalidUserToken),
    ])
    func `a session that the server has ended signs out and says why`(message: String, code: AuthErrorCode) async throws
    {
        let clock = AppClock()
        let store = MemorySessionStore()
        let (auth, user, _) = try await Self.signedIn(clock: clock, store: store) { call in
            call.operation == "token" ? Scripted.refusal(message) : Scripted.friendly(call)
        }
        clock.advance(3600)
        let error = await #expect(throws: HomingAuthError.self) { try await user.reload() }
        #expect(error?.code == code)
        #expect(auth.currentUser == nil)
        #expect(auth.sessionEndReason?.code == code)
        #expect(try HomingApp.of(ScriptedTransport(), store: store).currentUser == nil)
    }

    @Test func `a missing person on a call without the token signs nobody out`() async throws {
        let (auth, user, _) = try await Self.signedIn { call in
            call.operation == "update" ? Scripted.refusal("EMAIL_NOT_FOUND") : Scripted.friendly(call)
        }
        await #expect(throws: HomingAuthError.self) { try await auth.applyActionCode("code") }
        #expect(auth.currentUser === user)
    }

    @Test func `without a network the last known user stays`() async throws {
        let store = MemorySessionStore()
        let clock = AppClock()
        _ = try await Self.signedIn(clock: clock, store: store) { call in Scripted.friendly(call) }
        let offline = try HomingApp.of(
            ScriptedTransport { _ in throw URLError(.notConnectedToInternet) }, store: store, clock: clock)
        let user = try #require(offline.currentUser)
        #expect(user.uid == "ann")
        #expect(user.email == "ann@home.example")
        #expect(try await user.getIDToken() == "id1")
        clock.advance(3600)
        let error = await #expect(throws: HomingAuthError.self) { try await user.getIDToken() }
        #expect(error?.code == .networkError)
        #expect(offline.currentUser === user)
    }

    @Test func `a call that the new password overtakes is repeated with the new token`() async throws {
        let door = Door()
        let (auth, user, transport) = try await Self.signedIn { call in
            switch (call.operation, call.string("idToken")) {
            case ("update", _):
                await door.pass()
                return (200, Scripted.tokens(7))
            case ("sendOobCode", "id1"):
                door.open()
                return Scripted.refusal("TOKEN_EXPIRED")
            default: return Scripted.friendly(call)
            }
        }
        async let change: Void = user.updatePassword(to: "a new password")
        try await until { transport.count("update") == 1 }
        try await user.sendEmailVerification()
        try await change
        #expect(auth.currentUser === user)
        #expect(transport.calls.last { $0.operation == "sendOobCode" }?.string("idToken") == "id7")
    }

    @Test func `a refresh of the old session does not undo a new password`() async throws {
        let door = Door()
        let (auth, user, transport) = try await Self.signedIn { call in
            switch call.operation {
            case "token":
                await door.pass()
                return Scripted.refusal("TOKEN_EXPIRED")
            case "update": return (200, Scripted.tokens(7))
            default: return Scripted.friendly(call)
            }
        }
        async let refreshed = user.getIDToken(forcingRefresh: true)
        try await until { transport.count("token") == 1 }
        try await user.updatePassword(to: "a new password")
        door.open()
        #expect(try await refreshed == "id7")
        #expect(auth.currentUser === user)
    }

    @Test func `a refresh that comes back after signing out brings nobody back`() async throws {
        let door = Door()
        let store = MemorySessionStore()
        let (auth, user, transport) = try await Self.signedIn(store: store) { call in
            if call.operation == "token" { await door.pass() }
            return Scripted.friendly(call)
        }
        async let refreshed = user.getIDToken(forcingRefresh: true)
        try await until { transport.count("token") == 1 }
        try auth.signOut()
        door.open()
        #expect(try await refreshed == "id2")
        #expect(auth.currentUser == nil)
        #expect(try HomingApp.of(ScriptedTransport(), store: store).currentUser == nil)
    }

    @Test func `a token that the server does not take is replaced once`() async throws {
        let (auth, user, transport) = try await Self.signedIn { call in
            call.string("idToken") == "id1" && call.operation == "sendOobCode"
                ? Scripted.refusal("INVALID_ID_TOKEN") : Scripted.friendly(call)
        }
        try await user.sendEmailVerification()
        #expect(transport.count("token") == 1)
        #expect(auth.currentUser === user)
    }

    @Test func `somebody else's credential leaves the user who it was`() async throws {
        let (auth, user, _) = try await Self.signedIn { call in
            call.operation == "lookup" && call.string("idToken") == "id9"
                ? (200, Scripted.person("bob"))
                : call.string("email") == "bob@home.example" ? (200, Scripted.tokens(9)) : Scripted.friendly(call)
        }
        let error = await #expect(throws: HomingAuthError.self) {
            try await user.reauthenticate(
                with: EmailAuthProvider.credential(withEmail: "bob@home.example", password: "his own"))
        }
        #expect(error?.code == .userMismatch)
        #expect(try await user.getIDToken() == "id1")
        #expect(auth.currentUser?.uid == "ann")
    }

    @Test func `listeners hear who is signed in, each change once, until they are removed`() async throws {
        let auth = try HomingApp.of(ScriptedTransport())
        let heard = Mutex<[String]>([])
        let handle = auth.addStateDidChangeListener { _, user in
            heard.withLock { $0.append(user?.uid ?? "nobody") }
        }
        try await until { heard.withLock(\.count) == 1 }
        let user = try await auth.signIn(withEmail: "ann@home.example", password: "long enough").user
        try await until { heard.withLock(\.count) == 2 }
        try await user.reload()
        try auth.signOut()
        try await until { heard.withLock(\.count) == 3 }
        auth.removeStateDidChangeListener(handle)
        try await auth.signIn(withEmail: "ann@home.example", password: "long enough")
        await MainActor.run {}
        #expect(heard.withLock { $0 } == ["nobody", "ann", "nobody"])
    }

    @Test func `a sequence tells who is signed in, and one for tokens also of a new token`() async throws {
        let clock = AppClock()
        let (auth, user, _) = try await Self.signedIn(clock: clock) { call in Scripted.friendly(call) }
        var people = auth.authStateChanges.makeAsyncIterator()
        var tokens = auth.idTokenChanges.makeAsyncIterator()
        #expect(try await #require(people.next()) === user)
        #expect(try await #require(tokens.next()) === user)
        #expect(try await user.getIDToken(forcingRefresh: true) == "id2")
        #expect(try await #require(tokens.next()) === user)
        try auth.signOut()
        // The next value of both sequences is nil: the new token was no change for the first one.
        #expect(try await #require(people.next()) == nil)
        #expect(try await #require(tokens.next()) == nil)
    }

    @Test func `a sequence for the user's properties tells of an address that became verified`() async throws {
        let isVerified = Mutex(false)
        let (auth, user, _) = try await Self.signedIn { call in
            call.operation == "lookup"
                ? (200, Scripted.person(isVerified: isVerified.withLock { $0 })) : Scripted.friendly(call)
        }
        var changes = auth.userChanges.makeAsyncIterator()
        #expect(try await #require(changes.next())?.isEmailVerified == false)
        isVerified.withLock { $0 = true }
        try await user.reload()
        #expect(try await #require(changes.next())?.isEmailVerified == true)
    }

    @Test(arguments: [
        (["LANG": "pt_BR.UTF-8"], "pt-BR"), (["LANG": "en_US.UTF-8", "LC_MESSAGES": "it_IT"], "it-IT"),
        (["LC_ALL": "zh_CN.UTF-8", "LANG": "C"], "zh-CN"), (["LC_ALL": "", "LANG": "tr_TR@euro"], "tr-TR"),
        (["LC_ALL": "C.UTF-8", "LANG": "es_ES"], nil), (["LANG": "POSIX"], nil), ([:], nil),
    ])
    func `the language of a terminal is the one of its messages`(environment: [String: String], language: String?) {
        #expect(Auth.language(environment) == language)
    }

    /// Calls Auth when it is deallocated, as a view model does.
    private final class Leaving: Sendable {
        private let auth: Auth
        init(_ auth: Auth) { self.auth = auth }
        func hear() {}
        deinit { _ = auth.currentUser }
    }

    @Test func `whoever a listener holds may ask for the user when it goes`() async throws {
        let auth = try HomingApp.of(ScriptedTransport())
        let handle = { () -> AuthStateDidChangeListenerHandle in
            let leaving = Leaving(auth)
            return auth.addStateDidChangeListener { _, _ in leaving.hear() }
        }()
        await MainActor.run {}
        auth.removeStateDidChangeListener(handle)
        #expect(auth.currentUser == nil)
    }

    @Test func `tokens of somebody else are not taken`() async throws {
        let clock = AppClock()
        let store = MemorySessionStore()
        let (_, user, _) = try await Self.signedIn(clock: clock, store: store) { call in
            switch call.operation {
            case "token":
                (200, #"{"access_token":"bobs","refresh_token":"bobs","expires_in":"3600","user_id":"bob"}"#)
            case "update": (200, #"{"localId":"bob","idToken":"bobs","refreshToken":"bobs","expiresIn":"3600"}"#)
            default: Scripted.friendly(call)
            }
        }
        let refresh = await #expect(throws: HomingAuthError.self) { try await user.getIDToken(forcingRefresh: true) }
        #expect(refresh?.code == .internalError)
        await #expect(throws: HomingAuthError.self) { try await user.updatePassword(to: "a new password") }
        #expect(try await user.getIDToken() == "id1")
        #expect(user.refreshToken == "refresh1")
        #expect(try HomingApp.of(ScriptedTransport(), store: store).currentUser?.refreshToken == "refresh1")
    }

    @Test func `a sign-in whose caller leaves, or whose lookup fails, stands`() async throws {
        let door = Door()
        let claims = Data(
            #"{"user_id":"ann","email":"ann@home.example","email_verified":true,"exp":1795233600,"iat":1795230000}"#
                .utf8
        ).base64EncodedString().replacingOccurrences(of: "=", with: "")
        let transport = ScriptedTransport { call in
            if call.operation == "lookup" { throw URLError(.networkConnectionLost) }
            await door.pass()
            return (200, #"{"idToken":"e30.\#(claims).c2ln","refreshToken":"r","expiresIn":"3600"}"#)
        }
        let auth = try HomingApp.of(transport)
        let task = Task { try await auth.signIn(withEmail: "ann@home.example", password: "long enough") }
        try await until { transport.count("signInWithPassword") == 1 }
        task.cancel()
        door.open()
        try await until { auth.currentUser != nil }
        #expect(auth.currentUser?.uid == "ann")
        #expect(auth.currentUser?.email == "ann@home.example")
        #expect(auth.currentUser?.isEmailVerified == true)
        #expect(auth.currentUser?.isAnonymous == false)
        #expect(transport.count("lookup") == 2)
    }

    @Test func `two who sign in anonymously at once are one`() async throws {
        let door = Door()
        let transport = ScriptedTransport { call in
            await door.pass()
            return Scripted.friendly(call)
        }
        let auth = try HomingApp.of(transport)
        async let first = auth.signInAnonymously()
        async let second = auth.signInAnonymously()
        try await until { transport.count("signUp") == 1 }
        door.open()
        let users = try await (first.user, second.user)
        #expect(users.0 === users.1)
        #expect(transport.count("signUp") == 1)
    }

    @Test func `nothing that is printed or dumped shows a token, a code or a password`() async throws {
        let (auth, user, _) = try await Self.signedIn { call in Scripted.friendly(call) }
        let secrets = ["id1", "refresh1", LinkSamples.code, "long enough"]
        let link = try #require(ActionCodeURL(link: LinkSamples.action()))
        let credential = EmailAuthProvider.credential(withEmail: "ann@home.example", password: "long enough")
        let values: [Any] = [
            auth, user, link, IncomingURL.action(link), credential,
            auth.handle(try #require(URL(string: LinkSamples.action()))),
        ]
        for value in values {
            var text = "\(value) \(String(reflecting: value)) "
            dump(value, to: &text)
            for secret in secrets { #expect(!text.contains(secret), "\(text)") }
        }
    }

    @Test func `numbers that no clock has crash nothing`() async throws {
        let store = MemorySessionStore()
        let (_, user, _) = try await Self.signedIn(store: store) { call in
            call.operation == "lookup"
                ? (
                    200,
                    #"{"users":[{"localId":"ann","createdAt":"9223372036854775807","lastLoginAt":"-9223372036854775808"}]}"#
                )
                : Scripted.friendly(call)
        }
        try await user.reload()
        #expect(try HomingApp.of(ScriptedTransport(), store: store).currentUser?.uid == "ann")
    }
}
