// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingTesting
import HomingWire
import Testing

@Suite struct SignInByLinkTests {
    @Test func `a mailed link signs in through the page, which spends nothing`() async throws {
        try await withHoming { homing in
            try await withServer(homing) { server in
                let state = "https://shop.example/welcome?step=3#top"
                let asked = try await server.client.post(
                    LiveServer.path("accounts:sendOobCode"),
                    json: """
                        {"requestType": "EMAIL_SIGNIN", "email": "new@home.example", "canHandleCodeInApp": true,
                         "continueUrl": "\(state)"}
                        """)
                #expect(asked.status == 200)
                let mail = try #require(try await homing.deliver().first)
                let link = try #require(mail.links.first)
                let page = try await server.open(link)
                #expect(page.status == 200)
                #expect(page.form == nil)
                let href = try #require(page.continueHref)
                #expect(href.hasPrefix("https://shop.example/welcome?step=3&mode=signIn&oobCode="))
                #expect(href.hasSuffix("#top"))
                // The web app reads the code from its own address.
                let arrived = try #require(ActionLink(parsing: href))
                #expect(arrived.code == mail.actionLink?.code)
                let signedIn = try await server.call(
                    "accounts:signInWithEmailLink", [("email", "NEW@home.example"), ("oobCode", arrived.code)])
                #expect(signedIn["isNewUser"]?.boolValue == true)
                #expect(signedIn.string("email") == "new@home.example")
                let token = try #require(signedIn.string("idToken"))
                let who = try await server.call("accounts:lookup", [("idToken", token)])
                let user = try #require(who["users"]?.arrayValue?.first?.objectValue)
                #expect(user["emailVerified"]?.boolValue == true)
                #expect(user["emailLinkSignin"]?.boolValue == true)
                #expect(user["passwordHash"] == nil)
                let again = try await server.call(
                    "accounts:signInWithEmailLink", [("email", "new@home.example"), ("oobCode", arrived.code)])
                #expect(again.errorMessage == "INVALID_OOB_CODE")
                #expect(try await server.open(link).status == 410)
            }
        }
    }
}
