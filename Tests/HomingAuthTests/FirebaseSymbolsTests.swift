// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingAuth
import HomingClient
import HomingWire
import Synchronization
import Testing

/// What apps of FirebaseAuth ask of an app, a user and a listener besides.
@Suite struct FirebaseSymbolsTests {
    private static func configured(_ name: String) throws -> HomingApp {
        HomingApp.configure(
            name: name, endpoint: try #require(URL(string: "https://auth.shop.example/")), apiKey: "hk_key_of_the_shop",
            transport: ScriptedTransport(), sessionStore: MemorySessionStore())
    }

    @Test func `an app is found among all, says what it was configured with, and is gone once it is deleted`()
        async throws
    {
        let app = try Self.configured("symbols")
        #expect(HomingApp.allApps?["symbols"] === app)
        #expect(app.options.apiKey == "hk_key_of_the_shop")
        #expect(app.options.endpoint.absoluteString == "https://auth.shop.example")
        let auth = Auth.auth(app: app)
        #expect(auth.app === app)
        #expect(await app.delete())
        #expect(HomingApp.app(name: "symbols") == nil && HomingApp.allApps?["symbols"] == nil)
        #expect(await !app.delete())
    }

    @Test func `an app that took another's name is not deleted by it`() async throws {
        let first = try Self.configured("taken")
        let second = try Self.configured("taken")
        #expect(await !first.delete())
        #expect(HomingApp.app(name: "taken") === second)
        await second.delete()
    }

    @Test func `a notification tells of a sign-in and a sign-out`() async throws {
        let heard = Mutex(0)
        let auth = try HomingApp.of(ScriptedTransport())
        let observer = NotificationCenter.default.addObserver(
            forName: .AuthStateDidChange, object: nil, queue: nil
        ) { notification in
            // Foundation on Linux compares boxes, where the object is not its own class.
            if notification.object as? Auth === auth { heard.withLock { $0 += 1 } }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        try await auth.signIn(withEmail: "ann@home.example", password: "long enough")
        try await until { heard.withLock { $0 } >= 1 }
        let before = heard.withLock { $0 }
        try auth.signOut()
        try await until { heard.withLock { $0 } > before }
    }

    @Test func `a completion handler that holds what is not Sendable is called on the main queue`() async throws {
        final class Screen { var text = "" }
        let auth = try HomingApp.of(ScriptedTransport())
        let told = await withCheckedContinuation { continuation in
            let screen = Screen()
            auth.signInAnonymously { result, _ in
                MainActor.assertIsolated()
                screen.text = result?.user.uid ?? ""
                continuation.resume(returning: screen.text)
            }
        }
        #expect(told == "ann")
    }

    @Test func `a password is held against the project's rules without leaving the device`() async throws {
        let transport = ScriptedTransport { _ in
            (
                200,
                """
                {"customStrengthOptions":{"minPasswordLength":8,"containsNumericCharacter":true,\
                "containsUppercaseCharacter":true},"schemaVersion":1}
                """
            )
        }
        let auth = try HomingApp.of(transport)
        auth.tenantID = "wholesale"
        let weak = try await auth.validatePassword("lower")
        #expect(!weak.isValid && !weak.meetsMinPasswordLength && !weak.containsNumericCharacter)
        #expect(!weak.containsUppercaseLetter && weak.containsLowercaseLetter && weak.meetsMaxPasswordLength)
        #expect(try await auth.validatePassword("Long enough 1").isValid)
        let call = try #require(transport.calls.first)
        #expect(call.url.hasSuffix("/v2/passwordPolicy?key=hk_key_of_the_shop&tenantId=wholesale"))
        #expect(call.body.members.isEmpty)
    }

    @Test func `what Homing does not have is always nil`() async throws {
        let auth = try HomingApp.of(ScriptedTransport())
        let result = try await auth.signIn(withEmail: "ann@home.example", password: "long enough")
        #expect(result.credential == nil && result.additionalUserInfo?.username == nil)
        #expect(result.user.phoneNumber == nil && result.user.providerData.first?.phoneNumber == nil)
        auth.settings?.isAppVerificationDisabledForTesting = true
        #expect(auth.settings?.isAppVerificationDisabledForTesting == false)
        #expect(EmailAuthProviderID == "password" && GoogleAuthProviderID == "google.com")
    }
}
