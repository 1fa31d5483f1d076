// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Dispatch
import Foundation
import HomingAuth
import HomingCore
import HomingLinkRules
import HomingProjects
import HomingStore
import HomingTesting
import HomingWire
import Testing

/// The example of Firebase's page "Passing state in email actions", in today's spelling, against a real server.
@Suite struct PassingStateTests {
    private static let address = "user@example.com"
    private static let mainQueue = DispatchSpecificKey<Bool>()

    private static func withUser(
        _ body: (Auth, HomingAuth.User, TestHoming) async throws -> Void
    ) async throws {
        try await withHoming(linkDomains: ["links.shop.example", "example.page.link"]) { homing in
            try await homing.projects.addDomain("www.example.com", to: "shop")
            try await homing.projects.addApp(
                RegisteredApp(platform: .apple, id: "com.example.ios", teamID: "ABCDE12345"), to: "shop")
            try await homing.projects.addApp(
                RegisteredApp(
                    platform: .android, id: "com.example.android",
                    sha256: [Array(repeating: "5E", count: 32).joined(separator: ":")]), to: "shop")
            try await withServer(homing) { server in
                let url = try #require(URL(string: "http://127.0.0.1:\(server.client.port)"))
                let app = HomingApp(
                    endpoint: url, apiKey: TestHoming.apiKey, transport: URLSessionTransport(),
                    sessionStore: MemorySessionStore())
                app.linkDomains = LinkDomains(["https://example.page.link"], schemes: ["com.example.ios"])
                let auth = Auth.auth(app: app)
                let user = try await auth.createUser(withEmail: address, password: "Correct horse 7 battery").user
                try await body(auth, user, homing)
            }
        }
    }

    /// The settings of the page; there the bundle id is the main bundle's, which a test lacks.
    private static func settings(for user: HomingAuth.User, inApp: Bool) throws -> HomingAuth.ActionCodeSettings {
        let actionCodeSettings = HomingAuth.ActionCodeSettings()
        let email = try #require(user.email)
        actionCodeSettings.url = URL(string: "https://www.example.com/?email=\(email)")
        actionCodeSettings.iOSBundleID = "com.example.ios"
        actionCodeSettings.setAndroidPackageName(
            "com.example.android", installIfNotAvailable: true, minimumVersion: "12")
        actionCodeSettings.dynamicLinkDomain = "example.page.link"
        actionCodeSettings.handleCodeInApp = inApp
        return actionCodeSettings
    }

    private static func mailedLink(_ homing: TestHoming) async throws -> URL {
        try await homing.deliver()
        let mail = try #require(homing.transport.mails.last { $0.recipient == address })
        let link = try #require(mail.links.first { ActionCodeURL(link: $0) != nil })
        return try #require(URL(string: link))
    }

    @Test func `the page's Swift example, by the web first, leads back through the link domain`() async throws {
        try await Self.withUser { auth, user, homing in
            // The page's call with a completion handler, which runs on the main queue.
            DispatchQueue.main.setSpecific(key: Self.mainQueue, value: true)
            let failure: (any Error)? = try await withCheckedThrowingContinuation { continuation in
                do {
                    user.sendEmailVerification(with: try Self.settings(for: user, inApp: false)) { error in
                        #expect(DispatchQueue.getSpecific(key: Self.mainQueue) == true)
                        continuation.resume(returning: error)
                    }
                } catch {
                    continuation.resume(throwing: error)
                }
            }
            #expect(failure == nil)
            let link = try await Self.mailedLink(homing)
            #expect(link.absoluteString.hasPrefix("https://auth.shop.example/__/auth/action?"))
            let raw = try #require(ActionCodeURL(link: link.absoluteString)?.continueURL?.absoluteString)
            #expect(
                raw.hasPrefix(
                    "https://example.page.link/?link=https%3A%2F%2Fwww.example.com%2F%3Femail%3Duser%40example.com"))
            #expect(raw.contains("&apn=com.example.android&amv=12"))
            #expect(raw.contains("&ibi=com.example.ios"))
            guard case .action(let action) = auth.handle(link) else {
                Issue.record("\(link)")
                return
            }
            #expect(action.operation == .verifyEmail)
            #expect(action.continueURL?.absoluteString == "https://www.example.com/?email=user@example.com")
            #expect(auth.handle(try #require(URL(string: raw))) == .dynamicLink(try #require(action.continueURL)))
        }
    }

    @Test func `the page's Swift example, handled in the app, takes effect when the code is applied`() async throws {
        try await Self.withUser { auth, user, homing in
            try await user.sendEmailVerification(with: try Self.settings(for: user, inApp: true))
            let link = try await Self.mailedLink(homing)
            #expect(link.absoluteString.hasPrefix("https://example.page.link/?link=https%3A%2F%2Fauth.shop.example"))
            guard case .action(let action) = auth.handle(link) else {
                Issue.record("\(link)")
                return
            }
            #expect(action.continueURL?.absoluteString == "https://www.example.com/?email=user@example.com")
            try await user.reload()
            #expect(!user.isEmailVerified)
            try await auth.applyActionCode(action)
            try await user.reload()
            #expect(user.isEmailVerified)
        }
    }

    @Test func `the page's install flag without a package name is refused before anything is asked`() async throws {
        let transport = ScriptedTransport()
        let auth = try HomingApp.of(transport)
        let user = try await auth.signIn(withEmail: Self.address, password: "long enough").user
        let before = transport.calls.count
        let settings = HomingAuth.ActionCodeSettings()
        settings.url = URL(string: "https://www.example.com/")
        settings.androidInstallIfNotAvailable = true
        let error = await #expect(throws: HomingAuthError.self) { try await user.sendEmailVerification(with: settings) }
        #expect(error?.code == .missingAndroidPackageName)
        #expect(error?.message.contains("androidPackageName") == true)
        #expect(transport.calls.count == before)
    }
}
