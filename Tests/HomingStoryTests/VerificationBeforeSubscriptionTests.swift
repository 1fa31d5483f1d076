// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingTesting
import HomingWire
import Testing

/// A verification that is demanded before a subscription leads back to the subscription.
@Suite struct VerificationBeforeSubscriptionTests {
    private static let subscription = "https://shop.example/assinar?plano=anual&passo=2"

    @Test func `a new reader confirms the address in Portuguese and goes on subscribing`() async throws {
        try await withHoming { homing in
            try await withServer(homing) { server in
                let signUp = try await server.call(
                    "accounts:signUp", [("email", "rita@casa.example"), ("password", "uma senha boa")])
                let token = try #require(signUp.string("idToken"))
                let refresh = try #require(signUp.string("refreshToken"))
                let asked = try await server.call(
                    "accounts:sendOobCode",
                    [("requestType", "VERIFY_EMAIL"), ("idToken", token), ("continueUrl", Self.subscription)],
                    headers: [("X-Firebase-Locale", "pt-BR")])
                #expect(asked.string("email") == "rita@casa.example")

                let mail = try #require(try await homing.deliver().first)
                #expect(mail.header("Content-Language") == "pt-BR")
                let link = try #require(mail.links.first)
                #expect(mail.actionLink?.language == "pt-BR")

                // Scanners open the link before the person does, and nothing happens.
                for _ in 0..<3 {
                    let seen = try await server.open(link, headers: [("Accept-Language", "en")])
                    #expect(seen.status == 200)
                    #expect(seen.pageLanguage == "pt-BR")
                }
                let before = try await server.call("accounts:lookup", [("idToken", token)])
                #expect(before["users"]?.arrayValue?.first?.objectValue?["emailVerified"]?.boolValue == false)

                let form = try #require(try await server.open(link).form)
                let done = try await server.client.post(form.action, form: form.fields)
                #expect(done.status == 200)
                #expect(done.pageLanguage == "pt-BR")
                #expect(done.continueHref?.utf8.elementsEqual(Self.subscription.utf8) == true)

                let after = try await server.call("accounts:lookup", [("idToken", token)])
                #expect(after["users"]?.arrayValue?.first?.objectValue?["emailVerified"]?.boolValue == true)
                let fresh = try await server.client.post(
                    "/securetoken.googleapis.com/v1/token?key=\(TestHoming.apiKey)",
                    form: [("grant_type", "refresh_token"), ("refresh_token", refresh)])
                #expect(fresh.string("refresh_token") == refresh)
                #expect(fresh.string("id_token") != token)
            }
        }
    }
}
