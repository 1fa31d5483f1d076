// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingAuth

func signUp(email: String, password: String) {
    // snippet.handler
    Auth.auth().createUser(withEmail: email, password: password) { result, error in
        switch (error as? AuthErrorCode)?.code {
        case nil: print("Welcome, \(result?.user.email ?? email)")
        case .emailAlreadyInUse: print("There is an account with this address.")
        default: print(error?.localizedDescription ?? "")
        }
    }
    // snippet.end
}

func save() async {
    func upload() async throws {
        guard let user = Auth.auth().currentUser else { return }
        _ = try await user.getIDToken()
    }
    // snippet.cast
    do {
        try await upload()
    } catch let error as AuthErrorCode where error.code == .networkError {
        print("Kept for later.")
    } catch {
        print(error.localizedDescription)
    }
    // snippet.end
}

// snippet.handle
@MainActor
final class Profile {
    var handle: NSObjectProtocol?

    func appear() {
        handle = Auth.auth().addStateDidChangeListener { _, user in print(user?.email ?? "nobody") }
    }

    func disappear() {
        if let handle { Auth.auth().removeStateDidChangeListener(handle) }
    }
}
// snippet.end
