// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors
// swift-format-ignore-file

import Foundation
import HomingAuth

// shape: an error's number
func others1(_ error: Error) -> Int { (error as NSError).code }

// shape: an error by pattern
func others2(_ error: Error) -> String {
    switch error {
    case AuthErrorCode.invalidEmail: return "address"
    case AuthErrorCode.weakPassword: return "password"
    default: return "other"
    }
}

// shape: an error in a mapped result
func others3(_ result: Result<AuthDataResult, Error>) -> Result<String, Error> { result.map { $0.user.uid } }

// shape: an error of a test
func others4() -> NSError { AuthErrorCode(.userDisabled) as NSError }

// shape: an error by the bridge
func others5(_ error: NSError) -> AuthErrorCode { AuthErrorCode(_nsError: error) }

// shape: an error's domain
func others6(_ error: NSError) -> Bool { error.domain == AuthErrorCode.errorDomain || error.domain == AuthErrors.domain }

// shape: an app's own AuthError
enum AuthError: Error { case missing }
func others7() throws -> User {
    guard let user = Auth.auth().currentUser else { throw AuthError.missing }
    return user
}

// shape: an app's own SessionStore
@MainActor final class SessionStore: ObservableObject {
    @Published var session: User?
    var handle: AuthStateDidChangeListenerHandle?
    func listen() { handle = Auth.auth().addStateDidChangeListener { _, user in self.session = user } }
}

// shape: an app's own Transport and ConfigurationError
protocol Transport {}
struct ConfigurationError: Error {}
typealias ErrorHandler = (Error?) -> Void
func others9(_ handler: @escaping ErrorHandler) { Auth.auth().sendPasswordReset(withEmail: "a@example.com", completion: handler) }

// shape: constants of sign-in methods
func others10(_ methods: [String]) -> Bool { methods.contains(EmailPasswordAuthSignInMethod) || methods.contains(EmailLinkAuthSignInMethod) }

// shape: provider ids as values
func others11() -> [String] { [AuthProviderID.email.rawValue, AuthProviderID.google.rawValue, AuthProviderID.apple.rawValue] }

// shape: a provider of an additional info
func others12(_ result: AuthDataResult) -> String? { result.additionalUserInfo?.username ?? result.additionalUserInfo?.providerID }

// shape: a handler with typed parameters
func others13() {
    Auth.auth().signIn(withEmail: "a", password: "b") { (result: AuthDataResult?, error: Error?) -> Void in print(result as Any, error as Any) }
}

// shape: a handler that is a method with two parameters
final class Others14 {
    func finish(_ result: AuthDataResult?, _ error: Error?) {}
    func start() { Auth.auth().createUser(withEmail: "a", password: "b", completion: finish) }
}

// shape: a handler that changes what is around it
final class Others15 {
    var count = 0
    var names: [String] = []
    func start() {
        Auth.auth().signInAnonymously { result, _ in
            self.count += 1
            self.names.append(result?.user.uid ?? "")
        }
    }
}

// shape: a handler that changes a local variable
func others16() {
    var tries = 0
    Auth.auth().sendPasswordReset(withEmail: "a") { error in if error != nil { tries += 1; print(tries) } }
}

// shape: a dispatch group
func others17() {
    let group = DispatchGroup()
    group.enter()
    Auth.auth().signInAnonymously { _, _ in group.leave() }
    group.notify(queue: .main) { print("done") }
}

// shape: nested handlers
func others18(_ email: String) {
    Auth.auth().signInAnonymously { result, error in
        result?.user.getIDToken { token, error in
            Auth.auth().sendPasswordReset(withEmail: email) { error in print(token as Any, error as Any) }
        }
    }
}

// shape: a delegate of the app
protocol LoginDelegate: AnyObject { func didLogIn(_ user: User) }
final class Others19 {
    weak var delegate: LoginDelegate?
    func logIn() { Auth.auth().signIn(withEmail: "a", password: "b") { result, _ in if let user = result?.user { self.delegate?.didLogIn(user) } } }
}

// shape: an extension of User
extension User {
    var initials: String { (displayName ?? "").split(separator: " ").compactMap { $0.first.map(String.init) }.joined() }
}

// shape: an extension of Auth
extension Auth {
    func signInOrCreate(_ email: String, _ password: String) async throws -> User {
        do { return try await signIn(withEmail: email, password: password).user } catch { return try await createUser(withEmail: email, password: password).user }
    }
}

// shape: an optional chain of handlers
func others22() { Auth.auth().currentUser?.getIDToken(completion: nil); Auth.auth().currentUser?.delete(completion: nil); Auth.auth().currentUser?.reload(completion: nil) }

// shape: a generic wrapper of handlers
func others23<Value: Sendable>(_ call: (@escaping (Value?, Error?) -> Void) -> Void) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        call { value, error in if let value { continuation.resume(returning: value) } else { continuation.resume(throwing: error ?? URLError(.unknown)) } }
    }
}
func others23use() async throws -> String { try await others23 { (done: @escaping (String?, Error?) -> Void) in Auth.auth().verifyPasswordResetCode("code", completion: done) } }

// shape: a main queue inside a handler
func others24(_ controller: UIViewController) {
    Auth.auth().signIn(withEmail: "a", password: "b") { _, error in
        DispatchQueue.main.async { print(error?.localizedDescription ?? "") }
    }
}

// shape: a task on the main actor inside a handler
func others25(_ controller: UIViewController) {
    Auth.auth().signIn(withEmail: "a", password: "b") { _, error in
        let text = error?.localizedDescription
        Task { @MainActor in controller.show(text ?? "") }
    }
}

// shape: a view model that awaits in a button
@MainActor final class Others26: ObservableObject {
    @Published var isBusy = false
    func tapped() {
        isBusy = true
        Task { [weak self] in
            _ = try? await Auth.auth().signInAnonymously()
            self?.isBusy = false
        }
    }
}
