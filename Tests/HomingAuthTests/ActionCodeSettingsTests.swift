// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Dispatch
import Foundation
import HomingAuth
import HomingWire
import Testing

@Suite struct ActionCodeSettingsTests {
    /// The page's own example, in today's spelling.
    private static func ofThePage() -> ActionCodeSettings {
        let actionCodeSettings = ActionCodeSettings()
        actionCodeSettings.url = URL(string: "https://www.example.com/?email=user@example.com")
        actionCodeSettings.iOSBundleID = "com.example.ios"
        actionCodeSettings.setAndroidPackageName(
            "com.example.android", installIfNotAvailable: true, minimumVersion: "12")
        actionCodeSettings.dynamicLinkDomain = "example.page.link"
        return actionCodeSettings
    }

    @Test func `the page's example asks for the verification mail with every setting`() async throws {
        let transport = ScriptedTransport()
        let auth = try HomingApp.of(transport)
        auth.languageCode = "fr"
        try await auth.signIn(withEmail: "ann@home.example", password: "long enough")
        try await auth.currentUser?.sendEmailVerification(with: Self.ofThePage())
        let call = try #require(transport.calls.first { $0.operation == "sendOobCode" })
        #expect(call.string("requestType") == "VERIFY_EMAIL")
        #expect(call.string("idToken") == "id1")
        #expect(call.string("continueUrl") == "https://www.example.com/?email=user@example.com")
        #expect(call.string("iOSBundleId") == "com.example.ios")
        #expect(call.string("androidPackageName") == "com.example.android")
        #expect(call.body["androidInstallApp"]?.boolValue == true)
        #expect(call.string("androidMinimumVersion") == "12")
        #expect(call.string("dynamicLinkDomain") == "example.page.link")
        #expect(call.body["canHandleCodeInApp"] == nil)
        #expect(call.headers["X-Firebase-Locale"] == "fr")
        #expect(call.url.hasSuffix("/identitytoolkit.googleapis.com/v1/accounts:sendOobCode?key=hk_key_of_the_shop"))
    }

    @Test func `install if absent without a package name is refused before any request`() async throws {
        let transport = ScriptedTransport()
        let auth = try HomingApp.of(transport)
        let settings = ActionCodeSettings()
        settings.androidInstallIfNotAvailable = true
        let error = await #expect(throws: HomingAuthError.self) {
            try await auth.sendPasswordReset(withEmail: "ann@home.example", actionCodeSettings: settings)
        }
        #expect(error?.code == .missingAndroidPackageName)
        #expect(error?.message.contains("package name") == true)
        #expect(transport.calls.isEmpty)
    }

    @Test func `settings that change while the call runs do not change it`() async throws {
        let transport = ScriptedTransport()
        let auth = try HomingApp.of(transport)
        let mark = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: mark, value: true)
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            let settings = Self.ofThePage()
            auth.sendPasswordReset(withEmail: "ann@home.example", actionCodeSettings: settings) { error in
                #expect(error == nil)
                #expect(DispatchQueue.getSpecific(key: mark) == true)
                done.resume()
            }
            settings.linkDomain = "too.late.example"
        }
        let call = try #require(transport.calls.first)
        #expect(call.string("linkDomain") == nil)
        #expect(call.string("dynamicLinkDomain") == "example.page.link")
    }

    @Test func `a sign-in link needs the app to handle it`() async throws {
        let transport = ScriptedTransport()
        let auth = try HomingApp.of(transport)
        let error = await #expect(throws: HomingAuthError.self) {
            try await auth.sendSignInLink(toEmail: "ann@home.example", actionCodeSettings: Self.ofThePage())
        }
        #expect(error?.message.contains("handleCodeInApp") == true)
        #expect(transport.calls.isEmpty)
    }
}
