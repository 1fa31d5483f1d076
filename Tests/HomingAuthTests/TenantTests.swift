// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingAuth
import HomingCore
import HomingProjects
import HomingStore
import HomingTesting
import HomingWire
import Testing

/// An app whose people are in a tenant.
@Suite struct TenantTests {
    private static let ann = "ann@home.example"
    private static let password = "Correct horse 7 battery"

    private static func link(_ mode: ActionMode, of tenant: String?) -> String {
        ActionLink(
            handler: "https://auth.shop.example/__/auth/action", mode: mode, code: "the-code",
            apiKey: "hk_key_of_the_shop", language: "en", tenantID: tenant
        ).url(order: .web)
    }

    @Test func `what an app asks for names the tenant that is set, and nothing names none`() async throws {
        for tenant in [nil, "red"] {
            let transport = ScriptedTransport()
            let auth = try HomingApp.of(transport)
            auth.tenantID = tenant
            try await auth.createUser(withEmail: Self.ann, password: Self.password)
            try await auth.signIn(withEmail: Self.ann, password: Self.password)
            try auth.signOut()
            try await auth.signInAnonymously()
            try await auth.signIn(withCustomToken: "token")
            try await auth.sendPasswordReset(withEmail: Self.ann)
            _ = try await auth.checkActionCode("code")
            try await auth.applyActionCode("code")
            try await auth.confirmPasswordReset(withCode: "code", newPassword: Self.password)
            let named = transport.calls.filter { $0.body["idToken"] == nil && $0.operation != "token" }
            #expect(named.count == 8)
            for call in named { #expect(call.string("tenantId") == tenant, "\(call.operation)") }
        }
    }

    @Test func `a token says by itself of which tenant it is`() async throws {
        let transport = ScriptedTransport()
        let auth = try HomingApp.of(transport)
        auth.tenantID = "red"
        try await auth.signIn(withEmail: Self.ann, password: Self.password)
        auth.tenantID = "blue"
        try await auth.currentUser?.sendEmailVerification()
        _ = try await auth.currentUser?.getIDToken(forcingRefresh: true)
        for call in transport.calls where call.body["idToken"] != nil || call.operation == "token" {
            #expect(call.body["tenantId"] == nil, "\(call.operation)")
        }
    }

    @Test(arguments: [nil, "red"]) func `a link is of the tenant that it names, whatever is set`(
        tenant: String?
    ) async throws {
        let transport = ScriptedTransport()
        let auth = try HomingApp.of(transport)
        auth.tenantID = "blue"
        let reset = try #require(ActionCodeURL(link: Self.link(.resetPassword, of: tenant)))
        #expect(reset.tenantID == tenant)
        _ = try await auth.checkActionCode(reset)
        try await auth.applyActionCode(reset)
        try await auth.confirmPasswordReset(with: reset, newPassword: Self.password)
        try await auth.signIn(withEmail: Self.ann, link: Self.link(.signIn, of: tenant))
        let signIn = try #require(ActionCodeURL(link: Self.link(.signIn, of: tenant)))
        try await auth.signIn(withEmail: Self.ann, link: signIn)
        let named = transport.calls.filter { $0.body["oobCode"] != nil }
        #expect(named.count == 5)
        for call in named { #expect(call.string("tenantId") == tenant, "\(call.operation)") }
    }

    @Test func `people of a tenant sign up, reset and come back, and are nobody else's namesakes`() async throws {
        try await withHoming { homing in
            let doors = [SettingChange("allowPasswordSignup", to: "true")]
            _ = try await homing.core.projects.createTenant("red", named: "Red", settings: doors, in: "shop")
            try await withServer(homing) { server in
                let url = try #require(URL(string: "http://127.0.0.1:\(server.client.port)"))
                let store = MemorySessionStore()
                func auth() -> Auth {
                    Auth.auth(
                        app: HomingApp(
                            endpoint: url, apiKey: TestHoming.apiKey, transport: URLSessionTransport(),
                            sessionStore: store))
                }
                let inside = auth()
                let outer = try await inside.createUser(withEmail: Self.ann, password: Self.password).user
                #expect(outer.tenantID == nil)
                inside.tenantID = "red"
                let user = try await inside.createUser(withEmail: Self.ann, password: "the forgotten one").user
                #expect(user.tenantID == "red" && user.uid != outer.uid)
                _ = try await user.getIDToken(forcingRefresh: true)
                try await inside.sendPasswordReset(withEmail: Self.ann)
                try await homing.deliver()
                let mail = try #require(homing.transport.mails.last { $0.actionLink != nil })
                let link = try #require(mail.links.compactMap { ActionCodeURL(link: $0) }.first)
                #expect(link.tenantID == "red")
                inside.tenantID = nil
                try await inside.confirmPasswordReset(with: link, newPassword: "another long one 9")
                let outside = try await inside.signIn(withEmail: Self.ann, password: Self.password).user
                #expect(outside.uid == outer.uid)
                inside.tenantID = "red"
                let back = try await inside.signIn(withEmail: Self.ann, password: "another long one 9").user
                #expect(back.uid == user.uid)
                // The next start finds the tenant with the user.
                #expect(auth().currentUser?.tenantID == "red")
                let known = try #require(auth().currentUser)
                try await known.reauthenticate(
                    with: EmailAuthProvider.credential(withEmail: Self.ann, password: "another long one 9"))
                inside.tenantID = "gone"
                let error = await #expect(throws: HomingAuthError.self) {
                    try await inside.signIn(withEmail: Self.ann, password: Self.password)
                }
                #expect(error?.message.contains("INVALID_TENANT_ID") == true)
            }
        }
    }
}
