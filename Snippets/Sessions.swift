// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingAuth

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

func watch() {
    // snippet.listener
    let handle = Auth.auth().addStateDidChangeListener { auth, user in
        if let user {
            print("Signed in: \(user.email ?? user.uid)")
        } else if let reason = auth.sessionEndReason {
            print("Please sign in again. \(reason.message)")
        } else {
            print("Signed out")
        }
    }
    // snippet.end

    // snippet.unlisten
    Auth.auth().removeStateDidChangeListener(handle)
    // snippet.end
}

func follow() async {
    // snippet.stream
    for await user in Auth.auth().authStateChanges {
        print(user?.email ?? "nobody")
    }
    // snippet.end
}

func authorise(_ request: inout URLRequest) async throws {
    // snippet.token
    guard let user = Auth.auth().currentUser else { return }
    let token = try await user.getIDToken()
    request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
    // snippet.end
}

func refreshVerification(of user: User) async throws {
    // snippet.reload
    do {
        try await user.reload()
    } catch AuthErrorCode.networkError {
        // Offline: what was known last still stands.
    } catch {
        print(error.localizedDescription)
    }
    print(user.isEmailVerified ? "Verified" : "Not verified yet")
    // snippet.end
}

func changePassword(of user: User, email: String, old: String, new: String) async throws {
    // snippet.reauthenticate
    do {
        try await user.updatePassword(to: new)
    } catch AuthErrorCode.requiresRecentLogin {
        try await user.reauthenticate(with: EmailAuthProvider.credential(withEmail: email, password: old))
        try await user.updatePassword(to: new)
    } catch {
        print(error.localizedDescription)
    }
    // snippet.end
}

// snippet.store
/// Sessions in a folder that the app shares with its extensions.
struct SharedSessionStore: HomingSessionStore {
    let files: FileSessionStore

    init(container: URL) {
        files = FileSessionStore(folder: container.appendingPathComponent("Sessions"))
    }

    func read(_ key: String) throws -> Data? { try files.read(key) }
    func write(_ data: Data, for key: String) throws { try files.write(data, for: key) }
    func remove(_ key: String) throws { try files.remove(key) }
}
// snippet.end

func share() throws {
    // snippet.group
    let user = Auth.auth().currentUser
    try Auth.auth().useUserAccessGroup("TEAMID.com.example.group")
    if let user { Auth.auth().updateCurrentUser(user) }
    // snippet.end
}

func look() throws {
    // snippet.widget
    let user = try Auth.auth().getStoredUser(forAccessGroup: "TEAMID.com.example.group")
    // snippet.end
    print(user as Any)
}

func forgetAfterDeletion() {
    // snippet.deleted
    if !UserDefaults.standard.bool(forKey: "wasStarted") {
        try? Auth.auth().signOut()
        UserDefaults.standard.set(true, forKey: "wasStarted")
    }
    // snippet.end
}

func configureWithoutSignature(server: URL) {
    // snippet.mac
    HomingApp.configure(endpoint: server, apiKey: "hk_…", sessionStore: FileSessionStore())
    // snippet.end
}

func configure(server: URL, container: URL) {
    // snippet.configure
    HomingApp.configure(
        name: HomingApp.defaultName, endpoint: server, apiKey: "hk_…",
        sessionStore: SharedSessionStore(container: container))
    // snippet.end
}
