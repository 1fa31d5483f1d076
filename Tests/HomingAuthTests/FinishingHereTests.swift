// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingAuth
import HomingClient
import HomingWire
import Synchronization
import Testing

/// A link comes back to the app that has asked for it: nothing is asked of the person.
@Suite struct FinishingHereTests {
    private static let ann = "ann@home.example"
    private static let bob = "bob@home.example"

    private static func link(_ mode: ActionMode = .signIn, code: String = "the-code") -> String {
        ActionLink(
            handler: "https://auth.shop.example/__/auth/action", mode: mode, code: code,
            apiKey: "hk_key_of_the_shop", language: "en"
        ).url(order: .web)
    }

    /// A server to which everybody is who signed in, and which gives a code to the request that was the number-th only.
    private final class Server: Sendable {
        private let verifiers = Mutex<[String]>([])
        let transport: ScriptedTransport

        init(theCodeIsOf number: Int, _ others: @escaping ScriptedTransport.Answer = { Scripted.friendly($0) }) {
            let challenges = Mutex<[String]>([])
            transport = ScriptedTransport { call in
                switch call.operation {
                case "sendOobCode":
                    let count = challenges.withLock { challenges in
                        challenges.append(call.string("codeChallenge") ?? "")
                        return challenges.count
                    }
                    let email = call.string("email") ?? "ann@home.example"
                    return (
                        200,
                        """
                        {"email":"\(email)","requestId":"request-\(count)","matchNumber":"4\(count)","expiresIn":"3600"}
                        """
                    )
                case "signInWithEmailLink", "update", "resetPassword":
                    let asked = challenges.withLock { $0.indices.contains(number) ? $0[number] : nil }
                    let challenge = call.string("codeVerifier").map { Base64URL.encode(SHA256.hash($0.utf8)) }
                    guard asked == nil || asked == challenge else {
                        return Scripted.refusal("MISSING_CODE_VERIFIER : the code is another's")
                    }
                    return try await others(call)
                default: return try await others(call)
                }
            }
        }

        func tried(_ operation: String) -> [String?] {
            transport.calls.filter { $0.operation == operation }.map { $0.string("codeVerifier") }
        }
    }

    private static func signIn(_ auth: Auth, for email: String = ann) async throws -> PendingAction {
        try await auth.sendSignInLink(
            toEmail: email, actionCodeSettings: PendingActionTests.settings, finishing: .anywhere)
    }

    @Test func `a link signs in with the verifier of its request, and the wait is over`() async throws {
        let server = Server(theCodeIsOf: 0)
        let auth = try HomingApp.of(server.transport)
        let pending = try await Self.signIn(auth)
        let result = try await auth.signIn(withEmail: Self.ann, link: Self.link())
        #expect(server.tried("signInWithEmailLink").compactMap { $0 }.count == 1)
        #expect(try await pending.result()?.user === result.user)
        #expect(auth.pendingActions.isEmpty)
        #expect(server.transport.count("awaitOobCode") == 0)
    }

    @Test func `of several requests the newest is tried first, and only the one that fits is over`() async throws {
        let server = Server(theCodeIsOf: 0)
        let auth = try HomingApp.of(server.transport)
        let first = try await Self.signIn(auth)
        let second = try await Self.signIn(auth, for: Self.bob)
        let third = try await Self.signIn(auth, for: "eve@home.example")
        try await auth.signIn(withEmail: Self.ann, link: Self.link())
        #expect(server.tried("signInWithEmailLink").count == 3)
        #expect(Set(server.tried("signInWithEmailLink")).count == 3)
        #expect(auth.pendingActions.map(\.requestID) == [third.requestID, second.requestID])
        #expect(first.state.isFinal)
        #expect(!second.state.isFinal)
    }

    @Test func `an unbound link of somebody else ends no request`() async throws {
        let server = Server(theCodeIsOf: 9)
        let auth = try HomingApp.of(server.transport)
        let pending = try await Self.signIn(auth)
        try await auth.signIn(withEmail: Self.bob, link: Self.link())
        #expect(server.tried("signInWithEmailLink").count == 1)
        #expect(auth.pendingActions.first === pending)
    }

    @Test func `a link that another device has asked for says where it can be finished`() async throws {
        let transport = ScriptedTransport { _ in Scripted.refusal("MISSING_CODE_VERIFIER : ask where it was asked") }
        let auth = try HomingApp.of(transport)
        let error = try #require(
            await #expect(throws: HomingAuthError.self) {
                try await auth.signIn(withEmail: Self.ann, link: Self.link())
            })
        #expect(error.code == .missingCodeVerifier)
        #expect(error.errorCode == 19001)
        #expect(error.name == "ERROR_MISSING_CODE_VERIFIER")
        #expect(error.message.contains("number"))
        #expect(transport.calls.count == 1)
        #expect(transport.calls.first?.body["codeVerifier"] == nil)
    }

    @Test func `a refusal for another reason is not asked for twice`() async throws {
        let server = Server(theCodeIsOf: 1) { call in
            call.operation == "signInWithEmailLink" ? Scripted.refusal("INVALID_OOB_CODE") : Scripted.friendly(call)
        }
        let auth = try HomingApp.of(server.transport)
        _ = try await Self.signIn(auth, for: Self.bob)
        _ = try await Self.signIn(auth)
        let error = await #expect(throws: HomingAuthError.self) {
            try await auth.signIn(withEmail: Self.ann, link: Self.link())
        }
        #expect(error?.code == .invalidActionCode)
        #expect(server.tried("signInWithEmailLink").count == 1)
        #expect(auth.pendingActions.count == 2, "only the server says what is over")
    }

    @Test func `a link alone signs in: the request knows its address`() async throws {
        let server = Server(theCodeIsOf: 0)
        let auth = try HomingApp.of(server.transport)
        let pending = try await Self.signIn(auth)
        _ = try await Self.signIn(auth, for: Self.bob)
        try await auth.signIn(withLink: Self.link())
        let tried = server.transport.calls.filter { $0.operation == "signInWithEmailLink" }
        #expect(tried.map { $0.string("email") } == [Self.bob, Self.ann])
        #expect(pending.state.isFinal)
        #expect(auth.pendingActions.map(\.email) == [Self.bob])
        let url = try #require(ActionCodeURL(link: Self.link()))
        let handed = await withCheckedContinuation { continuation in
            auth.signIn(withLink: url) { continuation.resume(returning: $1) }
        }
        #expect((handed as? HomingAuthError)?.code == .missingCodeVerifier)
    }

    @Test func `a link alone asks for the address where nothing is pending, and is refused where it signs nobody in`()
        async throws
    {
        let transport = ScriptedTransport()
        let auth = try HomingApp.of(transport)
        for (link, code) in [
            (Self.link(), AuthErrorCode.missingEmail), (Self.link(.verifyEmail), .invalidActionCode),
            ("https://www.shop.example/", .invalidActionCode),
        ] {
            let error = await #expect(throws: HomingAuthError.self) { try await auth.signIn(withLink: link) }
            #expect(error?.code == code)
        }
        #expect(transport.calls.isEmpty)
    }

    @Test func `resets, verifications and proofs of who one is have the verifier, a look at a code has none`()
        async throws
    {
        let server = Server(theCodeIsOf: 9) { call in
            call.operation == "resetPassword" || call.operation == "update"
                ? (200, #"{"email":"ann@home.example","requestType":"PASSWORD_RESET"}"#) : Scripted.friendly(call)
        }
        let auth = try HomingApp.of(server.transport)
        let user = try await auth.signIn(withEmail: Self.ann, password: "long enough").user
        let reset = try await auth.sendPasswordReset(withEmail: Self.ann, finishing: .anywhere)
        let verification = try await user.sendEmailVerification(finishing: .anywhere)
        let signIn = try await Self.signIn(auth)
        _ = try await auth.checkActionCode("code")
        try await auth.confirmPasswordReset(withCode: "code", newPassword: "a new password")
        #expect(server.tried("resetPassword").map { $0 != nil } == [false, true])
        try await auth.applyActionCode("code")
        #expect(server.tried("update").map { $0 != nil } == [true])
        try await user.reauthenticate(with: EmailAuthProvider.credential(withEmail: Self.ann, link: Self.link()))
        #expect(server.tried("signInWithEmailLink").map { $0 != nil } == [true])
        #expect(reset.state.isFinal && verification.state.isFinal && signIn.state.isFinal)
        #expect(auth.pendingActions.isEmpty)
    }

    @Test func `a password is sent without any verifier`() async throws {
        let server = Server(theCodeIsOf: 9)
        let auth = try HomingApp.of(server.transport)
        _ = try await Self.signIn(auth)
        try await auth.signIn(withEmail: Self.ann, password: "long enough")
        #expect(server.tried("signInWithPassword") == [nil])
        #expect(auth.pendingActions.count == 1)
    }

    // MARK: After the app was installed

    @Test func `what was not finished before the app was there is told to whoever is signed in`() async throws {
        let answers = PendingActionTests.Answers(
            (200, #"{"mode":"verifyEmail","continueUrl":"https://www.shop.example/letters/3?from=mail#top"}"#),
            (200, "{}"))
        let transport = ScriptedTransport { call in
            call.operation == "pendingAction" ? answers.next() : Scripted.friendly(call)
        }
        let auth = try HomingApp.of(transport)
        let nobody = await #expect(throws: HomingAuthError.self) { try await auth.pendingAction() }
        #expect(nobody?.code == .nullUser)
        try await auth.signIn(withEmail: Self.ann, password: "long enough")
        let action = try #require(try await auth.pendingAction())
        #expect(action.operation == .verifyEmail)
        #expect(action.continueURL?.absoluteString == "https://www.shop.example/letters/3?from=mail#top")
        #expect(transport.calls.last?.string("idToken") == "id1")
        #expect(try await auth.pendingAction() == nil)
        let handed = await withCheckedContinuation { continuation in
            auth.pendingAction { continuation.resume(returning: $0 == nil && $1 == nil) }
        }
        #expect(handed)
    }
}
