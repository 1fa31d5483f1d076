// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingAuth
import HomingClient
import Testing

@Suite struct EndpointTests {
    private static func url(of endpoint: String) async throws -> String? {
        let transport = ScriptedTransport()
        let auth = try HomingApp.of(transport, endpoint: endpoint)
        do throws(HomingAuthError) {
            try await auth.sendPasswordReset(withEmail: "ann@home.example")
        } catch {
            #expect(error.code == .invalidAPIKey)
            #expect(error.message.contains("has to be https://"))
            #expect(!error.message.contains("secret"))
            #expect(transport.calls.isEmpty)
            return nil
        }
        return transport.calls.first?.url
    }

    @Test(arguments: [
        ("https://auth.shop.example", "https://auth.shop.example/"),
        ("HTTPS://Auth.Shop.example:443//", "https://auth.shop.example/"),
        ("https://shop.example/auth/", "https://shop.example/auth/"),
        ("http://localhost:9099", "http://localhost:9099/"),
        ("http://127.0.0.1:9099", "http://127.0.0.1:9099/"), ("http://[::1]:9099", "http://[::1]:9099/"),
        ("http://mac.local:9099", "http://mac.local:9099/"),
        ("http://links.localhost:9099", "http://links.localhost:9099/"),
        ("http://192.168.1.5:9099", "http://192.168.1.5:9099/"),
    ])
    func `an endpoint is used in one spelling`(endpoint: String, wanted: String) async throws {
        let path = "identitytoolkit.googleapis.com/v1/accounts:sendOobCode?key=hk_key_of_the_shop"
        #expect(try await Self.url(of: endpoint) == wanted + path)
    }

    @Test(arguments: [
        "http://auth.shop.example", "ftp://auth.shop.example", "file:///auth", "auth.shop.example", "https:///x",
        "https://ann:secret@auth.shop.example", "https://auth.shop.example?x=secret",
        "https://auth.shop.example#secret",
        "http://127.0.0.1.evil.example", "http://localhost.evil.example", "https://auth%2eshop.example",
    ])
    func `passwords go to nobody who could be read in between, or twice`(endpoint: String) async throws {
        #expect(try await Self.url(of: endpoint) == nil)
    }
}
