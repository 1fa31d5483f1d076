// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingAuth
import HomingWire
import Testing

/// Each call sends Firebase's requests and no others (Identity Toolkit v1).
@Suite struct RoundTripTests {
    private static let link =
        "https://auth.shop.example/__/auth/action?apiKey=hk_key_of_the_shop&mode=signIn&oobCode=abc&lang=en"
    private static let password = EmailAuthProvider.credential(withEmail: "ann@home.example", password: "long enough")

    /// The requests of a call when it is the first one of a fresh process.
    private static func operations(
        signedIn: Bool, _ answer: @escaping ScriptedTransport.Answer = { Scripted.friendly($0) },
        _ call: (Auth) async throws -> Void
    ) async throws -> [String] {
        let store = MemorySessionStore()
        if signedIn {
            try await HomingApp.of(ScriptedTransport(), store: store).signIn(with: password)
        }
        let transport = ScriptedTransport(answer)
        try await call(try HomingApp.of(transport, store: store))
        return transport.calls.map(\.operation)
    }

    @Test func `signing in is one request and a lookup`() async throws {
        let email = "ann@home.example"
        #expect(
            try await Self.operations(signedIn: false) {
                try await $0.createUser(withEmail: email, password: "long enough")
            }
                == ["signUp", "lookup"])
        #expect(
            try await Self.operations(signedIn: false) {
                try await $0.signIn(withEmail: email, password: "long enough")
            }
                == ["signInWithPassword", "lookup"])
        #expect(
            try await Self.operations(signedIn: false) { try await $0.signIn(withEmail: email, link: Self.link) }
                == ["signInWithEmailLink", "lookup"])
        #expect(
            try await Self.operations(signedIn: false) { try await $0.signInAnonymously() } == ["signUp", "lookup"])
    }

    @Test func `asking for a mail and using a code are one request each`() async throws {
        let settings = ActionCodeSettings()
        settings.url = URL(string: "https://www.shop.example/")
        settings.handleCodeInApp = true
        #expect(
            try await Self.operations(signedIn: false) {
                try await $0.sendPasswordReset(withEmail: "ann@home.example", actionCodeSettings: settings)
            } == ["sendOobCode"])
        #expect(
            try await Self.operations(signedIn: false) {
                try await $0.sendSignInLink(toEmail: "ann@home.example", actionCodeSettings: settings)
            } == ["sendOobCode"])
        #expect(
            try await Self.operations(signedIn: true) {
                try await $0.currentUser?.sendEmailVerification(with: settings)
            }
                == ["sendOobCode"])
        #expect(
            try await Self.operations(signedIn: true) {
                try await $0.currentUser?.sendEmailVerification(beforeUpdatingEmail: "ann@new.example")
            } == ["sendOobCode"])
        #expect(
            try await Self.operations(signedIn: false) { _ = try await $0.checkActionCode("abc") } == ["resetPassword"])
        #expect(
            try await Self.operations(signedIn: false) {
                try await $0.confirmPasswordReset(withCode: "abc", newPassword: "long enough")
            } == ["resetPassword"])
        #expect(try await Self.operations(signedIn: false) { try await $0.applyActionCode("abc") } == ["update"])
        #expect(
            try await Self.operations(
                signedIn: false,
                { _ in (200, #"{"email":"ann@home.example","requestType":"PASSWORD_RESET"}"#) },
                { _ = try await $0.verifyPasswordResetCode("abc") }) == ["resetPassword"])
    }

    @Test func `a kept user needs no request, and one for each question`() async throws {
        #expect(try await Self.operations(signedIn: true) { _ = try await $0.currentUser?.getIDToken() } == [])
        #expect(
            try await Self.operations(signedIn: true) { _ = try await $0.currentUser?.getIDToken(forcingRefresh: true) }
                == ["token"])
        #expect(try await Self.operations(signedIn: true) { try await $0.currentUser?.reload() } == ["lookup"])
        #expect(try await Self.operations(signedIn: true) { try await $0.currentUser?.delete() } == ["delete"])
        #expect(
            try await Self.operations(
                signedIn: true,
                { call in call.operation == "update" ? (200, Scripted.tokens(3)) : Scripted.friendly(call) },
                { try await $0.currentUser?.updatePassword(to: "a new password") }) == ["update", "lookup"])
        #expect(
            try await Self.operations(signedIn: true) { try await $0.currentUser?.reauthenticate(with: Self.password) }
                == ["signInWithPassword", "lookup"])
        #expect(try await Self.operations(signedIn: true) { try $0.signOut() } == [])
    }
}
