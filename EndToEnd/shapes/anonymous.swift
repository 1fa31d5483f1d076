// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors
// swift-format-ignore-file

import Foundation
import HomingAuth

// shape: an anonymous sign-in at the start
@MainActor final class Anonymous1: UIViewController {
    override func viewDidLoad() {
        super.viewDidLoad()
        Auth.auth().signInAnonymously { authResult, error in
            guard let user = authResult?.user else { return }
            print(user.isAnonymous, user.uid)
        }
    }
}

// shape: an anonymous sign-in with a named handler
func anonymous2() { Auth.auth().signInAnonymously(completion: { (result, error) in print(result?.user.uid ?? "", error as Any) }) }

// shape: an anonymous sign-in with async
func anonymous3() async throws -> String { try await Auth.auth().signInAnonymously().user.uid }

// shape: an anonymous sign-in unless somebody is there
func anonymous4() async throws {
    if Auth.auth().currentUser == nil { try await Auth.auth().signInAnonymously() }
}

// shape: an anonymous sign-in without a handler
func anonymous5() { Auth.auth().signInAnonymously() }

// shape: an anonymous user gets a password
func anonymous6(_ email: String, _ password: String) {
    let credential = EmailAuthProvider.credential(withEmail: email, password: password)
    Auth.auth().currentUser?.link(with: credential) { authResult, error in
        if let error { print(error.localizedDescription) } else { print(authResult!.user.isAnonymous) }
    }
}

// shape: an anonymous user gets a password with async
func anonymous7(_ user: User, _ email: String, _ password: String) async throws {
    let result = try await user.link(with: EmailAuthProvider.credential(withEmail: email, password: password))
    print(result.user.email ?? "")
}

// shape: an anonymous user gets a mailed link
func anonymous8(_ email: String, _ link: String) {
    let credential = EmailAuthProvider.credential(withEmail: email, link: link)
    Auth.auth().currentUser?.link(with: credential) { _, error in
        if (error as NSError?)?.code == AuthErrorCode.credentialAlreadyInUse.rawValue { print("sign in with it") }
    }
}

// shape: an anonymous user whose address has an account signs in
func anonymous9(_ credential: AuthCredential) async throws -> User {
    do {
        return try await Auth.auth().currentUser!.link(with: credential).user
    } catch let error as NSError where error.code == AuthErrorCode.emailAlreadyInUse.rawValue
        || error.code == AuthErrorCode.providerAlreadyLinked.rawValue
    {
        return try await Auth.auth().signIn(with: credential).user
    } catch {
        throw error
    }
}

// shape: an anonymous account is deleted
func anonymous10() async { if let user = Auth.auth().currentUser, user.isAnonymous { try? await user.delete() } }
