// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors
// swift-format-ignore-file

import Foundation
import HomingAuth

// shape: a sign-up in a view controller
@MainActor final class SignUp1: UIViewController {
    let email = UITextField()
    let password = UITextField()
    func create() {
        guard let email = email.text, let password = password.text else { return }
        Auth.auth().createUser(withEmail: email, password: password) { authResult, error in
            if let error = error {
                self.show(error.localizedDescription)
                return
            }
            self.performSegue(withIdentifier: "welcome", sender: authResult?.user)
        }
    }
}

// shape: a sign-up with a weak self and a guard
@MainActor final class SignUp2: UIViewController {
    var user: User?
    func create(_ email: String, _ password: String) {
        Auth.auth().createUser(withEmail: email, password: password) { [weak self] result, error in
            guard let strongSelf = self else { return }
            guard let user = result?.user, error == nil else {
                strongSelf.show(error!.localizedDescription)
                return
            }
            strongSelf.user = user
            print("\(user.email!) created")
        }
    }
}

// shape: a sign-up that switches over the code of the error
func signUp3(_ email: String, _ password: String) {
    Auth.auth().createUser(withEmail: email, password: password) { _, error in
        if let error = error as NSError? {
            switch AuthErrorCode.Code(rawValue: error.code) {
            case .emailAlreadyInUse: print("taken")
            case .invalidEmail: print("no address")
            case .weakPassword: print("weak")
            default: print(error.localizedDescription)
            }
        }
    }
}

// shape: a sign-up that casts the error to its code
func signUp4(_ email: String, _ password: String) {
    Auth.auth().createUser(withEmail: email, password: password) { _, error in
        if let error = error as? AuthErrorCode, error.code == .emailAlreadyInUse { print("taken") }
    }
}

// shape: a sign-up by the code's raw value of an NSError
func signUp5(_ email: String, _ password: String) {
    Auth.auth().createUser(withEmail: email, password: password) { (result, error) in
        if let err = error, let code = AuthErrorCode(rawValue: err._code) {
            switch code {
            case AuthErrorCode.weakPassword: print("weak")
            case .networkError: print("offline")
            default: break
            }
        } else if let uid = result?.user.uid {
            print(uid)
        }
    }
}

// shape: a sign-up with async
func signUp6(_ email: String, _ password: String) async throws -> User {
    let result = try await Auth.auth().createUser(withEmail: email, password: password)
    return result.user
}

// shape: a sign-up with async whose result is not needed
func signUp7(_ email: String, _ password: String) async {
    do {
        try await Auth.auth().createUser(withEmail: email, password: password)
    } catch {
        print("failed: \(error.localizedDescription)")
    }
}

// shape: a sign-up in a view model
@MainActor final class SignUp8: ObservableObject {
    @Published var errorMessage = ""
    @Published var user: User?
    @Published var isLoading = false
    func signUp(email: String, password: String) async -> Bool {
        isLoading = true
        defer { isLoading = false }
        do {
            let authResult = try await Auth.auth().createUser(withEmail: email, password: password)
            user = authResult.user
            return true
        } catch {
            errorMessage = error.localizedDescription
            return false
        }
    }
}

// shape: a sign-up that goes on with the verification
func signUp9(_ email: String, _ password: String) {
    Auth.auth().createUser(withEmail: email, password: password) { result, error in
        guard error == nil else { return }
        result?.user.sendEmailVerification(completion: { error in
            if error == nil { print("mailed") }
        })
    }
}

// shape: a sign-up that sets the name before it goes on
func signUp10(_ email: String, _ password: String, name: String, done: @escaping (Error?) -> Void) {
    Auth.auth().createUser(withEmail: email, password: password) { result, error in
        if let error { return done(error) }
        let changeRequest = result?.user.createProfileChangeRequest()
        changeRequest?.displayName = name
        changeRequest?.commitChanges { error in done(error) }
    }
}

// shape: a sign-up behind a protocol of the app
protocol AuthService {
    func createAccount(email: String, password: String, completion: @escaping (Result<Profile, Error>) -> Void)
}
final class HomingAuthService: AuthService {
    private let auth = Auth.auth()
    func createAccount(email: String, password: String, completion: @escaping (Result<Profile, Error>) -> Void) {
        auth.createUser(withEmail: email, password: password) { result, error in
            if let error { return completion(.failure(error)) }
            guard let user = result?.user else { return }
            completion(.success(Profile(uid: user.uid, email: user.email)))
        }
    }
}

// shape: a sign-up in a continuation
func signUp12(_ email: String, _ password: String) async throws -> String {
    try await withCheckedThrowingContinuation { continuation in
        Auth.auth().createUser(withEmail: email, password: password) { result, error in
            if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: result!.user.uid) }
        }
    }
}

// shape: a sign-up whose handler is a variable
func signUp13(_ email: String, _ password: String, handler: ((AuthDataResult?, Error?) -> Void)?) {
    Auth.auth().createUser(withEmail: email, password: password, completion: handler)
}

// shape: a sign-up without a handler
func signUp14() { Auth.auth().createUser(withEmail: "a@example.com", password: "long enough") }

// shape: a sign-up that asks whether the user is new
func signUp15() async throws {
    let result = try await Auth.auth().createUser(withEmail: "a@example.com", password: "long enough")
    if result.additionalUserInfo?.isNewUser == true { print("welcome") }
    print(result.additionalUserInfo?.providerID ?? "", result.additionalUserInfo?.profile?["name"] ?? "", result.credential as Any)
}

// shape: a sign-in in a view controller
@MainActor final class SignIn1: UIViewController {
    let button = UIButton()
    func tapped(_ email: String, _ password: String) {
        button.isEnabled = false
        Auth.auth().signIn(withEmail: email, password: password) { [weak self] authResult, error in
            self?.button.isEnabled = true
            if let error { self?.show(error.localizedDescription) }
        }
    }
}

// shape: a sign-in with two kinds of wrong
func signIn2(_ email: String, _ password: String) {
    Auth.auth().signIn(withEmail: email, password: password) { user, error in
        if error != nil {
            let nsError = error! as NSError
            if nsError.code == AuthErrorCode.wrongPassword.rawValue || nsError.code == AuthErrorCode.userNotFound.rawValue {
                print("wrong")
            }
        }
        print(user?.user.uid ?? "")
    }
}

// shape: a sign-in with async in a task
@MainActor final class SignIn3: ObservableObject {
    @Published var message: String?
    func signIn(email: String, password: String) {
        Task {
            do {
                let result = try await Auth.auth().signIn(withEmail: email, password: password)
                message = "Hello \(result.user.displayName ?? "you")"
            } catch let error as NSError {
                message = error.localizedDescription
            }
        }
    }
}

// shape: a sign-in in a nonisolated class that answers its own handler on a queue
final class SignIn4: @unchecked Sendable {
    func signIn(_ email: String, _ password: String, completion: @escaping (Bool, String?) -> Void) {
        Auth.auth().signIn(withEmail: email, password: password) { result, error in
            if let error { completion(false, error.localizedDescription) } else { completion(true, result?.user.uid) }
        }
    }
}

// shape: a sign-in with a credential
func signIn5() async throws {
    let credential = EmailAuthProvider.credential(withEmail: "a@example.com", password: "long enough")
    try await Auth.auth().signIn(with: credential)
}

// shape: a sign-in with a credential and a handler
func signIn6(_ credential: AuthCredential) {
    Auth.auth().signIn(with: credential) { (authResult, error) in
        if let error = error { print(error); return }
        print(authResult!.user, credential.provider)
    }
}

// shape: a sign-in that catches a code
func signIn7() async {
    do {
        _ = try await Auth.auth().signIn(withEmail: "a@example.com", password: "x")
    } catch AuthErrorCode.wrongPassword {
        print("wrong")
    } catch AuthErrorCode.userNotFound, AuthErrorCode.invalidCredential {
        print("nobody")
    } catch {
        print(error)
    }
}

// shape: a sign-in whose error is read through the bridge
func signIn8(_ error: Error) -> String {
    let error = error as NSError
    guard error.domain == AuthErrorDomain, let code = AuthErrorCode.Code(rawValue: error.code) else { return "?" }
    return "\(code) \(error.userInfo[AuthErrorUserInfoNameKey] ?? "") \(error.userInfo[AuthErrorUserInfoEmailKey] ?? "")"
}

// shape: a sign-in through a custom token
func signIn9(_ token: String) {
    Auth.auth().signIn(withCustomToken: token) { result, error in print(result?.user.uid ?? "", error as Any) }
}

// shape: a sign-in through a custom token with async
func signIn10(_ token: String) async throws -> AuthDataResult { try await Auth.auth().signIn(withCustomToken: token) }

// shape: a sign-in with several apps
func signIn11() async throws {
    guard let app = HomingApp.app(name: "second") else { return }
    try await Auth.auth(app: app).signIn(withEmail: "a@example.com", password: "long enough")
}

// shape: a reset in a view controller
@MainActor final class Reset1: UIViewController {
    func forgot(_ email: String) {
        Auth.auth().sendPasswordReset(withEmail: email) { error in
            if let error { self.show(error.localizedDescription) } else { self.show("Check your mail.") }
        }
    }
}

// shape: a reset with settings
func reset2(_ email: String) {
    let actionCodeSettings = ActionCodeSettings()
    actionCodeSettings.url = URL(string: String(format: "https://www.example.com/?email=%@", email))
    actionCodeSettings.handleCodeInApp = true
    actionCodeSettings.setIOSBundleID(Bundle.main.bundleIdentifier!)
    actionCodeSettings.setAndroidPackageName("com.example.android", installIfNotAvailable: true, minimumVersion: "12")
    Auth.auth().sendPasswordReset(withEmail: email, actionCodeSettings: actionCodeSettings) { error in
        print(error?.localizedDescription ?? "sent")
    }
}

// shape: a reset with async
func reset3(_ email: String) async throws { try await Auth.auth().sendPasswordReset(withEmail: email) }

// shape: a reset with settings and async
func reset4(_ email: String) async throws {
    try await Auth.auth().sendPasswordReset(withEmail: email, actionCodeSettings: settings)
}

// shape: a reset whose settings are optional
func reset5(_ email: String, _ settings: ActionCodeSettings?) async throws {
    try await Auth.auth().sendPasswordReset(withEmail: email, actionCodeSettings: settings)
}

// shape: a reset without a handler
func reset6(_ email: String) { Auth.auth().sendPasswordReset(withEmail: email) }

// shape: a reset whose handler is nil
func reset7(_ email: String) { Auth.auth().sendPasswordReset(withEmail: email, completion: nil) }

// shape: a reset whose handler is passed on
func reset8(_ email: String, completion: @escaping (Error?) -> Void) {
    Auth.auth().sendPasswordReset(withEmail: email, completion: completion)
}

// shape: a reset in a language
func reset9(_ email: String) {
    Auth.auth().languageCode = "fr"
    Auth.auth().useAppLanguage()
    Auth.auth().sendPasswordReset(withEmail: email) { _ in }
}

// shape: a reset that says nothing of who has an account
func reset10(_ email: String) async -> String {
    do {
        try await Auth.auth().sendPasswordReset(withEmail: email)
    } catch let error as NSError where error.code == AuthErrorCode.userNotFound.rawValue {
        // The same for everybody.
    } catch {
        return error.localizedDescription
    }
    return "If there is an account, a mail is on its way."
}

// shape: a code is looked at and a new password set
func reset11(_ code: String, _ newPassword: String) {
    Auth.auth().verifyPasswordResetCode(code) { email, error in
        guard let email = email else { return print(error as Any) }
        print(email)
        Auth.auth().confirmPasswordReset(withCode: code, newPassword: newPassword) { error in print(error as Any) }
    }
}

// shape: a code is looked at and a new password set with async
func reset12(_ code: String, _ newPassword: String) async throws -> String {
    let email = try await Auth.auth().verifyPasswordResetCode(code)
    try await Auth.auth().confirmPasswordReset(withCode: code, newPassword: newPassword)
    return email
}

// shape: a code is asked what it does
func code1(_ code: String) {
    Auth.auth().checkActionCode(code) { info, error in
        switch info?.operation {
        case .passwordReset?: print("reset", info!.email)
        case .verifyEmail?: print("verify")
        case .recoverEmail?: print("back to", info?.previousEmail ?? "")
        case .emailLink?: print("sign in")
        case .verifyAndChangeEmail?: print("change")
        case .revertSecondFactorAddition?, .unknown?, nil: print(error as Any)
        }
    }
}

// shape: a code is asked what it does with async
func code2(_ code: String) async throws -> ActionCodeOperation { try await Auth.auth().checkActionCode(code).operation }

// shape: a code is applied
func code3(_ code: String) { Auth.auth().applyActionCode(code) { error in if let error { print(error) } } }

// shape: a code is applied with async and the user reloaded
func code4(_ code: String) async throws -> Bool {
    try await Auth.auth().applyActionCode(code)
    try await Auth.auth().currentUser?.reload()
    return Auth.auth().currentUser?.isEmailVerified ?? false
}

// shape: a verification
func verify1() {
    Auth.auth().currentUser?.sendEmailVerification { error in
        if let error { print(error.localizedDescription) }
    }
}

// shape: a verification with settings
func verify2() {
    let user = Auth.auth().currentUser!
    user.sendEmailVerification(with: settings) { error in
        guard error == nil else { return }
        print("sent")
    }
}

// shape: a verification with async
func verify3() async throws { try await Auth.auth().currentUser?.sendEmailVerification() }

// shape: a verification with settings and async
func verify4() async throws { try await Auth.auth().currentUser?.sendEmailVerification(with: settings) }

// shape: a verification without a handler
func verify5(_ user: User) { user.sendEmailVerification() }

// shape: a verification whose handler is a method
final class Verify6 {
    func done(_ error: Error?) {}
    func start(_ user: User) { user.sendEmailVerification(completion: done) }
}

// shape: a verification that is asked for again and again until it is there
@MainActor final class Verify7: UIViewController {
    var timer: Timer?
    func check() {
        Auth.auth().currentUser?.reload(completion: { error in
            guard error == nil, let user = Auth.auth().currentUser, user.isEmailVerified else { return }
            self.timer?.invalidate()
            self.performSegue(withIdentifier: "verified", sender: nil)
        })
    }
}

// shape: a verification before an app opens a page
func verify8(_ open: (Bool) -> Void) {
    if let user = Auth.auth().currentUser, user.isEmailVerified { open(true) } else { open(false) }
}

// shape: a new address after a mail to it
func change1(_ email: String) {
    Auth.auth().currentUser?.sendEmailVerification(beforeUpdatingEmail: email) { error in print(error as Any) }
}

// shape: a new address with settings
func change2(_ email: String) {
    Auth.auth().currentUser?.sendEmailVerification(beforeUpdatingEmail: email, actionCodeSettings: settings) { error in
        if let code = (error as NSError?)?.code, code == AuthErrorCode.requiresRecentLogin.rawValue { print("again") }
    }
}

// shape: a new address with async
func change3(_ user: User, _ email: String) async throws {
    try await user.sendEmailVerification(beforeUpdatingEmail: email)
    try await user.sendEmailVerification(beforeUpdatingEmail: email, actionCodeSettings: settings)
}

// shape: a new password
func change4(_ password: String) {
    Auth.auth().currentUser?.updatePassword(to: password) { error in
        if let error { print(error.localizedDescription) }
    }
}

// shape: a new password with async
func change5(_ user: User, _ password: String) async throws { try await user.updatePassword(to: password) }

// shape: a new password after the old one was proved
func change6(_ old: String, _ new: String, completion: @escaping (Error?) -> Void) {
    guard let user = Auth.auth().currentUser, let email = user.email else { return }
    let credential = EmailAuthProvider.credential(withEmail: email, password: old)
    user.reauthenticate(with: credential) { _, error in
        if let error { return completion(error) }
        user.updatePassword(to: new) { completion($0) }
    }
}

// shape: a new password after the old one was proved with async
func change7(_ old: String, _ new: String) async throws {
    guard let user = Auth.auth().currentUser else { return }
    let credential = EmailAuthProvider.credential(withEmail: user.email ?? "", password: old)
    try await user.reauthenticate(with: credential)
    try await user.updatePassword(to: new)
}

// shape: a sign-in link is asked for
func link1(_ email: String) {
    let actionCodeSettings = ActionCodeSettings()
    actionCodeSettings.url = URL(string: "https://www.example.com")
    actionCodeSettings.handleCodeInApp = true
    Auth.auth().sendSignInLink(toEmail: email, actionCodeSettings: actionCodeSettings) { error in
        if let error = error {
            print(error.localizedDescription)
            return
        }
        UserDefaults.standard.set(email, forKey: "Email")
    }
}

// shape: a sign-in link is asked for with async
func link2(_ email: String) async throws {
    try await Auth.auth().sendSignInLink(toEmail: email, actionCodeSettings: settings)
    Store.shared.email = email
}

// shape: a sign-in link is asked for in a view model
@MainActor final class Link3: ObservableObject {
    @Published var isSent = false
    @Published var error: Error?
    func send(to email: String) {
        Auth.auth().sendSignInLink(toEmail: email, actionCodeSettings: settings) { [weak self] error in
            self?.error = error
            self?.isSent = error == nil
        }
    }
}

// shape: a sign-in link has opened the app
func link4(_ userActivity: NSUserActivity) -> Bool {
    guard let link = userActivity.webpageURL?.absoluteString, let email = Store.shared.email else { return false }
    if Auth.auth().isSignIn(withEmailLink: link) {
        Auth.auth().signIn(withEmail: email, link: link) { user, error in print(user?.user.email ?? "", error as Any) }
        return true
    }
    return false
}

// shape: a sign-in link has opened the app with async
func link5(_ url: URL, _ email: String) async throws -> User? {
    guard Auth.auth().isSignIn(withEmailLink: url.absoluteString) else { return nil }
    return try await Auth.auth().signIn(withEmail: email, link: url.absoluteString).user
}

// shape: a sign-in link as a credential
func link6(_ email: String, _ link: String) async throws {
    let credential = EmailAuthProvider.credential(withEmail: email, link: link)
    try await Auth.auth().currentUser?.reauthenticate(with: credential)
}

// shape: settings for Android too
func settings1() -> ActionCodeSettings {
    let settings = ActionCodeSettings()
    settings.url = URL(string: "https://www.example.com")
    settings.androidPackageName = "com.example.android"
    settings.androidInstallIfNotAvailable = true
    settings.androidMinimumVersion = "12"
    settings.iOSBundleID = "com.example.ios"
    settings.dynamicLinkDomain = "example.page.link"
    settings.linkDomain = "links.example.com"
    return settings
}

// shape: settings from components
func settings2() -> ActionCodeSettings {
    var components = URLComponents()
    components.scheme = "https"
    components.host = "www.example.com"
    components.queryItems = [URLQueryItem(name: "plan", value: "yearly")]
    let settings = ActionCodeSettings()
    settings.url = components.url
    settings.setAndroidPackageName("com.example", installIfNotAvailable: false, minimumVersion: nil)
    return settings
}

// shape: an address is deleted with its account
func delete1() {
    let user = Auth.auth().currentUser
    user?.delete { error in
        if let error = error { print(error) } else { print("gone") }
    }
}

// shape: an account is deleted with async
func delete2() async throws { try await Auth.auth().currentUser?.delete() }

// shape: an account is deleted after a fresh sign-in
func delete3(_ password: String) async {
    guard let user = Auth.auth().currentUser else { return }
    do {
        try await user.delete()
    } catch let error as NSError {
        guard error.code == AuthErrorCode.requiresRecentLogin.rawValue, let email = user.email else { return }
        _ = try? await user.reauthenticate(with: EmailAuthProvider.credential(withEmail: email, password: password))
        try? await user.delete()
    }
}
