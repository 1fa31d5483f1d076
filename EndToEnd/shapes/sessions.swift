// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors
// swift-format-ignore-file

import Foundation
import HomingAuth

// shape: configured in the delegate
final class Sessions1 {
    func application() -> Bool {
        HomingApp.configure(endpoint: URL(string: "https://auth.example.com")!, apiKey: "hk_1")
        return true
    }
}

// shape: configured by options
func sessions2() {
    let options = HomingOptions(endpoint: URL(string: "https://auth.example.com")!, apiKey: "hk_1")
    HomingApp.configure(options: options)
    HomingApp.configure(name: "second", options: options)
}

// shape: configured unless it was
func sessions3() throws { if HomingApp.app() == nil { try HomingApp.configure() } }

// shape: every app and its options
func sessions4() {
    for (name, app) in HomingApp.allApps ?? [:] { print(name, app.name, app.options.apiKey ?? "", app.options.endpoint) }
}

// shape: an app is deleted
func sessions5(_ app: HomingApp) {
    app.delete { success in print(success) }
}

// shape: an app is deleted with async
func sessions6(_ app: HomingApp) async -> Bool { await app.delete() }

// shape: the app of an auth
func sessions7() -> String { Auth.auth().app?.name ?? "" }

// shape: a listener that lives with its view controller
@MainActor final class Sessions8: UIViewController {
    var handle: AuthStateDidChangeListenerHandle?
    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        handle = Auth.auth().addStateDidChangeListener { auth, user in
            if user != nil { self.performSegue(withIdentifier: "home", sender: nil) }
        }
    }
    override func viewWillDisappear(_ animated: Bool) {
        super.viewWillDisappear(animated)
        Auth.auth().removeStateDidChangeListener(handle!)
    }
}

// shape: a listener whose handle is an NSObjectProtocol
@MainActor final class Sessions9: ObservableObject {
    @Published var user: User?
    private var handle: NSObjectProtocol?
    init() {
        handle = Auth.auth().addStateDidChangeListener { [weak self] _, user in self?.user = user }
    }
    func stop() { if let handle { Auth.auth().removeStateDidChangeListener(handle) } }
}

// shape: a listener in a store that is not isolated
final class Sessions10 {
    var session: Profile? { didSet { changed?(session) } }
    var changed: ((Profile?) -> Void)?
    var handle: AuthStateDidChangeListenerHandle?
    func listen() {
        handle = Auth.auth().addStateDidChangeListener { (auth, user) in
            if let user = user { self.session = Profile(uid: user.uid, email: user.email) } else { self.session = nil }
        }
    }
    func unbind() { if let handle = handle { Auth.auth().removeStateDidChangeListener(handle) } }
}

// shape: a listener whose handle nobody keeps
func sessions11() { Auth.auth().addStateDidChangeListener { _, user in print(user?.uid ?? "nobody") } }

// shape: a listener in a discarded handle
func sessions12() { _ = Auth.auth().addStateDidChangeListener { auth, _ in print(auth.currentUser as Any) } }

// shape: a listener in an async stream of the app
func sessions13() -> AsyncStream<User?> {
    AsyncStream { continuation in
        let handle = Auth.auth().addStateDidChangeListener { _, user in continuation.yield(user) }
        continuation.onTermination = { _ in Auth.auth().removeStateDidChangeListener(handle) }
    }
}

// shape: a listener for tokens
@MainActor final class Sessions14 {
    var handle: IDTokenDidChangeListenerHandle?
    func listen() {
        handle = Auth.auth().addIDTokenDidChangeListener { auth, user in
            user?.getIDToken { token, _ in Store.shared.token = token }
        }
    }
    func stop() { Auth.auth().removeIDTokenDidChangeListener(handle!) }
}

// shape: the changes as a sequence
func sessions15() async { for await user in Auth.auth().authStateChanges { print(user?.email ?? "") } }

// shape: a notification
final class Sessions16 {
    var observer: NSObjectProtocol?
    func listen() {
        observer = NotificationCenter.default.addObserver(forName: .AuthStateDidChange, object: Auth.auth(), queue: nil) { _ in
            print("changed")
        }
    }
}

// shape: a notification by its other name
let sessions17 = Auth.authStateDidChangeNotification.rawValue

// shape: who is signed in
func sessions18() -> Bool { Auth.auth().currentUser != nil }

// shape: what is known of who is signed in
func sessions19() {
    let user = Auth.auth().currentUser
    if let user = user {
        let uid = user.uid
        let email = user.email
        let photoURL = user.photoURL
        print(uid, email ?? "", photoURL?.absoluteString ?? "", user.displayName ?? "", user.phoneNumber ?? "", user.providerID)
    }
}

// shape: the ways of signing in
func sessions20() {
    if let providerData = Auth.auth().currentUser?.providerData {
        for item in providerData { print("\(item.providerID) \(item.uid) \(item.email ?? "") \(item.phoneNumber ?? "")") }
    }
}

// shape: a user as an info
func sessions21(_ user: User) { func show(_ info: UserInfo) { print(info.displayName ?? info.uid) }; show(user) }

// shape: a switch over providers
func sessions22(_ user: User) -> String {
    switch user.providerData.first?.providerID {
    case EmailAuthProviderID: return "password"
    case GoogleAuthProviderID, GoogleAuthProvider.id: return "google"
    case "apple.com", FacebookAuthProviderID, PhoneAuthProviderID: return "other"
    default: return "none"
    }
}

// shape: a provider among those of a user
func sessions23(_ user: User) -> Bool { user.providerData.contains { $0.providerID == EmailAuthProvider.id } }

// shape: when the account was made
func sessions24(_ user: User) -> Bool {
    guard let created = user.metadata.creationDate, let last = user.metadata.lastSignInDate else { return false }
    return created.timeIntervalSince1970 == last.timeIntervalSince1970
}

// shape: a sign-out
func sessions25() {
    do {
        try Auth.auth().signOut()
    } catch let signOutError as NSError {
        print("Error signing out: %@", signOutError)
    }
}

// shape: a sign-out that may fail
func sessions26() { try? Auth.auth().signOut() }

// shape: a sign-out of a name
func sessions27() throws {
    let firebaseAuth = Auth.auth()
    do { try firebaseAuth.signOut() } catch { print("Error signing out: \(error)"); throw error }
}

// shape: a token
func sessions28(completion: @escaping (String?) -> Void) {
    Auth.auth().currentUser?.getIDToken(completion: { (token, error) in completion(token) })
}

// shape: a token by force
func sessions29() {
    Auth.auth().currentUser?.getIDTokenForcingRefresh(true) { idToken, error in
        if let error { print(error); return }
        print(idToken!)
    }
}

// shape: a token with async
func sessions30() async throws -> String? { try await Auth.auth().currentUser?.getIDToken() }

// shape: a token by force with async
func sessions31(_ user: User) async throws -> [String] { [try await user.getIDToken(forcingRefresh: true), try await user.idTokenForcingRefresh(true)] }

// shape: a token in a request
func sessions32(_ url: URL) async throws -> URLRequestOf {
    let token = try await Auth.auth().currentUser?.getIDToken() ?? ""
    return URLRequestOf(url: url, headers: ["Authorization": "Bearer \(token)"])
}
struct URLRequestOf { let url: URL; let headers: [String: String] }

// shape: claims
func sessions33() {
    Auth.auth().currentUser?.getIDTokenResult(completion: { (result, error) in
        guard let admin = result?.claims["admin"] as? NSNumber else { return }
        print(admin.boolValue)
    })
}

// shape: claims by force with async
func sessions34(_ user: User) async throws -> Bool {
    let result = try await user.getIDTokenResult(forcingRefresh: true)
    print(result.token, result.expirationDate, result.authDate, result.issuedAtDate, result.signInProvider, result.signInSecondFactor)
    return result.claims["role"] as? String == "admin"
}

// shape: claims by force
func sessions35(_ user: User) { user.getIDTokenResult(forcingRefresh: true) { result, error in print(result?.claims as Any) } }

// shape: a reload
func sessions36() { Auth.auth().currentUser?.reload { error in print(error as Any) } }

// shape: a reload without a handler
func sessions37() { Auth.auth().currentUser?.reload() }

// shape: a reload with async that finds the account gone
func sessions38() async {
    do {
        try await Auth.auth().currentUser?.reload()
    } catch {
        let code = (error as NSError).code
        if code == AuthErrorCode.userNotFound.rawValue || code == AuthErrorCode.userDisabled.rawValue { try? Auth.auth().signOut() }
    }
}

// shape: a name and a picture
func sessions39(_ name: String, _ url: URL?) {
    let changeRequest = Auth.auth().currentUser?.createProfileChangeRequest()
    changeRequest?.displayName = name
    changeRequest?.photoURL = url
    changeRequest?.commitChanges { error in print(error as Any) }
}

// shape: a name with async
func sessions40(_ user: User) async throws {
    let request = user.createProfileChangeRequest()
    request.displayName = "Ann"
    try await request.commitChanges()
}

// shape: an emulator
func sessions41() {
    #if DEBUG
    Auth.auth().useEmulator(withHost: "127.0.0.1", port: 9099)
    #endif
    Auth.auth().useEmulator(withHost: "localhost", port: 9099)
}

// shape: a group's session
func sessions42() {
    do {
        try Auth.auth().useUserAccessGroup("TEAMID.com.example.group1")
    } catch let error as NSError {
        print("Error changing user access group: %@", error)
    }
}

// shape: a session moves into a group
func sessions43() {
    let accessGroup = "TEAMID.com.example.group1"
    let tempUser = Auth.auth().currentUser
    do {
        try Auth.auth().useUserAccessGroup(accessGroup)
        if let user = tempUser { Auth.auth().updateCurrentUser(user) { error in print(error as Any) } }
    } catch { print(error) }
}

// shape: a widget looks into a group
func sessions44() -> String? {
    let user = try? Auth.auth().getStoredUser(forAccessGroup: "TEAMID.com.example.group1")
    return user?.uid
}

// shape: a group is left
func sessions45() throws { try Auth.auth().useUserAccessGroup(nil); print(Auth.auth().userAccessGroup ?? "") }

// shape: a session moves into a group with async
func sessions46(_ user: User) async throws { try await Auth.auth().updateCurrentUser(user) }

// shape: a tenant
func sessions47() { Auth.auth().tenantID = "tenant-1"; print(Auth.auth().currentUser?.tenantID ?? "") }

// shape: a repository with a lazy auth
final class Sessions48 {
    private lazy var auth = Auth.auth()
    var uid: String? { auth.currentUser?.uid }
}

// shape: an actor that asks for tokens
actor Sessions49 {
    func token() async throws -> String {
        guard let user = Auth.auth().currentUser else { throw URLError(.userAuthenticationRequired) }
        return try await user.getIDToken()
    }
}

// shape: a sign-out before an account is deleted elsewhere
@MainActor final class Sessions50: UIViewController {
    func signOutTapped() {
        do { try Auth.auth().signOut(); performSegue(withIdentifier: "login", sender: self) } catch { show(error.localizedDescription) }
    }
}

// shape: tests turn app verification off
func sessions51() { Auth.auth().settings?.isAppVerificationDisabledForTesting = true }

// shape: two users are compared
func sessions52(_ user: User) -> Bool { user == Auth.auth().currentUser && user.uid == Auth.auth().currentUser?.uid }

// shape: a refresh token
func sessions53() -> String? { Auth.auth().currentUser?.refreshToken }

// shape: a service of static functions
enum Sessions54 {
    static var isSignedIn: Bool { Auth.auth().currentUser.map { !$0.isAnonymous } ?? false }
    static func user() -> User? { Auth.auth().currentUser }
}

// shape: an environment of closures
struct Sessions55 {
    var signIn: @Sendable (String, String) async throws -> User
    var signOut: @Sendable () throws -> Void
    static let live = Sessions55(
        signIn: { try await Auth.auth().signIn(withEmail: $0, password: $1).user }, signOut: { try Auth.auth().signOut() })
}

// shape: a result builder of errors
extension AuthErrorCode {
    var words: String {
        switch self.code {
        case .networkError: return "offline"
        case .tooManyRequests: return "later"
        case .userTokenExpired, .invalidUserToken: return "sign in"
        case .expiredActionCode, .invalidActionCode: return "ask again"
        case .keychainError: return "locked"
        default: return localizedDescription
        }
    }
}

// shape: a task group of tokens
func sessions57(_ user: User) async throws -> Set<String> {
    try await withThrowingTaskGroup(of: String.self) { group in
        for _ in 0..<5 { group.addTask { try await user.getIDToken() } }
        return try await group.reduce(into: []) { $0.insert($1) }
    }
}

// shape: a user in a dictionary
func sessions58(_ users: [User]) -> [User: Int] { Dictionary(uniqueKeysWithValues: zip(users, 0...)) }

// shape: a handle in an optional that is set to nil
final class Sessions59 {
    var handle: AuthStateDidChangeListenerHandle? = nil
    deinit { if let handle { Auth.auth().removeStateDidChangeListener(handle) } }
}

// shape: an async wait for the first state
func sessions60() async -> User? {
    await withCheckedContinuation { continuation in
        var handle: AuthStateDidChangeListenerHandle?
        handle = Auth.auth().addStateDidChangeListener { auth, user in
            if let handle { auth.removeStateDidChangeListener(handle) }
            handle = nil
            continuation.resume(returning: user)
        }
    }
}
