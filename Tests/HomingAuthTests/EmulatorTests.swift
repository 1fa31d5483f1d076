// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingAuth
import HomingWire
import Testing

/// An app that is pointed at an emulator.
@Suite struct EmulatorTests {
    private static let ann = "ann@home.example"
    private static let password = "Correct horse 7 battery"

    /// A sign-in link as emulators write it.
    private static let link = ActionLink(
        handler: "http://127.0.0.1:9099/emulator/action", mode: .signIn, code: "the-code", apiKey: "fake-api-key",
        language: "en"
    ).url(order: .web)

    @Test(arguments: [
        ("127.0.0.1", "http://127.0.0.1:9099/"), ("localhost", "http://localhost:9099/"), ("::1", "http://[::1]:9099/"),
        ("[::1]", "http://[::1]:9099/"), ("10.0.2.2", "http://10.0.2.2:9099/"),
    ])
    func `every request goes to the emulator`(host: String, prefix: String) async throws {
        let transport = ScriptedTransport()
        let auth = try HomingApp.of(transport)
        auth.useEmulator(withHost: host, port: 9099)
        let user = try await auth.signIn(withEmail: Self.ann, password: Self.password).user
        _ = try await user.getIDToken(forcingRefresh: true)
        try await auth.sendPasswordReset(withEmail: Self.ann)
        #expect(transport.calls.count == 4)
        for call in transport.calls { #expect(call.url.hasPrefix(prefix), "\(call.url)") }
    }

    @Test func `the key that emulators write into links is the app's own at an emulator, and there alone`() async throws
    {
        let transport = ScriptedTransport()
        let auth = try HomingApp.of(transport)
        let url = try #require(URL(string: Self.link))
        #expect(!auth.isSignIn(withEmailLink: Self.link))
        #expect(auth.handle(url).error?.code == .invalidActionCode)
        let refused = await #expect(throws: HomingAuthError.self) {
            try await auth.signIn(withEmail: Self.ann, link: Self.link)
        }
        #expect(refused?.code == .invalidActionCode && transport.calls.isEmpty)

        auth.useEmulator(withHost: "127.0.0.1", port: 9099)
        #expect(auth.isSignIn(withEmailLink: Self.link))
        #expect(auth.handle(url).error == nil)
        try await auth.signIn(withEmail: Self.ann, link: Self.link)
        #expect(transport.calls.first?.string("oobCode") == "the-code")
        let others = Self.link.replacingOccurrences(of: "fake-api-key", with: "hk_key_of_another")
        #expect(!auth.isSignIn(withEmailLink: others))
    }

    @Test func `a session of the server stays the server's, and one of the emulator the emulator's`() async throws {
        let (transport, store) = (ScriptedTransport(), MemorySessionStore())
        let auth = try HomingApp.of(transport, store: store)
        let known = try await auth.signIn(withEmail: Self.ann, password: Self.password).user
        auth.useEmulator(withHost: "127.0.0.1", port: 9099)
        #expect(auth.currentUser == nil)
        let before = transport.calls.count
        let error = await #expect(throws: HomingAuthError.self) { try await known.getIDToken(forcingRefresh: true) }
        #expect(error?.code == .nullUser)
        await #expect(throws: HomingAuthError.self) { try await known.reload() }
        #expect(transport.calls.count == before, "its tokens go nowhere else")
        try await auth.signIn(withEmail: Self.ann, password: Self.password)

        let restarted = try HomingApp.of(ScriptedTransport(), store: store)
        #expect(restarted.currentUser?.uid == "ann")
        try restarted.signOut()
        restarted.useEmulator(withHost: "127.0.0.1", port: 9099)
        #expect(restarted.currentUser?.uid == "ann", "who signed in at the emulator")
    }
}
