// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingAuth
import Testing

/// The ways in which apps of FirebaseAuth 8 to 12 inspect an error.
@Suite struct FirebaseSpellingsTests {
    private static func auth(refusing message: String) throws -> Auth {
        try HomingApp.of(ScriptedTransport { _ in Scripted.refusal(message) })
    }

    /// A layer of an app whose function has untyped throws.
    private static func signUp(_ auth: Auth) async throws {
        try await auth.createUser(withEmail: "ann@home.example", password: "long enough")
    }

    private static func words(for auth: Auth) async -> String {
        do {
            try await signUp(auth)
            return "welcome"
        } catch let error as AuthErrorCode {
            switch error.code {
            case .emailAlreadyInUse: return "taken: \(error.email ?? "")"
            case .weakPassword, .invalidEmail: return "not good enough"
            default: return error.localizedDescription
            }
        } catch {
            return "something else"
        }
    }

    @Test func `a catch clause casts to the code and switches over it`() async throws {
        #expect(try await Self.words(for: Self.auth(refusing: "EMAIL_EXISTS")) == "taken: ann@home.example")
        #expect(try await Self.words(for: Self.auth(refusing: "WEAK_PASSWORD")) == "not good enough")
        #expect(try await Self.words(for: Self.auth(refusing: "USER_DISABLED")).contains("disabled"))
    }

    @Test func `a completion handler's error is cast to its code`() async throws {
        let auth = try Self.auth(refusing: "INVALID_PASSWORD")
        let error = await withCheckedContinuation { continuation in
            auth.signIn(withEmail: "ann@home.example", password: "wrong") { continuation.resume(returning: $1) }
        }
        #expect((error as? AuthErrorCode)?.code == .wrongPassword)
        #expect((error as? AuthErrorCode)?.code == AuthErrorCode.wrongPassword)
        #expect((error as? AuthErrorCode)?.errorCode == AuthErrorCode.wrongPassword.rawValue)
        #expect((error as? AuthErrorCode)?.errorCode == 17009)
        #expect((error as? AuthErrorCode)?.code != .userNotFound)
        #expect((error as? HomingAuthError)?.code == .wrongPassword)
        #expect((URLError(.timedOut) as any Error) as? AuthErrorCode == nil)
    }

    @Test func `an NSError's number is a code in every spelling`() async throws {
        let error = try #require(
            await #expect(throws: (any Error).self) {
                try await Self.signUp(try Self.auth(refusing: "EMAIL_EXISTS"))
            })
        let bridged = error as NSError
        #expect(bridged.domain == AuthErrorCode.errorDomain)
        #expect(bridged.domain == AuthErrorDomain && bridged.domain == AuthErrors.domain)
        #expect(AuthErrorCode(rawValue: bridged.code) == .emailAlreadyInUse)
        #expect(AuthErrorCode(rawValue: error._code)?.rawValue == 17007)
        let code: AuthErrorCode.Code? = AuthErrorCode.Code(rawValue: bridged.code)
        switch code {
        case .emailAlreadyInUse: break
        default: Issue.record("not the code: \(code as Any)")
        }
        #expect(bridged.userInfo[AuthErrorUserInfoNameKey] as? String == "ERROR_EMAIL_ALREADY_IN_USE")
        #expect(bridged.userInfo[AuthErrorUserInfoEmailKey] as? String == "ann@home.example")
    }

    @Test func `an NSError of the domain becomes the error again, with what it knows`() async throws {
        let underlying = URLError(.timedOut)
        let thrown = HomingAuthError(
            .emailAlreadyInUse, "Take another.", failureReason: "a rule", email: "ann@home.example",
            underlying: underlying)
        let error = AuthErrorCode(_nsError: thrown as NSError)
        #expect(error.code == .emailAlreadyInUse)
        #expect(error.message == "Take another.")
        #expect(error.localizedDescription == "Take another.")
        #expect(error.failureReason == "a rule")
        #expect(error.email == "ann@home.example")
        #expect((error.underlyingError as? URLError)?.code == .timedOut)
        #expect(error.userInfo[AuthErrors.userInfoNameKey] as? String == "ERROR_EMAIL_ALREADY_IN_USE")
        let bare = AuthErrorCode(_nsError: NSError(domain: "FIRAuthErrorDomain", code: 17009))
        #expect(bare.code == .wrongPassword)
        #expect(bare.message.contains("password"))
        let newer = AuthErrorCode(_nsError: NSError(domain: "FIRAuthErrorDomain", code: 17999_9))
        #expect(newer.code.rawValue == 17999_9)
    }

    @Test func `an NSError of another domain is no code, and asked all the same an internal error with it inside`() {
        let other = NSError(
            domain: NSCocoaErrorDomain, code: 17009, userInfo: [NSLocalizedDescriptionKey: "the disk is full"])
        #expect(AuthErrorCode(_bridgedNSError: other) == nil)
        #expect(AuthErrorCode(_bridgedNSError: NSError(domain: "FIRAuthErrorDomain", code: 17009)) == .wrongPassword)
        let error = AuthErrorCode(_nsError: other)
        #expect(error.code == .internalError)
        #expect(error.message == "the disk is full")
        #expect((error.underlyingError as? NSError)?.domain == NSCocoaErrorDomain)
    }

    @Test func `a catch clause that names a code also knows an NSError, as Objective-C hands one on`() {
        func isWrongPassword(_ error: any Error) -> Bool {
            do {
                throw error
            } catch AuthErrorCode.wrongPassword {
                return true
            } catch {
                return false
            }
        }
        #expect(isWrongPassword(NSError(domain: "FIRAuthErrorDomain", code: 17009)))
        #expect(isWrongPassword(HomingAuthError(.wrongPassword, "It is wrong.")))
        #expect(isWrongPassword(AuthErrorCode(.wrongPassword)))
        #expect(!isWrongPassword(NSError(domain: "FIRAuthErrorDomain", code: 17011)))
        #expect(!isWrongPassword(NSError(domain: NSCocoaErrorDomain, code: 17009)))
        #expect(!isWrongPassword(URLError(.timedOut)))
    }

    @Test func `a test of an app makes an error from a code, and a code is one in a variable, a set and a switch`() {
        let error: any Error = AuthErrorCode(.requiresRecentLogin)
        #expect((error as NSError).code == 17014)
        #expect(error.localizedDescription.contains("reauthenticate"))
        let told = AuthErrorCode(.weakPassword, userInfo: [NSLocalizedFailureReasonErrorKey: "six characters"])
        #expect(told.failureReason == "six characters")
        let code: AuthErrorCode = .weakPassword
        #expect(told.code == code)
        #expect(told == .weakPassword)
        #expect(Set<AuthErrorCode>([.weakPassword, told.code, .userNotFound]).count == 2)
        let numbers: [AuthErrorCode.Code: Int] = [.weakPassword: 1]
        #expect(numbers[told.code] == 1)
    }

    @Test func `a code that is printed is its name, and an error besides what happened`() {
        #expect("\(AuthErrorCode.wrongPassword)" == "ERROR_WRONG_PASSWORD")
        let error = HomingAuthError(.emailAlreadyInUse, "Take another.", email: "ann@home.example")
        #expect("\(error)" == "ERROR_EMAIL_ALREADY_IN_USE: Take another.")
        #expect("\(error.code)" == "ERROR_EMAIL_ALREADY_IN_USE")
    }

    // MARK: Handles, users and settings

    /// A view controller of an app that was written for FirebaseAuth.
    @MainActor private final class Profile {
        var handle: (any NSObjectProtocol)?
        var tokenHandle: IDTokenDidChangeListenerHandle?
        private(set) var heard = 0

        func appear(_ auth: Auth) {
            handle = auth.addStateDidChangeListener { [weak self] _, _ in self?.heard += 1 }
            tokenHandle = auth.addIDTokenDidChangeListener { [weak self] _, _ in self?.heard += 1 }
        }

        func disappear(_ auth: Auth) {
            if let handle { auth.removeStateDidChangeListener(handle) }
            if let tokenHandle { auth.removeIDTokenDidChangeListener(tokenHandle) }
        }
    }

    @Test func `a listener's handle is kept as an object, and ends the listener`() async throws {
        let auth = try HomingApp.of(ScriptedTransport())
        let profile = await Profile()
        await profile.appear(auth)
        for _ in 0..<5000 where await profile.heard < 2 { try await Task.sleep(nanoseconds: 1_000_000) }
        await profile.disappear(auth)
        try await auth.signInAnonymously()
        await MainActor.run {}
        #expect(await profile.heard == 2)
        // Removing another object ends nothing.
        auth.removeStateDidChangeListener(NSObject())
    }

    @Test func `a handle may be kept by what is shared between threads`() async throws {
        let auth = try HomingApp.of(ScriptedTransport())
        let handle: AuthStateDidChangeListenerHandle = auth.addStateDidChangeListener { _, _ in }
        await Task { auth.removeStateDidChangeListener(handle) }.value
    }

    @Test func `a user is equal to itself and to nobody else, as an object is`() async throws {
        let store = MemorySessionStore()
        let auth = try HomingApp.of(ScriptedTransport(), store: store)
        let user = try await auth.signIn(withEmail: "ann@home.example", password: "long enough").user
        #expect(auth.currentUser == user)
        #expect(Set([user, try #require(auth.currentUser)]).count == 1)
        try await user.reload()
        #expect(auth.currentUser == user, "what is known of a user may change")
        // Another sign-in is another session, even of the same person.
        let again = try await auth.signIn(withEmail: "ann@home.example", password: "long enough").user
        #expect(again != user)
        #expect(again.uid == user.uid)
        #expect([user: 1, again: 2][user] == 1)
        let elsewhere = try HomingApp.of(ScriptedTransport(), store: store)
        #expect(elsewhere.currentUser != again)
    }

    @Test func `settings that are made on one thread are used on another, even at once`() async throws {
        let transport = ScriptedTransport()
        let auth = try HomingApp.of(transport)
        let settings = ActionCodeSettings()
        settings.url = URL(string: "https://www.shop.example/")
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<50 {
                group.addTask {
                    settings.setAndroidPackageName(
                        "com.example.n\(number)", installIfNotAvailable: true, minimumVersion: "\(number)")
                    try? await auth.sendPasswordReset(withEmail: "a@home.example", actionCodeSettings: settings)
                }
            }
        }
        #expect(transport.calls.count == 50)
        for call in transport.calls {
            let version = try #require(call.string("androidMinimumVersion"))
            #expect(call.string("androidPackageName") == "com.example.n\(version)", "not settings of one call")
        }
    }
}
