// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingAuth
import HomingWire
import Synchronization
import Testing

/// A server that a test plays: it records requests and gives the test's answers.
final class ScriptedTransport: HomingTransport {
    struct Call: Sendable {
        let operation: String
        let url: String
        let headers: [String: String]
        let body: JSON.Object

        func string(_ name: String) -> String? { body[name]?.stringValue }
    }

    typealias Answer = @Sendable (Call) async throws -> (Int, String)

    private let answer: Answer
    private let recorded = Mutex<[Call]>([])

    init(_ answer: @escaping Answer) {
        self.answer = answer
    }

    /// A server to which everybody is Ann.
    convenience init() {
        self.init { call in Scripted.friendly(call) }
    }

    var calls: [Call] { recorded.withLock { $0 } }

    func count(_ operation: String) -> Int { calls.count { $0.operation == operation } }

    func send(_ request: TransportRequest) async throws -> TransportAnswer {
        let path = request.url.path
        let call = Call(
            operation: path.split(separator: ":").last.map(String.init).flatMap {
                path.hasSuffix("/token") ? "token" : $0
            }
                ?? path,
            url: request.url.absoluteString, headers: request.headers,
            body: request.body.isEmpty ? JSON.Object() : try JSON.parse(request.body).objectValue ?? JSON.Object())
        recorded.withLock { $0.append(call) }
        let (status, text) = try await answer(call)
        return TransportAnswer(status: status, body: Data(text.utf8))
    }
}

/// Answers in Homing's form.
enum Scripted {
    static func tokens(_ number: Int = 1) -> String {
        """
        {"localId":"ann","idToken":"id\(number)","refreshToken":"refresh\(number)","expiresIn":"3600"}
        """
    }

    static func refreshed(_ number: Int, token: Int = 1) -> String {
        """
        {"access_token":"id\(number)","refresh_token":"refresh\(token)","expires_in":"3600"}
        """
    }

    static func person(_ uid: String = "ann", isVerified: Bool = false) -> String {
        """
        {"users":[{"localId":"\(uid)","email":"ann@home.example","emailVerified":\(isVerified),\
        "passwordHash":"UkVEQUNURUQ=","providerUserInfo":[{"providerId":"password"}]}]}
        """
    }

    /// A mail is on its way to Ann that can be answered anywhere.
    static func asked(_ id: String = "request-1", number: String = "42", seconds: Int = 3600) -> (Int, String) {
        (
            200,
            """
            {"email":"ann@home.example","requestId":"\(id)","matchNumber":"\(number)","expiresIn":"\(seconds)"}
            """
        )
    }

    /// What becomes of it.
    static func state(_ name: String, by way: String? = nil) -> (Int, String) {
        (200, "{\"state\":\"\(name)\"\(way.map { ",\"by\":\"\($0)\"" } ?? "")}")
    }

    /// A sign-in was approved.
    static func approved() -> (Int, String) { (200, "{\"state\":\"APPROVED\"," + tokens().dropFirst()) }

    static func refusal(_ message: String, status: Int = 400) -> (Int, String) {
        (status, "{\"error\":{\"code\":\(status),\"message\":\"\(message)\"}}")
    }

    /// Signs everybody in as Ann; every other request is answered with an empty object.
    static func friendly(_ call: ScriptedTransport.Call) -> (Int, String) {
        switch call.operation {
        case "signInWithPassword", "signUp", "signInWithEmailLink", "signInWithCustomToken": (200, tokens())
        case "lookup": (200, person())
        case "token": (200, refreshed(2))
        default: (200, "{\"kind\":\"identitytoolkit#\"}")
        }
    }
}

/// A clock that a test moves.
final class AppClock: Sendable {
    private let time = Mutex(Date(timeIntervalSince1970: 1_795_230_000))
    var now: Date { time.withLock { $0 } }
    func advance(_ seconds: TimeInterval) { time.withLock { $0 += seconds } }
}

extension HomingApp {
    /// An app of a test; it is not registered.
    static func of(
        _ transport: any HomingTransport, store: any HomingSessionStore = MemorySessionStore(),
        clock: AppClock = AppClock(),
        endpoint: String = "https://auth.shop.example", pauses: Pauses = Pauses()
    ) throws -> Auth {
        let url = try #require(URL(string: endpoint))
        return Auth.auth(
            app: HomingApp(
                endpoint: url, apiKey: "hk_key_of_the_shop", transport: transport, sessionStore: store,
                now: { clock.now }, pause: { pauses.pass($0) }))
    }
}

/// Pauses that a test does not sit out.
final class Pauses: Sendable {
    private let passed = Mutex<[TimeInterval]>([])
    var seconds: [TimeInterval] { passed.withLock { $0 } }
    func pass(_ seconds: TimeInterval) { passed.withLock { $0.append(seconds) } }
}

/// A door that is shut until a test opens it.
final class Door: Sendable {
    private let state = Mutex<(isOpen: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

    func pass() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}

/// Lets other tasks run until the condition holds.
func until(_ condition: () -> Bool) async throws {
    for _ in 0..<5000 where !condition() { try await Task.sleep(nanoseconds: 1_000_000) }
    try #require(condition())
}
