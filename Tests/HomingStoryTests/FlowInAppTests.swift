// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingTesting
import HomingWire
import Testing

/// A flow that began in an app ends in that app. The test plays the app.
@Suite struct FlowInAppTests {
    private static let state = "https://www.shop.example/?email=user@example.com"

    private func settings(_ more: [(String, String)]) -> String {
        let members: [(String, JSON)] =
            more.map { ($0.0, .string($0.1)) } + [
                ("continueUrl", .string(Self.state)), ("canHandleCodeInApp", true), ("iOSBundleId", "com.example.ios"),
                ("androidPackageName", "com.example.android"), ("androidInstallApp", true),
                ("androidMinimumVersion", "12"),
            ]
        return String(decoding: JSON.object(JSON.Object(members)).write(pretty: false), as: UTF8.self)
    }

    @Test(arguments: [false, true])
    func `the app unwraps the mailed link, applies the code and is back where it was`(usesDynamicLink: Bool)
        async throws
    {
        try await withHoming(linkDomains: ["example.page.link"]) { homing in
            try await withServer(homing) { server in
                let signUp = try await server.call(
                    "accounts:signUp", [("email", "user@example.com"), ("password", "a good one")])
                let token = try #require(signUp.string("idToken"))
                let domain = usesDynamicLink ? [("dynamicLinkDomain", "example.page.link")] : []
                let asked = try await server.client.post(
                    LiveServer.path("accounts:sendOobCode"),
                    json: settings([("requestType", "VERIFY_EMAIL"), ("idToken", token)] + domain))
                #expect(asked.status == 200)

                let link = try #require(try await homing.deliver().first?.links.first)
                let start =
                    usesDynamicLink
                    ? "https://example.page.link/?link=" : "https://example.page.link/__/auth/links?link="
                #expect(link.hasPrefix(start))
                let action = try #require(ActionLink(parsing: link))
                #expect(action.mode == .verifyEmail)
                #expect(action.continueURL?.utf8.elementsEqual(Self.state.utf8) == true)

                let seen = try await server.call("accounts:resetPassword", [("oobCode", action.code)])
                #expect(seen.string("requestType") == "VERIFY_EMAIL")
                #expect(seen.string("email") == "user@example.com")
                let applied = try await server.call("accounts:update", [("oobCode", action.code)])
                #expect(applied["emailVerified"]?.boolValue == true)
                let again = try await server.call("accounts:update", [("oobCode", action.code)])
                #expect(again.errorMessage == "INVALID_OOB_CODE")
            }
        }
    }

    @Test func `where no app takes the wrapped link the page does, and Continue leads to the same URL`() async throws {
        try await withHoming(linkDomains: ["example.page.link"]) { homing in
            try await homing.account("user@example.com")
            try await withServer(homing) { server in
                _ = try await server.client.post(
                    LiveServer.path("accounts:sendOobCode"),
                    json: settings([("requestType", "PASSWORD_RESET"), ("email", "user@example.com")]))
                let link = try #require(try await homing.deliver().first?.links.first)
                let hop = try await server.open(link)
                #expect(hop.status == 302)
                let inner = try #require(hop.header("Location"))
                #expect(inner.hasPrefix("\(TestWorld.publicURL)/__/auth/action?apiKey="))
                let form = try #require(try await server.open(inner).form)
                let done = try await server.client.post(form.action, form: form.with("newPassword", "a new one").fields)
                #expect(done.continueHref?.utf8.elementsEqual(Self.state.utf8) == true)
            }
        }
    }

    @Test func `a page that acts first offers Continue as a link that opens the app`() async throws {
        try await withHoming(linkDomains: ["example.page.link"]) { homing in
            try await homing.account("user@example.com")
            try await withServer(homing) { server in
                _ = try await server.call(
                    "accounts:sendOobCode",
                    [
                        ("requestType", "PASSWORD_RESET"), ("email", "user@example.com"), ("continueUrl", Self.state),
                        ("iOSBundleId", "com.example.ios"),
                    ])
                let link = try #require(try await homing.deliver().first?.links.first)
                #expect(link.hasPrefix("\(TestWorld.publicURL)/__/auth/action?mode=resetPassword&"))
                let form = try #require(try await server.open(link).form)
                let done = try await server.client.post(form.action, form: form.with("newPassword", "a new one").fields)
                let href = try #require(done.continueHref)
                #expect(href.hasPrefix("https://example.page.link/__/auth/links?link="))
                let hop = try await server.open(href)
                #expect(hop.status == 302)
                #expect(hop.header("Location")?.utf8.elementsEqual(Self.state.utf8) == true)
            }
        }
    }
}
