// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingAuth
import HomingCore
import HomingStore
import HomingTesting
import HomingWire
import Testing

/// The SDK against a real server.
@Suite struct LiveServerTests {
    private static let ann = "ann@home.example"
    private static let password = "Correct horse 7 battery"
    private static let content = "https://www.shop.example/articles/7?from=newsletter&email=ann@home.example#comments"

    private static func withAuth(
        linkDomains: [String] = [], _ body: (Auth, TestHoming) async throws -> Void
    ) async throws {
        try await withHoming(linkDomains: linkDomains) { homing in
            try await withServer(homing) { server in
                let url = try #require(URL(string: "http://127.0.0.1:\(server.client.port)"))
                let app = HomingApp(
                    endpoint: url, apiKey: TestHoming.apiKey, transport: URLSessionTransport(),
                    sessionStore: MemorySessionStore())
                try await body(Auth.auth(app: app), homing)
            }
        }
    }

    /// The newest mailed action link to an address, as the mail has it.
    private static func link(to address: String, _ homing: TestHoming) async throws -> String {
        try await homing.deliver()
        let mail = try #require(homing.transport.mails.last { $0.recipient == address && $0.actionLink != nil })
        return try #require(mail.links.first { ActionCodeURL(link: $0) != nil })
    }

    private static func settings(inApp: Bool = false) -> HomingAuth.ActionCodeSettings {
        let settings = HomingAuth.ActionCodeSettings()
        settings.url = URL(string: content)
        settings.handleCodeInApp = inApp
        return settings
    }

    @Test func `a forgotten password is reset in the app, which knows where to go back to`() async throws {
        try await Self.withAuth { auth, homing in
            try await auth.createUser(withEmail: Self.ann, password: "the forgotten one")
            try auth.signOut()
            try await auth.sendPasswordReset(
                withEmail: Self.ann, actionCodeSettings: Self.settings(inApp: true))
            let url = try #require(ActionCodeURL(link: try await Self.link(to: Self.ann, homing)))
            #expect(url.operation == .passwordReset)
            #expect(url.continueURL?.absoluteString == Self.content)
            let code = try #require(url.code)
            #expect(try await auth.verifyPasswordResetCode(code) == Self.ann)
            let weak = await #expect(throws: HomingAuthError.self) {
                try await auth.confirmPasswordReset(withCode: code, newPassword: "short")
            }
            #expect(weak?.code == .weakPassword)
            try await auth.confirmPasswordReset(withCode: code, newPassword: Self.password)
            let old = await #expect(throws: HomingAuthError.self) {
                try await auth.signIn(withEmail: Self.ann, password: "the forgotten one")
            }
            #expect(old?.code == .invalidCredential)
            let again = await #expect(throws: HomingAuthError.self) {
                try await auth.confirmPasswordReset(withCode: code, newPassword: Self.password)
            }
            #expect(again?.code == .invalidActionCode)
            #expect(try await auth.signIn(withEmail: Self.ann, password: Self.password).user.email == Self.ann)
        }
    }

    @Test func `an address is verified with the code that the app takes from the link`() async throws {
        try await Self.withAuth { auth, homing in
            let user = try await auth.createUser(withEmail: Self.ann, password: Self.password).user
            #expect(!user.isEmailVerified)
            try await user.sendEmailVerification(with: Self.settings())
            let url = try #require(ActionCodeURL(link: try await Self.link(to: Self.ann, homing)))
            let code = try #require(url.code)
            let info = try await auth.checkActionCode(code)
            #expect(info.operation == .verifyEmail)
            #expect(info.email == Self.ann)
            try await user.reload()
            #expect(!user.isEmailVerified)
            try await auth.applyActionCode(code)
            try await user.reload()
            #expect(user.isEmailVerified)
        }
    }

    @Test func `a mailed link signs in and makes the account`() async throws {
        try await Self.withAuth(linkDomains: ["links.shop.example"]) { auth, homing in
            let settings = Self.settings(inApp: true)
            settings.iOSBundleID = "com.example.ios"
            try await auth.sendSignInLink(toEmail: Self.ann, actionCodeSettings: settings)
            let link = try await Self.link(to: Self.ann, homing)
            #expect(link.hasPrefix("https://links.shop.example/__/auth/links?link="))
            #expect(auth.isSignIn(withEmailLink: link))
            let wrong = await #expect(throws: HomingAuthError.self) {
                try await auth.signIn(withEmail: "bob@home.example", link: link)
            }
            #expect(wrong?.code == .invalidEmail)
            let result = try await auth.signIn(withEmail: Self.ann, link: link)
            #expect(result.additionalUserInfo?.isNewUser == true)
            #expect(result.user.isEmailVerified)
            #expect(auth.currentUser === result.user)
        }
    }

    @Test func `an anonymous user becomes somebody with a password and stays the same user`() async throws {
        try await Self.withAuth { auth, homing in
            let user = try await auth.signInAnonymously().user
            #expect(user.isAnonymous)
            let uid = user.uid
            #expect(try await auth.signInAnonymously().user === user)
            let credential = EmailAuthProvider.credential(withEmail: Self.ann, password: Self.password)
            try await user.link(with: credential)
            #expect(user.uid == uid)
            #expect(!user.isAnonymous)
            #expect(user.email == Self.ann)
            let twice = await #expect(throws: HomingAuthError.self) { try await user.link(with: credential) }
            #expect(twice?.code == .providerAlreadyLinked)
            try auth.signOut()
            #expect(try await auth.signIn(withEmail: Self.ann, password: Self.password).user.uid == uid)
        }
    }

    @Test func `a sensitive change wants a fresh sign-in, and then keeps this session alone alive`() async throws {
        try await Self.withAuth { auth, homing in
            let user = try await auth.createUser(withEmail: Self.ann, password: Self.password).user
            let elsewhere = try await homing.signIn(Self.ann).tokens
            homing.clock.advance(seconds: 600)
            let old = await #expect(throws: HomingAuthError.self) {
                try await user.updatePassword(to: "another 1 of mine")
            }
            #expect(old?.code == .requiresRecentLogin)
            try await user.reauthenticate(
                with: EmailAuthProvider.credential(withEmail: Self.ann, password: Self.password))
            try await user.updatePassword(to: "another 1 of mine")
            #expect(try await !user.getIDToken(forcingRefresh: true).isEmpty)
            await #expect(throws: Refusal.tokenExpired) { try await homing.person(elsewhere) }
        }
    }

    @Test func `a password that was reset elsewhere ends the session and the app hears why`() async throws {
        try await Self.withAuth { auth, homing in
            let user = try await auth.createUser(withEmail: Self.ann, password: Self.password).user
            homing.clock.advance(seconds: 5)
            try await homing.redeem(try await homing.liveCode(.passwordReset), .passwordReset)
            let error = await #expect(throws: HomingAuthError.self) { try await user.reload() }
            #expect(error?.code == .userTokenExpired)
            #expect(auth.currentUser == nil)
            #expect(auth.sessionEndReason?.code == .userTokenExpired)
        }
    }

    @Test func `a new address counts when its link was followed`() async throws {
        try await Self.withAuth { auth, homing in
            let user = try await auth.createUser(withEmail: Self.ann, password: Self.password).user
            try await user.sendEmailVerification(beforeUpdatingEmail: "ann@new.example")
            let url = try #require(ActionCodeURL(link: try await Self.link(to: "ann@new.example", homing)))
            let code = try #require(url.code)
            let info = try await auth.checkActionCode(code)
            #expect(info.operation == .verifyAndChangeEmail)
            #expect(info.email == "ann@new.example")
            #expect(info.previousEmail == Self.ann)
            homing.clock.advance(seconds: 5)
            try await auth.applyActionCode(code)
            #expect(try await auth.signIn(withEmail: "ann@new.example", password: Self.password).user.uid == user.uid)
        }
    }

    @Test func `a deleted account is signed out and gone`() async throws {
        try await Self.withAuth { auth, homing in
            let user = try await auth.createUser(withEmail: Self.ann, password: Self.password).user
            try await user.delete()
            #expect(auth.currentUser == nil)
            #expect(try await homing.found(Self.ann) == nil)
        }
    }

    @Test func `a page on somebody else's domain and a foreign key are refused in words`() async throws {
        try await Self.withAuth { auth, homing in
            let settings = HomingAuth.ActionCodeSettings()
            settings.url = URL(string: "https://evil.example/")
            let domain = await #expect(throws: HomingAuthError.self) {
                try await auth.sendPasswordReset(withEmail: Self.ann, actionCodeSettings: settings)
            }
            #expect(domain?.code == .unauthorizedDomain)
            #expect(domain?.message.contains("homing domain add") == true)
        }
        try await withHoming { homing in
            try await withServer(homing) { server in
                let url = try #require(URL(string: "http://127.0.0.1:\(server.client.port)/"))
                let app = HomingApp(
                    endpoint: url, apiKey: "hk_of_nobody", transport: URLSessionTransport(),
                    sessionStore: MemorySessionStore())
                let key = await #expect(throws: HomingAuthError.self) {
                    try await Auth.auth(app: app).signInAnonymously()
                }
                #expect(key?.code == .invalidAPIKey)
            }
        }
    }
}
