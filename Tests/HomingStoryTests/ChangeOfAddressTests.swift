// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingStore
import HomingTesting
import HomingWire
import Testing

@Suite struct ChangeOfAddressTests {
    @Test func `an address is changed by the new one's link, and the old one can take it back`() async throws {
        try await withHoming { homing in
            try await homing.signUp("ann@home.example")
            try await homing.redeem(try await homing.liveCode(.verifyEmail), .verifyEmail)
            try await withServer(homing) { server in
                let signedIn = try await server.call(
                    "accounts:signInWithPassword", [("email", "ann@home.example"), ("password", TestHoming.password)])
                let token = try #require(signedIn.string("idToken"))
                let asked = try await server.call(
                    "accounts:sendOobCode",
                    [("requestType", "VERIFY_AND_CHANGE_EMAIL"), ("idToken", token), ("newEmail", "eve@thief.example")])
                #expect(asked.string("email") == "ann@home.example")
                let mails = try await homing.deliver()
                #expect(mails.map(\.recipient).sorted() == ["ann@home.example", "eve@thief.example"])
                let toNew = try #require(mails.first { $0.recipient == "eve@thief.example" })
                let notice = try #require(mails.first { $0.recipient == "ann@home.example" })
                #expect(notice.actionLink == nil)

                let confirm = try await server.open(toNew.links.first)
                #expect(confirm.text.contains("ann@home.example") && confirm.text.contains("eve@thief.example"))
                let form = try #require(confirm.form)
                #expect(try await server.client.post(form.action, form: form.fields).status == 200)
                let expired = try await server.call("accounts:lookup", [("idToken", token)])
                #expect(expired.errorMessage == "TOKEN_EXPIRED")

                let wayBack = try #require(try await homing.deliver().first { $0.recipient == "ann@home.example" })
                let restore = try #require(try await server.open(wayBack.links.first).form)
                let restored = try await server.client.post(restore.action, form: restore.fields)
                #expect(restored.status == 200)
                // The page offers a reset, because whoever changed the address may know the password.
                let offer = try #require(restored.form)
                #expect(try await server.client.post(offer.action, form: offer.fields).status == 200)
                let reset = try #require(try await homing.deliver().first)
                #expect(reset.recipient == "ann@home.example")
                #expect(reset.actionLink?.mode == .resetPassword)
                let thief = try await server.call(
                    "accounts:signInWithPassword", [("email", "eve@thief.example"), ("password", TestHoming.password)])
                #expect(thief.errorMessage == "INVALID_LOGIN_CREDENTIALS")
            }
        }
    }
}
