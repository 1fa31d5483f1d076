// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingAuth
import HomingClient
import HomingWire
import Synchronization
import Testing

/// A mail that is answered anywhere, as the app that has asked for it sees it.
@Suite struct PendingActionTests {
    static let ann = "ann@home.example"
    static let settings = {
        let settings = ActionCodeSettings()
        settings.url = URL(string: "https://www.shop.example/letters/3")
        settings.handleCodeInApp = true
        return settings
    }()

    /// Answers one after the other; the last one stays.
    final class Answers: Sendable {
        private let left: Mutex<[(Int, String)]>
        init(_ answers: (Int, String)...) { left = Mutex(answers) }
        func next() -> (Int, String) { left.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] } }
    }

    /// An app that has asked for a sign-in link, and what it hears of it.
    static func asking(
        store: any HomingSessionStore = MemorySessionStore(), clock: AppClock = AppClock(), pauses: Pauses = Pauses(),
        _ answer: @escaping ScriptedTransport.Answer
    ) async throws -> (PendingAction, Auth, ScriptedTransport) {
        let transport = ScriptedTransport { call in
            call.operation == "sendOobCode" ? Scripted.asked() : try await answer(call)
        }
        let auth = try HomingApp.of(transport, store: store, clock: clock, pauses: pauses)
        let pending = try await auth.sendSignInLink(
            toEmail: ann, actionCodeSettings: settings, finishing: .anywhere)
        return (pending, auth, transport)
    }

    static func waiting(for answers: Answers) -> ScriptedTransport.Answer {
        { call in call.operation == "awaitOobCode" ? answers.next() : Scripted.friendly(call) }
    }

    static func names(_ states: AsyncStream<PendingAction.State>) async -> [String] {
        var names: [String] = []
        for await state in states {
            switch state {
            case .pending: names.append("pending")
            case .signedIn(let result): names.append("signed in \(result.user.uid)")
            case .done(let way): names.append("done \(way.map { "\($0)" } ?? "")")
            case .declined: names.append("declined")
            case .expired: names.append("expired")
            case .failed(let error): names.append("failed \(error.errorCode)")
            }
        }
        return names
    }

    // MARK: Asking

    @Test func `each kind of mail is asked for with a challenge of its own, which only the kept verifier answers`()
        async throws
    {
        let transport = ScriptedTransport { call in
            switch call.operation {
            case "sendOobCode": Scripted.asked()
            case "awaitOobCode": Scripted.state("EXPIRED")
            default: Scripted.friendly(call)
            }
        }
        let auth = try HomingApp.of(transport)
        auth.tenantID = "red"
        let user = try await auth.signIn(withEmail: Self.ann, password: "long enough").user
        let asked = [
            try await auth.sendSignInLink(
                toEmail: Self.ann, actionCodeSettings: Self.settings, finishing: .anywhere),
            try await auth.sendPasswordReset(withEmail: Self.ann, finishing: .anywhere),
            try await user.sendEmailVerification(with: Self.settings, finishing: .anywhere),
            try await user.sendEmailVerification(beforeUpdatingEmail: "new@home.example", finishing: .anywhere),
        ]
        #expect(asked.map(\.operation) == [.emailLink, .passwordReset, .verifyEmail, .verifyAndChangeEmail])
        #expect(asked.map(\.email) == [Self.ann, Self.ann, Self.ann, "new@home.example"])
        #expect(asked.allSatisfy { $0.matchNumber == "42" && $0.requestID == "request-1" })
        let calls = transport.calls.filter { $0.operation == "sendOobCode" }
        #expect(Set(calls.map { $0.string("codeChallenge") }).count == 4)
        #expect(calls.allSatisfy { $0.string("codeChallengeMethod") == "S256" })
        #expect(calls.map { $0.string("tenantId") } == ["red", "red", nil, nil], "a token says it by itself")

        for (action, call) in zip(asked, calls) {
            await #expect(throws: HomingAuthError.self) { try await action.result() }
            let wait = try #require(transport.calls.last { $0.operation == "awaitOobCode" })
            let verifier = try #require(wait.string("codeVerifier"))
            #expect(verifier.utf8.count == 43)
            #expect(Base64URL.encode(SHA256.hash(verifier.utf8)) == call.string("codeChallenge"))
            #expect(wait.body["wait"]?.integerValue == 25)
        }
    }

    @Test func `a sign-in link that the app is not to handle is refused without a request`() async throws {
        let transport = ScriptedTransport()
        let auth = try HomingApp.of(transport)
        let error = await #expect(throws: HomingAuthError.self) {
            _ = try await auth.sendSignInLink(
                toEmail: Self.ann, actionCodeSettings: ActionCodeSettings(), finishing: .anywhere)
        }
        #expect(error?.code == .internalError)
        #expect(transport.calls.isEmpty)
    }

    @Test func `a server that binds nothing is told apart, and its link works as ever`() async throws {
        let auth = try HomingApp.of(ScriptedTransport())
        let error = await #expect(throws: HomingAuthError.self) {
            _ = try await auth.sendPasswordReset(withEmail: Self.ann, finishing: .anywhere)
        }
        #expect(error?.message.contains("The mail is sent") == true)
        #expect(auth.pendingActions.isEmpty)
    }

    @Test func `a completion handler gets what is waited for, and asks as it was when the call was made`() async throws
    {
        let transport = ScriptedTransport { call in
            call.operation == "sendOobCode" ? Scripted.asked() : Scripted.friendly(call)
        }
        let auth = try HomingApp.of(transport)
        let user = try await auth.signIn(withEmail: Self.ann, password: "long enough").user
        auth.tenantID = "red"
        let number = await withCheckedContinuation { continuation in
            auth.sendSignInLink(toEmail: Self.ann, actionCodeSettings: Self.settings, finishing: .anywhere) {
                continuation.resume(returning: $0?.matchNumber)
                _ = $1
            }
            auth.tenantID = "too late"
        }
        #expect(number == "42")
        #expect(transport.calls.last?.string("tenantId") == "red")
        await withCheckedContinuation { continuation in
            auth.sendPasswordReset(withEmail: Self.ann, finishing: .anywhere) { _, _ in continuation.resume() }
        }
        await withCheckedContinuation { continuation in
            user.sendEmailVerification(finishing: .anywhere) { _, _ in continuation.resume() }
        }
        await withCheckedContinuation { continuation in
            user.sendEmailVerification(beforeUpdatingEmail: "new@home.example", finishing: .anywhere) { _, _ in
                continuation.resume()
            }
        }
        let kinds = transport.calls.filter { $0.operation == "sendOobCode" }.map { $0.string("requestType") }
        #expect(kinds == ["EMAIL_SIGNIN", "PASSWORD_RESET", "VERIFY_EMAIL", "VERIFY_AND_CHANGE_EMAIL"])
        #expect(auth.pendingActions.count == 4)
    }

    // MARK: Waiting

    @Test func `a sign-in that was approved on another device happens here, for everybody who waits`() async throws {
        let (pending, auth, transport) = try await Self.asking(
            Self.waiting(for: Answers(Scripted.state("PENDING"), Scripted.approved())))
        let (one, other) = (pending.states, pending.states)
        async let first = Self.names(one)
        async let second = Self.names(other)
        let result = try #require(try await pending.result())
        #expect(result.user === auth.currentUser)
        #expect(result.user.uid == "ann")
        #expect(await first == ["pending", "signed in ann"])
        #expect(await second == ["pending", "signed in ann"])
        #expect(transport.count("awaitOobCode") == 2, "all who wait share one request")
        #expect(auth.pendingActions.isEmpty)
        // Whoever asks later hears how it ended, and the server hears nothing.
        #expect(await Self.names(pending.states) == ["signed in ann"])
        #expect(transport.count("awaitOobCode") == 2)
    }

    @Test(arguments: [
        (Scripted.state("DECLINED"), "declined", AuthErrorCode.actionDeclined),
        (Scripted.state("EXPIRED"), "expired", .expiredActionCode),
        (Scripted.refusal("INVALID_REQUEST_ID"), "failed 19002", .invalidRequestID),
        (Scripted.state("DONE", by: "here"), "done here", .invalidActionCode),
    ])
    func `a wait without a sign-in ends with the reason`(answer: (Int, String), name: String, code: AuthErrorCode)
        async throws
    {
        let (pending, auth, _) = try await Self.asking(Self.waiting(for: Answers(answer)))
        #expect(await Self.names(pending.states) == ["pending", name])
        let error = await #expect(throws: HomingAuthError.self) { try await pending.result() }
        #expect(error?.code == code)
        #expect(auth.pendingActions.isEmpty)
        #expect(auth.currentUser == nil)
    }

    @Test func `a verification that is done elsewhere says so and needs no user`() async throws {
        let transport = ScriptedTransport { call in
            switch call.operation {
            case "sendOobCode": Scripted.asked()
            case "awaitOobCode": Scripted.state("DONE", by: "elsewhere")
            default: Scripted.friendly(call)
            }
        }
        let auth = try HomingApp.of(transport)
        let user = try await auth.signIn(withEmail: Self.ann, password: "long enough").user
        let pending = try await user.sendEmailVerification(finishing: .anywhere)
        #expect(await Self.names(pending.states) == ["pending", "done elsewhere"])
        #expect(try await pending.result() == nil)
        let handed = await withCheckedContinuation { continuation in
            pending.result { continuation.resume(returning: $0 == nil && $1 == nil) }
        }
        #expect(handed)
    }

    @Test func `lost connections, restarts and limits are waited out, longer each time, and the sign-in happens`()
        async throws
    {
        let tries = Mutex(0)
        let pauses = Pauses()
        let (pending, auth, _) = try await Self.asking(pauses: pauses) { call in
            guard call.operation == "awaitOobCode" else { return Scripted.friendly(call) }
            let count = tries.withLock { tries in
                tries += 1
                return tries
            }
            switch count {
            case 1: throw URLError(.networkConnectionLost)
            case 2: return (502, "<html>Bad gateway</html>")
            case 3: return Scripted.refusal("The service is unavailable.", status: 503)
            case 4: return Scripted.refusal("TOO_MANY_ATTEMPTS_TRY_LATER", status: 429)
            case 5, 6, 7, 8: throw URLError(.cannotConnectToHost)
            default: return Scripted.approved()
            }
        }
        #expect(try await pending.result()?.user === auth.currentUser)
        let seconds = pauses.seconds
        #expect(seconds.count == 8)
        for (index, pause) in seconds.enumerated() {
            let most = min(30, Double(1 << index))
            #expect(most / 2 <= pause && pause <= most, "the pause \(index) is \(pause)")
        }
    }

    @Test func `a server that answers at once that nothing has happened is not asked without a pause`() async throws {
        let pauses = Pauses()
        let (pending, _, _) = try await Self.asking(
            pauses: pauses,
            Self.waiting(for: Answers(Scripted.state("PENDING"), Scripted.state("PENDING"), Scripted.approved())))
        try await pending.result()
        #expect(pauses.seconds == [1, 1])
    }

    @Test func `without a network it is over ten minutes after the mail's time`() async throws {
        let clock = AppClock()
        let (pending, auth, _) = try await Self.asking(clock: clock) { _ in
            clock.advance(1000)
            throw URLError(.notConnectedToInternet)
        }
        #expect(await Self.names(pending.states) == ["pending", "expired"])
        #expect(auth.pendingActions.isEmpty)
    }

    @Test func `whoever stops waiting waits no longer, and cancelling forgets the request`() async throws {
        let door = Door()
        let (pending, auth, transport) = try await Self.asking { call in
            if call.operation == "awaitOobCode" { await door.pass() }
            return call.operation == "awaitOobCode" ? Scripted.approved() : Scripted.friendly(call)
        }
        let waiting = Task { try await pending.result() }
        try await until { transport.count("awaitOobCode") == 1 }
        waiting.cancel()
        let stopped = await #expect(throws: HomingAuthError.self) { try await waiting.value }
        #expect(stopped?.code == .waitCancelled)
        #expect(auth.pendingActions.first === pending)

        let listening = Task { await Self.names(pending.states) }
        pending.cancel()
        #expect(["pending"] == (await listening.value))
        let forgotten = await #expect(throws: HomingAuthError.self) { try await pending.result() }
        #expect(forgotten?.code == .waitCancelled)
        #expect(auth.pendingActions.isEmpty)
        // What comes now comes too late: nobody is signed in whom the app no longer expects.
        door.open()
        for _ in 0..<100 { await Task.yield() }
        #expect(auth.currentUser == nil)
    }

    // MARK: Typed codes

    @Test(arguments: ["1234 5678", "12345678", " 1234-5678\n", "1234\u{2013}5678", "١٢٣٤ ٥٦٧٨", "１２３４　５６７８"])
    func `the digits of the mail sign in, however they were typed`(code: String) async throws {
        let (pending, auth, transport) = try await Self.asking(Self.waiting(for: Answers(Scripted.approved())))
        guard case .signedIn(let result) = try await pending.finish(typed: code) else {
            Issue.record("not signed in")
            return
        }
        #expect(result.user === auth.currentUser)
        let typed = try #require(transport.calls.first { $0.operation == "awaitOobCode" })
        #expect(typed.string("typedCode") == "12345678")
        #expect(typed.body["wait"]?.integerValue == 0)
        #expect(await Self.names(pending.states) == ["signed in ann"])
        #expect(auth.pendingActions.isEmpty)
    }

    @Test(arguments: ["", "1234567", "123456789", "12 34", "the code"])
    func `what are not eight digits costs no try`(code: String) async throws {
        let (pending, _, transport) = try await Self.asking { Scripted.friendly($0) }
        let error = await #expect(throws: HomingAuthError.self) { try await pending.finish(typed: code) }
        #expect(error?.code == .invalidActionCode)
        #expect(error?.triesLeft == nil)
        #expect(transport.count("awaitOobCode") == 0)
    }

    @Test func `a wrong code says how many tries are left, also as an NSError, and the wait goes on`() async throws {
        let refusal = (400, #"{"error":{"code":400,"message":"INVALID_OOB_CODE","triesLeft":3}}"#)
        let (pending, auth, _) = try await Self.asking { call in
            guard call.operation == "awaitOobCode" else { return Scripted.friendly(call) }
            return call.string("typedCode") == nil ? Scripted.approved() : refusal
        }
        let error = try #require(
            await #expect(throws: HomingAuthError.self) { try await pending.finish(typed: "1234 5678") })
        #expect(error.code == .invalidActionCode)
        #expect(error.triesLeft == 3)
        #expect(error.message.contains("3"))
        let bridged = error as NSError
        #expect(bridged.userInfo[AuthErrors.userInfoTriesLeftKey] as? Int == 3)
        #expect(AuthErrorCode(_nsError: bridged).triesLeft == 3)
        #expect(auth.pendingActions.first === pending)
        #expect(try await pending.result() != nil)
    }

    @Test func `the digits of a reset bring the code that sets the new password, as whoever asked`() async throws {
        let transport = ScriptedTransport { call in
            switch call.operation {
            case "sendOobCode": Scripted.asked()
            case "awaitOobCode": (200, #"{"state":"APPROVED","oobCode":"the-code"}"#)
            default: (200, #"{"email":"ann@home.example","requestType":"PASSWORD_RESET"}"#)
            }
        }
        let auth = try HomingApp.of(transport)
        let pending = try await auth.sendPasswordReset(withEmail: "Ann@home.example", finishing: .anywhere)
        guard case .code(let code) = try await pending.finish(typed: "1234 5678") else {
            Issue.record("no code")
            return
        }
        #expect(code == "the-code")
        #expect(auth.pendingActions.first === pending)
        try await auth.confirmPasswordReset(withCode: code, newPassword: "a new password")
        let asked = try #require(transport.calls.first { $0.operation == "awaitOobCode" })
        #expect(transport.calls.last?.string("codeVerifier") == asked.string("codeVerifier"))
        #expect(await Self.names(pending.states) == ["done here"])
        #expect(auth.pendingActions.isEmpty)
    }

    @Test func `the digits of a verification verify`() async throws {
        let transport = ScriptedTransport { call in
            switch call.operation {
            case "sendOobCode": Scripted.asked()
            case "awaitOobCode": (200, #"{"state":"APPROVED","oobCode":"the-code"}"#)
            default: Scripted.friendly(call)
            }
        }
        let auth = try HomingApp.of(transport)
        let user = try await auth.signIn(withEmail: Self.ann, password: "long enough").user
        let pending = try await user.sendEmailVerification(finishing: .anywhere)
        let finish = await withCheckedContinuation { continuation in
            pending.finish(typed: "1234 5678") { finish, _ in continuation.resume(returning: finish) }
        }
        guard case .done = finish else {
            Issue.record("not done: \(String(describing: finish))")
            return
        }
        let applied = try #require(transport.calls.last)
        #expect(applied.operation == "update")
        #expect(applied.string("oobCode") == "the-code")
        #expect(applied.string("codeVerifier") != nil)
        #expect(await Self.names(pending.states) == ["done typed"])
    }

    @Test func `a wait that hears of a typed code before its answer is there signs in all the same`() async throws {
        let (telling, answering) = (Door(), Door())
        let (pending, auth, transport) = try await Self.asking { call in
            guard call.operation == "awaitOobCode" else { return Scripted.friendly(call) }
            if call.string("typedCode") == nil {
                await telling.pass()
                return Scripted.state("DONE", by: "typed")
            }
            await answering.pass()
            return Scripted.approved()
        }
        let waiting = Task { try await pending.result() }
        try await until { transport.count("awaitOobCode") == 1 }
        let typing = Task { try await pending.finish(typed: "1234 5678") }
        try await until { transport.count("awaitOobCode") == 2 }
        telling.open()
        // The wait has heard that it is over; the tokens are still on their way.
        for _ in 0..<500 { await Task.yield() }
        answering.open()
        #expect(try await waiting.value?.user === auth.currentUser)
        _ = try await typing.value
    }

    // MARK: Printing

    @Test func `what is printed shows neither address nor number nor verifier`() async throws {
        let (pending, _, _) = try await Self.asking { Scripted.friendly($0) }
        var dumped = ""
        dump(pending, to: &dumped)
        let printed = "\(pending) \(String(reflecting: pending)) \(dumped)"
        #expect(!printed.contains("ann") && !printed.contains("42") && !printed.contains("request-1"))
    }
}
