// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingAuth
import HomingWire
import Testing

/// People whom the app's own back end signs in.
@Suite struct CustomTokenTests {
    /// A server to which everybody is somebody of a back end, without an address.
    private static func server() -> ScriptedTransport {
        ScriptedTransport { call in
            switch call.operation {
            case "signInWithCustomToken":
                (200, #"{"idToken":"id1","refreshToken":"refresh1","expiresIn":"3600","isNewUser":true}"#)
            case "lookup": (200, #"{"users":[{"localId":"ada","customAuth":true}]}"#)
            default: Scripted.friendly(call)
            }
        }
    }

    @Test func `a back end's token signs in somebody who is not anonymous, also after a restart`() async throws {
        let (transport, store) = (Self.server(), MemorySessionStore())
        let auth = try HomingApp.of(transport, store: store)
        let result = try await auth.signIn(withCustomToken: "the-token")
        #expect(result.user.uid == "ada" && auth.currentUser === result.user)
        #expect(result.additionalUserInfo?.providerID == "custom")
        #expect(result.additionalUserInfo?.isNewUser == true)
        let sent = try #require(transport.calls.first)
        #expect(sent.operation == "signInWithCustomToken" && sent.string("token") == "the-token")
        #expect(sent.body["returnSecureToken"] == true)
        let restarted = try #require(try HomingApp.of(Self.server(), store: store).currentUser)
        for user in [result.user, restarted] { #expect(!user.isAnonymous && user.email == nil) }
        // Else the back end's user would be taken for the anonymous one.
        try await auth.signInAnonymously()
        #expect(transport.count("signUp") == 1)
    }

    @Test(arguments: [
        ("INVALID_CUSTOM_TOKEN : The token has expired.", AuthErrorCode.invalidCustomToken, 17000),
        ("CREDENTIAL_MISMATCH", .customTokenMismatch, 17002),
    ])
    func `a token that is not good says so by Firebase's number`(
        message: String, code: AuthErrorCode, number: Int
    ) async throws {
        let auth = try HomingApp.of(ScriptedTransport { _ in Scripted.refusal(message) })
        let error = try #require(
            await #expect(throws: HomingAuthError.self) { try await auth.signIn(withCustomToken: "the-token") })
        #expect(error.code == code && error.errorCode == number)
        #expect(error.message.contains("custom token"))
        #expect(auth.currentUser == nil)
    }
}
