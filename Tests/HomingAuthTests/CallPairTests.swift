// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingAuth
import HomingWire
import Testing

/// A call in both of its forms.
private struct Pair: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let call: @Sendable (Auth, User) async throws -> Void
    let handing: @Sendable (Auth, User, @escaping @Sendable () -> Void) -> Void

    init(
        _ name: String, _ call: @escaping @Sendable (Auth, User) async throws -> Void,
        _ handing: @escaping @Sendable (Auth, User, @escaping @Sendable () -> Void) -> Void
    ) {
        testDescription = name
        self.call = call
        self.handing = handing
    }
}

/// What an app asks for is the same whether it waits or gives a completion handler.
@Suite struct CallPairTests {
    private static let ann = "ann@home.example"
    private static let password = "Correct horse 7 battery"
    private static let settings = {
        let settings = ActionCodeSettings()
        settings.url = URL(string: "https://www.shop.example/letters/3")
        settings.handleCodeInApp = true
        return settings
    }()
    private static let signInLink = link(.signIn)

    private static func link(_ mode: ActionMode) -> String {
        ActionLink(
            handler: "https://auth.shop.example/__/auth/action", mode: mode, code: "the-code",
            apiKey: "hk_key_of_the_shop", language: "en", tenantID: "blue"
        ).url(order: .web)
    }

    private static func url(_ mode: ActionMode) throws -> ActionCodeURL {
        try #require(ActionCodeURL(link: link(mode)))
    }

    private static let signIns = [
        Pair("createUser") { auth, _ in
            try await auth.createUser(withEmail: ann, password: password)
        } _: { auth, _, done in
            auth.createUser(withEmail: ann, password: password) { _, _ in done() }
        },
        Pair("signIn with a password") { auth, _ in
            try await auth.signIn(withEmail: ann, password: password)
        } _: { auth, _, done in
            auth.signIn(withEmail: ann, password: password) { _, _ in done() }
        },
        Pair("signIn with a link") { auth, _ in
            try await auth.signIn(withEmail: ann, link: signInLink)
        } _: { auth, _, done in
            auth.signIn(withEmail: ann, link: signInLink) { _, _ in done() }
        },
        Pair("signIn with a read link") { auth, _ in
            try await auth.signIn(withEmail: ann, link: url(.signIn))
        } _: { auth, _, done in
            guard let url = ActionCodeURL(link: signInLink) else { return done() }
            auth.signIn(withEmail: ann, link: url) { _, _ in done() }
        },
        Pair("signIn with a credential") { auth, _ in
            try await auth.signIn(with: EmailAuthProvider.credential(withEmail: ann, password: password))
        } _: { auth, _, done in
            auth.signIn(with: EmailAuthProvider.credential(withEmail: ann, password: password)) { _, _ in done() }
        },
        Pair("signIn with a custom token") { auth, _ in
            try await auth.signIn(withCustomToken: "token")
        } _: { auth, _, done in
            auth.signIn(withCustomToken: "token") { _, _ in done() }
        },
        Pair("signInAnonymously") { auth, _ in
            try await auth.signInAnonymously()
        } _: { auth, _, done in
            auth.signInAnonymously { _, _ in done() }
        },
    ]

    private static let mails = [
        Pair("sendPasswordReset") { auth, _ in
            try await auth.sendPasswordReset(withEmail: ann)
        } _: { auth, _, done in
            auth.sendPasswordReset(withEmail: ann) { _ in done() }
        },
        Pair("sendPasswordReset with settings") { auth, _ in
            try await auth.sendPasswordReset(withEmail: ann, actionCodeSettings: settings)
        } _: { auth, _, done in
            auth.sendPasswordReset(withEmail: ann, actionCodeSettings: settings) { _ in done() }
        },
        Pair("sendSignInLink") { auth, _ in
            try await auth.sendSignInLink(toEmail: ann, actionCodeSettings: settings)
        } _: { auth, _, done in
            auth.sendSignInLink(toEmail: ann, actionCodeSettings: settings) { _ in done() }
        },
        Pair("sendEmailVerification") { _, user in
            try await user.sendEmailVerification()
        } _: { _, user, done in
            user.sendEmailVerification { _ in done() }
        },
        Pair("sendEmailVerification with settings") { _, user in
            try await user.sendEmailVerification(with: settings)
        } _: { _, user, done in
            user.sendEmailVerification(with: settings) { _ in done() }
        },
        Pair("sendEmailVerification before an update") { _, user in
            try await user.sendEmailVerification(beforeUpdatingEmail: "new@home.example", actionCodeSettings: settings)
        } _: { _, user, done in
            user.sendEmailVerification(beforeUpdatingEmail: "new@home.example", actionCodeSettings: settings) { _ in
                done()
            }
        },
    ]

    private static let codes = [
        Pair("verifyPasswordResetCode") { auth, _ in
            _ = try await auth.verifyPasswordResetCode("code")
        } _: { auth, _, done in
            auth.verifyPasswordResetCode("code") { _, _ in done() }
        },
        Pair("confirmPasswordReset") { auth, _ in
            try await auth.confirmPasswordReset(withCode: "code", newPassword: password)
        } _: { auth, _, done in
            auth.confirmPasswordReset(withCode: "code", newPassword: password) { _ in done() }
        },
        Pair("checkActionCode") { auth, _ in
            _ = try await auth.checkActionCode("code")
        } _: { auth, _, done in
            auth.checkActionCode("code") { _, _ in done() }
        },
        Pair("applyActionCode") { auth, _ in
            try await auth.applyActionCode("code")
        } _: { auth, _, done in
            auth.applyActionCode("code") { _ in done() }
        },
        Pair("applyActionCode of a link") { auth, _ in
            try await auth.applyActionCode(url(.verifyEmail))
        } _: { auth, _, done in
            guard let url = try? url(.verifyEmail) else { return done() }
            auth.applyActionCode(url) { _ in done() }
        },
        Pair("confirmPasswordReset of a link") { auth, _ in
            try await auth.confirmPasswordReset(with: url(.resetPassword), newPassword: password)
        } _: { auth, _, done in
            guard let url = try? url(.resetPassword) else { return done() }
            auth.confirmPasswordReset(with: url, newPassword: password) { _ in done() }
        },
    ]

    private static let changes = [
        Pair("reload") { _, user in
            try await user.reload()
        } _: { _, user, done in
            user.reload { _ in done() }
        },
        Pair("getIDToken") { _, user in
            _ = try await user.getIDToken(forcingRefresh: true)
        } _: { _, user, done in
            user.getIDTokenForcingRefresh(true) { _, _ in done() }
        },
        Pair("updatePassword") { _, user in
            try await user.updatePassword(to: password)
        } _: { _, user, done in
            user.updatePassword(to: password) { _ in done() }
        },
        Pair("reauthenticate") { _, user in
            try await user.reauthenticate(with: EmailAuthProvider.credential(withEmail: ann, password: password))
        } _: { _, user, done in
            user.reauthenticate(with: EmailAuthProvider.credential(withEmail: ann, password: password)) { _, _ in
                done()
            }
        },
        Pair("link") { _, user in
            try await user.link(with: EmailAuthProvider.credential(withEmail: ann, password: password))
        } _: { _, user, done in
            user.link(with: EmailAuthProvider.credential(withEmail: ann, password: password)) { _, _ in done() }
        },
        Pair("delete") { _, user in
            try await user.delete()
        } _: { _, user, done in
            user.delete { _ in done() }
        },
    ]

    /// Everybody is Ann of the red tenant, who has no provider yet.
    private static func signedIn() async throws -> (Auth, User, ScriptedTransport) {
        let transport = ScriptedTransport { call in
            guard call.operation == "lookup" else { return Scripted.friendly(call) }
            return (200, "{\"users\":[{\"localId\":\"ann\",\"email\":\"\(ann)\",\"tenantId\":\"red\"}]}")
        }
        let auth = try HomingApp.of(transport)
        auth.tenantID = "red"
        auth.languageCode = "de"
        return (auth, try await auth.signIn(withEmail: ann, password: password).user, transport)
    }

    private static func told(_ calls: some Sequence<ScriptedTransport.Call>) -> [String] {
        calls.map { call in
            let language = call.headers["X-Firebase-Locale"] ?? ""
            return "\(call.url) \(language) \(String(decoding: JSON.object(call.body).write(), as: UTF8.self))"
        }
    }

    @Test(arguments: signIns + mails + codes + changes)
    private func `a call with a completion handler asks for what the same call asks for that is waited for`(
        pair: Pair
    ) async throws {
        let (first, ann, waited) = try await Self.signedIn()
        let before = waited.calls.count
        // What the played server answers is no matter here.
        try? await pair.call(first, ann)

        let (second, twin, handed) = try await Self.signedIn()
        await withCheckedContinuation { continuation in
            pair.handing(second, twin) { continuation.resume() }
            // What is set now is too late for the call.
            second.tenantID = "elsewhere"
        }
        let asked = Self.told(waited.calls.dropFirst(before))
        #expect(!asked.isEmpty)
        #expect(Self.told(handed.calls.dropFirst(before)) == asked)
    }

    @Test(arguments: signIns + mails + codes)
    private func `and neither form leaves the tenant out`(pair: Pair) async throws {
        let (auth, ann, transport) = try await Self.signedIn()
        let before = transport.calls.count
        try? await pair.call(auth, ann)
        let asked = try #require(transport.calls.dropFirst(before).first)
        if asked.body["idToken"] == nil {
            #expect(["red", "blue"].contains(asked.string("tenantId")))
        } else {
            #expect(asked.body["tenantId"] == nil)
        }
    }
}
