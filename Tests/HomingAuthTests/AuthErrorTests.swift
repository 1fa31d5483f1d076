// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingAuth
import Testing

@Suite struct AuthErrorTests {
    @Test(arguments: [
        ("INVALID_OOB_CODE", 17030, "ERROR_INVALID_ACTION_CODE"),
        ("EXPIRED_OOB_CODE", 17029, "ERROR_EXPIRED_ACTION_CODE"),
        ("WEAK_PASSWORD : Password should be at least 6 characters", 17026, "ERROR_WEAK_PASSWORD"),
        ("UNAUTHORIZED_DOMAIN : Domain not allowlisted by project", 17038, "ERROR_UNAUTHORIZED_DOMAIN"),
        ("INVALID_LOGIN_CREDENTIALS", 17004, "ERROR_INVALID_CREDENTIAL"),
        ("EMAIL_EXISTS", 17007, "ERROR_EMAIL_ALREADY_IN_USE"),
        ("MISSING_ANDROID_PACKAGE_NAME", 17037, "ERROR_MISSING_ANDROID_PKG_NAME"),
        ("INVALID_HOSTING_LINK_DOMAIN : x", 17214, "ERROR_INVALID_HOSTING_LINK_DOMAIN"),
        ("CREDENTIAL_TOO_OLD_LOGIN_AGAIN", 17014, "ERROR_REQUIRES_RECENT_LOGIN"),
        ("TOO_MANY_ATTEMPTS_TRY_LATER : wait", 17010, "ERROR_TOO_MANY_REQUESTS"),
        ("API key not valid. Please pass a valid API key.", 17023, "ERROR_INVALID_API_KEY"),
        ("SOMETHING_NEW", 17999, "ERROR_INTERNAL_ERROR"),
    ])
    func `a refusal has Firebase's number and name`(message: String, number: Int, name: String) async throws {
        let auth = try HomingApp.of(ScriptedTransport { _ in Scripted.refusal(message) })
        let error = try #require(await #expect(throws: HomingAuthError.self) { try await auth.applyActionCode("code") })
        #expect(error.errorCode == number)
        #expect(HomingAuthError.errorDomain == "FIRAuthErrorDomain")
        #expect(error.errorUserInfo["FIRAuthErrorUserInfoNameKey"] as? String == name)
        #expect(error.errorUserInfo[NSLocalizedDescriptionKey] as? String == error.message)
        #expect(error.localizedDescription == error.message)
        #expect(AuthErrorCode(rawValue: number) == error.code)
    }

    @Test func `a refused password says which rule it breaks`() async throws {
        let auth = try HomingApp.of(
            ScriptedTransport { _ in Scripted.refusal("WEAK_PASSWORD : Password should be at least 6 characters") })
        let error = await #expect(throws: HomingAuthError.self) {
            try await auth.confirmPasswordReset(withCode: "code", newPassword: "short")
        }
        #expect(error?.failureReason == "Password should be at least 6 characters")
    }

    private static func isWeak(_ password: String, to auth: Auth) async -> Bool {
        do {
            try await auth.confirmPasswordReset(withCode: "code", newPassword: password)
            return false
        } catch AuthErrorCode.weakPassword {
            return true
        } catch {
            return false
        }
    }

    @Test func `a catch clause may name the code`() async throws {
        let auth = try HomingApp.of(ScriptedTransport { _ in Scripted.refusal("WEAK_PASSWORD") })
        #expect(await Self.isWeak("short", to: auth))
        let other = try HomingApp.of(ScriptedTransport { _ in Scripted.refusal("INVALID_OOB_CODE") })
        #expect(await !Self.isWeak("short", to: other))
    }

    @Test func `a refused sign-up names its address`() async throws {
        let auth = try HomingApp.of(ScriptedTransport { _ in Scripted.refusal("EMAIL_EXISTS") })
        let error = await #expect(throws: HomingAuthError.self) {
            try await auth.createUser(withEmail: "ann@home.example", password: "long enough")
        }
        #expect(error?.errorUserInfo["FIRAuthErrorUserInfoEmailKey"] as? String == "ann@home.example")
        #expect(auth.currentUser == nil)
    }

    @Test(arguments: ["", "<html>", "[]", "{\"error\":\"no\"}", "{\"error\":{\"message\":7}}"])
    func `an answer that is not Homing's is an error and no crash`(text: String) async throws {
        let auth = try HomingApp.of(ScriptedTransport { _ in (502, text) })
        let error = await #expect(throws: HomingAuthError.self) { try await auth.signInAnonymously() }
        #expect(error?.code == .internalError)
        #expect(error?.message.contains("endpoint") == true)
    }

    @Test func `a server that is not reached is a network error with its cause`() async throws {
        let auth = try HomingApp.of(ScriptedTransport { _ in throw URLError(.notConnectedToInternet) })
        let error = await #expect(throws: HomingAuthError.self) {
            try await auth.sendPasswordReset(withEmail: "a@b.example")
        }
        #expect(error?.code == .networkError)
        #expect((error?.underlyingError as? URLError)?.code == .notConnectedToInternet)
    }

    @Test func `without a configured app every call says what is missing`() async throws {
        let error = await #expect(throws: HomingAuthError.self) { try await Auth.auth().signInAnonymously() }
        #expect(error?.code == .invalidAPIKey)
        #expect(error?.message.contains("HomingApp.configure") == true)
    }

    @Test func `a credential shows no secret in a log`() {
        let credential = EmailAuthProvider.credential(withEmail: "ann@home.example", password: "the secret")
        var dumped = ""
        dump(credential, to: &dumped)
        #expect(!"\(credential) \(String(reflecting: credential)) \(dumped)".contains("the secret"))
    }
}
