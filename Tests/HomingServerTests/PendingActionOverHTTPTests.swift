// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
import HomingProjects
import HomingStore
import HomingTesting
import HomingWire
import Testing

/// A person taps the link without the app, and asks in the app what was to be continued.
@Suite struct PendingActionOverHTTPTests {
    private static let android = (
        "User-Agent",
        "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0 Mobile "
            + "Safari/537.36"
    )
    private static let target = "https://shop.example/invitation?id=1"

    /// Asks for a link into an app that is to be installed, and answers it as it was mailed.
    private func mail(_ homing: TestHoming, _ server: LiveServer, _ members: String) async throws -> String {
        let answer = try await server.client.post(
            LiveServer.path("accounts:sendOobCode"),
            json: """
                {"requestType":"EMAIL_SIGNIN","email":"\(TestHoming.ann)","continueUrl":"\(Self.target)",\
                "canHandleCodeInApp":true,"androidPackageName":"com.example.android","androidInstallApp":true,\(members)}
                """)
        #expect(answer.status == 200, "\(answer.text)")
        let mails = try await homing.deliver()
        return try #require(mails.last?.links.first { $0.contains("oobCode") })
    }

    private func pending(_ token: String, _ server: LiveServer) async throws -> String {
        let answer = try await server.call("accounts:pendingAction", [("idToken", token)])
        #expect(answer.status == 200, "\(answer.text)")
        guard answer.json != [:] else { return "nothing" }
        return "\(answer.string("mode") ?? "") \(answer.string("continueUrl") ?? "")"
    }

    /// Ann with a password and a proven address.
    private func ann(_ homing: TestHoming) async throws -> String {
        try await homing.signUp(TestHoming.ann)
        _ = try await homing.actionCodes.apply(homing.liveCode(.verifyEmail), in: homing.shop)
        return try await homing.signIn(TestHoming.ann).tokens.idToken
    }

    @Test(arguments: [#""linkDomain":"go.shop.example""#, #""dynamicLinkDomain":"go.shop.example""#])
    func `a tap that led to the store is pending, a scanner's is not`(domain: String) async throws {
        try await withHoming(linkDomains: ["go.shop.example"]) { homing in
            let print = String(repeating: "A1", count: 32)
            try await homing.projects.addApp(
                RegisteredApp(platform: .android, id: "com.example.android", sha256: [print]), to: "shop")
            try await withServer(homing) { server in
                let token = try await ann(homing)
                let link = try await mail(homing, server, domain)
                #expect(link.hasPrefix("https://go.shop.example/"))
                for headers in [
                    [("User-Agent", "Googlebot/2.1 (Android)")], [Self.android, ("Sec-Purpose", "prefetch")],
                ] {
                    _ = try await server.open(link, headers: headers)
                    #expect(try await pending(token, server) == "nothing")
                }
                let tap = try await server.open(link, headers: [Self.android])
                #expect(tap.status == 302)
                #expect(tap.header("Location")?.contains("com.example.android") == true, "\(tap.headers)")
                #expect(try await pending(token, server) == "signIn \(Self.target)")
                #expect(try await pending(token, server) == "nothing")
            }
        }
    }

    @Test func `a page that was shown is pending, and nobody is told without a session`() async throws {
        try await withHoming { homing in
            let token = try await ann(homing)
            var settings = ActionCodeSettings()
            settings.continueURL = Self.target
            _ = try await homing.actionCodes.request(
                ActionCodes.Request(
                    project: homing.shop, kind: .passwordReset,
                    subject: .address(try EmailAddress(parsing: TestHoming.ann)), settings: settings, language: nil))
            let code = try await homing.mailedCode(to: TestHoming.ann)
            try await withServer(homing) { server in
                let page = "/__/auth/action?mode=resetPassword&oobCode=\(code)&apiKey=\(TestHoming.apiKey)"
                #expect(try await server.client.get(page, headers: [Self.android]).status == 200)
                for members in [[], [("idToken", "a.b.c")]] {
                    let answer = try await server.call("accounts:pendingAction", members)
                    #expect(answer.status == 400, "\(answer.text)")
                }
                let told = try await server.call("accounts:pendingAction", [("idToken", token)])
                #expect(told.string("mode") == "resetPassword" && told.string("continueUrl") == Self.target)
                #expect(!told.text.contains(code))
                #expect(try await pending(token, server) == "nothing")
            }
        }
    }
}
