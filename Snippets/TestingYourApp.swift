// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors
// swift-format-ignore-file: NeverForceUnwrap

import Foundation
import HomingAuth

// snippet.transport
/// Plays a server to which everybody is Ann, and remembers what it was asked.
actor PlayedServer: HomingTransport {
    private(set) var requests: [TransportRequest] = []

    func send(_ request: TransportRequest) async throws -> TransportAnswer {
        requests.append(request)
        let operation = request.url.path.split(separator: ":").last
        let answer =
            switch operation {
            case "signUp", "signInWithPassword":
                #"{"localId":"ann","idToken":"id","refreshToken":"refresh","expiresIn":"3600"}"#
            case "lookup":
                #"{"users":[{"localId":"ann","email":"ann@example.com","emailVerified":false}]}"#
            default: "{}"
            }
        return TransportAnswer(status: 200, body: Data(answer.utf8))
    }
}
// snippet.end

func theContinueURLIsSent() async throws {
    // snippet.test
    let server = PlayedServer()
    HomingApp.configure(
        name: "test", endpoint: URL(string: "https://auth.example.com")!, apiKey: "hk_test", transport: server,
        sessionStore: MemorySessionStore())
    let auth = Auth.auth(app: HomingApp.app(name: "test")!)

    let user = try await auth.signIn(withEmail: "ann@example.com", password: "keeper of the light").user
    let settings = ActionCodeSettings()
    settings.url = URL(string: "https://www.example.com/?email=ann@example.com")
    try await user.sendEmailVerification(with: settings)

    let request = await server.requests.last!
    let members = try JSONSerialization.jsonObject(with: request.body) as! [String: Any]
    precondition(members["requestType"] as? String == "VERIFY_EMAIL")
    precondition(members["continueUrl"] as? String == "https://www.example.com/?email=ann@example.com")
    // snippet.end
}

// snippet.refusal
/// Refuses everything, as the server does.
struct RefusingServer: HomingTransport {
    let message: String

    func send(_ request: TransportRequest) async throws -> TransportAnswer {
        let body = #"{"error":{"code":400,"message":"\#(message)"}}"#
        return TransportAnswer(status: 400, body: Data(body.utf8))
    }
}
// snippet.end

func aRefusalIsUnderstood() async {
    // snippet.failures
    HomingApp.configure(
        name: "refused", endpoint: URL(string: "https://auth.example.com")!, apiKey: "hk_test",
        transport: RefusingServer(message: "EXPIRED_OOB_CODE"), sessionStore: MemorySessionStore())
    do {
        try await Auth.auth(app: HomingApp.app(name: "refused")!).applyActionCode("code")
    } catch {
        precondition(error.code == .expiredActionCode)
    }
    // snippet.end
}

func anEmulatorIsAsked() {
    // snippet.emulator
    HomingApp.configure(endpoint: URL(string: "https://auth.example.com")!, apiKey: "hk_…")
    Auth.auth().useEmulator(withHost: "127.0.0.1", port: 9099)
    // snippet.end
}

try await theContinueURLIsSent()
await aRefusalIsUnderstood()
print("the continue URL was sent, and a refusal was understood")
